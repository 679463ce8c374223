"""``corr engine``: which games are installed, how many lines they have, how fast they play."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from corr.cli.common import AsJson, listed, pairs, refuse, show, worded
from corr.cli.files import filled
from corr.core.chance import Dice, SeededChance
from corr.core.playout import Playout, divide, opened, perft, playout
from corr.core.turn import AnyEngine, Luck
from corr.registry import Registry, game_of
from engines.api import Phrase, Problem

app = typer.Typer(no_args_is_help=True, help="The games that are installed: list, perft, playout, try.")

Name = Annotated[str, typer.Argument(help="A game (ukulele), or just these rules of it (ukulele/1).")]

T = TypeVar("T")


@app.command("list")
def list_engines(as_json: AsJson = False) -> None:
    """List the games that are installed, with their seats and options."""
    engines = list(Registry.installed())
    if as_json:
        show([described(engine) for engine in engines])
        return
    listed((summary(engine) for engine in engines), ("rules", "game", "seats", "options"), as_json=False)


def described(engine: AnyEngine) -> dict[str, Any]:
    """Describe an engine for scripts."""
    return {
        "rules": engine.info.rules,
        "game": worded(Phrase(f"{game_of(engine)}.title")),
        "seats": list(engine.info.seats),
        "paces": dict(engine.info.paces),
        "options": {option: list(values) for option, values in engine.info.options.items()},
    }


def summary(engine: AnyEngine) -> dict[str, str]:
    """Describe an engine for people; the first value of an option is its default."""
    seats, options = engine.info.seats, engine.info.options
    return {
        "rules": engine.info.rules,
        "game": worded(Phrase(f"{game_of(engine)}.title")),
        "seats": str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}",
        "options": "\n".join(f"{option}={'|'.join(values) or '...'}" for option, values in options.items()),
    }


@app.command("perft")
def count_lines(
    name: Name,
    depth: Annotated[int, typer.Option(min=0, help="Orders in a line; a forced pass counts as one.")],
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, KEY=VALUE.")] = None,
) -> None:
    """Count the lines of legal orders from the start; prints the number alone."""
    engine = found(name)
    options = dict(pairs(option or (), "KEY=VALUE"))
    for key in options.keys() - engine.info.options.keys():
        refuse(f"{engine.info.rules} has no option {key!r}; it has: {', '.join(engine.info.options)}")
    luck = seeded(0)
    state = opened(engine, filled(engine, options), luck)
    if isinstance(state, Problem):
        refuse(worded(state))
    branches = divide(engine, state, depth, luck) if depth else iter((1,))
    typer.echo(sum(shown(branches, "lines", perft(engine, state, min(depth, 1), luck))))


@app.command("playout")
def play_at_random(
    name: Name,
    games: Annotated[int, typer.Option(min=1, help="How many games.")],
    seed: Annotated[int, typer.Option(help="The same number gives the same games.")] = 0,
    cap: Annotated[int, typer.Option(min=1, help="Orders after which a game is broken off.")] = 300,
    as_json: AsJson = False,
) -> None:
    """Play random legal orders, and measure how fast."""
    engine = found(name)
    start = perf_counter()
    played = list(shown(random_games(engine, games, seed, cap), "games", games))
    seconds = perf_counter() - start
    orders = sum(game.orders for game in played)
    outcomes = Counter(game.outcome.reason if game.outcome else "unfinished" for game in played)
    figures = {
        "games": games,
        "orders": orders,
        "games_per_second": round(games / seconds, 1),
        "orders_per_second": round(orders / seconds, 1),
    }
    if as_json:
        show(figures | {"outcomes": outcomes})
        return
    ends = ", ".join(f"{why} {count}" for why, count in outcomes.most_common())
    for key, value in (figures | {"outcomes": ends}).items():
        typer.echo(f"{key}: {value}")


def random_games(engine: AnyEngine, games: int, seed: int, cap: int) -> Iterator[Playout]:
    """Play one game after another."""
    return (random_game(engine, Dice(f"{seed}/{number}".encode()), cap) for number in range(games))


def random_game(engine: AnyEngine, dice: Dice, cap: int) -> Playout:
    """Play a game with no options."""
    state = opened(engine, {}, lambda _: dice)
    if isinstance(state, Problem):
        refuse(worded(state))
    return playout(engine, state, dice, cap)


def seeded(seed: int) -> Luck:
    """Return the luck of a game that anybody can play again."""
    secret = str(seed).encode()
    return lambda phase: SeededChance(secret, f"0/{phase}")


def found(name: str) -> AnyEngine:
    """Return the rules called *name*, or say which are known."""
    registry = Registry.installed()
    engine = registry.named(name) or registry.newest(name)
    if engine is None:
        refuse(
            f"no game is called {name!r}; installed are: {', '.join(each.info.rules for each in registry)}"
        )
    return engine


def shown(items: Iterable[T], what: str, total: int) -> Iterable[T]:
    """Show the progress, if somebody sits at a terminal."""
    quiet = not sys.stderr.isatty()
    return track(items, what, total, console=Console(stderr=True), transient=True, disable=quiet)
