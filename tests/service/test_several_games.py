"""One letter about several games: each part counts in the game that it names."""

from __future__ import annotations

import pytest
from sqlmodel import col, update

from corr.store.tables import Inbound, Outbox
from tests.service.world import AOI, BEN, World, said


def all_sent(world: World) -> None:
    """Record that everything has gone out."""
    with world.office.database.session() as session:
        session.exec(update(Outbox).values(status="sent", sent_at=world.now).where(col(Outbox.id) > 0))


def two(world: World) -> tuple[str, str]:
    """Begin two games of Aoi and Ben, and let their first letters be sent."""
    codes = world.game(), world.game()
    all_sent(world)
    return codes


def test_a_line_with_a_code_switches_to_that_game(world: World) -> None:
    first, second = two(world)
    letter = world.letters(AOI)[0]
    row = world.reply(AOI, f"5\n#{second}\n1", letter)
    assert (row.status, row.game_id) == ("done", world.row(first).id)
    assert [len(world.events(code)) for code in (first, second)] == [2, 2]
    answers = [row.in_reply_to for row in world.outbox(AOI)][-2:]
    assert answers == [row.message_id] * 2, "each game answers in its own thread"


@pytest.mark.parametrize("words", ["#{code} 1", "＃{code}: 1", "#{code}　１", "#{code} hello\n1"])
def test_an_order_may_stand_behind_the_code(world: World, words: str) -> None:
    first, second = two(world)
    world.reply(AOI, f"5\n{words.format(code=second)}", world.letters(AOI)[0])
    assert [len(world.events(code)) for code in (first, second)] == [2, 2]


@pytest.mark.parametrize("line", ["#thanks for the game", "# Orders for today", "#Thanks", "#1 my move"])
def test_a_heading_of_words_names_no_game(world: World, line: str) -> None:
    first, second = two(world)
    said = world.answer(AOI, f"{line}\n5", world.letters(AOI)[0])
    assert ("You hold no seat" in said) == (line == "#Thanks")
    assert [len(world.events(code)) for code in (first, second)] == [2 - (line == "#Thanks"), 1]


@pytest.mark.parametrize("line", ["#{code}", "# {lower}", "＃{code}", "  #{code}  "])
def test_the_code_is_read_as_people_write_it(world: World, line: str) -> None:
    first, second = two(world)
    switch = line.format(code=second, lower=second.lower())
    before = len(world.outbox(AOI))
    world.reply(AOI, f"{switch}\n5", world.letters(AOI)[0])
    assert [len(world.events(code)) for code in (first, second)] == [1, 2]
    (answer,) = world.outbox(AOI)[before:]
    assert answer.game_id == world.row(second).id, "of the first game nothing was said"


def test_lines_for_a_game_of_others_have_no_effect_anywhere(world: World) -> None:
    first, _ = two(world)
    strange = world.game(seats=[("Cy", "cy@players.test"), ("Ben", BEN)])
    said = world.answer(AOI, f"#{strange}\n5\n#ZZZZ\n6", world.letters(AOI)[0])
    assert "Not carried out: 5" in said
    assert f"You hold no seat in a running game {strange}." in said
    assert "You hold no seat in a running game ZZZZ." in said
    assert [len(world.events(code)) for code in (first, strange)] == [1, 1]


def test_a_part_for_a_position_that_has_changed_since_is_stale(world: World) -> None:
    """It answers the newest letter of that game that had been sent when it came."""
    first, second = two(world)
    starts = world.letters(AOI)
    world.reply(AOI, "5", starts[1])
    world.reply(BEN, "1", world.letters(BEN)[-1])
    assert len(world.events(second)) == 3
    world.reply(AOI, f"#{second}\n9", starts[0])
    assert len(world.events(second)) == 3, "the letters about the newer position lie in the outbox"
    all_sent(world)
    world.reply(AOI, f"#{second}\n9", starts[0])
    assert [len(world.events(code)) for code in (first, second)] == [1, 4]


def test_a_letter_that_is_doubted_waits_with_its_first_part_alone(world: World) -> None:
    first, second = two(world)
    world.reply("aoi@elsewhere.test", f"5\n#{second}\n1", world.letters(AOI)[0])
    all_sent(world)
    world.reply(AOI, "yes")
    assert [len(world.events(code)) for code in (first, second)] == [2, 1]


def test_in_a_reply_to_talk_such_a_line_is_said(world: World) -> None:
    first, second = two(world)
    world.reply(BEN, "say How about the other game?", world.letters(BEN)[0])
    world.reply(AOI, f"#{second}\n5")
    assert [len(world.events(code)) for code in (first, second)] == [1, 1]
    assert f"#{second}" in world.text(BEN)


# Without a mark


def bare(world: World, words: str, subject: str = "my moves") -> Inbound:
    """Write from Aoi's own address a letter that replies to nothing."""
    number = world.post(world.plain(AOI, words, subject))
    world.settle()
    return world.inbound(number)


def confirm(world: World, code: str) -> str:
    """Say yes to the question about a game; returns the answer."""
    asked = next(one for one in reversed(world.letters(AOI)) if f"[{code}]" in str(one["Subject"]))
    return world.answer(AOI, "yes", asked)


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("[{code}] my move", "5"),
        ("Re: [{lower}] tictactoe", "Hello!\n5"),
        ("my move", "#{code}\n5"),
        ("my move", "#{code} 5"),
        ("my move", "Hello!\n\n#{lower}\n5"),
        ("[{code}] my move", "#{code}\n5"),
    ],
)
def test_a_letter_without_a_mark_names_its_game(world: World, subject: str, words: str) -> None:
    """Then it waits for a yes, as that of somebody with one game does."""
    first, second = two(world)
    names = {"code": second, "lower": second.lower()}
    row = bare(world, words.format(**names), subject.format(**names))
    assert (row.game_id, row.problem) == (world.row(second).id, "intake.waits")
    assert [len(world.events(code)) for code in (first, second)] == [1, 1]
    assert "Taken: 5" in confirm(world, second)
    assert [len(world.events(code)) for code in (first, second)] == [1, 2]


def test_one_without_a_mark_may_name_several_games(world: World) -> None:
    """Each is asked about by itself, and a yes carries out what was written for that game alone."""
    first, second = two(world)
    bare(world, f"#{first}\n5\n#{second}\n1")
    assert "Taken: 1" in confirm(world, second)
    assert [event.words for event in world.events(second)[1:]] == ["1"]
    assert len(world.events(first)) == 1
    assert "Taken: 5" in confirm(world, first)
    assert [event.words for event in world.events(first)[1:]] == ["5"]


def test_what_names_no_game_of_the_writer_is_listed(world: World) -> None:
    two(world)
    before = len(world.outbox())
    bare(world, "5\n#ZZZZ\n6\n#YYYY 7")
    (answer,) = world.outbox()[before:]
    said = world.text(AOI)
    assert answer.game_id is None
    assert "cannot tell which game you mean" in said
    assert [line in said for line in ("Not read as a move: 5", "as a move: 6", "as a move: 7")] == [True] * 3


def test_beside_what_names_a_game_the_rest_is_listed(world: World) -> None:
    first, second = two(world)
    bare(world, f"9\n#{second}\n5\n#ZZZZ 7")
    letters = [said(one) for one in world.letters(AOI)[-2:]]
    assert [("Did you write this letter" in text, "which game" in text) for text in letters] == [
        (False, True),
        (True, False),
    ]
    assert "Not read as a move: 9" in letters[0]
    assert "Not read as a move: 7" in letters[0]
    confirm(world, second)
    assert [event.words for event in world.events(second)[1:]] == ["5"]
    assert len(world.events(first)) == 1


def test_of_somebody_with_one_game_a_part_for_another_is_not_played_in_it(world: World) -> None:
    code = world.game()
    all_sent(world)
    bare(world, "#ZZZZ\n5")
    assert "Not read as a move: 5" in world.text(AOI)
    bare(world, f"#{code} 5")
    assert "Taken: 5" in confirm(world, code)
