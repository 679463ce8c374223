"""The wheel as people install it: what is in it, and that it works away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from corr import __version__, resources

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

RENDER = """
from datetime import UTC, datetime
from corr import resources
from corr.core.page import Kind, Page, Question, Table
from corr.render.letters import render
from engines.api import Seat

table = Table(code="K7QX", engine="ukulele", names={Seat(1): "Aoi", Seat(2): "Ben"}, pace="3d")
page = Page(kind=Kind.INVITATION, seat=Seat(1), table=table, question=Question("invite"))
for locale in ("en", "ja"):
    letter = render(
        page, locale=locale, zone="UTC", now=datetime(2026, 11, 30, tzinfo=UTC), reply_to="play@example.org"
    )
    print(letter.subject)
print(resources.templates())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, without an index."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        *_pip(),
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in a fresh environment, beside the dependencies of this one; gives its ``bin``."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, symlinks=True)
    command = [*_pip(), "--python", str(folder / "bin/python")]
    subprocess.run(
        [*command, "install", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True
    )
    own = next(folder.glob("lib/python*/site-packages"))
    # Only a path: the .pth files over there, the editable install among them, are not read.
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def _pip() -> list[str]:
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def _run(program: Path, *arguments: str, cwd: Path) -> str:
    """Run a program of the fresh environment; fails with what it said when it does not end with 0."""
    # Nothing of corr's own settings may come along.
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("CORR_", "PYTHON"))}
    done = subprocess.run(
        [str(program), *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_two_packages_and_nothing_else_at_the_top(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"corr", "engines", f"corr_games-{__version__}.dist-info"}


@pytest.mark.parametrize("folder", ["templates", "migrations"])
def test_the_wheel_carries_every_file_of_the_data_folders(wheel: Path, folder: str) -> None:
    with ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if name.startswith(f"corr/_data/{folder}/")}
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert carried == {f"corr/_data/{path.relative_to(ROOT)}" for path in files}
    assert carried


def test_the_wheel_holds_no_tests_and_says_that_it_is_typed(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert not [name for name in names if "tests" in Path(name).parts or Path(name).name.startswith("test_")]
    assert {"corr/py.typed", "engines/py.typed"} <= set(names)


def test_an_editable_install_reads_the_checkout_and_has_no_copy_to_go_stale() -> None:
    assert resources.templates() == ROOT / "templates"
    assert resources.migrations() == ROOT / "migrations"
    assert not (ROOT / "corr/_data").exists()


def test_the_installed_command_names_its_version_and_its_games(installed: Path, tmp_path: Path) -> None:
    assert _run(installed / "corr", "--version", cwd=tmp_path) == f"corr {__version__}\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = _run(installed / "corr", "engine", "list", cwd=tmp_path)
    assert [game for game in project["entry-points"]["corr.engines"] if game not in listed] == []


def test_the_installed_command_sets_up_a_server(installed: Path, tmp_path: Path) -> None:
    """``corr init`` and ``corr db upgrade`` find the migrations inside the wheel."""
    accounts = ("--imap", "imaps://play@example.org/INBOX", "--smtp", "smtp://play@example.org:587")
    _run(installed / "corr", "init", "--address", "play@example.org", *accounts, cwd=tmp_path)
    _run(installed / "corr", "db", "upgrade", cwd=tmp_path)
    _run(installed / "corr", "db", "check", cwd=tmp_path)
    assert (tmp_path / "corr.db").is_file()


def test_the_installed_package_writes_letters_from_its_own_templates(installed: Path, tmp_path: Path) -> None:
    said = _run(installed / "python", "-c", RENDER, cwd=tmp_path).splitlines()
    assert all("K7QX" in subject for subject in said[:2])
    assert Path(said[2]).is_relative_to(installed.parent)
