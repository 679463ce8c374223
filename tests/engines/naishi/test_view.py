"""What letters show: river, territories, court, the draft and the score sheet, in both languages."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from wcwidth import wcswidth

from corr.render.catalogue import option, reason
from corr.render.letters import render_view
from corr.resources import templates
from engines.api import Outcome, Problem, Seat, Watcher
from engines.naishi import ENGINE
from engines.naishi.options import OPTIONS
from engines.naishi.state import State
from tests.engines.naishi.drawn import FIRST, NO_LUCK, SECOND, begun, dealt, played
from tests.laws.play import play

LANGUAGES = ("en", "ja")
NAMES = {FIRST: "Aoi", SECOND: "Ben"}


def board(state: State, viewer: Seat | Watcher, lang: str = "en") -> str:
    return render_view(ENGINE.view(state, viewer), lang, NAMES)


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of a board by their titles."""
    found = re.findall(r"^(\S.*):\n *(1 .*?) +(2 .*?) +(3 .*?) +(4 .*?) +(5 .*)$", text, re.MULTILINE)
    return {title: [cell.split(" ", 1)[1] for cell in cells] for title, *cells in found}


MOUNTAINS = ["mountain"] * 5
POINTS = r"(?:Aoi|Ben)(?:さん)? ([-–\d]+)"


def test_each_player_sees_both_lines_the_river_and_the_own_hand() -> None:
    assert rows(board(begun(), FIRST)) == {
        "Ben's hand": ["?"] * 5,
        "Ben's line": MOUNTAINS,
        "The river": ["naishi", "naishi", "advisor", "advisor", "rice"],
        "Your line": MOUNTAINS,
        "Your hand": ["fort", "banner", *MOUNTAINS[:3]],
    }


def test_the_public_sees_no_hand_and_a_master_both() -> None:
    hidden, shown = (rows(board(begun(), watcher)) for watcher in (Watcher.PUBLIC, Watcher.MASTER))
    assert hidden["Aoi's hand"] == hidden["Ben's hand"] == ["?"] * 5
    assert shown["Aoi's hand"] == ["fort", "banner", *MOUNTAINS[:3]]
    assert shown["Ben's hand"] == ["rice", "torii", *MOUNTAINS[:3]]


def test_a_card_that_came_face_up_is_shown_to_all_wherever_it_goes() -> None:
    state = played(begun(), "develop hand 3, swap hand 3 5")
    for viewer in (SECOND, Watcher.PUBLIC):
        assert rows(board(state, viewer))["Aoi's hand"] == ["?", "?", "?", "?", "advisor"]


def test_cards_exchanged_between_hands_are_shown_to_both_players_and_not_to_the_public() -> None:
    state = played(begun(), "impose hand 1")
    assert rows(board(state, SECOND))["Aoi's hand"] == ["rice", "?", "?", "?", "?"]
    assert rows(board(state, FIRST))["Ben's hand"] == ["fort", "?", "?", "?", "?"]
    public = rows(board(state, Watcher.PUBLIC))
    assert public["Aoi's hand"] == public["Ben's hand"] == ["?"] * 5


def test_a_player_is_reminded_of_the_gift_and_of_what_the_opponent_has_not_seen() -> None:
    text = board(played(begun(), "develop hand 3", "end turn"), FIRST)
    assert "three mountains, the card that you gave (torii) and" in " ".join(text.split())
    assert "Ben has never seen your hand in columns 1, 2, 4, 5." in text
    assert "rice" not in board(begun(), FIRST).replace("5 rice", ""), "the kept card is Ben's own secret"


def test_the_court_says_whose_emissaries_stand_where() -> None:
    state = played(begun(), "swap river 1 2, develop line 1", "discard 1 2, develop line 1", "impose line 2")
    text = board(state, SECOND)
    assert "Swap: 2 of 3 free (Aoi 1)" in text
    assert "Discard from the river: 1 of 2 free (Ben 1)" in text
    assert "Impose: 0 of 1 free (Aoi)" in text
    assert "Aoi, first player; emissaries ready: 0" in text
    assert "Ben (you), second player; emissaries ready: 1" in text


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ((), "Turn 1: Aoi is to play."),
        (("develop line 1",), "Turn 1: Aoi has developed; an emissary may still act."),
        (("swap line 1 2",), "Turn 1: Aoi's emissary has acted; now Aoi develops."),
        (("develop line 1", "end turn"), "Turn 2: Ben is to play."),
    ],
)
def test_the_first_line_says_how_far_the_turn_is(before: tuple[str, ...], said: str) -> None:
    for viewer in (FIRST, SECOND, Watcher.PUBLIC):
        assert board(played(begun(), *before), viewer).startswith(said)


def test_a_pile_says_how_many_cards_are_left_and_that_it_is_empty() -> None:
    state = played(begun(), *["develop line 1", "end turn"] * 6)
    text = board(state, FIRST)
    assert "Cards in the piles: 0, 6, 6, 6, 6" in text
    assert rows(text)["The river"][0] == "empty"


def test_the_last_turn_is_announced() -> None:
    state = played(begun(), *["develop line 1", "end turn"] * 6)
    assert "This is the last turn" not in board(state, SECOND)
    assert "This is the last turn" in board(played(state, "declare"), SECOND)


def test_the_draft_shows_the_own_two_cards_and_the_own_choice_alone() -> None:
    state = dealt()
    assert "Your two cards: fort, torii" in board(state, FIRST)
    chosen = played(state, "keep torii", seat=FIRST)
    assert "You keep: torii" in board(chosen, FIRST)
    for viewer in (SECOND, Watcher.PUBLIC):
        assert ENGINE.view(chosen, viewer) == ENGINE.view(state, viewer)
        assert "torii" not in board(chosen, viewer)
    assert "Aoi keeps: torii" in board(chosen, Watcher.MASTER)


def test_discards_are_listed_where_the_option_says_so() -> None:
    orders = ("discard 1 2, develop line 3", "develop hand 1", "end turn")
    assert "Discarded" not in board(played(begun(), *orders), FIRST)
    text = board(played(begun({"discard_list": "on"}), *orders), FIRST)
    assert "Discarded: mountain 1, naishi 2, rice 1" in text


def test_a_mover_is_offered_all_that_is_legal_and_the_other_nothing() -> None:
    state = begun()
    groups = ENGINE.view(state, FIRST).data["orders"]
    offered = [order["words"]["en"] for group in groups for order in group["orders"]]
    legal = [ENGINE.spell(state, FIRST, order, "en") for order in ENGINE.orders(state, FIRST)]
    assert sorted(offered) == sorted(legal)
    assert len(offered) == 65
    assert ENGINE.view(state, SECOND).data["orders"] == []


def test_the_example_of_a_turn_with_an_emissary_is_legal_in_random_positions() -> None:
    found = 0
    for seed in range(8):
        for state, phase in play(ENGINE, seed).moments:
            if isinstance(phase, Outcome) or state.turn == 0 or not phase.open:
                continue
            (seat,) = phase.open
            both = ENGINE.view(state, seat).data["both"]
            for lang in LANGUAGES if both else ():
                orders = ENGINE.parse(state, seat, both[lang])
                assert not isinstance(orders, Problem)
                (order,) = orders
                assert len(order) == 2
                assert not isinstance(ENGINE.decide(state, seat, order, NO_LUCK), Problem), both[lang]
                found += 1
    assert found > 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_score_sheet_adds_up(lang: str) -> None:
    """In random games the points of the kinds of cards are the total, for both players."""
    for seed in range(10):
        state = play(ENGINE, seed).moments[-1].state
        text = board(state, Watcher.PUBLIC, lang)
        *sums, total, _ = re.findall(f"^  (\\S.*?)[:：] ?{POINTS}.*{POINTS}", text, re.MULTILINE)
        for side in (1, 2):
            assert sum(int(row[side].replace("–", "0")) for row in sums) == int(total[side])


def test_the_score_sheet_says_what_ninjas_copied() -> None:
    shown = 0
    for seed in range(20):
        state = play(ENGINE, seed).moments[-1].state
        text = board(state, Watcher.PUBLIC)
        assert text.count("ninja at") == sum(cards.count(7) for cards in state.territories)
        shown += "copies:" in text
    assert shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_of_a_board_is_wider_than_a_letter(lang: str) -> None:
    for seed in range(3):
        for state, _ in islice(play(ENGINE, seed).moments, 0, None, 5):
            assert max(map(wcswidth, board(state, FIRST, lang).splitlines())) <= 76


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_end_and_every_option_is_worded(lang: str) -> None:
    for end in ("points", "colours", "draw"):
        assert reason(Outcome(frozenset(), end), "naishi", lang)
    for name, values in OPTIONS.items():
        assert all(option("naishi", name, value, lang) for value in values)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_fit_a_letter_and_say_whose_words_they_are(lang: str) -> None:
    text = (templates() / lang / "rules" / "naishi.txt").read_text(encoding="utf-8")
    assert max(wcswidth(line) for line in text.splitlines()) <= 72
    assert {"en": "These are our\nown words", "ja": "当方の言葉"}[lang] in text
    assert all(name in text for name in OPTIONS)
