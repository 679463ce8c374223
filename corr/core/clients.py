"""What mail programs write into a reply by themselves, in the languages that they write it in.

Only patterns; what follows from a match, :mod:`corr.core.quoting` says.  Every
pattern is tried on one line of at most 1,000 characters and has no nested
repetition.
"""

from __future__ import annotations

import re


def _any(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


# Not the end of an address that Gmail wrapped: "<play@example.org" and ">:" below it
QUOTED = re.compile(r"\s{0,3}[>＞](?!\s?(?:wrote)?[:：]$)")
MARKS = re.compile(r"^[\s>＞]+")
_SIGNS = "-_=*~#+─━＝＊〜・＿―–—"
RULE = re.compile(rf"\s*(?:([{_SIGNS}])\1+|(?:[-_=] ?){{5,}}|ᐧ)\s*")
RULE_ENDS = frozenset(f"{_SIGNS}‐ᐧ")  # what rules and separators end in, but for those with a colon
BOX = re.compile(r"\s*([*＊=＝━─_＿~〜・+＋#-])\1{7,}\s*")

# Attributions: "On … wrote:" and its kin

ADDRESS = re.compile(r"[^\s<>＜＞@]{1,100}@[^\s<>＜＞@]{1,100}")
# A year, a time of day, a date in figures
DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[:.]\d\d(?!\d)|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d月\s?\d"
)
WROTE = re.compile(
    _any(
        *(r"\bwrote\b", r"\bwrites\b", r"\bschrieb\b", r"\bécrit\b", r"\bescribió\b", r"\bha scritto\b"),
        *(
            r"\bescreveu\b",
            r"\bschreef\b",
            r"\bskrev\b",
            r"\bkirjoitti\b",
            r"\bnapsal",
            r"\bnapisał",
            r"\bpisze\b",
        ),
        *("написал", r"\bпишет?\b", "написав", r"\byazdı\b", r"\bezt írta\b"),
        *("は書きました", "が書きました", "のメール", "のメッセージ", "写道", "寫道", "작성"),
    ),
    re.IGNORECASE,
)
COLON = re.compile(r"[:：]\s*[\"”]?$")
# The head of an attribution that was wrapped: a line that could be prose must not be taken for one.
WRAPPED = re.compile(
    r"(?:on|am|le|el|il|op|em|at|den|dne|dnia|w dniu|pe|vào|kl)\s[^.]{0,40}\d"
    r"|\(?\d{2,4}[-/.年 ]|\d{1,2}[. ]|(?:mon|tue|wed|thu|fri|sat|sun)\w*,? "
    r"|[在于\"'<]|.{0,80}<$|.{0,80}\son .{4,60}$",
    re.IGNORECASE,
)
# Attributions without a verb or a colon: Gmail of 2013 and 2016, Zoho, Xperia, Notes; Horde's
BARE_ATTRIBUTION = re.compile(
    r"\d{4}-\d\d-\d\d \d{1,2}:\d\d GMT[+-]\d\d:\d\d \S.{0,100}"
    r"|\d{4}/\d{1,2}/\d{1,2} [^<>]{1,80}<[^<>\s@]{1,100}@[^<>\s@]{1,100}>"
    r"|-{2,6} .{0,100}\d.{0,200} wrote -{2,6}"
    r"|-{2,6} .{0,100}@.{1,100} さんが書きました -{2,6}|(?:Quoting|Zitat von) .{0,100}@.{1,100}:"
    r"|.{1,80} ---\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4} \d{1,2}:\d\d.{0,20}---.{0,200}"
)

# The tag of a game, as corr writes it in subjects and headlines
TAG = re.compile(r"\[[A-Z0-9]{4,8}\]")

# Heads of forwarded and quoted letters

SEPARATOR = re.compile(
    r"[>＞\s*]*[-_=‐]{2,}\s*"
    + _any(
        *(
            "original(?: message)?",
            "forwarded message",
            "reply message",
            "ursprüngliche nachricht",
            "元のメッセージ",
        ),
        *(
            "元のメール",
            "転送メッセージ",
            "転送されたメッセージ",
            "原始邮件",
            "oprindelig (?:meddelelse|besked)",
        ),
        *("message d'origine", "mail original", "mensaje original", "mensagem original"),
        "messaggio originale",
        *("oorspronkelijk bericht", "исходное сообщение", "пересылаемое сообщение", "original meddelande"),
        *("vidarebefordrat meddelande", "原始郵件", "원본 메시지"),
    )
    + r"\s*[-_=‐]{2,}[\s*]*|[>＞\s]*(?:begin forwarded message|転送されたメッセージ)[:：].{0,80}",
    re.IGNORECASE,
)


def _field(*names: str) -> re.Pattern[str]:
    return re.compile(rf"[>＞\s*]*{_any(*names)}\s?[:：]", re.IGNORECASE)


FIELDS = {
    "from": _field(
        *("from", "von", "de", "da", "van", "от", "від", "od", "från", "fra", "lähettäjä"),
        *("差出人", "发件人", "寄件者", "送信元", "送信者", "보낸 사람"),
    ),
    "date": _field(
        *(
            "sent",
            "date",
            "gesendet",
            "datum",
            "envoyé",
            "inviato",
            r"enviado(?: el)?",
            "verzonden",
            "отправлено",
        ),
        *("wysłano", "data", "fecha", "skickat", "sendt", "dato", "дата"),
        *("送信日時", "日時", "日付", "受信日時", "发送时间", "寄件日期", "날짜", "보낸 날짜"),
    ),
    "to": _field(
        *("to", "an", "à", "a", "para", "aan", "кому", "do", "till", "til"),
        *("宛先", "收件人", "收件者", "받는 사람"),
    ),
    "subject": _field(
        *("subject", "betreff", "objet", "oggetto", "asunto", "assunto", "onderwerp", "тема", "temat"),
        *("ämne", "emne", "件名", "题名", "主题", "主旨", "제목"),
    ),
}

# Feet of letters

TAGLINE = re.compile(
    r"[<(\[【]{0,2}"
    + _any(
        r"sent (?:from|via|by) my [\w™® -]{1,60}(?:[.,]\s+please excuse .{0,40}|<\S{0,100}>)?",
        *(r"sent from (?:a phone|mobile device)", r"sent from \[mail\].{0,100}"),
        r"sent (?:from|via|by|with) (?:yahoo|gmail|samsung|outlook|mail|mailbox|proton|windows|xperia|galaxy"
        r"|sparrow|airmail|mobile|zoho|typeapp|spark|k-9)\b.{0,100}",
        r"get \[?outlook for .{0,80}",
        *(  # what their buttons write that unsubscribe; the word is in the subject
            r"this message was automatically generated by gmail\.?",
            r"apple mail sent this email to unsubscribe from the message .{1,400}",
        ),
        r"(?:someone )?from (?:my iphone|mobile)[ \d]{0,4}",
        *(
            r"gesendet (?:von|mit) .{0,60}",
            r"von meine[mr](?:/meiner)? .{3,40} gesendet\.?",
            r"diese nachricht wurde von meinem .{3,80}",
        ),
        *(r"envoyé (?:de|depuis) mon .{0,40}", r"enviado (?:desde|do) mi? ?.{0,40}", r"inviato da .{0,40}"),
        *(r"verzonden (?:vanaf|met) .{0,40}", r"sendt fra (?:min )?.{0,40}", r"skickat från min .{0,40}"),
        *(r"wysłano z .{0,40}", r"отправлено с .{0,40}", r"從我的 .{0,20} 傳送", r"发自我的.{0,20}"),
        *(r".{0,24}(?:から|より)送信(?:しました|されました)?。?", r".{0,12}outlook.{0,14}(?:を)?入手.{0,60}"),
        r"yahoo!メール.{0,40}",
    )
    + r"[>)\]】]{0,2}",
    re.IGNORECASE,
)
NOTICE = re.compile(
    r"\W*(?:disclaimer|confidentiality notice|confidential\b|privileged\b|機密|ご注意|このメールには機密"
    r"|this (?:e-?mail|message)[^.]{0,60}(?:confidential|intended)|virus-free\b|ウイルス\s?フリー)",
    re.IGNORECASE,
)
LIST_FOOT = re.compile(r"mailing list|listinfo|unsubscribe|googlegroups|メーリングリスト", re.IGNORECASE)
CONTACT = re.compile(
    r"@|https?:|\btel\b|\bfax\b|\bmobile\b|電話|携帯|株式会社|有限会社|〒|(?:\+|\(?0)\d[\d() -]{7,}",
    re.IGNORECASE,
)
# A short line with a number near its start, a game's name, a command: rather an order than a foot.
# One kanji numeral is in many names; two of them, or one before a piece of shogi, are a move.
_KANJI = "〇一二三四五六七八九十"
ORDER = re.compile(
    rf"\s*(?:[#/]|[-+*]?\s?.{{0,8}}(?:[\d０-９]|[{_KANJI}]\s?[-－ー]?\s?[{_KANJI}歩香桂銀金角飛玉王と])"
    r"\S{0,8}(?:\s\S{1,8}){0,4}\s*$)"
)
