"""Mail addresses as they may stand in headers and in SMTP commands."""

import re

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f<>()\[\]\\,;:\"@]")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


def wire_address(address: str) -> str:
    """Return the ASCII form of *address*, its domain in IDNA if need be.

    Raises ValueError where there is none.  A local part beyond ASCII would need
    SMTPUTF8 on every server along the way, so it is refused here.
    """
    local, _, domain = address.rpartition("@")
    if not local or _FORBIDDEN.search(local):
        raise ValueError(f"Not a mail address: {address!r}")
    if not local.isascii():
        raise ValueError(f"The part before the @ must be ASCII (SMTPUTF8 is not used): {address!r}")
    if not domain.isascii():
        domain = domain.encode("idna").decode("ascii")
    if not _DOMAIN.fullmatch(domain):
        raise ValueError(f"Not a mail domain: {address!r}")
    return f"{local}@{domain}"
