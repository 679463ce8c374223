"""What corr writes, letter by letter, as people read it; a change of any word shows here."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.registry import Registry
from tests.databases import Source
from tests.transcripts.script import acts, replayed

FOLDER = Path(__file__).parent
TRANSCRIPTS = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_script_says_what_the_transcript_says(
    path: Path, sqlite: Source, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    written = path.read_text(encoding="utf-8")
    with sqlite.ready(tmp_path) as database:
        said = replayed(acts(written), database)
    if request.config.getoption("--update-transcripts"):
        path.write_text(said, encoding="utf-8")
    else:
        assert said == written


@pytest.mark.parametrize("rules", [engine.info.rules for engine in Registry.installed()])
def test_every_installed_game_has_a_transcript(rules: str) -> None:
    """Rules stay installed while a game needs them; a transcript proves that they judge as they did."""
    scripts = [
        acts(path.read_text(encoding="utf-8")) for path in (FOLDER / rules.replace("/", "-")).glob("*.txt")
    ]
    assert scripts
    assert all(script[0].line.split()[:2] == ["game", rules.partition("/")[0]] for script in scripts)


def test_every_transcript_is_of_rules_that_are_installed() -> None:
    """A transcript is never orphaned: who removes rules must say so here."""
    installed = {engine.info.rules.replace("/", "-") for engine in Registry.installed()}
    assert {path.parent.name for path in TRANSCRIPTS} <= installed
