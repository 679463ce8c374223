"""What a seat is told says nothing of what another has sealed: not in words, headers, sizes or numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from freezegun.api import FrozenDateTimeFactory
from sqlmodel import Session, col, func, select

from corr.core.marks import find
from corr.core.turn import AnyEngine
from corr.mail.account import Account
from corr.mail.presets import Limits
from corr.mail.smtp import SmtpPostman
from corr.service.send import send
from corr.store.letters import queue
from corr.store.tables import Outbox
from tests.databases import Source
from tests.games import broken, guess
from tests.mail.scripted import ScriptedSmtp
from tests.service.conftest import START
from tests.service.world import AOI, BEN, World, found

OWN, RIGHT, WRONG = "own card", "another card", "a third card"
WITHOUT_ORDERS = (OWN, "board", "hello", "draw", "history", "me", "draw", "resign", "no", "games", "board")
"""What Aoi writes while she keeps her own guess to herself: nothing of it closes a round."""
WITH_ORDERS = (RIGHT, "board", OWN, WRONG, "history", f"together\n{RIGHT}\nboard", "draw", "draw")

NOTHING: tuple[str, ...] = ()
BENS = {
    "seals": (RIGHT,),
    "seals-and-thinks-again": (RIGHT, WRONG, RIGHT),
    "tries-what-is-not-allowed": (OWN,),
    "looks": ("board", "history"),
    "reads-japanese": ("lang ja", RIGHT),
    "wants-less": (RIGHT, "stop"),
}


class Script(NamedTuple):
    """A round of two players, by the hour; the phase closes early or by the clock alone."""

    aoi: Sequence[str]
    ben: Sequence[str] = NOTHING
    hour: int = 0  # in which Ben begins to write
    early: str = "never"


class Round:
    """One world in which a script is played, and what Aoi gets in it over SMTP."""

    def __init__(self, world: World, early: str) -> None:
        self.world, self.code = world, world.game("guess")
        self._written: dict[str, int] = {AOI: 0, BEN: 0}
        self._cards = {who: self._card(who) for who in (AOI, BEN)}
        with world.office.database.session() as session:
            game = found(session, self.code)
            game.policy = {**game.policy, "early": early}

    def _card(self, who: str) -> str:
        held = re.search(r"You hold card (\d)", self.world.text(who))
        assert held is not None
        return held[1]

    def write(self, who: str, words: str) -> None:
        """Reply to the newest letter, with ids that count the writer's letters alone."""
        rest = [card for card in "1234" if card != self._cards[who]]
        for name, card in ((OWN, self._cards[who]), (RIGHT, rest[0]), (WRONG, rest[1])):
            words = words.replace(name, card)
        letter = self.world.written(who, words)
        self._written[who] += 1
        del letter["Message-ID"]
        letter["Message-ID"] = f"<{self._written[who]}.{who}>"
        self.world.post(letter)
        self.world.settle()

    def play(self, script: Script) -> None:
        for hour in range(22):  # of the 24 that the round has: the reminder comes in the 20th
            self.world.sleep(minutes=30)
            if script.hour <= hour < script.hour + len(script.ben):
                self.write(BEN, script.ben[hour - script.hour])
            self.world.sleep(minutes=30)
            if hour < len(script.aoi):
                self.write(AOI, script.aoi[hour])
        self.world.settle()

    def delivered(self) -> list[tuple[str, bytes]]:
        """Send all that is due; return envelope sender and bytes of what went to Aoi."""
        with ScriptedSmtp() as server:
            account = Account.parse(f"smtp://127.0.0.1:{server.port}")
            postman = SmtpPostman(account, limits=Limits(connections=1))  # both lists keep their order
            send(self.world.office, postman, "test")
        senders = [command for command in server.commands if command.startswith("MAIL")]
        sent = zip(senders, server.letters, strict=True)
        return [(sender, raw) for sender, raw in sent if message_from_bytes(raw, policy=default)["To"] == AOI]


class Stage:
    """Plays scripts in worlds that are the same when they begin."""

    def __init__(self, source: Source, frozen: FrozenDateTimeFactory, folder: Path) -> None:
        self._source, self._frozen, self._folder = source, frozen, folder
        self.engine: AnyEngine = guess.ENGINE

    def told(self, script: Script) -> list[tuple[str, bytes]]:
        """Return all that Aoi is told while a script is played."""
        self._frozen.move_to(START)
        with self._source.ready(self._folder) as database:
            world = World(database, self._frozen)
            world.engine_now(self.engine)
            game = Round(world, script.early)
            game.play(script)
            return game.delivered()

    def check(self, script: Script) -> None:
        """Check that Ben might as well not have written, as far as Aoi can see."""
        silent, other = (self.told(one) for one in (script._replace(ben=NOTHING), script))
        assert len(silent) == len(other) >= len(script.aoi)
        for letters in zip(silent, other, strict=True):
            assert letters[0] == letters[1], "Aoi is told what Ben does"


@pytest.fixture
def stage(source: Source, frozen: FrozenDateTimeFactory, tmp_path: Path) -> Stage:
    """Give worlds on the database of each kind."""
    return Stage(source, frozen, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("ben", BENS.values(), ids=BENS.keys())
def test_before_a_seat_has_sealed_its_letters_tell_nothing_of_another_seat(
    stage: Stage, ben: Sequence[str]
) -> None:
    stage.check(Script(WITHOUT_ORDERS, ben, early="at-once"))


@pytest.mark.slow
@pytest.mark.parametrize("ben", BENS.values(), ids=BENS.keys())
def test_after_a_seat_has_sealed_its_letters_tell_nothing_of_another_seat(
    stage: Stage, ben: Sequence[str]
) -> None:
    stage.check(Script(WITH_ORDERS, ben))


@pytest.mark.slow
@pytest.mark.parametrize("hour", [1, 4, 9, 17])
def test_it_does_not_matter_when_another_seat_seals(stage: Stage, hour: int) -> None:
    stage.check(Script(WITH_ORDERS, (RIGHT,), hour))


@pytest.mark.parametrize("engine", [broken.ViewTellsWhoIsDone(), broken.SealIsOpen()])
def test_a_game_that_tells_who_is_done_is_caught(stage: Stage, engine: AnyEngine) -> None:
    stage.engine = engine
    with pytest.raises(AssertionError, match="Aoi is told what Ben does"):
        stage.check(Script(("board", "history"), (RIGHT,)))


def test_a_number_that_counts_the_letters_of_others_is_caught(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def numbered(session: Session, letters: Sequence[tuple[dict[str, Any], bytes]]) -> None:
        number = session.exec(select(func.count(col(Outbox.id)))).one()
        header = b"X-Number: %d\r\nX-Corr-Instance:" % number
        queue(session, [(row, raw.replace(b"X-Corr-Instance:", header)) for row, raw in letters])

    monkeypatch.setattr("corr.service.dispatch.queue", numbered)
    with pytest.raises(AssertionError, match="Aoi is told what Ben does"):
        stage.check(Script(("board", "board"), (RIGHT,)))


def test_answers_before_and_after_another_seat_has_sealed_differ_in_the_own_counter_alone(
    stage: Stage, world: World
) -> None:
    """The mark, and what is made of it: the ids, the boundary, the links."""
    game = Round(world, "never")
    game.write(AOI, "board")
    game.write(BEN, RIGHT)
    game.write(AOI, "board")
    before, after = (unmarked(row.raw) for row in world.outbox(AOI)[-2:])
    assert before == after


def test_a_draw_stands_until_the_round_is_over_and_lapses_with_it(world: World) -> None:
    """Sooner it would tell that the other has sealed a guess; later it would outlive its answer."""
    game = Round(world, "at-once")
    game.write(AOI, "draw")
    game.write(BEN, WRONG)
    game.write(AOI, "draw")
    assert "Your offer of a draw stands already." in world.text(AOI)
    game.write(AOI, WRONG)
    game.write(BEN, "draw")
    assert "Your offer of a draw goes to your opponent" in world.text(BEN)
    assert world.row(game.code).status == "running"


def unmarked(raw: bytes) -> str:
    """Put the own counter at nought, with all that follows from it."""
    letter = message_from_bytes(raw, policy=default)
    text = raw.decode()
    (mark,) = {signed.mark for signed in find([str(letter["Reply-To"])])}
    text = text.replace(str(letter.get_boundary()), "=_boundary")
    text = re.sub(rf"{re.escape(str(mark))}\.[a-z2-7]{{20}}", "MARK", text)
    return re.sub(rf"<{mark.letter - 1}\.{AOI}>", "<own letter>", text)
