"""The summary as Markdown: what it says, and what no pull request can make it say."""

import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_bot.findings import Examination, Failure
from review_bot.reports import markdown, summary
from review_bot.reports.markdown import Code, Phrase, show
from review_bot.reports.summary_sections import SCORECARD_PAGE
from review_bot.text.console import disarm
from tests.reviews import ALL, EVIL, PAGES, RUN_PY, SWALLOWED, finding, hints, review_of

OWN_HTML = {"<br>", "<sub>", "</sub>", "<details>", "</details>", "<summary>", "</summary>"}
TICK = re.compile(r"<!-- review-bot:tick [a-z0-9/-]+ -->")

# What GitHub turns into links when it reads the finished page, beside what CommonMark itself makes of the text.
BARE_LINKS = re.compile(r"@[A-Za-z0-9]|#\d|\bGH-\d|https?://|www\.[a-z]|\b[0-9a-f]{7,40}\b", re.IGNORECASE)


def read(text):
    """Parse Markdown as CommonMark does: (all tokens, text outside code, addresses of links)."""
    flat, words, addresses = [], [], []
    for token in MarkdownIt("commonmark").parse(text):
        for each in [token, *(token.children or [])]:
            flat.append(each)
            if each.type == "text":
                words.append(each.content)
            elif each.type == "link_open":
                addresses.append(str(each.attrs["href"]))
    return flat, words, addresses


def inline_html(tokens):
    """Return the HTML that stands among text, without the hidden keys of lines to tick."""
    return {token.content for token in tokens if token.type == "html_inline" and not TICK.fullmatch(token.content)}


def test_verdict_and_reasons_come_first():
    lines = summary.render(ALL["mixed"]).split("\n")
    assert lines[0] == "## Review Bot: changes required"
    assert lines[2].startswith("**1 error, 3 warnings**, 186 hints. 4 files, ")


def test_sections_in_order_of_gravity():
    text = summary.render(ALL["mixed"])
    headings = [
        "### Errors (must fix)",
        "### Warnings (should fix)",
        "<summary>Merge criteria: 0 of ",
        "<summary>Next steps for maintainers: 1",
        "186 hints, by rule",
        "Set aside: ",
    ]
    assert sorted(headings, key=text.index) == headings
    assert "### Could not be reviewed" not in text


def test_what_could_not_be_reviewed_says_why():
    text = summary.render(ALL["incomplete"])
    assert "- `data/table.csv`: UTF-16 text is not supported; save it as UTF-8\n" in text
    assert "- rule `errors/constant-condition`: failed on engine/run.py: ValueError: boom\n" in text


def test_one_message_of_a_rule_is_one_entry_with_its_places():
    text = summary.render(
        review_of([RUN_PY], Examination(findings=tuple(SWALLOWED._replace(line=n, end_line=n) for n in range(1, 9))))
    )
    assert text.count("**Exception swallowed.**") == 1
    assert "`engine/run.py:1:9`, `engine/run.py:2:9`" in text
    assert " and 3 more · [" in text


def test_it_says_how_to_run_it_locally():
    assert "Run locally: `review-bot review --base origin/main --head cccccccccccc`." in summary.render(ALL["clean"])


def test_an_empty_change_is_one_sentence():
    assert summary.render(ALL["empty"]).count(".") == 1


def test_code_of_a_message_stays_code():
    assert (
        markdown.prose("use `torch.load(x, weights_only=True)` here") == "use `torch.load(x, weights_only=True)` here"
    )
    assert markdown.prose("a lone ` backtick, and ``two``") == "a lone \\` backtick, and \\`\\`two\\`\\`"


@pytest.mark.parametrize("name", ALL)
def test_the_text_holds_only_what_the_template_allows(name):
    tokens, words, addresses = read(summary.render(ALL[name]))
    assert inline_html(tokens) <= OWN_HTML
    html = [tag for token in tokens if token.type == "html_block" for tag in re.findall(r"<[^>]*>", token.content)]
    assert set(html) <= OWN_HTML
    assert not [token for token in tokens if token.type in {"image", "code_block", "hr", "blockquote_open"}]
    assert {token.info for token in tokens if token.type == "fence"} <= {"sh"}
    assert {token.tag for token in tokens if token.type == "heading_open"} <= {"h2", "h3"}
    assert all(address.startswith((PAGES, SCORECARD_PAGE, "https://example.org/")) for address in addresses)
    assert not [word for word in words if BARE_LINKS.search(word)]


def test_hostile_text_is_shown_as_it_is_written():
    tokens, words, _ = read(summary.render(ALL["hostile"]))
    shown = "".join(words).replace("\u200b", "")
    assert "![i](https://evil.example/i.png) <script>alert(1)</script> @octocat #12 GH-12" in shown
    assert "&lt; <!-- -->" in shown
    assert "{{ 7 * 7 }}" in shown
    code = [token.content for token in tokens if token.type == "code_inline"]
    assert all("@\u200boctocat" in each for each in code if "octocat" in each)


PIECES = st.lists(
    st.sampled_from(
        [
            *"`*_[]()<>#!|\\&~$^:@-+=.1 \n\r\t\x1b\u202e\u2028\udcff",
            "```",
            "](",
            "<b>",
            "&lt;",
            "https://x",
            "www.x.y",
            "@me",
            "#1",
            "GH-1",
            "a" * 40,
            "x",
        ]
    )
    | st.text(max_size=3),
    max_size=25,
).map("".join)


@settings(max_examples=300)
@given(PIECES)
def test_no_text_leaves_its_paragraph(text):
    tokens, words, addresses = read(f"- {markdown.prose(text)}")
    assert {t.type for t in tokens} <= {
        "bullet_list_open",
        "bullet_list_close",
        "list_item_open",
        "list_item_close",
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "text_special",
        "code_inline",
    }
    assert addresses == []
    assert not BARE_LINKS.search("".join(words))


@settings(max_examples=300)
@given(PIECES)
def test_code_is_one_code_span(text):
    tokens, words, _ = read(f"- {markdown.code(text)}\n")
    spans = [token.content for token in tokens if token.type == "code_inline"]
    assert (len(spans), "".join(words).strip()) in {(1, ""), (0, "(blank)")}
    if spans:
        assert spans[0].replace("\u200b", "").strip(" ") == disarm(text).strip(" ")


@settings(max_examples=200)
@given(PIECES)
def test_an_address_ends_where_it_ends(text):
    _, words, addresses = read(f"[`x`]({markdown.address('https://example.org/' + text)}) end")
    assert len(addresses) == 1
    assert words == [" end"]


def test_a_rule_with_no_address_of_https_is_no_link():
    _, _, addresses = read(
        summary.render(review_of([RUN_PY], Examination(findings=(finding(url="javascript:alert(1)"),))))
    )
    assert addresses == []


def test_a_comment_is_never_too_long_for_github():
    long = "x/" * 100
    findings = [
        finding(f"f{rule}/{EVIL[:120]}", path=f"{long}{rule}-{number}.py", severity=severity, message=EVIL * 3)
        for rule in range(30)
        for number in range(8)
        for severity in ("error", "warning", "info")
    ]
    failures = tuple(Failure(f"r{number}", long, EVIL) for number in range(80))
    text = summary.render(review_of([RUN_PY], Examination(findings=tuple(findings), failures=failures)))
    assert len(text.encode()) <= markdown.LONGEST
    assert " more" in text


def test_a_long_list_is_cut_and_counted():
    text = summary.render(review_of([RUN_PY], Examination(ignored=tuple(f"gen/{number}.py" for number in range(100)))))
    assert "- and 75 more\n" in text


def test_two_hundred_nits_stay_short():
    assert len(summary.render(review_of([RUN_PY], Examination(findings=tuple(hints(186, 12)))))) < 1_500


def test_the_template_has_no_way_round_the_escaping():
    folder = os.path.join(os.path.dirname(markdown.__file__), "templates")
    names = [os.path.join(where, name) for where, _, files in os.walk(folder) for name in files if name.endswith(".j2")]
    assert len(names) > 10
    for name in names:
        with open(name, encoding="utf-8") as stream:
            text = stream.read()
        assert not re.search(r"\|\s*safe|autoescape|Markup", text), name
    with pytest.raises(TypeError):
        markdown.show(object())


@pytest.mark.parametrize("parts", [("`a`", Code("b")), (Code("a"), "`b`"), (Code("a`"), Code("b"))])
def test_code_next_to_code_stays_code(parts: tuple[str | Code, ...]) -> None:
    said = show(Phrase((*parts, " ", Code("`![i](u)`"), "`![i](u)`", Code("x"))))
    (line,) = [each for each in MarkdownIt("commonmark").parse(said) if each.type == "inline"]
    assert {each.type for each in line.children or ()} <= {"code_inline", "text"}
