"""The intake table, row by row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corr.core.intake import TABLE, Case, Standing, Verdict, judge
from corr.core.letter import read_letter

PLAIN = read_letter(b"From: aoi@players.test\r\nTo: play@corr.test\r\nMessage-ID: <1@x>\r\n\r\n5\r\n")
HELD = Case(
    letter=PLAIN,
    own_instance="play@corr.test",
    repeated=False,
    known=True,
    proven=False,
    reachable=True,
    standing=Standing.HOLDER,
    returned=False,
    told_lately=False,
    flooding=False,
    flawed_lately=False,
)
UNKNOWN = replace(HELD, known=False, standing=Standing.NO_MARK)


def with_header(case: Case, name: str, value: str) -> Case:
    return replace(case, letter=replace(case.letter, headers={**case.letter.headers, name: value}))


CASES = {
    "own-letter": with_header(HELD, "x-corr-instance", "play@corr.test"),
    "bounce": with_header(replace(HELD, returned=True), "auto-submitted", "auto-replied"),
    "automatic": with_header(HELD, "auto-submitted", "auto-replied (vacation)"),
    "report": replace(HELD, letter=replace(PLAIN, return_path="")),
    "list": with_header(HELD, "list-id", "<list.example.org>"),
    "no-sender": replace(UNKNOWN, letter=replace(PLAIN, sender="")),
    "flood": replace(HELD, flooding=True),
    "repeated": replace(HELD, repeated=True),
    "told-lately": replace(UNKNOWN, told_lately=True),
    "not-holder": replace(HELD, standing=Standing.STRANGER),
    "unreachable": replace(UNKNOWN, reachable=False),
    "flawed-again": replace(HELD, letter=replace(PLAIN, flaw="too-big"), flawed_lately=True),
    "flawed": replace(HELD, letter=replace(PLAIN, flaw="too-big")),
    "new-address": replace(UNKNOWN, standing=Standing.NEWCOMER),
    "holder": HELD,
    "former-holder": replace(HELD, standing=Standing.FORMER),
    "proven": replace(HELD, standing=Standing.NO_MARK, proven=True),
    "known-without-mark": replace(HELD, standing=Standing.NO_MARK),
    "stranger": UNKNOWN,
}
VERDICTS = {
    "own-letter": Verdict.IGNORE,
    "bounce": Verdict.RETURN,
    "automatic": Verdict.IGNORE,
    "report": Verdict.IGNORE,
    "list": Verdict.IGNORE,
    "no-sender": Verdict.IGNORE,
    "flood": Verdict.IGNORE,
    "repeated": Verdict.REPEAT,
    "told-lately": Verdict.IGNORE,
    "not-holder": Verdict.ASK,
    "unreachable": Verdict.IGNORE,
    "flawed-again": Verdict.IGNORE,
    "flawed": Verdict.REFUSE,
    "new-address": Verdict.VERIFY,
    "holder": Verdict.PLAY,
    "former-holder": Verdict.REFUSE,
    "proven": Verdict.SERVE,
    "known-without-mark": Verdict.SERVE,
    "stranger": Verdict.REFUSE,
}


@pytest.mark.parametrize("name", CASES)
def test_each_row_decides_about_its_own_letters(name: str) -> None:
    row = judge(CASES[name])
    assert (row.name, row.verdict) == (name, VERDICTS[name])


def test_every_row_has_its_case() -> None:
    assert [row.name for row in TABLE] == list(CASES)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("auto-submitted", "auto-generated"),
        ("auto-submitted", "Auto-Replied; x=y"),
        ("auto-submitted", "auto-notified"),
        ("x-autoreply", "yes"),
        ("x-autorespond", ""),
        ("precedence", "Auto_Reply"),
    ],
)
def test_machines_are_known_by_these_headers(name: str, value: str) -> None:
    assert judge(with_header(HELD, name, value)).name == "automatic"


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: [K7QX] Ukulele: Aoi – Ben",
        "Auto-Reply: your letter",
        "Out of Office: Re: [K7QX]",
        "Out of the office until Monday",
        "Abwesenheitsnotiz: [K7QX]",
        "Réponse automatique : [K7QX]",
        "自動返信: [K7QX] ウクレレ",
        "【自動応答】不在にしております",
        "不在通知：出張中です",
    ],
)
def test_machines_are_known_by_how_they_begin_a_subject(subject: str) -> None:
    assert judge(replace(HELD, letter=replace(PLAIN, subject=subject))).name == "automatic"


@pytest.mark.parametrize(
    "subject", ["Re: Out of office", "autumn game", "RE: 自動返信のテスト", "不在の間の手"]
)
def test_people_may_write_about_absence(subject: str) -> None:
    assert judge(replace(HELD, letter=replace(PLAIN, subject=subject))).name == "holder"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("auto-submitted", "no"),
        ("auto-submitted", " No "),
        ("auto-submitted", ""),
        ("precedence", "bulk"),
        ("precedence", "list"),
        ("x-auto-response-suppress", "All"),
        ("x-corr-instance", "play@another.test"),
    ],
)
def test_persons_are_heard_whatever_their_programs_write(name: str, value: str) -> None:
    assert judge(with_header(HELD, name, value)).name == "holder"


def test_a_letter_without_a_return_path_is_no_bounce_and_a_report_is() -> None:
    assert judge(replace(HELD, letter=replace(PLAIN, return_path=None))).name == "holder"
    assert judge(replace(HELD, letter=replace(PLAIN, content_type="multipart/report"))).name == "report"


@pytest.mark.parametrize("standing", [Standing.UNKNOWN_GAME, Standing.NO_MARK, Standing.FORGED])
def test_without_a_good_mark_it_counts_whether_the_sender_is_known(standing: Standing) -> None:
    assert judge(replace(HELD, standing=standing)).name == "known-without-mark"
    assert judge(replace(UNKNOWN, standing=standing)).name == "stranger"


def test_proof_of_a_sender_whom_nobody_knows_is_worth_nothing() -> None:
    assert judge(replace(UNKNOWN, proven=True)).name == "stranger"
    assert judge(replace(UNKNOWN, proven=True, standing=Standing.STRANGER)).name == "not-holder"


def test_a_strange_letter_with_a_flaw_is_the_holders_matter() -> None:
    flawed = replace(PLAIN, flaw="encrypted")
    assert judge(replace(HELD, letter=flawed, standing=Standing.STRANGER)).name == "not-holder"


def test_a_machine_gets_no_second_copy_of_an_answer() -> None:
    assert (
        judge(with_header(replace(HELD, repeated=True), "auto-submitted", "auto-replied")).name == "automatic"
    )
