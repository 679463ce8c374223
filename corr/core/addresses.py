"""Mail addresses: compared, taken apart, never judged harder than the world's mail servers do."""

from __future__ import annotations

import re

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_PLAUSIBLE_LOCAL = re.compile(r'[^\s@<>(),;:"\\]+')
_PLAUSIBLE_DOMAIN = re.compile(r"(?:(?!-)[\w-]{1,63}(?<!-)\.)+(?!-)[\w-]{2,63}(?<!-)")


def normal(address: str) -> str:
    """Return the form in which addresses are compared: lower case, the local part without quotes.

    Japanese carriers gave out addresses such as ``taro..x.@docomo.ne.jp``, which
    some programs must quote and others send as they are; both are one address.
    """
    local, at, domain = address.strip().rpartition("@")
    quoted = _QUOTED.fullmatch(local)
    if quoted:
        local = re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
    return (local + at + domain).lower()


def same_address(a: str, b: str) -> bool:
    """Say whether two spellings name one mailbox."""
    return normal(a) == normal(b)


def split_plus(address: str) -> tuple[str, str]:
    """Split ``play+TAG@host`` into ``play@host`` and ``TAG``; the tag is empty where there is none."""
    local, at, domain = address.rpartition("@")
    base, _, tag = local.partition("+")
    return base + at + domain, tag


def is_plausible(address: str) -> bool:
    """Say whether somebody at a command line may have meant this as an address.

    No strict validator: dots may stand where RFC 5322 forbids them.
    """
    local, _, domain = normal(address).rpartition("@")
    return (
        len(local.encode()) <= 64
        and len(domain) <= 253
        and _PLAUSIBLE_LOCAL.fullmatch(local) is not None
        and _PLAUSIBLE_DOMAIN.fullmatch(domain) is not None
    )
