"""The flag by which transcripts are written anew: ``pytest tests/transcripts --update-transcripts``."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-transcripts",
        action="store_true",
        help="write down what corr says now; read the difference before you commit it",
    )
