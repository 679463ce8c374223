"""What the words of corr do in a letter that belongs to a running game.

One function a word: it does what the word asks, and returns what became of the
line.  The table at the end is the list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from corr.core.commands import Word, extent, is_alone, topic
from corr.core.endings import agreed, out_of_time, resigned
from corr.core.marks import Mark
from corr.core.page import Fate, Line, Question
from corr.core.reading import Reading
from corr.core.turn import Ended, end, fate_of, is_order
from corr.service import addresses, person, talk, waiting
from corr.service.gather import tables_of
from corr.service.sitting import Answer, Sitting
from corr.store import games
from corr.store.letters import letter_to
from corr.store.tables import Ask
from corr.store.types import AskKind
from engines.api import Phase, Phrase, Problem, Seat, name


@dataclass(frozen=True, slots=True)
class Desk:
    """One letter on the table: the game, the answer that is being made, the mark it brought."""

    sitting: Sitting
    answer: Answer
    mark: Mark | None
    waited: bool = False  # a yes of the holder lets it be judged
    confirmed: list[Ask] = field(default_factory=list[Ask])  # letters that waited for this one's yes

    @property
    def seat(self) -> Seat:
        """The seat of the writer."""
        return self.answer.seat

    @property
    def mark_is_written(self) -> bool:
        """Tell whether the letter itself brings the mark: a proven sender alone is understood to."""
        return self.mark is not None and self.mark.letter > 0

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats."""
        return tuple(seat for seat in self.sitting.holders if seat != self.seat)

    def replies_to(self, question: str) -> bool:
        """Tell whether the letter answers one of corr's that put *question*."""
        if self.mark is None:
            return False
        sitting = self.sitting
        row = letter_to(sitting.session, sitting.game.id, self.mark.seat, self.mark.letter)
        return row is not None and row.kind.endswith(f".{question}")


def act(desk: Desk, line: str, word: Word) -> Line:
    """Do what a word asks; without a mark, only what tells the holder something."""
    if desk.mark is None and word.name not in TELLING:
        return _refused(line, "intake.no-mark")
    if word.name in BINDING and not desk.mark_is_written:
        return _refused(line, "intake.no-mark")
    if desk.waited and word.name not in waiting.WAITS | TELLING | ABOUT_LINES:
        return _refused(line, "intake.no-mark")
    return ACTS[word.name](desk, line, word)


def _done(line: str, key: str) -> Line:
    return Line(line, Fate.TAKEN, Phrase(key))


def _refused(line: str, key: str) -> Line:
    return talk.returned(line, Problem(key))


def _topic(desk: Desk, line: str, word: Word) -> Line:
    """Put what was asked for into the answer."""
    return _shown(desk, line, word.name)


def _help(desk: Desk, line: str, word: Word) -> Line:
    """Explain one topic, or all in short."""
    return _shown(desk, line, topic(word.argument) or "help")


def _ask(desk: Desk, line: str, word: Word) -> Line:
    """Look for the answer in the rules of the game."""
    desk.answer.asked = word.argument
    return _shown(desk, line, "ask")


def _history(desk: Desk, line: str, word: Word) -> Line:
    """Tell what happened, or a part of it."""
    desk.answer.extent = extent(word.argument)
    return _shown(desk, line, "history")


def _games(desk: Desk, line: str, word: Word) -> Line:
    desk.answer.games = tables_of(desk.sitting.session, desk.sitting.holders[desk.seat].player.id)
    return _shown(desk, line, "games")


def _shown(desk: Desk, line: str, name: str) -> Line:
    if name not in desk.answer.topics:
        desk.answer.topics.append(name)
    return _done(line, "topic.below")


def _board(desk: Desk, line: str, word: Word) -> Line:
    """Every answer shows the position."""
    return _done(line, "topic.below")


def _together(desk: Desk, line: str, word: Word) -> Line:
    return _done(line, "together.noted")


def _anyway(desk: Desk, line: str, word: Word) -> Line:
    return _done(line, "anyway.noted")


def _setting(desk: Desk, line: str, word: Word) -> Line:
    """Change what holds for the person, from this answer on."""
    told = person.change(desk.sitting.holders[desk.seat].player, word)
    return Line(line, fate_of(told) if isinstance(told, Problem) else Fate.TAKEN, told)


def _address_add(desk: Desk, line: str, word: Word) -> Line:
    return Line(line, *addresses.add(desk.sitting, desk.seat, word.argument))


def _address_remove(desk: Desk, line: str, word: Word) -> Line:
    return Line(line, *addresses.remove(desk.sitting, desk.seat, word.argument))


def _talk(desk: Desk, line: str, word: Word) -> Line:
    return talk.act(desk.sitting, desk.answer, desk.mark, line, word)


def _resign(desk: Desk, line: str, word: Word) -> Line:
    """Ask once: what ends the game is confirmed by a yes to the question."""
    if not isinstance(desk.sitting.status, Phase):
        return _refused(line, "timing.over")
    if _own(desk, "confirm") is None:
        _put(desk, "confirm")
    desk.answer.question = Question("resign")
    return _done(line, "resign.ask")


def _draw(desk: Desk, line: str, word: Word) -> Line:
    """Offer a draw, or accept the one that is offered."""
    if not isinstance(desk.sitting.status, Phase):
        return _refused(line, "timing.over")
    if _offered(desk) is not None:
        return _accept_draw(desk, line)
    if _own(desk, "draw") is not None:
        return _refused(line, "draw.already")
    _put(desk, "draw")
    for seat in desk.others:
        desk.sitting.ask(seat, Question("draw", desk.seat))
    return _done(line, "draw.offered")


def _no_draw(desk: Desk, line: str, word: Word) -> Line:
    offer = _offer(desk)
    if offer is None or offer.seat is None:
        return _refused(line, "draw.none")
    offer.status = "declined"
    desk.sitting.note(Seat(offer.seat), Phrase("note.draw-declined", {"by": name(desk.seat)}))
    return _done(line, "draw.declined")


def _claim(desk: Desk, line: str, word: Word) -> Line:
    """Win on time, where the game says ``timeout = claim`` and the time is over."""
    sitting, phase = desk.sitting, desk.sitting.status
    if not isinstance(phase, Phase):
        return _refused(line, "timing.over")
    if sitting.game.policy.get("timeout") != "claim" or desk.seat in phase.waiting:
        return _refused(line, "claim.not-allowed")
    due = games.deadline_at(sitting.session, sitting.game, "expire")
    if due is None or due.due_at > desk.answer.inbound.received_at:
        return _refused(line, "claim.too-early")
    _end(desk, out_of_time(sitting.holders, phase))
    return _done(line, "claim.done")


def _yes(desk: Desk, line: str, word: Word) -> Line:
    """Agree to the question of the letter replied to, and to no other."""
    if not isinstance(desk.sitting.status, Phase):
        return _unasked(desk, line, "timing.over")
    own = _own(desk, "confirm")
    if own is not None and desk.replies_to("resign"):
        own.status = "agreed"
        _end(desk, resigned(desk.sitting.holders, desk.seat))
        return _done(line, "resign.done")
    if (ask := waiting.asked(desk.sitting, desk.seat, desk.mark)) is not None:
        ask.status = "agreed"
        desk.confirmed.append(ask)
        return _done(line, "ask.carried-out")
    return _accept_draw(desk, line) if _offered(desk) and desk.replies_to("draw") else _unasked(desk, line)


def _no(desk: Desk, line: str, word: Word) -> Line:
    own = _own(desk, "confirm")
    if own is not None and desk.replies_to("resign"):
        own.status = "declined"
        return _done(line, "resign.dropped")
    if (ask := waiting.asked(desk.sitting, desk.seat, desk.mark)) is not None:
        ask.status = "declined"
        return _done(line, "ask.dropped")
    return _no_draw(desk, line, word) if desk.replies_to("draw") else _unasked(desk, line)


def _unasked(desk: Desk, line: str, key: str = "ask.none") -> Line:
    """Refuse an answer to a letter that asked nothing, and put the question that is open.

    With more words behind it a yes or no is chatter: "No, sorry for the delay".
    """
    offer = _offered(desk)
    if offer is not None and offer.seat is not None:
        desk.answer.question = Question("draw", Seat(offer.seat))
    return _refused(line, key) if is_alone(line) else Line(line, Fate.UNREAD, Problem(key))


def _accept_draw(desk: Desk, line: str) -> Line:
    """Agree; the game is drawn when every other seat has."""
    offer = _offered(desk)
    assert offer is not None
    offer.answers = {**offer.answers, str(desk.seat): True}
    if all(str(seat) in offer.answers for seat in desk.sitting.holders if seat != offer.seat):
        offer.status = "agreed"
        _end(desk, agreed())
    return _done(line, "draw.accepted")


def _put(desk: Desk, kind: AskKind) -> None:
    """Store a question at the position to which this letter leads."""
    sitting = desk.sitting
    moved = sitting.turn.opened if sitting.turn else 0
    ask = Ask(game_id=sitting.game.id, kind=kind, position=sitting.game.position + moved, seat=desk.seat)
    sitting.session.add(ask)


def _own(desk: Desk, kind: AskKind) -> Ask | None:
    asks = games.open_asks(desk.sitting.session, desk.sitting.game.id, kind)
    return next((ask for ask in asks if ask.seat == desk.seat), None)


def _offered(desk: Desk) -> Ask | None:
    """Return the draw that another seat offers and that this letter did not play past."""
    turn = desk.sitting.turn
    played = turn and any(entry.seat == desk.seat for entry in turn.entries)
    return None if played else _offer(desk)


def _offer(desk: Desk) -> Ask | None:
    """Return the draw that another seat offers."""
    asks = games.open_asks(desk.sitting.session, desk.sitting.game.id, "draw")
    return next((ask for ask in asks if ask.seat != desk.seat), None)


# Questions that a letter answers twice, or not at all


CONTRADICTION = Problem("ask.contradiction")
"""Why neither a yes is taken nor what plays on beside it."""


def _asked(desk: Desk) -> Question | None:
    """Return the question of the letter replied to that a yes would end the game with, if it is open."""
    if _own(desk, "confirm") is not None and desk.replies_to("resign"):
        return Question("resign")
    offer = _offer(desk)
    if offer is None or offer.seat is None or str(desk.seat) in offer.answers:
        return None
    return Question("draw", Seat(offer.seat)) if desk.replies_to("draw") else None


def opposed(desk: Desk, reading: Reading) -> frozenset[tuple[str, Word | None]]:
    """Return the lines of a letter that says yes to the end of the game, and no or an order.

    Playing on is a no, and nobody guesses which is meant.
    """
    if not reading.says("yes") or _asked(desk) is None:
        return frozenset()
    no = frozenset(line for line in reading.lines if _plays_on(desk, *line))
    yes = frozenset((text, word) for text, word in reading.lines if word is not None and word.name == "yes")
    return yes | no if no else no


def _plays_on(desk: Desk, text: str, word: Word | None) -> bool:
    sitting = desk.sitting
    if word is not None:
        return word.name in {"no", "no draw"}
    return is_order(sitting.engine, sitting.position, desk.seat, text)


def ask_again(desk: Desk) -> None:
    """Put the question anew to whoever answered it with neither yes nor no, or with both.

    What only sounds like a yes is none: it would end the game.
    """
    lines = desk.answer.lines
    both = any(line.reason == CONTRADICTION for line in lines)
    taken = any(line.fate is Fate.TAKEN for line in lines)
    if taken and not both:
        return
    if (question := _asked(desk)) is not None:
        desk.answer.question = question
        why = None if both else Problem("ask.unclear")
    elif waiting.asked(desk.sitting, desk.seat, desk.mark) is not None:
        why = Problem("ask.yes-or-no")
    else:
        return
    desk.answer.lines[:] = [_without_hint(line, why) for line in lines]


def _without_hint(line: Line, why: Problem | None) -> Line:
    """Do not tell how moves are written to whoever was asked something else."""
    return replace(line, reason=why) if line.fate is Fate.UNREAD and line.words else line


def _end(desk: Desk, ended: Ended) -> None:
    sitting = desk.sitting
    sitting.add(end(sitting.engine, sitting.position, ended, desk.seat, "order"))


TELLING = frozenset({"help", "ask", "rules", "history", "me", "games", "board"})
"""Words that change nothing: they may come without a mark, since only the holder gets the answer."""

ABOUT_LINES = frozenset({"together", "anyway"})
"""Words that say how the other lines are meant, and do nothing themselves."""

BINDING = frozenset({"address add", "address remove"})
"""Words for which it is not enough that a mail server vouches for the sender."""

BEFORE = (TELLING - {"board", "me"}) | {*person.SETTINGS, "address add", "address remove"}
"""Words that mean something before the game begins."""

ACTS: dict[str, Callable[[Desk, str, Word], Line]] = {
    "help": _help,
    "ask": _ask,
    "rules": _topic,
    "history": _history,
    "me": _topic,
    "games": _games,
    "board": _board,
    "together": _together,
    "anyway": _anyway,
    "address add": _address_add,
    "address remove": _address_remove,
    "resign": _resign,
    "draw": _draw,
    "no draw": _no_draw,
    "claim": _claim,
    "yes": _yes,
    "no": _no,
    **dict.fromkeys(person.SETTINGS, _setting),
    **dict.fromkeys(talk.WORDS, _talk),
}
