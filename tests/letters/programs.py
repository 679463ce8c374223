"""Mail programs and what each writes around the letter that it quotes, in the language of its user.

``{who}`` is the sender with his address in brackets, ``{name}`` and ``{address}`` are its
halves, ``{to}`` is the player and ``{subject}`` the subject.  Dates are written as the
program writes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

BLOCKQUOTE = '<div>{head}</div><blockquote type="cite">{letter}</blockquote>'
GMAIL = (
    '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{head}<br></div>'
    '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;padding-left:1ex">{letter}</blockquote></div>'
)
MOZILLA = '<div class="moz-cite-prefix">{head}<br></div><blockquote type="cite">{letter}</blockquote>'
WORD = (
    '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    '<p class="MsoNormal">{head}</p></div></div>{letter}'
)
OUTLOOK_WEB = (
    '<div id="appendonsend"></div><hr style="display:inline-block;width:98%">'
    '<div id="divRplyFwdMsg" dir="ltr">{head}<div>&nbsp;</div></div>{letter}'
)
YAHOO = '<div id="ydp1yahoo_quoted" class="yahoo_quoted"><div>{head}</div>{letter}</div>'
BARE = "<div>{head}</div><div>{letter}</div>"

UNDERSCORES = "_" * 32


@dataclass(frozen=True, slots=True)
class Program:
    """One program: what stands above its quote, how it marks quoted lines, what it adds by itself."""

    head: str
    mark: str = "> "
    html: str = BLOCKQUOTE
    foot: str = ""  # between the new words and the quote
    head_too: bool = False  # the head has the mark as well

    def quote(self, letter: str, values: dict[str, str]) -> str:
        """Return what stands below the new words, as plain text."""
        head = self.head.format_map(values)
        whole = f"{head}\n{letter}" if self.head_too else letter
        quoted = "\n".join((self.mark + line).rstrip() for line in whole.splitlines())
        return quoted if self.head_too else f"{head}\n{quoted}"

    def quote_in_html(self, letter: str, values: dict[str, str]) -> str:
        """Return what stands below the new words, as HTML."""
        head = "<br>".join(escape(line) for line in self.head.format_map(values).splitlines())
        return self.html.replace("{head}", head).replace("{letter}", letter)


def _gmail(head: str) -> Program:
    return Program(head, html=GMAIL)


def _block(head: str, html: str = WORD, foot: str = "") -> Program:
    """Make a program that puts a block of headers above what it quotes, and no marks before it."""
    return Program(head + "\n", mark="", html=html, foot=foot)


PROGRAMS: dict[str, Program] = {
    "Gmail, English": _gmail("On Mon, Nov 30, 2026 at 9:15 PM {who} wrote:\n"),
    "Gmail, English, wrapped": _gmail("On Mon, Nov 30, 2026 at 9:15 PM {name} <\n{address}> wrote:\n"),
    "Gmail, British": _gmail("On Mon, 30 Nov 2026 at 21:15, {who} wrote:\n"),
    "Gmail, German": _gmail("Am Mo., 30. Nov. 2026 um 21:15 Uhr schrieb {who}:\n"),
    "Gmail, French": _gmail("Le lun. 30 nov. 2026 à 21:15, {who} a écrit\xa0:\n"),
    "Gmail, Spanish": _gmail("El lun, 30 nov 2026 a las 21:15, {name} (<{address}>) escribió:\n"),
    "Gmail, Italian": _gmail("Il giorno lun 30 nov 2026 alle ore 21:15 {who} ha scritto:\n"),
    "Gmail, Portuguese": _gmail("Em seg., 30 de nov. de 2026 às 21:15, {who} escreveu:\n"),
    "Gmail, Dutch": _gmail("Op ma 30 nov 2026 om 21:15 schreef {who}:\n"),
    "Gmail, Polish": _gmail("pon., 30 lis 2026 o 21:15 {who} napisał(a):\n"),
    "Gmail, Russian": _gmail("пн, 30 нояб. 2026 г. в 21:15, {who}:\n"),
    "Gmail, Ukrainian": _gmail("пн, 30 лист. 2026 р. о 21:15 {who} пише:\n"),
    "Gmail, Swedish": _gmail("Den mån 30 nov. 2026 kl 21:15 skrev {who}:\n"),
    "Gmail, Danish": _gmail("Den man. 30. nov. 2026 kl. 21.15 skrev {who}:\n"),
    "Gmail, Norwegian": _gmail("man. 30. nov. 2026 kl. 21:15 skrev {who}:\n"),
    "Gmail, Finnish": _gmail("ma 30. marrask. 2026 klo 21.15 {name} ({address}) kirjoitti:\n"),
    "Gmail, Czech": _gmail("po 30. 11. 2026 v 21:15 odesílatel {who} napsal:\n"),
    "Gmail, Hungarian": _gmail("{who} ezt írta (időpont: 2026. nov. 30., H, 21:15):\n"),
    "Gmail, Romanian": _gmail("În lun., 30 nov. 2026 la 21:15, {who} a scris:\n"),
    "Gmail, Turkish": _gmail("{who}, 30 Kas 2026 Pzt, 21:15 tarihinde şunu yazdı:\n"),
    "Gmail, Greek": _gmail("Στις Δευ 30 Νοε 2026 στις 9:15 μ.μ., ο χρήστης {who} έγραψε:\n"),
    "Gmail, Vietnamese": _gmail("Vào Th 2, 30 thg 11, 2026 vào lúc 21:15 {who} đã viết:\n"),
    "Gmail, Indonesian": _gmail("Pada tanggal Sen, 30 Nov 2026 pukul 21.15 {who} menulis:\n"),
    "Gmail, Thai": _gmail("ในวันที่ จ. 30 พ.ย. 2026 เวลา 21:15 {who} เขียนว่า:\n"),
    "Gmail, Hebrew": _gmail(
        "\u202bבתאריך יום ב׳, 30 בנוב׳ 2026 ב-21:15 מאת \u202a{name}\u202c <\u202a{address}\u202c>:\u202c\n"
    ),
    "Gmail, Arabic": _gmail("في الاثنين، 30 نوفمبر 2026 في 9:15 م تمت كتابة ما يلي بواسطة {who}:\n"),
    "Gmail, Hindi": _gmail("सोम, 30 नव॰ 2026 को 9:15 pm बजे {who} ने लिखा:\n"),
    "Gmail, Japanese": _gmail("2026年11月30日(月) 21:15 {who}:\n"),
    "Gmail, Japanese, wrapped": _gmail("2026年11月30日(月) 21:15 {name} <\n{address}>:\n"),
    "Gmail of 2016, Japanese": _gmail("2026-11-30 21:15 GMT+09:00 {who}:\n"),
    "Gmail, Chinese": _gmail("{who} 于2026年11月30日周一 21:15写道：\n"),
    "Gmail, Taiwanese": _gmail("{who} 於 2026年11月30日 週一 下午9:15寫道：\n"),
    "Gmail, Korean": _gmail("2026년 11월 30일 (월) 오후 9:15, {who}님이 작성:\n"),
    "Apple Mail, English": Program("On 30 Nov 2026, at 21:15, {who} wrote:\n"),
    "Apple Mail, German": Program("Am 30.11.2026 um 21:15 schrieb {who}:\n"),
    "Apple Mail, French": Program("Le 30 nov. 2026 à 21:15, {who} a écrit\xa0:\n"),
    "Apple Mail, Japanese": Program("2026/11/30 21:15、{who}のメール:\n"),
    "Apple Mail of 2014, Japanese": Program("2026/11/30 21:15、{who} のメッセージ:\n"),
    "iPhone, English": Program(
        "On Nov 30, 2026, at 9:15\u202fPM, {who} wrote:\n", foot="Sent from my iPhone", head_too=True
    ),
    "iPhone, Japanese": Program("2026/11/30 21:15、{who}のメール:\n", foot="iPhoneから送信", head_too=True),
    "iCloud in a browser": Program("On Nov 30, 2026, at 9:15 PM, {who} wrote:\n\ufeff", head_too=True),
    "Outlook, English": _block(
        "From: {who}\nSent: Monday, November 30, 2026 9:15 PM\nTo: {to}\nSubject: {subject}"
    ),
    "Outlook, German": _block(
        "Von: {who}\nGesendet: Montag, 30. November 2026 21:15\nAn: {to}\nBetreff: {subject}"
    ),
    "Outlook, French": _block(
        "De\xa0: {who}\nEnvoyé\xa0: lundi 30 novembre 2026 21:15\nÀ\xa0: {to}\nObjet\xa0: {subject}"
    ),
    "Outlook, Spanish": _block(
        "De: {who}\nEnviado el: lunes, 30 de noviembre de 2026 21:15\nPara: {to}\nAsunto: {subject}"
    ),
    "Outlook, Italian": _block(
        "Da: {who}\nInviato: lunedì 30 novembre 2026 21:15\nA: {to}\nOggetto: {subject}"
    ),
    "Outlook, Japanese": _block("差出人: {who}\n送信日時: 2026年11月30日 21:15\n宛先: {to}\n件名: {subject}"),
    "Outlook, Chinese": _block(
        "发件人: {who}\n发送时间: 2026年11月30日 21:15\n收件人: {to}\n主题: {subject}"
    ),
    "Outlook, Taiwanese": _block(
        "寄件者: {who}\n寄件日期: 2026年11月30日 下午 09:15\n收件者: {to}\n主旨: {subject}"
    ),
    "Outlook, Korean": _block(
        "보낸 사람: {who}\n보낸 날짜: 2026년 11월 30일 월요일 오후 9:15\n받는 사람: {to}\n제목: {subject}"
    ),
    "Outlook of 1999": _block(
        "-----Original Message-----\nFrom: {who}\nSent: Monday, November 30, 2026 9:15 PM\nTo: {to}\n"
        "Subject: {subject}",
        BARE,
    ),
    "Outlook in a browser": _block(
        f"{UNDERSCORES}\nFrom: {{who}}\nSent: Monday, November 30, 2026 9:15 PM\nTo: {{to}}\n"
        "Subject: {subject}",
        OUTLOOK_WEB,
    ),
    "Outlook in a browser, Japanese": _block(
        f"{UNDERSCORES}\n差出人: {{who}}\n送信日時: 2026年11月30日 21:15\n宛先: {{to}}\n件名: {{subject}}",
        OUTLOOK_WEB,
    ),
    "Outlook on a phone": _block(
        f"{UNDERSCORES}\nFrom: {{who}}\nSent: Monday, November 30, 2026 9:15:00 PM\nTo: {{to}}\n"
        "Subject: {subject}",
        OUTLOOK_WEB,
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
    ),
    "Outlook on a phone, Japanese": _block(
        f"{UNDERSCORES}\n差出人: {{who}}\n送信日時: 月曜日, 11月 30, 2026 9:15 午後\n宛先: {{to}}\n"
        "件名: {subject}",
        OUTLOOK_WEB,
        "Outlook for Android を入手<https://aka.ms/AAb9ysg>",
    ),
    "Outlook Express": Program(
        "----- Original Message ----- \nFrom: {who}\nTo: {to}\nSent: Monday, November 30, 2026 9:15 PM\n"
        "Subject: {subject}\n"
    ),
    "Thunderbird, English": Program("On 30/11/2026 21:15, {name} wrote:", html=MOZILLA),
    "Thunderbird, German": Program("Am 30.11.26 um 21:15 schrieb {name}:", html=MOZILLA),
    "Thunderbird, French": Program("Le 30/11/2026 à 21:15, {name} a écrit\xa0:", html=MOZILLA),
    "Thunderbird, Japanese": Program("On 2026/11/30 21:15, {name} wrote:", html=MOZILLA),
    "Yahoo, English": Program("On Monday, November 30, 2026 at 09:15:00 PM GMT+9, {who} wrote:\n", "", YAHOO),
    "Yahoo, Spanish": Program(
        "El lunes, 30 de noviembre de 2026, 21:15:00 CET, {who} escribió:\n", "", YAHOO
    ),
    "Yahoo! Japan": Program(
        "----- Original Message -----\n From: {who}\n To: {to}\n Date: 2026/11/30 月 21:15\n"
        " Subject: {subject}\n",
        html=YAHOO,
    ),
    "Yahoo! Japan on a phone": Program(
        "2026年11月30日(月) 21:15、{who} のメール:\n", ">", foot="Yahoo!メール - iPhone アプリ"
    ),
    "docomo": _block(
        "---------- Original Message ----------\nFrom: {address}\nTo: {to}\nDate: 2026/11/30 21:15\n"
        "Subject: {subject}",
        BARE,
        "--------------------------\nドコモのスマートフォンから送信しました",
    ),
    "au": _block("-----元のメール-----\nFrom: {address}\n日時: 2026/11/30 21:15\n件名: {subject}", BARE),
    "SoftBank": _block(
        "----- Original Message -----\n差出人： {address}\n宛先： {to}\n件名： {subject}\n"
        "日時： 2026/11/30 21:15",
        BARE,
        "SoftBankから送信",
    ),
    "Becky!": Program("On Mon, 30 Nov 2026 21:15:00 +0900\n{who} wrote:\n"),
    "Becky!, Japanese": Program("{name} さんは書きました:\n"),
    "Shuriken": Program("{who} さんは書きました (2026/11/30 21:15):\n"),
    "EdMax": Program("2026/11/30 21:15:00 に {who} さんは書きました:\n", "> >"),
    "Spark": Program("On Nov 30, 2026 at 9:15 PM +0900, {who}, wrote:"),
    "Proton Mail": Program(
        "On Monday, November 30th, 2026 at 9:15 PM, {who} wrote:\n",
        foot="Sent with Proton Mail secure email.",
    ),
    "Proton Mail of 2021": Program(
        "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Monday, November 30th, 2026 at 9:15 PM, {who} wrote:\n"
    ),
    "Proton Mail of 2022": Program(
        "------- Original Message -------\nOn Monday, November 30th, 2026 at 9:15 PM, {who} wrote:\n\n"
    ),
    "K-9": Program(
        "On 30 November 2026 21:15:00 GMT+09:00, {who} wrote:",
        ">",
        foot="-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
    ),
    "K-9, German": Program(
        "Am 30. November 2026 21:15:00 MEZ schrieb {who}:",
        ">",
        foot="-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    ),
    "Samsung": _block(
        "-------- Original message --------\nFrom: {who} \nDate: 30/11/2026  21:15  (GMT+09:00) \nTo: {to} \n"
        "Subject: {subject} ",
        BARE,
        "Sent from my Galaxy",
    ),
    "Samsung, Japanese": _block(
        "-------- 元のメッセージ --------\n差出人: {who} \n日付: 2026/11/30 21:15 (GMT+09:00) \n宛先: {to} \n"
        "件名: {subject} ",
        BARE,
        "Galaxyから送信",
    ),
    "Xperia, Japanese": _block("---- {who} さんが書きました ----\n", BARE, "Xperia™ スマートフォンから送信"),
    "Mutt": Program("On Mon, Nov 30, 2026 at 09:15:00PM +0900, {name} wrote:"),
    "Mew": Program("From: {who}\nSubject: {subject}\nDate: Mon, 30 Nov 2026 21:15:00 +0900\n"),
    "Wanderlust": Program("At Mon, 30 Nov 2026 21:15:00 +0900,\n{name} wrote:"),
    "Gnus": Program("{who} writes:\n"),
    "Gnus with Supercite": Program('>>>>> "{name}" == {who} writes:\n', mark="    corr> "),
    "Roundcube": Program("On 2026-11-30 21:15, {name} wrote:"),
    "Roundcube, German": Program("Am 2026-11-30 21:15, schrieb {name}:"),
    "Roundcube, Japanese": Program("2026-11-30 21:15 に {name} さんは書きました:"),
    "GMX": _block(
        'Gesendet: Montag, 30. November 2026 um 21:15 Uhr\nVon: "{name}" <{address}>\nAn: {to}\n'
        "Betreff: {subject}",
        '<div name="quote" style="margin:10px 5px 5px 10px;border-left:2px solid #C3D9E5">'
        "<div>{head}</div><div>{letter}</div></div>",
    ),
    "web.de on a phone": Program(
        "Am 30.11.26, 21:15 schrieb {who}:\n", foot="Gesendet mit der WEB.DE Mail App"
    ),
    "Orange.fr": Program(
        '> Message du 30/11/26 21:15\n> De : "{name}" <{address}>\n> A : {to}\n> Copie à : \n'
        "> Objet : {subject}\n> "
    ),
    "Free.fr (Zimbra)": _block(
        '----- Mail original -----\nDe: "{name}" <{address}>\nÀ: {to}\n'
        "Envoyé: Lundi 30 Novembre 2026 21:15:00\nObjet: {subject}",
        "<hr>" + BARE,
    ),
    "Libero.it": Program("Il 30/11/2026 21:15 {who} ha scritto:\n", mark="\xa0 "),
    "Naver": _block(
        '-----Original Message-----\nFrom: "{name}" <{address}>\nTo: {to}; \nCc: \n'
        "Sent: 2026-11-30 (월) 21:15:00 (GMT+09:00)\nSubject: {subject}",
        BARE,
    ),
    "QQ": _block(
        '------------------ 原始邮件 ------------------\n发件人: "{name}" <{address}>;\n'
        "发送时间: 2026年11月30日(星期一) 晚上9:15\n收件人: {to};\n主题: {subject}",
        BARE,
    ),
    "QQ, English": _block(
        '------------------ Original ------------------\nFrom: "{name}" <{address}>;\n'
        "Date: Mon, Nov 30, 2026 09:15 PM\nTo: {to};\nSubject: {subject}",
        BARE,
    ),
    "163.com": Program('在 2026-11-30 21:15:00，"{name}" <{address}> 写道：\n', ">"),
    "163.com, English": Program('At 2026-11-30 21:15:00, "{name}" <{address}> wrote:\n', ">"),
    "Zoho": Program("---- On Mon, 30 Nov 2026 21:15:00 +0900 {who} wrote ----\n"),
    "Fastmail": Program("On Mon, 30 Nov 2026, at 9:15 PM, {name} wrote:"),
    "Hey": Program("On November 30, 2026, {who} wrote:\n"),
    "Superhuman": Program("On Mon, Nov 30, 2026 at 9:15 PM, {name} < {address} > wrote:\n"),
    "Airmail": Program("On 30 Nov 2026 at 21:15 +0900, {who}, wrote:\n"),
    "Lotus Notes": _block(
        "From:\t{who}\nTo:\t{to}\nDate:\t30/11/2026 21:15\nSubject:\t{subject}\n" + "_" * 70, BARE
    ),
    "HCL Notes of 2021": _block(
        "{name} ---30/11/2026 21:15:00---{subject}\n\nFrom: {who}\nTo: {to}\nDate: 30/11/2026 21:15\n"
        "Subject: {subject}\n" + "_" * 70,
        BARE,
    ),
    "eM Client": _block(
        '------ Original Message ------\nFrom "{name}" <{address}>\nTo {to}\nDate 11/30/2026 9:15:00 PM\n'
        "Subject {subject}",
        BLOCKQUOTE,
    ),
    "Mailbird": Program("On 30/11/2026 21:15:00, {who} wrote:"),
    "The Bat!": Program("Monday, November 30, 2026, 9:15:00 PM, you wrote:\n", mark="c> "),
    "Evolution": Program("On Mon, 2026-11-30 at 21:15 +0900, {name} wrote:"),
    "Evolution, Japanese": Program("2026-11-30 (月) の 21:15 +0900 に {name} さんは書きました:"),
    "KMail": Program("On Monday, 30 November 2026 21:15:00 JST {name} wrote:"),
    "KMail, German": Program("Am Montag, 30. November 2026, 21:15:00 MEZ schrieb {name}:"),
    "Claws": Program("On Mon, 30 Nov 2026 21:15:00 +0900\n{who} wrote:\n"),
    "Alpine": Program("On Mon, 30 Nov 2026, {name} wrote:\n"),
    "MH": Program("In message <1@corr.example.org>, {name} writes:", mark="|"),
    "Horde": Program("Quoting {who}:\n"),
    "Horde, German": Program("Zitat von {who}:\n"),
    "SquirrelMail": Program("On Mon, November 30, 2026 9:15 pm, {name} wrote:"),
    "mail.ru": Program("Понедельник, 30 ноября 2026, 21:15 +03:00 от {who}:\n"),
    "Yandex": Program('30.11.2026, 21:15, "{name}" <{address}>:\n'),
    "BlueMail": Program("On Nov 30, 2026, 9:15 PM, at 9:15 PM, {who} wrote:", ">"),
    "Front": Program("On November 30, 2026 at 9:15 PM GMT+9 {who} wrote:\n"),
    "Windows Mail": _block(
        "From: {name}\nSent: Monday, November 30, 2026 9:15 PM\nTo: {to}\nSubject: {subject}",
        foot="Sent from Mail for Windows",
    ),
}


def reply(
    program: Program,
    words: str,
    letter: tuple[str, str],
    values: dict[str, str],
    form: str,
    foot: str = "",
    gap: str = "\n\n",
) -> EmailMessage:
    """Write a reply above *letter* (text and HTML); *form* is "plain", "html" or "both"."""
    text, html = letter
    above = "\n\n".join(part for part in (words, foot, program.foot) if part)
    plain = f"{above}{gap}{program.quote(text, values)}\n"
    page = f"<html><body>{typed(above)}<br>{program.quote_in_html(html, values)}</body></html>"
    return message(values, "" if form == "html" else plain, "" if form == "plain" else page)


def typed(words: str) -> str:
    """Return lines that somebody typed as HTML."""
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in words.split("\n"))


def message(values: dict[str, str], plain: str, page: str = "") -> EmailMessage:
    """Put the bodies that are there into a letter of a player's."""
    made = EmailMessage()
    made["From"], made["To"] = values["to"], values["address"]
    made["Subject"], made["Message-ID"] = f"Re: {values['subject']}", "<1@players.example>"
    made.set_content(plain or page, "plain" if plain else "html", "utf-8")
    if plain and page:
        made.add_alternative(page, "html", "utf-8")
    return made
