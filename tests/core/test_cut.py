"""What was cut, when nothing new was found: the evidence for a question, never an order."""

from __future__ import annotations

import pytest

from corr.core.letter import read_letter
from corr.core.quoting import MARKER
from corr.core.reading import Reading, read

HEAD = (
    "From: corr <play@corr.test>\nSent: Monday, November 30, 2026 9:15 PM\nTo: Ben\nSubject: [K7QX] Ukulele\n"
)


def reading(body: str, subject: str = "Re: [K7QX] Ukulele") -> Reading:
    return read(
        read_letter(f"Subject: {subject}\nContent-Type: text/plain; charset=utf-8\n\n{body}".encode())
    )


@pytest.mark.parametrize("mark", ["", "> ", "＞", "> > "])
def test_an_order_typed_inside_the_quote_is_among_the_lines_that_were_cut(mark: str) -> None:
    quote = f"{HEAD}\n{MARKER}\n\nYour move.\n５９－１５\n"
    found = reading("".join(mark + line + "\n" for line in quote.splitlines()))
    assert found.lines == ()
    assert "59-15" in found.cut


def test_nothing_counts_as_cut_where_something_new_was_found() -> None:
    assert reading(f"59-15\n\n{HEAD}\n{MARKER}\n\n15-26\n").cut == ()


def test_nothing_counts_as_cut_where_the_subject_says_something() -> None:
    assert reading(f"{HEAD}\n{MARKER}\n\n15-26\n", "Re: resign").cut == ()
