"""The words of corr, in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.core.chance import SeededChance
from corr.core.commands import (
    LANGUAGES,
    SETTINGS,
    SWITCHES,
    TOPICS,
    WORDS,
    Word,
    around,
    extent,
    language,
    subject_line,
    switch,
    topic,
    word,
)
from corr.core.fold import fold
from corr.core.nearest import nearest
from corr.core.turn import AnyEngine
from corr.registry import Registry
from engines.api import Phase
from tests.games import guess, tictactoe
from tests.laws.play import play

SPELLINGS = [(name, spelling) for name, spellings in WORDS.items() for spelling in spellings]
ENGINES = [*Registry.installed(), tictactoe.ENGINE, guess.ENGINE]


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_every_word_is_read_in_each_of_its_spellings(name: str, spelling: str) -> None:
    for form in ("{}", "/{}", "{}.", " {}!", "{}。"):
        assert word(fold(form.format(spelling))) == Word(name)
        assert word(fold(form.format(spelling.upper()))) == Word(name)


def test_every_word_has_an_english_and_a_japanese_spelling() -> None:
    for spellings in (WORDS | SETTINGS).values():
        assert any(spelling.isascii() for spelling in spellings), spellings
        assert any(not spelling.isascii() for spelling in spellings), spellings


def test_no_spelling_stands_for_two_words() -> None:
    spellings = [spelling for group in (WORDS | SETTINGS).values() for spelling in group]
    assert len(spellings) == len(set(spellings))


def test_every_spelling_is_written_as_folding_leaves_it() -> None:
    for spelling in (spelling for group in (WORDS | SETTINGS | LANGUAGES).values() for spelling in group):
        assert fold(spelling).casefold() == spelling


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Yes, gladly", "yes"),
        ("yes! I would love to", "yes"),
        ("No, thank you", "no"),
        ("Yes please", "yes"),
        ("No thanks!", "no"),
        ("はい、お願いします", "yes"),
        ("はい。参加します。", "yes"),
        ("いいえ、今回は遠慮します", "no"),
    ],
)
def test_a_polite_yes_or_no_is_one(line: str, name: str) -> None:
    assert word(fold(line)) == Word(name)


@pytest.mark.parametrize("line", ["I give up!", "投了いたします。", "負けました。", "参りました"])
def test_players_resign_as_people_say_it(line: str) -> None:
    assert word(fold(line)) == Word("resign")


@pytest.mark.parametrize("line", ["承りました", "I will not resign", "投了しません", "まだ負けません"])
def test_who_does_not_resign_is_not_asked(line: str) -> None:
    """Nor is a resignation offered for a word that is near."""
    assert word(fold(line)) is None
    assert nearest(fold(line), chain.from_iterable(WORDS.values())) == ()


@pytest.mark.parametrize(
    "line",
    [
        "yes, but let me think first",
        "Yes! I would, but not today",
        "はい、でも少し考えます",
        "Yes, if Ben agrees",
    ],
)
def test_a_yes_with_a_reservation_is_none(line: str) -> None:
    """It would end a game."""
    assert word(fold(line)) is None


@pytest.mark.parametrize(
    "line",
    [
        *("", "/", "yesterday", "nothing", "yes 5", "no more", "i will resign tomorrow", "draws", "59-15"),
        *("lang", "zone", "はいはい", "投了しません", "いいえど"),
    ],
)
def test_what_only_looks_like_a_word_is_none(line: str) -> None:
    assert word(fold(line)) is None


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("lang ja", Word("lang", "ja")),
        ("/LANGUAGE Japanese", Word("lang", "japanese")),
        ("言語　日本語", Word("lang", "日本語")),
        ("zone Asia/Tokyo", Word("zone", "asia/tokyo")),
        ("時間帯 Asia/Tokyo", Word("zone", "asia/tokyo")),
    ],
)
def test_a_setting_has_an_argument(line: str, read: Word) -> None:
    assert word(fold(line)) == read


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("help", Word("help")),
        ("help deadline", Word("help", "deadline")),
        ("ヘルプ　期限", Word("help", "期限")),
        ("ask may I pass?", Word("ask", "may i pass?")),
        ("質問 パスはできますか。", Word("ask", "パスはできますか")),
        ("history 5", Word("history", "5")),
        ("棋譜 ３－９", Word("history", "3-9")),
        ("me", Word("me")),
        ("自分", Word("me")),
        ("name Aoi K.", Word("name", "Aoi K")),
        ("名前　葵", Word("name", "葵")),
        ("remind OFF", Word("remind", "off")),
        ("催促 オフ", Word("remind", "オフ")),
    ],
)
def test_a_word_may_say_more_than_itself(line: str, read: Word) -> None:
    assert word(fold(line)) == read


@pytest.mark.parametrize(
    "line", ["history of ukulele", "history 5 days ago", "me too", "named Aoi", "askew 5"]
)
def test_a_sentence_that_begins_like_a_word_is_none(line: str) -> None:
    assert word(fold(line)) is None


@pytest.mark.parametrize(
    ("argument", "read"),
    [("5", (None, 5)), ("3-9", (3, 9)), ("3 ~ 9", (3, 9)), ("3手目-9手目", (3, 9)), ("", None), ("a", None)],
)
def test_a_part_of_the_history_is_its_end_or_from_to(argument: str, read: object) -> None:
    assert extent(fold(argument)) == read


@pytest.mark.parametrize(("name", "spellings"), [*TOPICS.items()])
def test_a_topic_of_help_is_known_by_each_of_its_names(name: str, spellings: tuple[str, ...]) -> None:
    assert {topic(spelling.upper()) for spelling in spellings} == {name}
    assert topic("klingon") is None


@pytest.mark.parametrize(("name", "spellings"), [*SWITCHES.items()])
def test_on_and_off_are_known_by_each_of_their_names(name: str, spellings: tuple[str, ...]) -> None:
    assert {switch(spelling.upper()) for spelling in spellings} == {name}
    assert switch("perhaps") is None


@pytest.mark.parametrize(("code", "names"), LANGUAGES.items())
def test_a_language_is_known_by_each_of_its_names(code: str, names: tuple[str, ...]) -> None:
    assert {language(name.upper()) for name in names} == {code}
    assert language("klingon") is None


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("resign", "resign"),
        ("Re: resign", "resign"),
        ("RE：返信: Fwd: yes", "yes"),
        ("AW: Re[2]: 59-15", "59-15"),
        ("SV: WG: Antw: 回覆：答复: TR: RV: Odp: VS: Re^2: Re(3): 転送: 59-15", "59-15"),
        ("Retreat: all", "Retreat: all"),
        ("Re: [K7QX] Ukulele: Aoi – Ben", None),
        ("Re:", None),
        ("", None),
    ],
)
def test_of_a_subject_those_words_are_read_that_a_player_typed(subject: str, line: str | None) -> None:
    assert subject_line(subject) == line


OWN = ("[K7QX] Ukulele: Aoi – Ben", "[K7QX] ウクレレ：Aoi – Ben")


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize(
    "reply", ["", "Re: ", "RE: ", "AW: ", "SV: ", "Fwd: ", "返信: ", "回覆：", "Re: 答复: "]
)
def test_what_stands_beside_the_tag_is_read_and_our_own_words_are_not(own: str, reply: str) -> None:
    tag, title = own.split(" ", 1)
    for written in (f"59-26 {tag}", f"{tag} 59-26", f"{own} 59-26", f"59-26 {own}", f"{tag.lower()} 59-26"):
        assert subject_line(around(reply + written, OWN)) == "59-26"
    for written in (own, tag, f"{tag} {title[:-4]}", f"{tag} {title[:6]}…", own.replace("–", "?")):
        assert subject_line(around(reply + written, OWN)) is None


@pytest.mark.parametrize(
    "subject", ["[ZZZZ] 59-26", "[EXT] [K7QX] 59-26", "[K7QX] Ukulele: 59-26", "[K7QX#3] 59-26"]
)
def test_beside_what_else_stands_in_brackets_nothing_is_read(subject: str) -> None:
    """Whose words these are, nobody can know."""
    assert subject_line(around(subject, OWN)) is None


@settings(deadline=None)
@given(
    st.sampled_from(["", "Re: ", "AW: Re: ", "返信："]),
    st.text(min_size=1, max_size=24),
    st.sampled_from(["resign", "59-26", "はい", "Aoi"]),
)
def test_whatever_the_players_are_called_our_own_subject_gives_no_line(
    reply: str, first: str, second: str
) -> None:
    """Nobody is made to resign by a name, however programs fold, cut or shout what comes back."""
    own = f"[K7QX] Ukulele: {first} – {second}"
    for written in (own, own.replace("[K7QX]", "[k7qx]"), "  ".join(own.split())):
        assert subject_line(around(reply + written, [own])) is None


@settings(deadline=None)
@given(st.integers(0, 40))
def test_our_own_subject_cut_anywhere_gives_no_line(length: int) -> None:
    own = "[K7QX] Ukulele: resign – 59-26"
    for end in ("", "...", "…"):
        assert subject_line(around(f"Re: {own[: max(6, length)]}{end}", [own])) is None


def test_a_name_that_is_a_word_of_corr_is_none_in_our_own_subject() -> None:
    assert subject_line(around("Re: [K7QX] resign: yes", ["[K7QX] resign: yes – Ben"])) is None


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.info.rules)
def test_no_engine_spells_an_order_that_is_a_word_of_corr(engine: AnyEngine) -> None:
    spelt = set(_spelt(engine))
    assert spelt
    assert [words for words in spelt if word(fold(words)) is not None] == []


def _spelt(engine: AnyEngine) -> Iterator[str]:
    """Spell every order of the positions of three random games, in both languages."""
    for seed in range(3):
        for moment in play(engine, seed).moments:
            phase = moment.phase
            for seat in phase.open if isinstance(phase, Phase) else ():
                for order in engine.orders(moment.state, seat):
                    yield from (engine.spell(moment.state, seat, order, lang) for lang in ("en", "ja"))


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.info.rules)
@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_no_engine_reads_a_word_of_corr_as_an_order(engine: AnyEngine, name: str, spelling: str) -> None:
    moments = play(engine, len(name)).moments
    luck = SeededChance(bytes(32), spelling)
    moment = luck.pick("moment", [moment for moment in moments if isinstance(moment.phase, Phase)])
    assert isinstance(moment.phase, Phase)
    for seat in moment.phase.open:
        read = engine.parse(moment.state, seat, fold(spelling))
        assert not isinstance(read, list | tuple)
