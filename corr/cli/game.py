"""``corr game``: make games, look at them, end them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

import typer
from sqlmodel import Session, col, select

from corr.bootstrap import Server
from corr.cli.common import (
    AsJson,
    ConfigFile,
    Language,
    harmless,
    language,
    listed,
    opened,
    pairs,
    refuse,
    show,
    worded,
)
from corr.cli.files import filled
from corr.cli.record import import_command
from corr.core.mailing import situation, story
from corr.core.talk import Press
from corr.render.letters import render_view
from corr.service import admin, lobby, talk
from corr.service.hand_over import hand_over
from corr.service.record import record_of
from corr.service.sitting import Sitting, seat_named, table_of
from corr.store import chairs, games
from corr.store.letters import absences
from corr.store.tables import Game
from engines.api import Phase, Problem, Seat, Watcher

app = typer.Typer(
    no_args_is_help=True, help="Games: new, list, show, history, import, talk, adjudicate, replay."
)

TOLD = 6
"""Facts that `corr game show` tells, the newest last."""

Code = Annotated[str, typer.Argument(help="The game's code, as in the letters.")]


@app.command()
def new(
    ctx: typer.Context,
    engine: Annotated[str, typer.Argument(help="The game to play; `corr engine list` names them.")],
    seat: Annotated[list[str], typer.Option(help="NAME=ADDRESS, once for each player, in order.")],
    option: Annotated[
        list[str] | None,
        typer.Option(help="KEY=VALUE: an option of the game (or KEY=FILE), or timeout=loss|claim|nothing."),
    ] = None,
    pace: Annotated[str | None, typer.Option(help="Time for each move: 3d, 36h, 2d12h.")] = None,
    lang: Annotated[Language, typer.Option(help="Language of new players.")] = "en",
    press: Annotated[Press, typer.Option(help="What players may say to each other.")] = "open",
    first: Annotated[str | None, typer.Option(help="Who begins: random, 1 or 2.")] = None,
    now: Annotated[bool, typer.Option("--now", help="Begin at once; you vouch for the addresses.")] = False,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Make a game and invite its players."""
    options = dict(pairs(option or [], "KEY=VALUE"))
    if first is not None:
        options["first_player"] = first
    timeout = options.pop("timeout", lobby.TIMEOUTS[0])
    wish = lobby.Wish(
        engine=engine,
        seats=[lobby.Invited(*pair) for pair in pairs(seat, "NAME=ADDRESS")],
        options=options,
        pace=pace,
        timeout=timeout,
        press=press,
        locale=lang,
        at_once=now,
    )
    with opened(ctx) as server:
        wish = replace(wish, options=filled(server.office.engines.newest(engine), options))
        code = lobby.new_game(server.office, wish)
        if isinstance(code, Problem):
            refuse(worded(code))
        _say_made(code, at_once=now, as_json=as_json)


def _say_made(code: str, *, at_once: bool, as_json: bool) -> None:
    if as_json:
        show({"code": code, "status": "running" if at_once else "open"})
    elif at_once:
        typer.echo(
            f"{code}: the game has begun; its letters go out with the next `corr once` or `corr serve`"
        )
    else:
        typer.echo(f"{code}: invitations go out with the next `corr once` or `corr serve`")


@app.command("list")
def list_games(ctx: typer.Context, as_json: AsJson = False, config: ConfigFile = None) -> None:
    """List all games."""
    with opened(ctx) as server, server.office.database.session() as session:
        rows = [_row(session, game) for game in session.exec(select(Game).order_by(col(Game.id)))]
    listed(rows, ("code", "game", "status", "players", "position", "deadline"), as_json=as_json)


def _row(session: Session, game: Game) -> dict[str, Any]:
    return {
        "code": game.code,
        "game": game.engine,
        "status": game.status,
        "players": ", ".join(chairs.aliases(session, game.id).values()),
        "position": game.position,
        "deadline": _deadline(session, game),
        "created": game.created_at,
    }


def _deadline(session: Session, game: Game) -> datetime | None:
    due = games.deadline_at(session, game, "expire")
    return due.due_at if due and due.status == "armed" else None


@app.command("show")
def show_game(
    ctx: typer.Context,
    code: Code,
    seat: Annotated[str | None, typer.Option("--as", help="What this seat may see: number or name.")] = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="Show everything, secrets too.")] = False,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Show a game as the public, one seat or, with --spoil, the master sees it."""
    with _watched(ctx, code, seat, spoil=spoil) as (sitting, viewer):
        shown = _row(sitting.session, sitting.game) | _seen(sitting, viewer)
        if as_json:
            show(shown)
        else:
            _print(sitting, viewer, shown)


@app.command("history")
def write_record(
    ctx: typer.Context,
    code: Code,
    seat: Annotated[str | None, typer.Option("--as", help="What this seat may know: number or name.")] = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="Write everything down, secrets too.")] = False,
    lang: Annotated[Language | None, typer.Option(help="Language; else that of the terminal.")] = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Write the record of a game: complete, for `corr game import`, when it is over or with --spoil."""
    with _watched(ctx, code, seat, spoil=spoil) as (sitting, viewer):
        if sitting.turn is None:
            refuse(worded(Problem("timing.not-started")))
        known, lines = sitting.game.code, record_of(sitting, viewer, lang or language())
    if as_json:
        show({"code": known, "record": list(lines)})
    else:
        typer.echo("\n".join(map(harmless, lines)))


@contextmanager
def _watched(
    ctx: typer.Context, code: str, seat: str | None, *, spoil: bool
) -> Generator[tuple[Sitting, Seat | Watcher]]:
    """Open a game for one who looks at it: a seat, the public or the master."""
    if spoil and seat is not None:
        raise typer.BadParameter("--as shows what one seat may see, --spoil everything: choose one")
    with opened(ctx) as server, server.office.database.session() as session:
        game = games.game_by_code(session, code)
        if game is None:
            refuse(worded(Problem("lobby.no-game", {"code": code})))
        viewer = _viewer(session, game, seat, spoil=spoil)
        yield _sat(session, server, game), viewer


def _sat(session: Session, server: Server, game: Game) -> Sitting:
    try:
        return Sitting(session, server.office, game)
    except LookupError as error:
        refuse(f"{error.args[0]}: install them first")


def _viewer(session: Session, game: Game, words: str | None, *, spoil: bool) -> Seat | Watcher:
    if words is None:
        return Watcher.MASTER if spoil else Watcher.PUBLIC
    seat = seat_named(table_of(game, chairs.aliases(session, game.id)), words)
    if isinstance(seat, Problem):
        refuse(worded(seat))
    return seat


def _seen(sitting: Sitting, viewer: Seat | Watcher) -> dict[str, Any]:
    """Return what *viewer* may know, and nothing else."""
    seats = {str(seat): name for seat, name in sitting.table.names.items()}
    lost = [holder.alias for holder in sitting.holders.values() if holder.address.state == "bouncing"]
    away = absences(sitting.session, sitting.game.id)
    absent = {holder.alias: away[seat] for seat, holder in sitting.holders.items() if seat in away}
    seen: dict[str, Any] = {"seats": seats, "unreachable": lost, "absent": absent, "view": None}
    if sitting.turn is None:
        return seen
    view = sitting.engine.view(sitting.position.state, viewer)
    seen |= {"view": view.data, "outcome": sitting.game.outcome}
    if isinstance(phase := sitting.status, Phase):
        seen["waiting"] = sorted(phase.waiting)
    if isinstance(viewer, int) and (
        own := situation(sitting.engine, sitting.position, viewer, sitting.readers())
    ):
        seen["orders"] = list(own.orders)
    return seen


def _print(sitting: Sitting, viewer: Seat | Watcher, shown: dict[str, Any]) -> None:
    names = sitting.table.names
    lang = language()
    typer.echo(harmless(f"{shown['code']} {shown['game']}: {shown['players']} ({shown['status']})"))
    for alias in shown["unreachable"]:
        typer.echo(
            harmless(f"letters to {alias} come back: ask for another address, or `corr game hand-over`")
        )
    for alias, at in shown["absent"].items():
        typer.echo(harmless(f"a notice of absence came from {alias} on {at:%Y-%m-%d %H:%M} UTC"))
    if sitting.turn is None:
        return
    view = sitting.engine.view(sitting.position.state, viewer)
    typer.echo(render_view(view, lang, names))
    for phrase in story(sitting.engine, sitting.history[-TOLD:], viewer):
        typer.echo(worded(phrase, names))
    if shown["deadline"]:
        typer.echo(f"until {shown['deadline']:%Y-%m-%d %H:%M} UTC")


@app.command("talk")
def list_talk(ctx: typer.Context, code: Code, as_json: AsJson = False, config: ConfigFile = None) -> None:
    """List what players have said, secrets too; that you looked is written down."""
    with opened(ctx) as server:
        said = talk.overhear(server.office, code)
    if isinstance(said, Problem):
        refuse(worded(said))
    rows = [
        {
            "id": post.id,
            "at": post.at,
            "position": post.position,
            "by": who,
            "channel": post.channel,
            "heard": ", ".join(map(str, post.listeners)),
            "text": post.body,
        }
        for post, who in said
    ]
    listed(rows, ("id", "at", "position", "by", "channel", "heard", "text"), as_json=as_json)


@app.command()
def adjudicate(
    ctx: typer.Context,
    code: Code,
    reason: Annotated[str, typer.Option(help="Told to the players.")],
    win: Annotated[str | None, typer.Option(help="The seat that wins: number or name.")] = None,
    draw: Annotated[bool, typer.Option("--draw", help="Nobody wins.")] = False,
    void: Annotated[bool, typer.Option("--void", help="The game does not count.")] = False,
    config: ConfigFile = None,
) -> None:
    """End a game by a master's word; the players are told."""
    if not reason.strip():
        raise typer.BadParameter("the players are told why: give a reason", param_hint="--reason")
    if (win is not None) + draw + void != 1:
        raise typer.BadParameter("choose one of --win SEAT, --draw and --void")
    with opened(ctx) as server:
        try:
            problem = admin.adjudicate(server.office, code, win, reason, void=void)
        except LookupError as error:
            refuse(f"{error.args[0]}: install them first")
        if problem is not None:
            refuse(worded(problem))
        typer.echo(f"{code.upper()}: adjudicated; the players are told with the next letters")


@app.command("hand-over")
def give_seat(
    ctx: typer.Context,
    code: Code,
    seat: Annotated[str, typer.Option(help="The seat: number or name.")],
    to: Annotated[str, typer.Option(help="NAME=ADDRESS of the new holder; you vouch for the address.")],
    reason: Annotated[str, typer.Option(help="Told to the former holder.")],
    config: ConfigFile = None,
) -> None:
    """Give a seat to another person; all marks of the former holder end."""
    if not reason.strip():
        raise typer.BadParameter("the former holder is told why: give a reason", param_hint="--reason")
    ((who, address),) = pairs([to], "NAME=ADDRESS")
    with opened(ctx) as server:
        try:
            problem = hand_over(server.office, code, seat, lobby.Invited(who, address), reason)
        except LookupError as error:
            refuse(f"{error.args[0]}: install them first")
        if problem is not None:
            refuse(worded(problem))
        typer.echo(f"{code.upper()}: handed over; the players are told with the next letters")


@app.command()
def replay(
    ctx: typer.Context,
    code: Annotated[str | None, typer.Argument(help="The game's code.")] = None,
    all_games: Annotated[bool, typer.Option("--all", help="Replay every game that has begun.")] = False,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Fold games anew from their facts, and compare with what is stored."""
    if (code is not None) == all_games:
        raise typer.BadParameter("name one game, or all with --all")
    with opened(ctx) as server:
        try:
            replayed = list(admin.replay(server.office, code))
        except LookupError as error:
            refuse(f"cannot replay: {error.args[0]}")
    rows = [{"code": r.code, "entries": r.entries, "facts": r.facts, "problem": r.problem} for r in replayed]
    listed(rows, ("code", "entries", "facts", "problem"), as_json=as_json)
    if differ := [f"{r.code}: {r.problem}" for r in replayed if r.problem]:
        refuse("\n".join(differ))


app.command("import")(import_command)
