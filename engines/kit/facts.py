"""Facts as JSON: written once, readable for ever.

A fact is a NamedTuple.  Its kind is the name of its class in small letters, its
body an object with one member for each field.  Reading is strict: a body that
has a member too many or too few, or ``true`` where a number belongs, is damage
and raises, since a fact that is half believed corrupts a game without a sound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, Generic, NewType, TypeAlias, TypeVar, Union, cast, get_args, get_origin
from typing import get_type_hints as hints_of

from engines.api import Json

F = TypeVar("F")
Lift: TypeAlias = Callable[[Json], Json]
Read: TypeAlias = Callable[[object], object]

SCALARS = (str, int, bool, NoneType)


class Codec(Generic[F]):
    """Half of an engine: ``dump`` and ``load`` for its facts.

    Fields may be str, int, bool, None, a NewType or a union of these, a NamedTuple, or a
    tuple of any of them.  *lifts* names, for a kind whose shape has changed, the
    functions that turn a body of version 1 into version 2, 2 into 3 and so on;
    the version that is written is one more than their number.
    """

    def __init__(self, *facts: type[F], lifts: Mapping[str, Sequence[Lift]] | None = None) -> None:
        self._facts: dict[str, Any] = {kind_of(fact): fact for fact in facts}
        self._lifts = dict(lifts or {})
        assert len(self._facts) == len(facts), "two facts of one kind"
        assert self._lifts.keys() <= self._facts.keys(), "a lift for no fact"

    def dump(self, fact: F, /) -> tuple[str, int, Json]:
        """Return the fact's kind, schema version and JSON body."""
        kind = kind_of(type(fact))
        return kind, len(self._lifts.get(kind, ())) + 1, cast("Json", write(fact))

    def load(self, kind: str, version: int, body: Json, /) -> F:
        """Read a stored fact, lifting old versions to the present one.

        Raises KeyError for an unknown kind, ValueError for an unknown version,
        TypeError for a body that is not of the fact's shape.
        """
        lifts = self._lifts.get(kind, ())
        if not 1 <= version <= len(lifts) + 1:
            raise ValueError(f"{kind}: no version {version}")
        for lift in lifts[version - 1 :]:
            body = lift(body)
        return cast("F", reader(self._facts[kind])(body))


def kind_of(fact: type[Any]) -> str:
    """Return the word under which facts of this class are stored."""
    return fact.__name__.lower()


def write(value: object) -> object:
    """Turn a field's value into what ``json`` gives back unchanged."""
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        names: Sequence[str] | None = getattr(items, "_fields", None)
        written = [write(item) for item in items]
        return written if names is None else dict(zip(names, written, strict=True))
    assert type(value) in SCALARS, f"{value!r} would come back from JSON as something else"
    return value


@cache
def reader(hint: Any) -> Read:
    """Return the function that reads a value of the type *hint*, or raises TypeError."""
    if isinstance(hint, NewType):
        return reader(hint.__supertype__)
    if hint in SCALARS:
        return scalar(hint)
    if get_origin(hint) in (Union, UnionType):
        return union(get_args(hint))
    if get_origin(hint) is tuple:
        return tuple_of(get_args(hint))
    if getattr(hint, "_fields", None) is not None:
        return record(hint)
    raise TypeError(f"{hint!r} has no place in a fact")


def scalar(kind: type[object]) -> Read:
    """Read exactly *kind*: for JSON, ``true`` is no number."""

    def read(value: object) -> object:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is not {kind.__name__}")
        return value

    return read


def union(members: tuple[Any, ...]) -> Read:
    """Read a scalar of one of the types *members*."""
    kinds = tuple(getattr(member, "__supertype__", member) for member in members)
    assert set(kinds) <= set(SCALARS), "only scalars tell by themselves what they are"

    def read(value: object) -> object:
        if type(value) not in kinds:
            raise TypeError(f"{value!r} is none of {kinds}")
        return value

    return read


def tuple_of(members: tuple[Any, ...]) -> Read:
    """Read a list: of one type and any length, or of just these types."""
    if len(members) == 2 and members[1] is ...:
        each = reader(members[0])
        return lambda value: tuple(each(item) for item in listed(value))
    readers = [reader(member) for member in members]

    def read(value: object) -> object:
        items = listed(value)
        if len(items) != len(readers):
            raise TypeError(f"{value!r} has not {len(readers)} items")
        return tuple(one(item) for one, item in zip(readers, items, strict=True))

    return read


def record(fact: Any) -> Read:
    """Read an object with just the fields of a NamedTuple."""
    fields = {name: reader(hint) for name, hint in hints_of(fact).items()}

    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise TypeError(f"{value!r} is no object")
        body = cast("dict[str, object]", value)
        if body.keys() != fields.keys():
            raise TypeError(f"{fact.__name__}: {sorted(body)} are not the fields {sorted(fields)}")
        return fact._make(one(body[name]) for name, one in fields.items())

    return read


def listed(value: object) -> list[object]:
    """Return *value* if it is a list."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return cast("list[object]", value)
