"""Records: what is written down is read back, and a record that is wrong says where."""

from __future__ import annotations

import itertools
import json
import textwrap
from collections.abc import Callable
from dataclasses import replace

import pytest

from corr.core.page import Fate
from corr.core.record import Record, read
from corr.core.rerun import fitted, played
from corr.core.turn import Turn, joined, start, take
from corr.render.catalogue import word
from engines.api import Phrase, Problem, Seat, Watcher
from tests.core.recorded import CODE, ENGINES, Recorded, luck_of, recorded
from tests.games import guess, tictactoe

LANGS = ("en", "ja")
SEEDS = range(4)


def again(game: Recorded, text: str) -> Turn:
    """Read a record and play it; nothing may be refused."""
    record = read(text)
    assert isinstance(record, Record), record
    turn = played(game.engine, fitted(game.engine, record), luck_of(record.header))
    assert isinstance(turn, Turn), turn
    return turn


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("rules", ENGINES)
def test_what_is_written_down_is_read_back_to_the_fact(rules: str, lang: str) -> None:
    """Orders, lapses, resignations, draws, claims, rulings: the same entries, the same end."""
    for seed in SEEDS:
        game = recorded(ENGINES[rules], seed)
        turn = again(game, game.text(lang))
        assert turn.entries == game.turn.entries
        assert (turn.after, turn.opened) == (game.turn.after, game.turn.opened)


@pytest.mark.parametrize("verb", ["resign", "draw", "claim", "adjudicate", "void", "lapse"])
def test_every_end_outside_the_rules_is_read_back(verb: str) -> None:
    for seed, rules in itertools.product(range(6), ("tictactoe/1", "guess/1")):
        game = recorded(ENGINES[rules], seed, verbs=("order", "order", verb))
        assert again(game, game.text()).entries == game.turn.entries


def quoted(text: str) -> str:
    """Quote a record as a reply does, twice, with words around it."""
    marked = "".join(f"> >{' ' if line else ''}{line}\n" for line in text.splitlines())
    return (
        f"Here it is!\n\n> On Mon, 2 Mar 2026, corr wrote:\n{marked}> > == The final position ==\n> > bye\n"
    )


def folded(text: str) -> str:
    """Break the lines as narrow programs do."""
    return "\n".join(textwrap.fill(line, 34) for line in text.splitlines())


def folded_and_quoted(text: str) -> str:
    """Quote what a narrow program has broken."""
    return quoted(folded(text))


def widened(text: str) -> str:
    """Write as a Japanese keyboard does: full width, but for the brackets of the first line."""
    wide = {ord(letter): ord(letter) + 0xFEE0 for letter in "0123456789:().-"}
    first, _, rest = text.partition("\n")
    return f"{first}\n{rest.translate(wide)}"


def from_windows(text: str) -> str:
    """End the lines as Windows does, with blanks before."""
    return text.replace("\n", "  \r\n")


@pytest.mark.parametrize("changed", [quoted, folded, widened, from_windows, folded_and_quoted])
@pytest.mark.parametrize("rules", ENGINES)
def test_what_mail_programs_do_to_a_record_does_no_harm(rules: str, changed: Callable[[str], str]) -> None:
    game = recorded(ENGINES[rules], 7)
    assert again(game, changed(game.text())).entries == game.turn.entries


def test_a_file_among_the_options_is_read_back_however_it_was_broken() -> None:
    """The cards of a game are written in ASCII without a space, so no break can hurt."""
    engine = ENGINES["bakenushi/1"]
    game = recorded(engine, 1, verbs=("order",))
    file = '{"title": "化け  札", "note": "a b"}'
    header = replace(game.header, options={"components": file})
    text = Recorded(engine, header, game.turn).text()
    record = read(folded(text))
    assert isinstance(record, Record)
    assert json.loads(fitted(engine, record).header.options["components"]) == json.loads(file)
    assert "components" not in Recorded(engine, header, game.turn).text(viewer=Seat(1))


# A record of tic-tac-toe that people can check


def small(*moves: str, result: str = "Result: Aoi (three-in-a-row)", **changes: str) -> str:
    """Write a record of tic-tac-toe by hand."""
    seed = "00" * 32
    lines = {
        "game": f"Game: {CODE} tictactoe/1",
        "aoi": "Seat 1: Aoi",
        "ben": "Seat 2: Ben",
        "seed": f"Seed: {seed}",
    } | changes
    return "\n".join(["[corr record 1]", *filter(None, lines.values()), *moves, result, "[end of record]"])


WON = ("1. Aoi: 1", "2. Ben: 4", "3. Aoi: 2", "4. Ben: 5", "5. Aoi: 3")


def refusal(text: str) -> Problem:
    """Return why a record is refused."""
    record = read(text)
    if isinstance(record, Problem):
        return record
    done = played(tictactoe.ENGINE, record, luck_of(record.header))
    assert isinstance(done, Problem), done
    return done


def test_a_record_is_what_a_person_would_write() -> None:
    record = read(small(*WON))
    assert isinstance(record, Record)
    turn = played(tictactoe.ENGINE, record, luck_of(record.header))
    assert isinstance(turn, Turn)
    assert [(entry.seat, entry.words) for entry in turn.entries if entry.seat] == [
        (1, "1"),
        (2, "4"),
        (1, "2"),
        (2, "5"),
        (1, "3"),
    ]


@pytest.mark.parametrize(
    ("moves", "result", "line", "reason"),
    [
        (("1. Aoi: 1", "2. Ben: 1"), "", 7, "tictactoe.taken"),
        (("1. Aoi: 1", "2. Ben: hello"), "", 7, "tictactoe.unread"),
        (("1. Ben: 1",), "", 6, "timing.not-your-turn"),
        (("1. Carol: 1",), "", 6, "record.unread"),
        (("1. Aoi: 1", "3. Ben: 2"), "", 7, "record.position"),
        (("2. Aoi: 1",), "", 6, "record.position"),
        ((*WON, "6. Ben: 9"), "", 11, "timing.over"),
        (("1. (all done)",), "", 6, "record.not-done"),
        (("1. (time over)",), "", 6, "record.no-lapse"),
        (("1. Ben: claim",), "", 6, "claim.not-allowed"),
        (("1. (coffee)",), "", 6, "record.unread"),
        (("Seat 1: Eve",), "", 6, "record.twice"),
        (("1. Aoi: 1", "Optoin position: 1"), "", 7, "record.unread"),
        (("1. Aoi: 1", "2 Ben: 4"), "", 7, "record.unread"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_its_reason(
    moves: tuple[str, ...], result: str, line: int, reason: str
) -> None:
    problem = refusal(small(*moves, result=result))
    assert problem.key == "record.line"
    assert problem.values["line"] == line
    why = problem.values["reason"]
    assert isinstance(why, Phrase)
    assert why.key == reason


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "record.none"),
        ("Dear all, the record follows tomorrow.", "record.none"),
        (small(*WON).replace("record 1", "record 2"), "record.newer"),
        (small(*WON).replace("[end of record]", ""), "record.cut"),
        (small(*WON, seed=""), "record.no-seed"),
        (small(*WON, seed="Seed: 0123"), "record.line"),
        (small(*WON, game=""), "record.missing"),
        (small(*WON, game="Game: tictactoe"), "record.line"),
        (small(*WON, ben="Seat 3: Ben"), "record.line"),
        (small(*WON, begun="Begun: yesterday"), "record.line"),
        (small(*WON, result=""), "record.no-result"),
        (small(*WON, result="Result: Ben (three-in-a-row)"), "record.other-result"),
        (small(*WON, result="Result: Aoi (resignation)"), "record.other-result"),
        (small(*WON[:4]), "record.goes-on"),
        (small("nonsense", *WON), "record.line"),
    ],
)
def test_a_record_that_is_none_says_why(text: str, key: str) -> None:
    assert refusal(text).key == key
    for lang in LANGS:
        assert word(refusal(text), lang, {})


def test_who_loses_on_time_must_be_able_to() -> None:
    lost = ("1. Aoi: 1", "2. (lost on time)")
    record = read(small(*lost, result="Result: Aoi (time)"))
    assert isinstance(record, Record)
    assert isinstance(played(tictactoe.ENGINE, record, luck_of(record.header)), Turn)
    other = small(*lost, result="Result: Aoi (time)", timeout="Lost time: nothing")
    assert refusal(other).values["line"] == 8


# Who may know what


def sealed() -> Recorded:
    """Play Guess up to where Ben has sealed an order and Aoi has not."""
    game = recorded(guess.ENGINE, 1, verbs=("order",))
    luck = luck_of(game.header)
    setup = guess.ENGINE.setup(2, {}, luck("setup"))
    assert not isinstance(setup, Problem)
    opening = start(guess.ENGINE, setup, luck)
    order = next(iter(guess.ENGINE.orders(opening.after.state, Seat(2))))
    turn = take(guess.ENGINE, opening.after, Seat(2), [str(order)], luck, lang="en")
    assert turn.lines[0].fate is Fate.TAKEN
    return Recorded(guess.ENGINE, game.header, joined((opening, turn)))


def test_a_sealed_order_stands_only_in_the_record_of_its_giver() -> None:
    game = sealed()
    shown = {viewer: game.text(viewer=viewer) for viewer in (Seat(1), Seat(2), Watcher.PUBLIC)}
    assert "P: 2: " in shown[Seat(2)]
    assert "P: 2: " not in shown[Seat(1)]
    assert shown[Watcher.PUBLIC].splitlines()[2] == "Shown to: everybody"
    assert shown[Seat(1)].replace("Shown to: P: 1", "Shown to: everybody") == shown[Watcher.PUBLIC]


def test_a_record_that_is_not_complete_is_refused_and_says_what_it_lacks() -> None:
    for viewer in (Seat(1), Watcher.PUBLIC):
        problem = read(sealed().text(viewer=viewer))
        assert isinstance(problem, Problem)
        told = word(problem, "en", {})
        assert "the seed is missing" in told
        assert "orders of others" in told
        assert ("P: 1" if viewer == 1 else "everybody") in told


def test_without_secrets_everybody_reads_every_move() -> None:
    """Of a game whose moves are told to all, only the seed is missing while it goes on."""
    game = recorded(tictactoe.ENGINE, 2, verbs=("order",))
    moves = [line for line in game.text().splitlines() if line[0].isdigit()]
    shown = game.text(viewer=Watcher.PUBLIC)
    assert moves == [line for line in shown.splitlines() if line[0].isdigit()]
    assert game.header.seed.hex() in game.text()
    assert game.header.seed.hex() not in shown
