"""Reports as mail servers write them, about letters that were sent from an address."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[str, str, str], bytes]
"""A report to an address, about a letter to another, with that letter's id."""


def _crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def dsn(status: str = "5.1.1", action: str = "failed", diagnostic: str = "550 No such user") -> Report:
    """Return the report of a server that keeps to RFC 3464, as Postfix does."""

    def report(to: str, about: str, message_id: str) -> bytes:
        return _crlf(f"""\
Return-Path: <>
Delivered-To: {to}
From: MAILER-DAEMON@relay.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
Auto-Submitted: auto-replied
Message-ID: <20261130.4f2@relay.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<{about}>: {diagnostic}

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example

Final-Recipient: rfc822; {about}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {diagnostic}

--b1
Content-Type: text/rfc822-headers

From: corr <play@corr.test>
To: {about}
Message-ID: {message_id}
Subject: [K7QX] Ukulele

--b1--
""")

    return report


def qmail(to: str, about: str, message_id: str) -> bytes:
    """Return what qmail writes: plain text, with the letter under it."""
    return _crlf(f"""\
Return-Path: <>
Delivered-To: {to}
From: MAILER-DAEMON@old.example
To: {to}
Subject: failure notice
Message-ID: <q1@old.example>

Hi. This is the qmail-send program at old.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{about}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

From: corr <play@corr.test>
To: {about}
Message-ID: {message_id}

It is your turn.
""")


def receipt(to: str, about: str, message_id: str) -> bytes:
    """Return the receipt that a program sends when a letter was opened (RFC 8098)."""
    return _crlf(f"""\
Return-Path: <{about}>
From: {about}
To: {to}
Subject: Read: [K7QX] Ukulele
Message-ID: <r1@players.test>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary="b1"

--b1
Content-Type: text/plain

Your message was read.

--b1
Content-Type: message/disposition-notification

Final-Recipient: rfc822;{about}
Original-Message-ID: {message_id}
Disposition: manual-action/MDN-sent-manually; displayed

--b1--
""")


def absence(to: str, about: str, message_id: str) -> bytes:
    """Return what a vacation program writes from nobody (RFC 3834)."""
    return _crlf(f"""\
Return-Path: <>
From: {about}
To: {to}
Subject: Out of office
Auto-Submitted: auto-replied
In-Reply-To: {message_id}
Message-ID: <v1@players.test>

I am away until Monday. 5
""")
