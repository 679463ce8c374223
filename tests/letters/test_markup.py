"""HTML to text: what programs mark as quoted gets ``> ``, everything else stays as it is."""

from __future__ import annotations

import pytest

from corr.core.markup import to_text

QUOTES = {
    "Gmail": """<div class="gmail_quote"><div class="gmail_attr">On … wrote:</div>
        <blockquote class="gmail_quote">old</blockquote></div>""",
    "Apple": '<blockquote type="cite"><div>old</div></blockquote>',
    "Thunderbird": '<div class="moz-cite-prefix">… wrote:</div><blockquote type="cite">old</blockquote>',
    "Outlook": """<div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p>From: corr</p></div></div>
        <p>old</p>""",
    "Outlook of 2010": '<div style="border:none;border-top:solid #B5C4DF 1.0pt">From: corr</div><p>old</p>',
    "Outlook on the web": """<div id="appendonsend"></div><hr>
        <div id="divRplyFwdMsg">From: corr</div><div>old</div>""",
    "Yahoo": '<div class="yahoo_quoted"><div>On … wrote:</div>old</div>',
}


@pytest.mark.parametrize("client", QUOTES)
def test_what_a_client_marks_as_quoted_is_quoted_whatever_its_words(client: str) -> None:
    first, *rest = to_text("59-15" + QUOTES[client]).split("\n")
    assert first == "59-15"
    assert rest[-1] == "> old"
    assert all(line.startswith("> ") for line in rest)


def test_answers_between_quotes_are_not_quoted() -> None:
    html = "".join(
        f"<blockquote type=cite>{a}</blockquote><div>{b}</div>" for a, b in (("a?", "59-15"), ("b?", "15-26"))
    )
    assert to_text(html).split("\n") == ["> a?", "59-15", "> b?", "15-26"]


def test_what_stands_below_a_quote_that_holds_a_head_of_outlooks_is_not_quoted() -> None:
    html = '<blockquote type=cite>a<div id="divRplyFwdMsg">From: x</div>b</blockquote>59-15'
    assert to_text(html).split("\n")[-1] == "59-15"


def test_a_paragraph_that_gmail_indents_is_typed() -> None:
    assert (
        to_text('<blockquote style="margin:0 0 0 40px;border:none;padding:0px">59-15</blockquote>') == "59-15"
    )


def test_lines_come_from_blocks_and_breaks_and_spaces_collapse() -> None:
    html = (
        "<style>p{}</style><p>59\n  to   15</p><ul><li>a<li>b</ul>c<br>d<br><br>e<pre>1  2\n3</pre><!-- x -->"
    )
    assert to_text(html).split("\n") == ["59 to 15", "a", "b", "c", "d", "", "e", "1  2", "3"]


def test_the_mark_of_a_signature_keeps_its_space() -> None:
    assert to_text("<div>59-15</div><div>-- <br></div><div>Aoi</div>") == "59-15\n-- \nAoi"


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<blockquote>", "<table><tr><td>", "<a><b><i>"])
def test_only_so_many_tags_are_read(tag: str) -> None:
    text = to_text("59-15" + tag * 100_000 + "unread")
    assert text.startswith("59-15")
    assert "unread" not in text


@pytest.mark.parametrize(
    "hidden",
    ['<div style="display:none">x</div>', '<p style="color:red;display: none">x</p>', "<i hidden>x</i>"],
)
def test_what_the_writer_cannot_see_is_not_read(hidden: str) -> None:
    assert to_text(f"a{hidden}<p>b").split("\n") == ["a", "b"]


def test_a_hidden_quote_leaves_what_follows_unquoted() -> None:
    html = '<blockquote type=cite style="display:none">a<div id="divRplyFwdMsg">x</div></blockquote>59-15'
    assert to_text(html) == "59-15"
