"""English and Japanese are equals: the same files, the same values, the same keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from jinja2 import meta, nodes

from corr.core.commands import SETTINGS, WORDS
from corr.registry import Registry, game_of
from corr.render.environment import environment
from corr.resources import templates

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "ja")
FAMILY = re.compile(
    r"(timing|reading|ambiguous|intake|together|word|draw|claim|resign|ask|lang|zone|invite|topic|anyway"
    r"|note|story|outcome|lobby|pace)\.[a-z]+(-[a-z]+)*"
)
SOURCES = sorted(path for top in ("corr", "engines") for path in (ROOT / top).rglob("*.py"))


def files(language: str) -> set[str]:
    """Return the templates of a language, by path inside its folder."""
    folder = templates() / language
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@cache
def messages(language: str) -> dict[str, tuple[str, ...]]:
    """Return each key of a language with all its forms."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted((templates() / "locale" / language).glob("*.po")):
        with path.open("rb") as source:
            for message in read_po(source, locale=language):
                if message.id:
                    assert key(message) not in found, f"{key(message)} stands twice"
                    found[key(message)] = forms(message)
    return found


def key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> tuple[str, ...]:
    text = message.string
    assert text is not None
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(form: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", form))


def meant(found: tuple[str, ...]) -> set[str]:
    """Return what the forms of a phrase speak of; a rank is a digit or a kanji."""
    needed = set[str]().union(*map(placeholders, found))
    return {"rank" if name in {"digit", "kanji"} else name for name in needed}


def phrases() -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield where a phrase or problem is made, its key, and its values if they stand there."""
    for path in SOURCES:
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
                made = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
                first = call.args[0] if call.args else None
                if made in {"Phrase", "Problem"} and isinstance(first, ast.Constant):
                    yield f"{path.relative_to(ROOT)}:{call.lineno}", str(first.value), given(call)


def given(call: ast.Call) -> set[str] | None:
    """Return the names of the values of a call; None where they are not written out."""
    if len(call.args) == 1:
        return set()
    written = call.args[1]
    if isinstance(written, ast.Dict) and all(isinstance(one, ast.Constant) for one in written.keys):
        return {str(one.value) for one in written.keys if isinstance(one, ast.Constant)}
    return None


def test_both_languages_have_the_same_templates() -> None:
    assert files("en") == files("ja")


@pytest.mark.parametrize("name", sorted(files("en")))
def test_a_template_needs_the_same_values_in_both_languages(name: str) -> None:
    needs = [undeclared(f"{language}/{name}") for language in LANGUAGES]
    assert needs[0] == needs[1]
    assert needs[0] <= {"page", "reader", "common", "phrase", "seat", "seats"}


def undeclared(name: str) -> set[str]:
    return meta.find_undeclared_variables(environment().parse((templates() / name).read_text()))


def test_both_languages_have_the_same_keys_with_the_same_values() -> None:
    assert messages("en").keys() == messages("ja").keys()
    for name, english in messages("en").items():
        assert meant(english) == meant(messages("ja")[name]), name


def test_no_form_of_a_phrase_is_empty() -> None:
    for language in LANGUAGES:
        assert [name for name, found in messages(language).items() if not all(found)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_that_code_makes_has_words_and_the_values_that_these_need(language: str) -> None:
    known = messages(language)
    for where, name, values in phrases():
        if name == "seat":
            continue
        assert name in known, f"{where}: no words for {name}"
        if values is not None:
            assert set[str]().union(*map(placeholders, known[name])) <= values, f"{where}: {name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_in_the_code_that_looks_like_a_key_has_words(language: str) -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and FAMILY.fullmatch(node.value)
            ):
                assert node.value in messages(language), f"{path.relative_to(ROOT)}:{node.lineno}"


def test_every_key_that_a_template_names_has_words() -> None:
    for path in templates().rglob("*"):
        if path.suffix in {".txt", ".html"}:
            for key in named(environment().parse(path.read_text())):
                assert key in messages("en"), path


def named(template: nodes.Template) -> Iterator[str]:
    """Yield the keys that stand written out in a template: made to phrases, or worded as they are."""
    for call in template.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "phrase":
            yield from (first.value for first in call.args[:1] if isinstance(first, nodes.Const))
    for said in template.find_all(nodes.Filter):
        if said.name in {"worded", "heading"} and isinstance(said.node, nodes.Const):
            yield said.node.value


def test_the_list_of_words_names_every_word_of_corr() -> None:
    for column, language in enumerate(LANGUAGES):
        listed = environment().get_template(f"{language}/topics/words.txt").render()
        for spellings in (WORDS | SETTINGS).values():
            position = [word for word in spellings if word.isascii() == (column == 0)]
            assert any(word in listed for word in position), (language, spellings)


@pytest.mark.parametrize("game", [game_of(engine) for engine in Registry.installed()])
def test_every_phrase_of_a_game_has_a_use(game: str) -> None:
    """Words that nobody says grow stale, and are translated for nothing."""
    folders = (ROOT / "engines" / game, templates() / "engines" / game)
    used = "".join(
        path.read_text("utf-8") for folder in folders for path in folder.iterdir() if path.is_file()
    )
    made = re.findall(rf'"({game}[.][\w.-]*)(?:" ~|\{{)', used)
    by_corr = (f"{game}.title", f"{game}.option.", f"{game}.outcome.")
    keys = [key for key in messages("en") if key.startswith(f"{game}.")]
    assert len(keys) > (80 if game == "ukulele" else 150)  # they were found at all
    assert [key for key in keys if f'"{key}"' not in used and not key.startswith((*by_corr, *made))] == []
