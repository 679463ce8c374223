"""The shape of the code: small files, small functions, nothing of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for folder in ("corr", "engines") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 40

OF_ONE_MACHINE = re.compile(
    r"(?<![\w.])/(home|Users|root|work)/\w|C:\\Users\\"  # somebody's folders
    r"|--(extra-)?index-url|pythonhosted|/simple/|artifactory|devpi"  # where somebody gets packages
)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def committed() -> list[Path]:
    """Return the files that git would keep: those it has, and new ones that it does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_file_can_be_read_at_once(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_FILE


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_function_can_be_seen_at_once(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES_OF_A_FUNCTION} == {}


def test_nothing_of_one_machine_is_committed() -> None:
    """No path of somebody's home and no address of a package index."""
    found = {
        f"{relative(path)}:{number}": line.strip()
        for path in committed()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if OF_ONE_MACHINE.search(line)
    }
    assert found == {}


def test_nothing_that_is_made_is_committed() -> None:
    made = re.compile(r"\.(pyc|mo|db|whl)$|__pycache__|/_data/|\.egg-info")
    assert [relative(path) for path in committed() if made.search(relative(path))] == []


def test_what_players_and_newcomers_read_exists_in_both_languages() -> None:
    """Each ``.ja.md`` has an English twin; the README and what players read have both."""
    japanese = {path.with_name(path.name.replace(".ja.md", ".md")) for path in ROOT.rglob("*.ja.md")}
    japanese = {path for path in japanese if ".venv" not in path.parts}
    assert {ROOT / "README.md", ROOT / "docs/playing.md"} <= japanese
    assert [relative(path) for path in japanese if not path.is_file()] == []


def test_templates_are_in_both_languages() -> None:
    """A missing file is found here, not by the first reader of that language."""
    folders = [ROOT / "templates" / language for language in ("en", "ja")]
    folders += [ROOT / "templates/locale" / language for language in ("en", "ja")]
    names = [
        {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} for folder in folders
    ]
    assert names[0] == names[1]
    assert names[2] == names[3]
