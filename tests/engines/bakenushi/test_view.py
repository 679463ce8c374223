"""What letters show: the mountain, the hand, the six cards and the sums, in both languages."""

from __future__ import annotations

import re

import pytest
from wcwidth import wcswidth

from corr.core.chance import SeededChance
from corr.render.catalogue import option, reason, word
from corr.render.letters import render_view
from corr.resources import templates
from engines.api import Outcome, Phrase, Seat, Value, Watcher
from engines.bakenushi import ENGINE
from engines.bakenushi.options import OPTIONS
from tests.engines.bakenushi.drawn import FOX, TANUKI, begun, facts_of, played
from tests.engines.bakenushi.test_secrets import TRIAL
from tests.laws.play import play
from tests.laws.secrecy import letter

LANGUAGES = ("en", "ja")
NAMES = {FOX: "Aoi", TANUKI: "Ben"}
ROUND = ("d2", "a3", "b3", "1", "7", "2", "8", "3", "9")


def board(lang: str, viewer: Seat | Watcher, *orders: str) -> str:
    return render_view(ENGINE.view(played(begun(), *orders), viewer), lang, NAMES)


def test_the_mountain_names_every_land_and_shows_what_lies_open() -> None:
    text = board("en", FOX, "a4", "a1")
    assert "a1 +1          b1 ?           c1 ?           d1 ?" in text
    assert "a4 Bridge W-E  b4 ?" in text
    assert "Blue: a1 (+1)\n  Green: not turned up yet" in text


def test_lands_have_owners_and_both_powers_are_there() -> None:
    text = board("en", FOX, *ROUND)
    owned = re.findall(r"[abcd][1-4] -\d [FT]", text)
    assert len(owned) == 3
    assert re.search(r"Fox \(F\): Aoi, power -?\d", text)
    assert re.search(r"Tanuki \(T\): Ben, power -?\d", text)


@pytest.mark.parametrize(
    ("lang", "face"), [("en", "13: red 2★, green 2, blue ●/●/●"), ("ja", "13番：赤2★、緑2、青●/●/●")]
)
def test_a_hand_shows_all_of_a_card_and_only_to_its_owner(lang: str, face: str) -> None:
    state = begun(cards=(13,))
    assert face in render_view(ENGINE.view(state, FOX), lang, NAMES)
    for viewer in (TANUKI, Watcher.PUBLIC):
        assert face not in render_view(ENGINE.view(state, viewer), lang, NAMES)
    assert face in render_view(ENGINE.view(state, Watcher.MASTER), lang, NAMES)


@pytest.mark.parametrize(
    ("orders", "task"),
    [(("a1",), "Turn up a land for green."), (("a1", "b1", "c1", "1"), "Play a card from your hand.")],
)
def test_a_letter_says_what_to_do_and_speaks_of_tapping_lands_only_when_they_can_be_turned_up(
    orders: tuple[str, ...], task: str
) -> None:
    before = played(begun(), *orders[:-1])
    (fact,) = facts_of(before, orders[-1])
    found = letter(ENGINE, TRIAL, ENGINE.evolve(before, fact), fact, TANUKI, "en")
    assert f"{task}\n\nCopy one of these:\n" in found.text
    assert task in found.html
    assert ("or a land that lies face down" in found.html) == task.startswith("Turn up")


def test_the_sums_of_the_worked_case_can_be_followed_step_by_step() -> None:
    """The red duel of 13, 31 and 34 against 26, 21 and 28."""
    state = begun(cards=(13, 31, 34, 1, 2, 3, 26, 21, 28))
    state = played(state, "d2", "a3", "b3", "13", "26", "31", "21", "34", "28")
    text = render_view(ENGINE.view(state, TANUKI), "en", NAMES)
    assert (
        "  Aoi: 0 + 4 + 3 = 7\n    2★ against 5★: 0\n    6★ against 4★: 2 × 2 = 4\n"
        "    6★ against 5: 1 × 3 = 3\n"
        "  Ben: 3 + 0 + 0 = 3\n    5★ against 2★: 3\n"
    ) in text
    japanese = render_view(ENGINE.view(state, TANUKI), "ja", NAMES)
    assert "6★対4★で2×2＝4" in japanese


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sum_that_is_shown_comes_out(lang: str) -> None:
    """In random games with all abilities, the terms that stand before "=" add up to what stands behind."""
    sums = list[tuple[str, str]]()
    for seed in range(12):
        for moment in play(ENGINE, seed).moments:
            if moment.state.last and not moment.state.step:
                text = render_view(ENGINE.view(moment.state, Watcher.PUBLIC), lang, NAMES)
                sums += re.findall(r"^  \S[^:：]*[:：] ?(\d.*) = (\d+)$", text, re.MULTILINE)
    assert len(sums) > 100
    for terms, total in sums:
        assert sum(int(term) for term in re.findall(r"(?:^|\+ )(\d+)", terms)) == int(total), terms


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_of_a_board_is_wider_than_a_letter(lang: str) -> None:
    for seed in range(3):
        state = play(ENGINE, seed).moments[-1].state
        assert max(map(wcswidth, render_view(ENGINE.view(state, FOX), lang, NAMES).splitlines())) <= 76


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Aoi played 13 (red 2★, green 2, blue ●/●/●)."),
        ("ja", "Aoiさんが13番（赤2★、緑2、青●/●/●）を出しました。"),
    ],
)
def test_the_story_can_be_read(lang: str, told: str) -> None:
    state = played(begun(cards=(13,)), "a1", "b1", "c1")
    (fact,) = facts_of(state, "13")
    after = ENGINE.evolve(state, fact)
    assert [word(phrase, lang, NAMES) for phrase in ENGINE.tell(after, fact, Watcher.PUBLIC)] == [told]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_end_and_every_option_is_worded(lang: str) -> None:
    ends = ("plus8", "minus8", "connection", "power", "minus-zero")
    for end in (*ends, *(f"match-{how}" for how in ("both", "points", "handicap", "even"))):
        assert reason(Outcome(frozenset(), end), "bakenushi", lang)
    for name, values in OPTIONS.items():
        assert all(option("bakenushi", name, value, lang) for value in values or ("{}",))


def test_the_content_of_a_file_is_no_part_of_a_letter() -> None:
    assert option("bakenushi", "components", '{"a":1}', "en") == "components: as their owner wrote them down"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_fit_a_letter_and_say_what_is_published(lang: str) -> None:
    text = (templates() / lang / "rules" / "bakenushi.txt").read_text(encoding="utf-8")
    assert max(wcswidth(line) for line in text.splitlines()) <= 72
    said = ("What is published", "Reconstructed") if lang == "en" else ("公表されている", "復元")
    assert all(words in text for words in said)
    assert all(name in text for name in OPTIONS if name != "first_player")


def test_the_bot_takes_a_card_that_wins_at_once() -> None:
    """With four cards played, the tanuki's 35 takes green for 4 power and the game."""
    state = played(
        begun(cards=(1, 2, 3, 4, 5, 6, 35, 30, 25, 7, 8, 9)), "d1", "c1", "b1", "1", "30", "2", "25", "3"
    )
    state = state._replace(power=(0, 5))
    order = ENGINE.suggest(iter([state] * 9), TANUKI, SeededChance(b"", "bot"))
    after = played(state, ENGINE.spell(state, TANUKI, order, "en"))
    assert ENGINE.phase(after) == Outcome(frozenset({TANUKI}), "plus8")


def test_values_of_phrases_are_plain() -> None:
    """A face is told in signs that no language must translate."""
    values: dict[str, Value] = {"number": 1, "red": "0", "green": "0A", "blue": "■●/●/-"}
    assert word(Phrase("bakenushi.face", values), "en", {}) == "1 (red 0, green 0A, blue ■●/●/-)"
