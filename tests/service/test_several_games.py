"""One letter about several games: each part counts in the game that it names."""

from __future__ import annotations

import pytest
from sqlmodel import col, update

from corr.store.tables import Outbox
from tests.service.world import AOI, BEN, World


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
