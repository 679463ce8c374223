"""Corr's own letter in a reply: found without any mark, however its lines were broken."""

from __future__ import annotations

from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.core.explain import explain
from corr.core.letter import read_letter
from corr.core.quoting import new_lines, traced
from corr.core.unmarked import FEWEST, beside

OWN = """It is your turn. Write your move on a line of its own:

    19-46

Please answer by Thursday, in three days from now on.
Whoever lets the time run out loses the game, alas.
Your possible moves, one man to a line; copy one:
  59-26   59-86
  19-46

For fewer letters reply with stop; to leave the game, with resign.
"""


def typed(text: str) -> list[str]:
    return [line for line in beside(text.split("\n"), OWN) if line.strip()]


@given(width=st.integers(26, 200), prefix=st.sampled_from(["", "| ", "    ", ": "]))
def test_it_is_found_however_a_program_broke_its_lines(width: int, prefix: str) -> None:
    lines = (piece for line in OWN.split("\n") for piece in wrap(line, width) or [""])
    assert typed("59-26\n" + "\n".join(prefix + line for line in lines) + "\nはい") == ["59-26", "はい"]


@pytest.mark.parametrize("kept", range(FEWEST))
def test_few_lines_that_the_letter_has_too_may_have_been_typed(kept: int) -> None:
    """A player copies one; whoever has two of them has the letter there."""
    long = [line for line in OWN.split("\n") if len(line) > 30][:kept]
    assert beside(["19-46", *long], OWN) == ["19-46", *long]


def test_orders_that_were_copied_prove_nothing() -> None:
    """However many and however long they are: corr indents what can be copied."""
    orders = [f"swap river {n} with the line {n}" for n in range(1, 9)]
    own = "Copy one of these, as it stands here:\n" + "".join(f"  {order}\n" for order in orders)
    assert beside(orders, own) == orders


@pytest.mark.parametrize("line", ["19-46", "resign.", "“19-46”"])
def test_a_short_line_is_doubted_where_a_part_of_the_letter_is_missing(line: str) -> None:
    assert typed(OWN.replace("with resign.", "with") + line) == ([] if "resign" in line else [line])
    assert typed(f"{line}\n{OWN.partition('19-46')[2]}") == ([line] if "resign" in line else [])


def test_between_its_lines_nothing_is_read() -> None:
    assert typed(OWN.replace("Please", "59-86\nPlease")) == []


@given(st.lists(st.text("ab1 \n", max_size=40), max_size=20))
def test_only_lines_are_taken_away_and_in_order(lines: list[str]) -> None:
    rest = iter(lines)
    assert all(line in rest for line in beside(lines, OWN))


def test_its_explanation_names_the_rule() -> None:
    raw = b"Subject: Re: x\n\n59-26\n\n" + OWN.encode()
    assert dict(new_lines(read_letter(raw).text, own=OWN).rules) == {"own letter": 8}
    assert ("    19-46", "own letter") in traced(read_letter(raw).text, own=OWN)
    assert explain(raw, read_letter(raw), OWN).read == (("59-26", "line"),)
