"""Whole games by real mail, by players who reply with quoted text from many programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.demo.clients import CLIENTS, text_of
from corr.demo.player import MailHost
from corr.demo.table import invite, server_at
from corr.store import games
from engines.api import Problem
from tests.e2e.players import Table
from tests.e2e.proofs import all_well

pytestmark = pytest.mark.slow

GAMES = ("ukulele", "bakenushi", "naishi")
OVER = {"en": "is over", "ja": "終局しました"}


@pytest.mark.parametrize(
    ("engine", "mail", "langs"),
    [
        *(
            pytest.param(game, "embedded", (lang, lang), id=f"{game}-{lang}")
            for game in GAMES
            for lang in OVER
        ),
        pytest.param("ukulele", "real", ("en", "ja"), id="ukulele-en-ja by Dovecot and Postfix"),
    ],
    indirect=["mail"],
)
def test_a_whole_game_is_played_by_mail(
    mail: MailHost, tmp_path: Path, langs: tuple[str, str], engine: str
) -> None:
    """Two people who know only their mail programs play to the end, in one language or in two."""
    with server_at(mail, tmp_path) as server:
        table = Table(server)
        for name, lang in zip(("Aoi", "Ben"), langs, strict=True):
            table.seat(mail, name, lang)
        with server.office.database.session() as session:
            table.know(session)
        code = invite(server, engine, table.players, "en")
        assert not isinstance(code, Problem)
        table.play(code)
        all_well(table, code)
        with server.office.database.session() as session:
            game = games.game_by_code(session, code)
            assert game is not None
            assert game.status == "over"
            assert game.outcome is not None
            # Its luck is real luck: a game of Naishi may end with equal points and colours.
            assert len(game.outcome["winners"]) == (game.outcome["reason"] != "draw")
    for player, lang in zip(table.players, langs, strict=True):
        assert OVER[lang] in text_of(player.letters[-1])
        used = {reply.client for reply in table.written if table.langs[reply.seat - 1] == lang}
        assert used == {program.__name__ for program in CLIENTS[lang]}
