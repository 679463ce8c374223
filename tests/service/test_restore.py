"""A game leaves as a record and comes back: by letter, to the fact, and it is played on."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from corr.core.clients import MARKS
from corr.demo.clients import text_of
from corr.service import admin
from corr.service.lobby import Invited
from corr.service.record import record_of
from corr.service.restore import Restored, restore
from corr.service.sitting import Sitting
from corr.store.tables import Audit, Event, Game, Outbox, Player
from engines.api import Phrase, Problem, Seat, Viewer, Watcher
from tests.service.test_whole_games import Play, speak
from tests.service.world import AOI, BEN, World, found

CAROL, DAVE = "carol@players.test", "dave@players.test"
OTHERS = (Invited("Carol", CAROL), Invited("Dave", DAVE))


def record(world: World, code: str, viewer: Viewer = Watcher.MASTER, lang: str = "en") -> str:
    """Write a record as the command line does."""
    with world.office.database.session() as session:
        sitting = Sitting(session, world.office, found(session, code))
        return "\n".join(record_of(sitting, viewer, lang))


def restored(world: World, text: str, players: tuple[Invited, ...] = ()) -> Restored:
    done = restore(world.office, text, players, "en")
    assert isinstance(done, Restored), done
    return done


def refused(world: World, text: str, players: tuple[Invited, ...] = ()) -> Problem:
    """Return why a record is refused; nothing may have been written."""
    before = rows(world)
    done = restore(world.office, text, players, "en")
    assert isinstance(done, Problem), done
    assert rows(world) == before
    return done


def rows(world: World) -> list[int]:
    with world.office.database.session() as session:
        return [len(session.exec(select(table)).all()) for table in (Game, Event, Outbox, Player, Audit)]


def facts(world: World, code: str) -> list[object]:
    """Return all of a game's events but for when and where they were written."""
    return [
        (row.seq, row.entry, row.kind, row.version, row.body, row.seat, row.words, row.phase_key, row.cause)
        for row in world.events(code)
    ]


def all_replay(world: World) -> None:
    assert [done.problem for done in admin.replay(world.office) if done.problem] == []


@pytest.mark.parametrize("langs", [("en", "ja"), ("ja", "en")])
@pytest.mark.parametrize("engine", ["guess", "tictactoe"])
def test_the_record_in_a_letter_after_the_end_gives_the_game_again(
    world: World, engine: str, langs: tuple[str, str]
) -> None:
    """What the word history brings, quoted back by a mail program, is the whole game."""
    code = world.game(engine)
    speak(world, langs)
    Play(world, code, langs, 5).to_the_end()
    world.reply(AOI, "history")
    quoted = "".join(f"> {line}\n" for line in text_of(world.newest(AOI)).splitlines())
    letters = len(world.outbox())
    done = restored(world, quoted)
    assert (done.status, done.position) == ("over", world.row(code).position)
    assert facts(world, done.code) == facts(world, code)
    assert world.row(done.code).outcome == world.row(code).outcome
    assert len(world.outbox()) == letters, "nobody is written to"
    all_replay(world)


def test_a_game_that_came_as_a_record_goes_out_as_the_same_record(world: World) -> None:
    """But for its code, where the old one is taken: its luck is still drawn by that."""
    code = world.game("guess")
    world.reply(AOI, "resign")
    world.reply(AOI, "yes")
    first = record(world, code)
    copy = restored(world, first).code
    second = record(world, copy)
    assert second.replace(f"Game: {copy} guess/1\nLuck: {code}\n", f"Game: {code} guess/1\n") == first
    third = record(world, restored(world, second).code)
    assert third.splitlines()[2] == f"Luck: {code}"


@pytest.mark.parametrize("reason", ["time", "adjudication", "void", "agreement", "resignation"])
def test_every_end_survives(world: World, reason: str) -> None:
    code = world.game()
    world.reply(AOI, "5")
    if reason == "time":
        world.sleep(days=30)
        world.settle()
    elif reason in {"adjudication", "void"}:
        winner = None if reason == "void" else "2"
        assert admin.adjudicate(world.office, code, winner, "why", void=reason == "void") is None
    elif reason == "agreement":
        world.reply(AOI, "draw")
        world.reply(BEN, "yes")
    else:
        world.reply(AOI, "resign")
        world.reply(AOI, "yes")
    for lang in ("en", "ja"):
        done = restored(world, record(world, code, lang=lang))
        assert facts(world, done.code) == facts(world, code)
        assert (world.row(done.code).status, world.row(done.code).outcome) == (
            world.row(code).status,
            world.row(code).outcome,
        )
    outcome = world.row(code).outcome
    assert outcome is not None
    assert outcome["reason"] == reason
    all_replay(world)


def test_a_running_game_is_played_on_by_letter(world: World) -> None:
    """Each player gets the position with all that happened, and a reply makes the next move."""
    code = world.game("ukulele", options={"first_player": "1"}, timeout="claim", pace="5d")
    world.reply(AOI, "88-66")
    world.sleep(hours=3)
    done = restored(world, record(world, code), OTHERS)
    row = world.row(done.code)
    assert (done.status, done.position, row.phase_key) == ("running", 2, world.row(code).phase_key)
    assert (row.policy["timeout"], row.paces, row.started_at) == (
        "claim",
        {"move": "5d"},
        world.row(code).started_at,
    )
    for who in (CAROL, DAVE):
        assert "This game goes on here, from its record." in world.text(who)
        assert "Carol moved 88-66" in world.text(who)
        assert str(row.seed_digest) in world.text(who)
    assert "Sat 7 Mar 15:00 UTC" in world.text(DAVE), "the clock runs from now"
    reply = world.reply(DAVE, "91-99")
    assert reply.status == "refused"
    legal = world.reply(DAVE, "91-64")
    assert legal.status == "done", legal.problem
    assert [event.words for event in world.events(done.code)][-1] == "91-64"
    assert [event.words for event in world.events(code)][-1] == "88-66", "the first game stands still"
    all_replay(world)


def test_what_luck_brings_later_is_what_it_would_have_brought(world: World) -> None:
    """The deals of the rounds to come are drawn from the recorded seed, by the recorded code."""
    code = world.game("guess")
    text = record(world, code)
    done = restored(world, text, OTHERS)
    for ours, theirs in ((AOI, CAROL), (BEN, DAVE)):
        assert held(world, ours) == held(world, theirs)
    wrong = {who: wrong_guess(world, who, other) for who, other in ((AOI, BEN), (BEN, AOI))}
    for who, copy in ((AOI, CAROL), (BEN, DAVE)):
        world.reply(who, wrong[who])
        world.reply(copy, wrong[who])
    assert facts(world, done.code) == facts(world, code)
    assert world.row(code).phase_key == "guess-2"


def held(world: World, who: str) -> str:
    """Return the card that the last letter about one names."""
    return world.text(who).split("You hold card ")[1][0]


def wrong_guess(world: World, who: str, other: str) -> str:
    return next(card for card in "1234" if card not in {held(world, who), held(world, other)})


# What is refused


def test_the_record_of_one_seat_is_not_complete(world: World) -> None:
    world.game("guess")
    world.reply(BEN, wrong_guess(world, BEN, AOI))
    world.reply(AOI, "history")
    problem = refused(world, text_of(world.newest(AOI)), OTHERS)
    assert problem == Problem("record.partial", {"reader": "Aoi"})


def test_a_wrong_move_is_named_and_nothing_is_stored(world: World) -> None:
    code = world.game()
    for who, words in ((AOI, "5"), (BEN, "1"), (AOI, "9")):
        world.reply(who, words)
    lines = record(world, code).splitlines()
    at = lines.index("3. Aoi: 9")
    lines[at] = "3. Aoi: 5"
    problem = refused(world, "\n".join(lines), OTHERS)
    assert (problem.key, problem.values["line"], problem.values["words"]) == (
        "record.line",
        at + 1,
        "3. Aoi: 5",
    )
    assert isinstance(why := problem.values["reason"], Phrase)
    assert why.key == "tictactoe.taken"


@pytest.mark.parametrize(
    ("players", "key"),
    [
        ((), "record.players"),
        (OTHERS[:1], "record.players"),
        ((OTHERS[0], Invited("Dave", "nowhere")), "lobby.bad-address"),
        ((OTHERS[0], OTHERS[0]), "lobby.name-twice"),
        ((Invited("Ben", BEN), Invited("Aoi", AOI)), "record.other-chair"),
        ((OTHERS[0], Invited("Dave", "play@corr.test")), "lobby.own-address"),
    ],
)
def test_who_plays_on_must_be_named_in_order(world: World, players: tuple[Invited, ...], key: str) -> None:
    assert refused(world, record(world, world.game()), players).key == key


NOT_OF_ONE_LINE = {"record.no-rules", "record.setup", "lobby.seats-exactly"}


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("tictactoe/1", "tictactoe/9", "record.no-rules"),
        ("Lost time: loss", "Lost time: coffee", "lobby.no-timeout"),
        ("Talk: open", "Talk: loud", "record.no-press"),
        ("Pace move: ", "Pace move: soon", "pace.unread"),
        ("Seat 2: Ben", "Seat 2: Ben\nOption size: 9", "lobby.no-option"),
        ("Seat 2: Ben", "Seat 2: Ben\nOption position: 1", "record.setup"),
        ("Seat 2: Ben", "Seat 2: Aoi", "lobby.name-twice"),
        ("Seat 2: Ben", "Seat 2:", "lobby.bad-name"),
        ("Seat 2: Ben", "Seat 2: Ben\nSeat 3: Eve", "lobby.seats-exactly"),
        ("Digest: ", "Digest: 0", "record.other-seed"),
    ],
)
def test_a_header_that_no_game_can_have_is_refused(world: World, old: str, new: str, key: str) -> None:
    text = record(world, world.game())
    assert old in text
    problem = refused(world, text.replace(old, new), OTHERS)
    if key in NOT_OF_ONE_LINE:
        assert problem.key == key
        return
    assert isinstance(reason := problem.values["reason"], Phrase)
    assert reason.key == key
    changed = text.replace(old, new).splitlines()[int(str(problem.values["line"])) - 1]
    assert changed not in text.splitlines()


def test_a_game_that_is_over_takes_no_players(world: World) -> None:
    code = world.game()
    admin.adjudicate(world.office, code, None, "why", void=False)
    assert refused(world, record(world, code), OTHERS).key == "record.over"
    done = restored(world, record(world, code))
    with world.office.database.session() as session:
        (audit,) = session.exec(select(Audit).where(col(Audit.act) == "import")).all()
        assert audit.game_id == found(session, done.code).id


# The word history


def test_the_record_of_a_running_game_holds_what_its_reader_may_know(world: World) -> None:
    """A sealed order stands in the record of its giver, and in no other; the seed in none."""
    code = world.game("guess")
    card = wrong_guess(world, BEN, AOI)
    world.reply(BEN, card)
    texts = {who: lines(world, who) for who in (AOI, BEN)}
    assert f"2. Ben: {card}" in texts[BEN]
    assert not [line for line in texts[AOI] if "Ben: " in line and line[0].isdigit()]
    seed = world.row(code).seed
    assert seed is not None
    assert all(seed.hex() not in line for text in texts.values() for line in text)
    assert f"2. Ben: {card}" in record(world, code)
    assert seed.hex() in record(world, code)


def lines(world: World, who: str) -> list[str]:
    """Ask for the record, and return its lines."""
    world.reply(who, "history")
    written = [MARKS.sub("", line) for line in text_of(world.newest(who)).splitlines()]
    return written[written.index("[corr record 1]") : written.index("[end of record]")]


def test_a_record_is_written_as_its_reader_would_type(world: World) -> None:
    code = world.game("ukulele", options={"first_player": "1"})
    world.reply(AOI, "88-66")
    world.reply(AOI, "lang ja")
    assert "1. Aoi: 88-66" in lines(world, BEN)
    world.reply(AOI, "棋譜")
    assert "1. Aoi: 8八-6六" in text_of(world.newest(AOI)).splitlines()
    assert "1. Aoi: 8八-6六" in record(world, code, Seat(1), "ja")


def test_an_order_in_the_same_letter_stands_in_the_record(world: World) -> None:
    world.game()
    world.reply(AOI, "5\nhistory")
    assert "1. Aoi: 5" in text_of(world.newest(AOI)).splitlines()


def test_a_part_of_the_history_brings_no_record(world: World) -> None:
    world.game()
    world.reply(AOI, "5")
    assert "corr record" not in world.answer(AOI, "history 5")
