"""The papers are true: what they show was played, and what they tell you to type can be typed."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from corr import settings
from corr.cli.main import app
from corr.core.commands import word
from corr.core.fold import fold
from corr.core.turn import AnyEngine
from corr.registry import Registry
from engines.api import Problem, Seat
from engines.bakenushi import ENGINE as BAKENUSHI
from engines.naishi import ENGINE as NAISHI
from engines.ukulele import ENGINE as UKULELE
from tests.laws.play import play

ROOT = Path(__file__).parents[1]
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
READMES = [ROOT / "README.md", ROOT / "README.ja.md"]
TRANSCRIPT = ROOT / "tests/transcripts/ukulele-1/first-moves.txt"

GAMES: dict[tuple[str, str], AnyEngine] = {
    ("Ukulele", "ウクレレ"): UKULELE,
    ("Naishi", "内侍"): NAISHI,
    ("Bakenushi", "ばけぬし"): BAKENUSHI,
}
"""The chapters of the players' papers, by their titles."""

OTHERS = {"pip", "export", "sudo", "sqlite3", "journalctl", "pytest", "git"}
"""Programs that papers call besides corr and make."""


def paper(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, language: str) -> list[str]:
    """Return the code blocks of *language*, without their fences."""
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def typed(path: Path) -> list[list[str]]:
    """Return the command lines that a paper tells people to type."""
    return [shlex.split(line, comments=True) for block in blocks(path, "sh") for line in block.splitlines()]


def mentioned(path: Path) -> Iterator[list[str]]:
    """Yield the commands of corr that stand inside sentences and tables."""
    for span in re.findall(r"(?<!`)`(corr(?: [^`]+)?)`(?!`)", path.read_text(encoding="utf-8")):
        yield span.split()


def program() -> TyperGroup:
    """Return corr as its command line."""
    whole = get_command(app)
    assert isinstance(whole, TyperGroup)
    return whole


def command_of(words: list[str]) -> tuple[TyperCommand | TyperGroup, list[str]]:
    """Find the command that *words* name; returns it and what follows."""
    command: TyperCommand | TyperGroup = program()
    rest = words[1:]
    while isinstance(command, TyperGroup) and rest and not rest[0].startswith("-"):
        found = command.commands.get(rest[0])
        assert isinstance(found, TyperCommand | TyperGroup), f"{' '.join(words)}: no such command"
        command, rest = found, rest[1:]
    return command, rest


@pytest.mark.parametrize("path", PAPERS, ids=paper)
def test_every_command_that_a_paper_shows_is_understood(path: Path) -> None:
    """The command line parses it as it stands, with all options and arguments; make has the target."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for words in typed(path):
        match words[0]:
            case "corr":
                command, rest = command_of(words)
                command.make_context(words[0], list(rest))  # raises UsageError
            case "make":
                assert set(words[1:]) <= targets, words
            case other:
                assert other in OTHERS, words


@pytest.mark.parametrize("path", PAPERS, ids=paper)
def test_every_command_that_a_paper_mentions_exists(path: Path) -> None:
    for words in mentioned(path):
        command, rest = command_of(words)
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= options | {"--help"}, words


@pytest.mark.parametrize("path", READMES, ids=paper)
def test_the_letters_of_a_readme_were_written_by_corr(path: Path) -> None:
    """Each stretch between two ``…`` stands in the transcript, line by line."""
    played = [line.removeprefix("    ") for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines()]
    letters = blocks(path, "letter")
    assert letters
    for letter in letters:
        for stretch in letter.split("…\n"):
            lines = stretch.strip("\n").splitlines()
            starts = (played[at : at + len(lines)] for at in range(len(played)))
            assert lines in starts, "\n".join(lines)


@pytest.mark.parametrize("path", READMES, ids=paper)
def test_the_reply_of_a_readme_was_taken(path: Path) -> None:
    text = TRANSCRIPT.read_text(encoding="utf-8")
    (reply,) = (block.strip() for block in blocks(path, "reply"))
    assert f"»   {reply}\n" in text
    assert any(f"    - {taken}{fold(reply)}\n" in text for taken in ("Taken: ", "受け付けました："))


@pytest.mark.parametrize("path", READMES, ids=paper)
def test_the_first_screen_of_a_readme_shows_the_game(path: Path) -> None:
    """The letter and the reply stand before the first heading, within forty lines."""
    first = "\n".join(path.read_text(encoding="utf-8").splitlines()[:40])
    assert "```letter" in first
    assert "```reply" in first
    assert "\n## " not in first.partition("```reply")[0]


@pytest.mark.parametrize(
    "paths", [READMES, sorted(ROOT.glob("docs/playing*.md"), reverse=True)], ids=["readme", "playing"]
)
def test_both_languages_say_the_same_in_the_same_order(paths: list[Path]) -> None:
    """The same headings, blocks, table rows and commands; only the words differ."""
    english, japanese = (_shape(path) for path in paths)
    assert english == japanese


def _shape(path: Path) -> list[str]:
    """Return what kinds of lines a paper has, and the commands in it."""
    text = re.sub(
        r"^```(\w+)\n.*?^```$", r"```\1", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    kinds = re.findall(r"^(#+ |```\w+|\| |- |\d\. )", text, re.MULTILINE)
    return [*kinds, *sorted({" ".join(words) for words in mentioned(path)})]


@pytest.mark.parametrize("path", PAPERS, ids=paper)
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_command_of_corr_stands_in_the_readmes() -> None:
    for path in READMES:
        text = path.read_text(encoding="utf-8")
        assert [line for line in _lines(program(), "corr") if f"`{line}`" not in text] == []


def _lines(group: TyperGroup, name: str) -> Iterator[str]:
    for verb, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _lines(command, f"{name} {verb}")
        else:
            yield f"{name} {verb}"


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/playing*.md")), ids=paper)
def test_every_line_that_players_are_told_to_write_in_a_game_is_read(path: Path) -> None:
    """As an order of that game, or as a word of corr, and never as both."""
    chapters = path.read_text(encoding="utf-8").split("\n## ")
    for titles, engine in GAMES.items():
        (chapter,) = (text for text in chapters if text.partition("\n")[0] in titles)
        state = play(engine, 0).moments[0].state
        for line in re.findall(r"`([^`]+)`", chapter):
            order = not isinstance(engine.parse(state, Seat(1), fold(line)), Problem)
            assert order != (word(fold(line)) is not None), line


def test_every_option_of_every_game_stands_in_the_paper_of_the_games() -> None:
    """With its values, the default first; under a heading that names the game."""
    text = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    chapters = {chapter.partition("\n")[0].casefold(): chapter for chapter in text.split("\n## ")}
    for engine in Registry.installed():
        game = engine.info.rules.partition("/")[0]
        (chapter,) = (chapter for title, chapter in chapters.items() if game in title)
        for option, values in engine.info.options.items():
            (row,) = re.findall(rf"^\| `{option}` \| (.*?) \|", chapter, re.MULTILINE)
            named = re.findall(r"`([^`]+)`", row)
            assert named == [*values] or not values, (game, option)


def test_every_setting_stands_in_the_operators_paper() -> None:
    text = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    settings_of_files = set(settings.Settings.model_fields) - set(settings.SECRETS)
    assert [key for key in settings_of_files if f"`{key}`" not in text] == []
    assert [key for key in settings.SECRETS if f"`CORR_{key.upper()}`" not in text] == []


def test_the_example_settings_can_be_loaded(tmp_path: Path) -> None:
    shutil.copy(ROOT / "deploy/corr.toml.example", tmp_path / "corr.toml")
    loaded = settings.load(tmp_path / "corr.toml")
    assert loaded.imap_password_file == tmp_path / "imap-password"


def test_the_unit_starts_a_command_that_exists() -> None:
    unit = (ROOT / "deploy/corr.service").read_text(encoding="utf-8")
    (start,) = re.findall(r"^ExecStart=\S+/(corr .*)$", unit, re.MULTILINE)
    command, rest = command_of(start.split())
    command.make_context("corr", rest)
    assert start.split()[1] == "serve"
    assert re.findall(r"^Environment=CORR_(\w+)=", unit, re.MULTILINE) == ["DATABASE"]
    handed_over = re.findall(r"LoadCredential=(\w+):", unit)
    assert set(handed_over) == set(settings.SECRETS)


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs/adr").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))
