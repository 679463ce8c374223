"""Letters of corr about itself, to itself or to who runs it: nobody answers them, and no outbox has them."""

from __future__ import annotations

from datetime import datetime

from corr.mail.compose import Heading, compose
from corr.render.environment import paragraphs


def own_letter(
    name: str, address: str, recipient: str, subject: str, message_id: str, now: datetime, text: str
) -> bytes:
    """Write a letter from corr's *name* and *address*, which a daemon knows as one of its own."""
    heading = Heading(
        from_name=name,
        from_address=address,
        reply_to=address,
        to_address=recipient,
        subject=subject,
        message_id=message_id,
        date=now,
        kind="auto-generated",
        instance=address,
    )
    return compose(heading, text, paragraphs(text))
