"""What our own mail server says of a sender (RFC 8601), and how far that is believed.

Anybody can write ``Authentication-Results``.  Only those are read that our own
server put on top: with its configured name, and above the first ``Received``, since
what a letter brings along stands below what the last server adds.  A hand-over by
LMTP inside our own house adds a ``Received`` too, and is stepped over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from email.utils import getaddresses
from typing import Any, Protocol, cast

import authres

from corr.core.addresses import normal, split_plus
from corr.core.letter import Letter

OURSELVES = "corr.invalid"
"""The name with which corr signs what it has found out about a letter itself."""

_COMMENT = re.compile(r"\([^()]*\)")
_NEEDLESSLY_QUOTED = re.compile(r'"([\w+/=.-]*)"', re.ASCII)
_UNSAFE = re.compile(r'[()"]|[^ -~]')
_LMTP = re.compile(r"\swith\s+(?:utf8)?lmtps?a?(?=[\s;]|$)", re.IGNORECASE)
_NAMES_DOMAIN = {"dkim": ("d", "i"), "spf": ("mailfrom",)}


class _Property(Protocol):
    name: str
    value: str | None


class _Result(Protocol):
    method: str
    result: str
    properties: Sequence[_Property]


class _Header(Protocol):
    authserv_id: str  # in lower case
    results: Sequence[_Result]


_parse: Callable[[str], _Header] = cast("Any", authres).AuthenticationResultsHeader.parse  # without types


def proven(letter: Letter, authserv_id: str | None, address: str) -> bool:
    """Tell whether the server called *authserv_id* vouches that *letter* is its sender's.

    DMARC must pass for the domain of From or, where the server says nothing of
    DMARC, DKIM or SPF with that very domain.  The letter must name corr's own
    *address* as its one addressee: a DKIM signature is good for any copy of a
    letter, also for one that was written to somebody else.  Without an
    *authserv_id* nobody is believed.
    """
    if not authserv_id:
        return False
    return _proves(letter, _ours(letter.fields), authserv_id, address)


def proven_by_signature(letter: Letter, address: str) -> bool:
    """Tell whether corr itself has found a good signature of the domain of From, and wrote that on top."""
    first = [value for name, value in letter.fields[:1] if name == "authentication-results"]
    return _proves(letter, first, OURSELVES, address)


def _proves(letter: Letter, headers: Iterable[str], authserv_id: str, address: str) -> bool:
    if not letter.sender or not _written_to(letter, address):
        return False
    domain = normal(letter.sender).rpartition("@")[2]
    found = [one for value in headers for one in _results(value, authserv_id)]
    if dmarc := [one for one in found if one.method == "dmarc"]:
        return all(one.result == "pass" and _domain(one, ("from",)) == domain for one in dmarc)
    return any(
        one.result == "pass" and _domain(one, _NAMES_DOMAIN[one.method]) == domain
        for one in found
        if one.method in _NAMES_DOMAIN
    )


def _written_to(letter: Letter, address: str) -> bool:
    """Tell whether *address* is the one addressee, however many headers name addressees."""
    values = [value for name, value in letter.fields if name in {"to", "cc"}]
    listed = [found for _, found in getaddresses(values) if found]
    return len(listed) == 1 and normal(split_plus(listed[0])[0]) == normal(address)


def _ours(fields: Iterable[tuple[str, str]]) -> list[str]:
    """Return the results above the first ``Received``; none where no server has left one."""
    results: list[str] = []
    for name, value in fields:
        if name == "authentication-results":
            results.append(value)
        elif name == "received" and not _LMTP.search(_uncommented(value)):
            return results
    return []


def _uncommented(value: str) -> str:
    """Unfold a value and drop its comments, nested ones too."""
    value = " ".join(value.split())
    while (shorter := _COMMENT.sub(" ", value)) != value:
        value = shorter
    return value


def _results(value: str, authserv_id: str) -> Sequence[_Result]:
    """Read one header; what cannot be read says nothing.

    Parts of it are the sender's words.  ``authres`` goes on after an error, and
    would then read inside of a comment or a quotation; so none is left when it begins.
    """
    plain = _uncommented(_NEEDLESSLY_QUOTED.sub(r"\1", value))
    if "\\" in value or _UNSAFE.search(plain):
        return ()
    try:
        header = _parse(f"Authentication-Results: {plain}")
    except (authres.AuthResError, ValueError):
        return ()
    return header.results if header.authserv_id == authserv_id.lower() else ()


def _domain(result: _Result, names: Iterable[str]) -> str | None:
    """Return the domain that a result is about."""
    properties = {one.name: one.value for one in result.properties}
    value = next((found for name in names if (found := properties.get(name))), None)
    return value and value.rpartition("@")[2].lower()
