"""``corr game hand-over``: a seat for another person."""

from __future__ import annotations

import pytest

from corr.demo.clients import text_of
from tests.cli.conftest import Desk

CAROL = "carol@players.test"


def test_a_seat_is_handed_over(desk: Desk) -> None:
    code = desk.new_game()
    to = ("--to", f"Carol={CAROL}", "--reason", "Aoi is ill")
    done = desk("game", "hand-over", code, "--seat", "Aoi", *to)
    assert (done.exit_code, done.stderr) == (0, "")
    (game,) = desk.json("game", "list")
    assert game["players"] == "Carol, Ben"
    assert "You take over the seat of Aoi." in text_of(desk.newest_letter(CAROL))


@pytest.mark.parametrize(
    ("given", "said", "status"),
    [
        (("--seat", "Eve", "--to", f"Carol={CAROL}", "--reason", "x"), "no seat Eve", 1),
        (("--seat", "1", "--to", "Carol", "--reason", "x"), "NAME=ADDRESS", 2),
        (("--seat", "1", "--to", f"Carol={CAROL}", "--reason", " "), "give a reason", 2),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_changed(
    desk: Desk, given: tuple[str, ...], said: str, status: int
) -> None:
    code = desk.new_game()
    done = desk("game", "hand-over", code, *given)
    assert done.exit_code == status
    assert said in done.stderr
    assert [row["kind"] for row in desk.json("outbox", "list")] == ["start", "start"]
