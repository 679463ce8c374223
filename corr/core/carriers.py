"""Japanese phone companies, whose mail refuses strangers by default or by one tap."""

from __future__ import annotations

CARRIERS: dict[str, tuple[str, ...]] = {
    "docomo": ("docomo.ne.jp",),
    "au": ("au.com", "ezweb.ne.jp", "uqmobile.jp"),
    "SoftBank": ("softbank.ne.jp", "i.softbank.jp", "ymobile.ne.jp", "vodafone.ne.jp"),
}
"""The companies and their mail domains; an older address has a further label before it."""


def carrier(address: str) -> str:
    """Return whose phone mail an address is; "" for any other."""
    domain = address.rpartition("@")[2].casefold()
    found = (
        name
        for name, domains in CARRIERS.items()
        if any(domain == one or domain.endswith(f".{one}") for one in domains)
    )
    return next(found, "")
