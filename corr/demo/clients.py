"""Replies as mail programs write them: the new words, and the letter quoted below.

Each client is a function from the words and the letter to a reply without its
addresses.  The shapes are those that people's programs make, in English and in
Japanese; corr reads them like anybody's.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from typing import cast

from corr.core.addresses import split_plus

Client = Callable[[str, EmailMessage], EmailMessage]


def text_of(letter: EmailMessage) -> str:
    """Return the text part of a letter; empty when it has none."""
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def html_of(letter: EmailMessage) -> str:
    """Return the HTML part of a letter; empty when it has none."""
    body = letter.get_body(("html",))
    return str(body.get_content()) if body is not None else ""


def _quoted(letter: EmailMessage) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text_of(letter).splitlines())


def _writer(letter: EmailMessage) -> str:
    """Return who wrote the letter, as an attribution names him: without the tag."""
    return split_plus(str(letter["From"]).rpartition("<")[2].rstrip(">"))[0]


def _alternative(text: str, html: str, charset: str = "utf-8") -> EmailMessage:
    reply = EmailMessage()
    reply.set_content(text, charset=charset)
    reply.add_alternative(html, subtype="html", charset="utf-8")
    return reply


def gmail(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Gmail in a browser does."""
    return _gmail(words, letter, f"On Mon, Nov 30, 2026 at 9:15 PM corr <{_writer(letter)}> wrote:")


def gmail_ja(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Gmail in Japanese does."""
    return _gmail(words, letter, f"2026年11月30日(月) 21:15 corr <{_writer(letter)}>:")


def _gmail(words: str, letter: EmailMessage, line: str) -> EmailMessage:
    html = (
        f'<div dir="ltr">{_breaks(words)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(line)}<br></div><blockquote class="gmail_quote" '
        f'style="margin:0 0 0 .8ex;padding-left:1ex">{html_of(letter)}</blockquote></div>'
    )
    return _alternative(f"{words}\n\n{line}\n\n{_quoted(letter)}\n", html)


def apple(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as the mail program of an iPhone does."""
    line = f"On Nov 30, 2026, at 21:15, corr <{_writer(letter)}> wrote:"
    return _plain(f"{words}\n\nSent from my iPhone\n\n> {line}\n> \n{_quoted(letter)}\n")


def apple_ja(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as the mail program of an iPhone in Japanese does, in ISO-2022-JP."""
    line = f"2026/11/30 21:15、corr <{_writer(letter)}>のメール:"
    text = f"{words}\n\niPhoneから送信\n\n> {line}\n> \n{_quoted(letter)}\n"
    jis = text.translate({0xFF0D: 0x2212, 0xFF5E: 0x301C})  # one sign of JIS, two of Unicode
    return _plain(jis.encode("iso-2022-jp", "replace").decode("iso-2022-jp"), "iso-2022-jp")


def outlook(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Outlook does: no quote marks, a block of headers instead."""
    block = (
        f"From: corr <{_writer(letter)}>\nSent: Monday, November 30, 2026 9:15 PM\n"
        f"To: {letter['To']}\nSubject: {letter['Subject']}\n"
    )
    html = (
        f'<div class="WordSection1"><p class="MsoNormal">{_breaks(words)}</p><div style="border:none;'
        f'border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">{_breaks(block)}'
        f"</p></div>{html_of(letter)}</div>"
    )
    return _alternative(f"{words}\n\n{'_' * 32}\n{block}\n{text_of(letter)}\n", html)


def outlook_ja(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Outlook in Japanese does."""
    block = (
        f"差出人: corr <{_writer(letter)}>\n送信日時: 2026年11月30日 21:15\n"
        f"宛先: {letter['To']}\n件名: {letter['Subject']}\n"
    )
    return _plain(f"{words}\n\n{'_' * 32}\n{block}\n{text_of(letter)}\n")


def thunderbird(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Thunderbird does: format=flowed, a signature at the end."""
    line = "On 30/11/2026 21:15, corr wrote:"
    reply = _plain(f"{words}\n\n{line}\n{_quoted(letter)}\n\n-- \nplayed by mail\n")
    reply.set_param("format", "flowed")
    return reply


def thunderbird_ja(words: str, letter: EmailMessage) -> EmailMessage:
    """Reply as Thunderbird in Japanese does."""
    reply = _plain(f"{words}\n\nOn 2026/11/30 21:15, corr wrote:\n{_quoted(letter)}\n")
    reply.set_param("format", "flowed")
    return reply


def _plain(text: str, charset: str = "utf-8") -> EmailMessage:
    reply = EmailMessage()
    reply.set_content(text, charset=charset, cte="base64" if not text.isascii() else None)
    return reply


def _breaks(text: str) -> str:
    return "<br>".join(escape(line) for line in text.splitlines())


CLIENTS: dict[str, tuple[Client, ...]] = {
    "en": (gmail, apple, outlook, thunderbird),
    "ja": (gmail_ja, apple_ja, outlook_ja, thunderbird_ja),
}
"""The clients of each language."""


def reply_to(letter: EmailMessage, words: str, sender: str, client: Client) -> EmailMessage:
    """Write a reply to *letter*, with the headers by which programs thread it."""
    reply = client(words, letter)
    reply["From"] = sender
    reply["To"] = str(letter["Reply-To"] or letter["From"])
    reply["Subject"] = f"Re: {letter['Subject']}"
    if letter["Message-ID"]:
        reply["In-Reply-To"] = cast("str", letter["Message-ID"])
        reply["References"] = f"{letter['References'] or ''} {letter['Message-ID']}".strip()
    return reply
