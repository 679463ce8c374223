"""Who wrote a letter, and who gets to hear of it."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

import pytest
from sqlmodel import select

from corr.core import marks
from corr.core.marks import Mark
from corr.demo.clients import html_of, text_of
from corr.service.hand_over import hand_over
from corr.service.lobby import Invited
from corr.service.office import Office
from corr.store.tables import SeatRow, Tenure
from engines.api import Seat
from tests.service.ledger import ledger, open_asks, sent_since
from tests.service.world import ADDRESS, AOI, BEN, NAMES, World, counts, headline, said

EVE = "eve@elsewhere.test"
CAROL = "carol@players.test"


def handled(world: World, letter: EmailMessage) -> str | None:
    """Let a letter come in and be worked on; return the row of the table that decided."""
    number = world.post(letter)
    world.settle()
    return world.inbound(number).rules_hit


# A mark, and who brings it


def test_about_a_good_mark_from_a_strange_address_the_holder_alone_is_asked(world: World) -> None:
    code = world.game()
    stolen = world.written(EVE, "5", world.newest(AOI))
    assert handled(world, stolen) == "not-holder"
    assert "Did you write this letter about" in headline(world.newest(AOI))
    assert str(world.newest(AOI)["In-Reply-To"] or "") == ""
    assert EVE not in world.newest(AOI).as_string()
    assert world.outbox(EVE) == []
    assert len(world.events(code)) == 1


def test_a_strange_letter_that_cannot_be_read_is_told_to_the_holder_all_the_same(world: World) -> None:
    world.game()
    sealed = "-----BEGIN PGP MESSAGE-----\nx\n-----END PGP MESSAGE-----"
    stolen = world.written(EVE, sealed, world.newest(AOI))
    assert handled(world, stolen) == "not-holder"
    assert world.outbox(EVE) == []


def test_an_opponent_who_replies_to_all_plays_his_own_seat(world: World) -> None:
    """Aoi's letter went to Ben in a copy, with her mark in it; his own mark wins."""
    world.game()
    world.reply(AOI, "5")
    letter = world.written(BEN, "1")
    letter.replace_header("To", f"{world.newest(AOI)['Reply-To']}, {world.newest(BEN)['Reply-To']}")
    assert handled(world, letter) == "holder"
    assert "Ben took cell 1." in world.text(AOI)


def test_an_opponent_with_only_the_others_mark_does_nothing(world: World) -> None:
    code = world.game()
    assert handled(world, world.written(BEN, "5", world.newest(AOI))) == "not-holder"
    assert len(world.events(code)) == 1


@pytest.mark.parametrize("flip", [0, 10, 19])
def test_a_forged_hash_plays_nothing(world: World, flip: int) -> None:
    code = world.game()
    letter = world.plain(AOI, "5")
    tag = str(next(marks.find([str(world.newest(AOI)["Reply-To"])])))
    at = len(tag) - 20 + flip
    other = "a" if tag[at] != "a" else "b"
    letter.replace_header("To", world.office.tagged(tag[:at] + other + tag[at + 1 :]))
    assert handled(world, letter) == "known-without-mark"
    assert len(world.events(code)) == 1
    assert "does not show that it comes from you" in world.text(AOI)


def test_a_mark_that_somebody_signed_with_a_key_of_his_own_plays_nothing(world: World) -> None:
    code = world.game()
    letter = world.plain(EVE, "5")
    letter.replace_header("To", world.office.tagged(str(marks.sign(b"mine", Mark(code, 1, Seat(1), 1)))))
    assert handled(world, letter) == "stranger"
    assert len(world.events(code)) == 1


def test_case_does_not_count_in_a_tag(world: World) -> None:
    world.game()
    letter = world.plain(AOI, "5")
    local, _, domain = str(world.newest(AOI)["Reply-To"]).rpartition("@")
    letter.replace_header("To", f"{local.upper()}@{domain}")
    assert handled(world, letter) == "holder"
    assert "Taken: 5" in world.text(AOI)


@pytest.mark.parametrize("header", ["References", "In-Reply-To"])
def test_a_mark_in_one_id_is_enough(world: World, header: str) -> None:
    world.game()
    letter = world.plain(AOI, "5", **{header: f"<other@x.test> {world.newest(AOI)['Message-ID']}"})
    assert handled(world, letter) == "holder"
    assert "Taken: 5" in world.text(AOI)


@pytest.mark.parametrize("header", ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"])
def test_a_mark_in_one_address_is_enough(world: World, header: str) -> None:
    world.game()
    letter = world.plain(AOI, "5")
    del letter[header]
    letter[header] = str(world.newest(AOI)["Reply-To"])
    assert handled(world, letter) == "holder"
    assert "Taken: 5" in world.text(AOI)


def handed_over(world: World) -> tuple[str, EmailMessage]:
    """Give Aoi's seat to Carol; returns the game and what Aoi had been about to send."""
    code = world.game()
    old = world.written(AOI, "5")
    assert hand_over(world.office, code, "1", Invited("Carol", CAROL), "she is ill") is None
    return code, old


def test_a_former_holder_has_lost_his_marks(world: World) -> None:
    code, old = handed_over(world)
    before = ledger(world)
    assert handled(world, old) == "former-holder"
    assert "no longer hold this seat" in headline(world.newest(AOI))
    assert ledger(world) == before
    assert len(world.events(code)) == 1


def test_a_stranger_with_a_former_holders_mark_is_told_no_more_than_any_stranger(world: World) -> None:
    handed_over(world)
    before, letters = ledger(world), len(world.outbox())
    assert handled(world, world.written(EVE, "5", world.letters(AOI)[0])) == "stranger"
    assert ledger(world) == before
    assert sent_since(world, letters) == [(EVE, "note")]
    assert "I do not know this address" in headline(world.newest(EVE))


def test_a_new_holder_with_a_former_holders_mark_has_none(world: World) -> None:
    handed_over(world)
    before = ledger(world)
    assert handled(world, world.written(CAROL, "5", world.letters(AOI)[0])) == "known-without-mark"
    assert ledger(world) == before


# Nothing changes, and nobody learns anything


def with_header(letter: EmailMessage, name: str, value: str) -> EmailMessage:
    del letter[name]
    letter[name] = value
    return letter


def attacks(world: World) -> dict[str, EmailMessage]:
    """Return what Eve and Ben might try with a letter that Aoi once forwarded."""
    mine, aoi = world.newest(BEN), world.newest(AOI)
    aois, bens = str(aoi["Reply-To"]), str(mine["Reply-To"])
    tag = aois.partition("+")[2].partition("@")[0]
    turned = tag.replace(".1.1.", ".1.2.", 1)
    return {
        "mark as it is": world.written(EVE, "hello", aoi),
        "mark of another seat": with_header(world.plain(EVE, "5"), "To", world.office.tagged(turned)),
        "mark of another position": with_header(
            world.plain(AOI, "5"), "To", world.office.tagged(tag.replace(".1.1.", ".2.1.", 1))
        ),
        "name of a player": with_header(world.plain(EVE, "5"), "From", f'"{AOI}" <{EVE}>'),
        "two senders": with_header(world.written(AOI, "5"), "From", f"{AOI}, {EVE}"),
        "sender and author": with_header(world.plain(EVE, "5"), "Sender", AOI),
        "reply-to of the holder": with_header(world.plain(EVE, "5"), "Reply-To", AOI),
        "opponent's reply-all": with_header(world.written(BEN, "5", aoi), "Cc", bens),
        "opponent's mark in the text": world.plain(EVE, f"5\n{aois}"),
        "opponent under a mark of mine": world.written(BEN, "5", aoi),
        "subject as an order": with_header(world.plain(EVE, ""), "Subject", f"5 [{tag}]"),
    }


ATTACKS = {
    "mark as it is": (AOI, "note"),
    "mark of another seat": (EVE, "note"),
    "mark of another position": (AOI, "answer"),
    "name of a player": (EVE, "note"),
    "two senders": None,
    "sender and author": (EVE, "note"),
    "reply-to of the holder": (EVE, "note"),
    "opponent's reply-all": (BEN, "answer"),
    "opponent's mark in the text": (EVE, "note"),
    "opponent under a mark of mine": (AOI, "note"),
    "subject as an order": (EVE, "note"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_changes_nothing_and_tells_nobody_anything(world: World, attack: str) -> None:
    world.game()
    assert ATTACKS.keys() == attacks(world).keys()
    before, letters = ledger(world), len(world.outbox())
    world.post(attacks(world)[attack])
    world.settle()
    expected = ATTACKS[attack]
    assert ledger(world) == before
    assert sent_since(world, letters) == ([] if expected is None else [expected])
    for row in world.outbox(EVE):
        assert AOI.encode() not in row.raw
        assert b"Ben" not in row.raw
        assert "I do not know this address" in said(world.newest(EVE))


# Without a mark


def test_a_known_player_with_one_game_gets_its_position_and_a_mark_to_reply_to(world: World) -> None:
    code = world.game()
    assert handled(world, world.plain(AOI, "5")) == "known-without-mark"
    assert "does not show that it comes from you" in world.text(AOI)
    assert "1 2 3 4 5 6 7 8 9" in world.text(AOI)
    assert len(world.events(code)) == 1
    assert world.reply(AOI, "5").status == "done"
    assert len(world.events(code)) == 2


@pytest.mark.parametrize(
    "words", ["yes", "no", "draw", "no draw", "claim", "resign", "lang ja", "zone Asia/Tokyo"]
)
def test_without_a_mark_no_word_does_anything(world: World, words: str) -> None:
    """``From`` proves nothing: who forges it must not accept a draw, or turn the language."""
    code = world.game(timeout="claim")
    world.reply(BEN, "draw")
    world.sleep(days=3)
    world.settle()
    handled(world, world.plain(AOI, words))
    assert world.row(code).status == "running"
    waits = words in {"draw", "no draw", "claim", "resign"}
    asked = "nothing in it shows that you sent it" if waits else "does not show that it comes from you"
    assert asked in world.text(AOI)
    assert "Taken" not in world.text(AOI)
    assert "yes: I resign" not in world.text(AOI)
    assert [ask.kind for ask in open_asks(world)] == ["draw", *["was-it-you"] * waits]


@pytest.mark.parametrize("words", ["help", "rules", "history", "board", "games"])
def test_without_a_mark_a_question_is_answered_to_the_players_own_address(world: World, words: str) -> None:
    world.game()
    assert handled(world, world.plain(AOI, words)) == "known-without-mark"
    assert f"Taken: {words}" in world.text(AOI)


def test_a_known_player_with_several_games_is_asked_which_one(world: World) -> None:
    codes = [world.game(), world.game()]
    handled(world, world.plain(AOI, "5\nresign"))
    text = world.text(AOI)
    assert all(f"[{code}]: Aoi – Ben" in text for code in codes)
    assert "Not read as a move: 5" in text
    assert "Not read as a move: resign" in text
    assert [len(world.events(code)) for code in codes] == [1, 1]


def test_a_known_player_without_a_game_is_helped(world: World) -> None:
    world.game(options={"position": "11.22...."})
    world.reply(AOI, "3")
    handled(world, world.plain(AOI, "help"))
    assert "You play by answering letters." in world.text(AOI)


def test_a_stranger_gets_one_answer_a_day(world: World) -> None:
    assert handled(world, world.plain(EVE, "hello")) == "stranger"
    assert "I do not know this address." in said(world.newest(EVE))
    assert handled(world, world.plain(EVE, "hello again")) == "told-lately"
    world.sleep(days=1, minutes=1)
    assert handled(world, world.plain(EVE, "hello still")) == "stranger"
    assert len(world.outbox(EVE)) == 2


def test_a_stranger_is_answered_in_the_language_of_his_letter(world: World) -> None:
    handled(world, world.plain(EVE, "こんにちは。参加したいです。"))
    assert "登録されていません" in said(world.newest(EVE))


# What no person wrote


@pytest.mark.parametrize(
    ("headers", "row"),
    [
        ({"X-Corr-Instance": ADDRESS}, "own-letter"),
        ({"Auto-Submitted": "auto-replied"}, "automatic"),
        ({"Auto-Submitted": "auto-generated; owner=x"}, "automatic"),
        ({"X-Autoreply": "yes"}, "automatic"),
        ({"X-Autorespond": "yes"}, "automatic"),
        ({"Precedence": "auto_reply"}, "automatic"),
        ({"Return-Path": "<>"}, "report"),
        ({"List-Id": "<games.example.org>"}, "list"),
    ],
)
@pytest.mark.parametrize("who", [AOI, EVE])
def test_a_machine_is_never_answered(world: World, headers: dict[str, str], row: str, who: str) -> None:
    world.game()
    before = counts(world, NAMES)
    letter = world.written(who, "5", world.newest(AOI))
    for name, value in headers.items():
        letter[name] = value
    assert handled(world, letter) == row
    assert counts(world, NAMES) == before
    assert world.outbox(EVE) == []


def test_a_report_is_never_answered(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    letter.replace_header("Content-Type", 'multipart/report; report-type="delivery-status"; boundary="x"')
    assert handled(world, letter) == "report"


def test_corrs_own_letter_that_comes_back_is_ignored(world: World) -> None:
    world.game()
    number = world.receive(world.outbox(AOI)[0].raw)
    world.settle()
    assert world.inbound(number).status == "ignored"


def test_a_person_whose_program_says_that_he_is_no_machine_is_heard(world: World) -> None:
    world.game()
    letter = world.written(AOI, "5")
    letter["Auto-Submitted"] = "no"
    letter["Precedence"] = "bulk"
    letter["X-Auto-Response-Suppress"] = "All"
    assert handled(world, letter) == "holder"


# Addresses and names that mean harm


@pytest.mark.parametrize(
    "sender",
    [
        '"a b"@elsewhere.test',
        "älice@elsewhere.test",
        "eve@under_score.test",
        "".join(f"{n * 7919:x}" for n in range(700)) + "@elsewhere.test",
    ],
)
def test_a_sender_to_whom_no_letter_can_be_written_is_ignored(world: World, sender: str) -> None:
    world.game()
    before = len(world.outbox())
    number = world.receive(f"From: {sender}\r\nTo: {ADDRESS}\r\n\r\nhello\r\n".encode())
    world.settle()
    assert world.inbound(number).status == "ignored"
    assert len(world.outbox()) == before


def test_names_put_no_header_into_a_letter(world: World) -> None:
    """Even where one slipped past the master's command into the database."""
    world.game()
    evil = {1: "Aoi\r\nBcc: eve@elsewhere.test\r\n\r\nbody", 2: "Ben\u2028X-Evil: 1"}
    with world.office.database.session() as session:
        for chair in session.exec(select(SeatRow)):
            chair.alias = evil[chair.number]
    world.reply(AOI, "5")
    for letter in (world.newest(AOI), world.newest(BEN)):
        assert letter["Bcc"] is None
        assert letter["X-Evil"] is None
        assert len(letter.get_all("Subject", [])) == 1
        assert letter.is_multipart()


def test_subjects_put_no_header_into_an_answer(world: World) -> None:
    raw = f"From: {EVE}\r\nTo: {ADDRESS}\r\nSubject: =?utf-8?q?x=0D=0ABcc:_all@x.test?=\r\n\r\nhello\r\n"
    world.receive(raw.encode())
    world.settle()
    assert world.newest(EVE)["Bcc"] is None
    assert "all@x.test" not in world.newest(EVE).as_bytes(policy=SMTP).partition(b"\r\n\r\n")[0].decode()


# What a letter gives away


def test_no_letter_shows_another_players_address_or_the_seed_before_the_end(world: World) -> None:
    code = world.game()
    seed = world.row(code).seed
    assert seed is not None
    asked = "help\nrules\nhistory\nboard\ngames"
    for who, words in ((AOI, "5"), (BEN, asked), (BEN, "1\ndraw"), (AOI, "resign")):
        world.reply(who, words)
    world.sleep(days=1, hours=20)
    world.settle()
    for who, other in ((AOI, BEN), (BEN, AOI)):
        for letter in world.letters(who):
            whole = f"{letter.items()}\n{text_of(letter)}\n{html_of(letter)}"
            assert other not in whole
            assert seed.hex() not in whole


def test_a_secret_has_no_repr(world: World) -> None:
    code = world.game()
    row, events = world.row(code), world.events(code)
    assert row.seed is not None
    with world.office.database.session() as session:
        tenures = session.exec(select(Tenure)).all()
    shown = repr([row, *tenures, *events])
    for secret in (row.seed, *(tenure.key for tenure in tenures)):
        assert repr(secret)[2:-1] not in shown
        assert secret.hex() not in shown


def test_an_office_is_told_who_it_is(world: World) -> None:
    office: Office = world.office
    assert (office.mailbox, office.domain, office.tagged("x")) == ("play", "corr.test", "play+x@corr.test")
