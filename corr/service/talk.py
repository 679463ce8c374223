"""What players say to each other: who hears it, and the letters that bring it.

The listeners are fixed when something is said.  Each gets a letter of corr's own, with
the reader's own mark; of the writer's letter nothing goes along but the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlmodel import Session

from corr.core.commands import Word, around
from corr.core.letter import Letter, read_letter
from corr.core.marks import Mark
from corr.core.names import Unclear, find_seat
from corr.core.page import Fate, Kind, Line, Page, Said
from corr.core.reading import Reading, read
from corr.core.talk import LONGEST_POST, REPLY, Press, addressed, heard, without
from corr.core.unmarked import may_stand
from corr.service.dispatch import Due, write_seats
from corr.service.office import Office
from corr.service.sitting import Answer, Sitting
from corr.store import chairs, games, letters, posts
from corr.store.tables import Audit, Game, Inbound, Player, Post
from engines.api import Outcome, Phrase, Problem, Seat, name

MOST_IN_AN_HOUR = 20
"""Posts of one seat; nobody shall fill the boxes of the others."""

EVERYBODY, MASTERS, REPORT = "all", "gm", "report"
"""Channels; a private one is named after the seat that is spoken to, and a report after the post."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who says something in a letter."""

    sitting: Sitting
    inbound: Inbound
    seat: Seat
    answered: Post | None  # what the letter replies to
    line: str  # as it was typed

    @property
    def player(self) -> Player:
        """The one who speaks."""
        return self.sitting.holders[self.seat].player


def answered(session: Session, game: Game, mark: Mark | None) -> Post | None:
    """Return the post to which a letter with *mark* replies; None where it is no reply to talk."""
    return posts.told_in(session, game.id, mark.seat, mark.letter) if mark else None


def read_reply(session: Session, game: Game, mark: Mark | None, letter: Letter) -> Reading:
    """Read a letter of a player: a reply to talk is talk.

    Where it is long, corr's own letter may stand in it without any mark.  Where its body
    says nothing, what its subject says beside corr's own counts.
    """
    talks = answered(session, game, mark) is not None
    found = read(letter, talk=talks)
    long = mark is not None and may_stand(text for text, _ in found.lines)
    own = own_text(session, game, mark) if mark is not None and long else ""
    if own:
        found = read(letter, talk=talks, own=own)
    if found.lines or mark is None or "[" not in letter.subject:
        return found
    beside = around(letter.subject, _subjects(session, game, mark))
    return read(replace(letter, subject=beside), talk=talks, own=own)


def own_text(session: Session, game: Game, mark: Mark) -> str:
    """Return the text of the letter that *mark* names, or where it names none, of the newest to the seat."""
    number = mark.letter or letters.next_number(session, game.id, mark.seat) - 1
    row = letters.letter_to(session, game.id, mark.seat, number)
    return read_letter(row.raw).text if row is not None else ""


def _subjects(session: Session, game: Game, mark: Mark) -> list[str]:
    """Return what corr wrote above the letter that is answered, and above the newest one to the seat."""
    newest = letters.next_number(session, game.id, mark.seat) - 1
    rows = (letters.letter_to(session, game.id, mark.seat, n) for n in (mark.letter, newest))
    return [read_letter(row.raw).subject for row in rows if row is not None]


def act(sitting: Sitting, answer: Answer, mark: Mark | None, line: str, word: Word) -> Line:
    """Do what a word of talk asks for the writer of a letter."""
    post = answered(sitting.session, sitting.game, mark)
    argument = without(word.argument, sitting.holders[answer.seat].verified)
    return _ACTS[word.name](Voice(sitting, answer.inbound, answer.seat, post, line), argument)


def returned(text: str, problem: Problem) -> Line:
    """Give back whole what was not carried out."""
    return Line(_first(text), Fate.REFUSED, problem, text=_more(text))


def keep_short(sitting: Sitting, answer: Answer, reading: Reading) -> None:
    """Answer a letter that only talks with a receipt, without the position."""
    if [word and word.name for _, word in reading.lines] == [REPLY]:
        sitting.write(answer.seat, Page(kind=Kind.ANSWER, seat=answer.seat, table=sitting.table))


def _first(text: str) -> str:
    return text.partition("\n")[0]


def _more(text: str) -> str:
    """Return what has more lines than the one that an answer shows anyway."""
    return text if "\n" in text else ""


def _taken(text: str, reason: Phrase) -> Line:
    return Line(_first(text), Fate.TAKEN, reason, text=_more(text))


# Saying


def _say(voice: Voice, text: str) -> Line:
    return _post(voice, text, None)


def _say_to(voice: Voice, argument: str) -> Line:
    found = addressed(argument, lambda words: _find(voice.sitting, words))
    if found is None:
        return returned(argument, _nobody(voice))
    return _post(voice, found[1], found[0])


def _reply(voice: Voice, text: str) -> Line:
    """Answer those who heard the post, or the one who said it to the writer alone."""
    post = voice.answered
    assert post is not None, "only a reply to talk is read as one"
    private = post.channel != EVERYBODY and post.seat is not None
    return _post(voice, text, Seat(post.seat) if private and post.seat is not None else None)


def _find(sitting: Sitting, words: str) -> Seat | None:
    found = find_seat(sitting.table.names, words)
    return None if isinstance(found, Unclear) else found


def _nobody(voice: Voice) -> Problem:
    others = tuple(name(seat) for seat in voice.sitting.holders if seat != voice.seat)
    return Problem("talk.nobody", {"names": others})


def _post(voice: Voice, text: str, to: Seat | None) -> Line:
    """Say something to everybody, or to one seat."""
    press = voice.sitting.table.press
    listeners = heard(press, voice.seat, voice.sitting.holders, to)
    if isinstance(listeners, Problem):
        return returned(text, listeners)
    problem = _keep(voice, EVERYBODY if to is None else f"seat-{to}", listeners, text)
    if problem is not None:
        return returned(text, problem)
    return _taken(text, _receipt(voice, press, sorted(listeners), to))


def _receipt(voice: Voice, press: Press, listeners: Sequence[Seat], to: Seat | None) -> Phrase:
    """Name those who were spoken to, whether they listen or not; never the writer of a nameless post."""
    if press == "anonymous":
        return Phrase("talk.said-nameless")
    if press == "delayed":
        return Phrase("talk.said-later", {"to": tuple(map(name, listeners))})
    if to is None and len(listeners) > 1:
        return Phrase("talk.said-to-all")
    return Phrase("talk.said-to", {"to": tuple(map(name, listeners))})


def _tell_masters(voice: Voice, text: str) -> Line:
    problem = _keep(voice, MASTERS, frozenset(), text)
    return returned(text, problem) if problem else _taken(text, Phrase("talk.told-masters"))


def _report(voice: Voice, text: str) -> Line:
    """Show the post that the letter answers to the masters, or tell them of something else."""
    if voice.answered is None:
        if not text:
            return returned(text, Problem("talk.report-what"))
        return _tell_masters(voice, text)
    problem = _keep(voice, f"{REPORT}-{voice.answered.id}", frozenset(), text, may_be_empty=True)
    return returned(text, problem) if problem else _taken(text, Phrase("talk.reported"))


def _keep(
    voice: Voice, channel: str, listeners: frozenset[Seat], text: str, *, may_be_empty: bool = False
) -> Problem | None:
    """Store what was said with those who listen; or say why it cannot be said."""
    sitting = voice.sitting
    now = sitting.office.clock.now()
    if sitting.game.status != "running":
        return Problem("talk.over")
    if not text.strip() and not may_be_empty:
        return Problem("talk.empty")
    if len(text) > LONGEST_POST:
        return Problem("talk.too-long", {"count": len(text), "most": LONGEST_POST})
    since = now - timedelta(hours=1)
    if posts.said_since(sitting.session, sitting.game.id, voice.seat, since) >= MOST_IN_AN_HOUR:
        return Problem("talk.too-often", {"most": MOST_IN_AN_HOUR})
    post = Post(
        game_id=sitting.game.id,
        channel=channel,
        seat=voice.seat,
        position=sitting.game.position,
        listeners=[seat for seat in sorted(listeners) if _hears(sitting, seat, voice.seat)],
        inbound_id=voice.inbound.id,
        body=text,
        at=now,
    )
    sitting.session.add(post)
    sitting.session.flush()
    sitting.said.append(post)
    return None


# Not hearing


def _hears(sitting: Sitting, listener: Seat, speaker: Seat) -> bool:
    """Tell whether a listener wants to hear a speaker; where nobody has a name, silence would give one."""
    settings = sitting.holders[listener].player.settings
    if settings.get("letters") == "urgent":
        return False
    muted = settings.get("muted", [])
    return sitting.table.press == "anonymous" or sitting.holders[speaker].tenure.id not in muted


def _mute(voice: Voice, argument: str) -> Line:
    """Hear somebody no more in this game.

    It is the holder who is muted, not the seat; and not the person in other games,
    where that could tell who plays under which name.
    """
    return _set_muted(voice, argument, muted=True)


def _unmute(voice: Voice, argument: str) -> Line:
    return _set_muted(voice, argument, muted=False)


def _set_muted(voice: Voice, argument: str, *, muted: bool) -> Line:
    if voice.sitting.table.press == "anonymous":
        return returned(voice.line, Problem("talk.mute-nameless"))
    seat = _find(voice.sitting, argument)
    if seat is None or seat == voice.seat:
        return returned(voice.line, _nobody(voice))
    player, tenure = voice.player, voice.sitting.holders[seat].tenure.id
    others = [one for one in player.settings.get("muted", []) if one != tenure]
    player.settings = {**player.settings, "muted": [*others, tenure] if muted else others}
    done = Phrase("talk.muted", {"who": name(seat)}) if muted else Phrase("talk.unmuted", {"who": name(seat)})
    return _taken(voice.line, done)


_ACTS: dict[str, Callable[[Voice, str], Line]] = {
    "say": _say,
    "say to": _say_to,
    REPLY: _reply,
    "tell gm": _tell_masters,
    "report": _report,
    "mute": _mute,
    "unmute": _unmute,
}

WORDS = frozenset(_ACTS)
"""The words that this module carries out."""


# Letters


def deliver(sitting: Sitting) -> None:
    """Write what was said to those who listen, after the letters of the position."""
    for post in _due(sitting):
        assert post.seat is not None
        speaker, listeners = Seat(post.seat), map(Seat, post.listeners)
        heard = [
            _letter(sitting, seat, post, speaker) for seat in listeners if _hears(sitting, seat, speaker)
        ]
        write_seats(sitting.session, sitting.office, sitting.game, heard)


def _due(sitting: Sitting) -> Sequence[Post]:
    """Return what is heard now: what this letter says or, where talk is delayed, all since the position."""
    game, turn = sitting.game, sitting.turn
    if sitting.table.press != "delayed":
        return sitting.said
    if turn is None or not (turn.opened or (turn.entries and isinstance(sitting.status, Outcome))):
        return ()
    return posts.said_at(sitting.session, game.id, game.position - turn.opened)


def _letter(sitting: Sitting, seat: Seat, post: Post, speaker: Seat) -> Due:
    """Return a post as one seat is told it; the letter's kind names it, so that a reply finds it."""
    by = None if sitting.table.press == "anonymous" else speaker
    said = Said(post.body, by, post.channel != EVERYBODY)
    page = Page(kind=Kind.TALK, seat=seat, table=sitting.table, said=said)
    return Due(seat, sitting.holders[seat], page, about=str(post.id))


# What masters read


def overhear(office: Office, code: str) -> list[tuple[Post, str]] | Problem:
    """Return all that was said in a game, each with who holds its seat now; the look is written down."""
    with office.database.session() as session:
        game = games.game_by_code(session, code)
        if game is None:
            return Problem("lobby.no-game", {"code": code})
        now = office.clock.now()
        session.add(Audit(actor="operator", act="talk", game_id=game.id, at=now))
        aliases = {seat: holder.alias for seat, holder in chairs.holders(session, game.id).items()}
        found = posts.posts_of(session, game.id)
        return [(post, aliases.get(Seat(post.seat), "") if post.seat else "") for post in found]
