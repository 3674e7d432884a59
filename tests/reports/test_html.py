"""``report.html`` as text; what a browser makes of it is shown in ``tests/browser``."""

import base64
import hashlib
import html as stdlib_html
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.coverage.added_lines import Coverage
from review_bot.findings import Examination, Fixes, Held, Related, Suggestion, Suppressed
from review_bot.reports import html
from review_bot.reports.content.snippets import NOT_SHOWN
from review_bot.reports.page import diff, listing
from review_bot.reports.page.colour import LONGEST, coloured, language_of
from review_bot.reports.page.markup import environment, link, path, prose, show
from review_bot.text.console import disarm
from tests.browser import pages
from tests.reviews import ALL, CONSTANT, DEREFERENCE, MASK_PY, RUN_PY, SWALLOWED, changed, finding, review_of


class Read(HTMLParser):
    """Reads a page: its text, its elements, and whether each that was opened is closed."""

    VOID = frozenset({"meta", "link", "input", "col", "wbr", "br"})

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.texts, self.tags, self.open, self.ids = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in {"style", "script"}:
            self.texts.append(data)

    @property
    def said(self):
        return " ".join(" ".join(self.texts).split())


@pytest.mark.parametrize("name", [*ALL, "every-part", "hostile-everywhere"])
def test_well_formed_and_consistent(name):
    made = {"every-part": pages.every_part, "hostile-everywhere": pages.hostile}.get(name, lambda: ALL[name])
    page = html.render(made())
    read = Read(page)
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    anchors = {
        a["href"][1:] for tag, a in read.tags if tag == "a" and a["href"].startswith("#") and "=" not in a["href"]
    }
    assert anchors <= set(read.ids)
    referred = {
        each for _, a in read.tags for key in ("aria-labelledby", "aria-controls") for each in a.get(key, "").split()
    }
    assert referred <= set(read.ids)
    headings = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert html.render(made()) == page


def test_the_policy_names_the_style_and_the_script_of_the_page():
    page = html.render(ALL["mixed"])
    (policy,) = [a["content"] for _, a in Read(page).tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        (body,) = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_every_part_is_told():
    said = Read(html.render(pages.every_part())).said
    for heading in (
        *(
            "Could not be reviewed",
            "Merge criteria",
            "Next steps",
            "Findings",
            "Fixes",
            "Manual review questions",
        ),
        *(
            "Other open pull requests",
            "Tests to run",
            "Added lines not covered by tests",
            "Owners",
            "Areas",
            "Scores",
            "Measures",
        ),
        *("Since the first push", "The change, with comments", "Set aside", "About this review"),
    ):
        assert heading in said


def test_lines_that_no_test_runs_are_listed_and_marked():
    page = html.render(pages.every_part())
    assert "1 of 4 run 2-3,9" in Read(page).said
    assert len(re.findall(r'<tr[^>]* class="add missed-line">', page)) == 2
    without = pages.every_part()
    unusable = Coverage(problems=("`c.xml`: this is no coverage report.",))
    without = without._replace(context=without.context._replace(coverage=unusable))
    said = Read(html.render(without)).said
    assert "c.xml : this is no coverage report." in said
    assert "not in the coverage report" in said


def test_without_fixes_the_page_has_no_part_about_them():
    asked = ALL["clean"]._replace(fixes=Fixes())
    assert html.render(asked) == html.render(ALL["clean"]._replace(fixes=None))
    assert 'id="fixes"' in html.render(pages.every_part())


def test_a_score_stands_in_no_title_and_is_missing_with_its_reason():
    page = html.render(pages.every_part())
    assert not re.search(r"<title>[^<]*10", page.partition("<style>")[0])
    assert "No score: fewer than 30 lines of Python library code added." in Read(html.render(ALL["mixed"])).said


def test_a_credential_is_shown_nowhere():
    secret = "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"
    body = f'@@ -1,2 +1,4 @@\n import os\n-old("{secret}")\n+token = "{secret}"\n+use("{secret}")\n+name = os.name\n'
    found = finding("security/hardcoded-secret", severity="error", path="a.py", line=2, end_line=2)
    beside = finding(path="a.py", line=4, end_line=4, suggestion=Suggestion(4, 4, f'name = "{secret}"'))
    review = review_of([changed("a.py", body)], Examination((found, beside)))
    page = html.render(review._replace(patch=f"--- a/a.py\n+{secret}\n", fixes=pages.every_part().fixes))
    assert secret not in page
    assert Read(page).said.count(NOT_SHOWN) == 5  # three lines of the diff, two of them also around a finding
    assert "The patch is not shown because it contains a credential." in Read(page).said
    silenced = review_of(
        [changed("a.py", body)], Examination(suppressed=(Suppressed(found, "comment", "a made-up one", 2),))
    )
    assert secret not in html.render(silenced)


def test_a_finding_without_a_suggestion_shows_its_code():
    body = "@@ -1,2 +1,4 @@\n import os\n+first = 1\n+second = 2\n last = 3\n"
    found = finding(path="a.py", line=2, end_line=2)
    fixed = finding(path="a.py", line=3, end_line=3, suggestion=Suggestion(3, 3, "second = 5"), rule="x/y")
    deleted = finding(path="b.py", line=1, end_line=1, side="LEFT", rule="x/z")
    gone = changed("b.py", "@@ -1,2 +1,1 @@\n-guard()\n kept()\n")
    page = html.render(review_of([changed("a.py", body), gone], Examination((found, fixed, deleted))))
    listed = page.partition('<section id="findings"')[2].partition("</section>\n<section id=")[0]
    assert re.findall(r'<span class="marked"><i>(\d+)</i>(.*)', listed) == [("2", "first = 1")]
    assert re.findall(r'<span class="del"><i>(\d+)</i>(.*)', listed) == [("1", "guard()")]
    assert '<span class="add">+second = 5' in listed


def test_a_suggestion_for_another_line_names_it():
    body = "@@ -0,0 +1,3 @@\n+import os\n+\n+import os\n"
    away = finding(path="a.py", line=1, end_line=1, suggestion=Suggestion(3, 3, ""))
    assert "<p>Suggestion, on line 3:</p>" in html.render(review_of([changed("a.py", body)], Examination((away,))))


def test_a_large_diff_is_cut_around_its_comments_and_says_so():
    body = "@@ -0,0 +1,5000 @@\n" + "".join(f"+line_{number}\n" for number in range(1, 5001))
    review = review_of(
        [changed("big.py", body), changed("other.py", body)],
        Examination((finding(path="big.py", line=2500, end_line=2500),)),
    )
    page = html.render(review)
    said = Read(page).said
    assert "line_2500" in said
    assert "line_2496 " in said
    assert "line_2400 " not in said
    assert "4991 lines of this file not shown." in said
    assert "Not shown here: 9991 lines of long files." in said
    assert page.count("<tr") < 80


def test_steps_are_listed_with_their_code_and_marked_in_the_diff():
    page = html.render(review_of([MASK_PY, RUN_PY], Examination((DEREFERENCE,))))
    listed = page.partition('<div class="steps">')[2].partition("</ol>")[0]
    assert re.findall(r'<a href="#(d0-\d)">', listed) == ["d0-2", "d0-3"]
    assert re.findall(r'<span class="marked"><i>(\d)</i>', listed) == ["2", "3"]
    assert re.findall(r'<tr id="(d0-\d)" class="(add step)">', page) == [("d0-2", "add step"), ("d0-3", "add step")]
    assert "See also engine/ run.py:16 (the same use)" in Read(page).said


def test_a_cut_diff_keeps_the_lines_of_steps():
    body = "@@ -0,0 +1,5000 @@\n" + "".join(f"+line_{number}\n" for number in range(1, 5001))
    step = Related("big.py", 40, "`x` is set to None", (Held("x", "None"),))
    found = finding(path="big.py", line=2500, end_line=2500, related=(step,))
    said = Read(html.render(review_of([changed("big.py", body)], Examination((found,))))).said
    assert "line_40 " in said
    assert "line_400 " not in said


def test_the_diff_is_bounded_over_all_files():
    body = "@@ -0,0 +1,900 @@\n" + "".join(f"+line_{number}\n" for number in range(1, 901))
    files = [changed(f"file_{number:03}.py", body) for number in range(500)]
    findings = tuple(finding(path=file.path, line=7, end_line=7) for file in files)
    page = html.render(review_of(files, Examination(findings)))
    assert page.count("<tr>") + page.count('<tr class="add">') < diff.MOST_ROWS + 500 + 3 * diff.MOST_FILES
    assert len(page) < 4_000_000
    assert ", 100 files" in Read(page).said


def test_more_findings_than_the_page_lists():
    findings = tuple(SWALLOWED._replace(fingerprint=f"{number:016x}-0") for number in range(listing.MOST_LISTED + 5))
    said = Read(html.render(review_of([RUN_PY], Examination(findings)))).said
    assert "5 more findings in the JSON report." in said


def test_one_finding_has_no_filters():
    assert "<form" not in html.render(review_of([RUN_PY], Examination((SWALLOWED,))))
    for second in (CONSTANT, SWALLOWED._replace(line=30, fingerprint="0" * 16 + "-1")):
        assert "<form" in html.render(review_of([RUN_PY], Examination((SWALLOWED, second))))


def test_comments_stand_below_their_lines():
    page = html.render(review_of([RUN_PY], Examination((SWALLOWED, CONSTANT))))
    rows = re.findall(r"<tr.*?</tr>", page[page.index('id="d0"') :], re.DOTALL)
    said = [" ".join(Read(row).said.split()) for row in rows]
    at = next(index for index, row in enumerate(said) if "This handler silently discards every exception" in row)
    assert said[at - 1] == "13 pass"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.one_of(st.sampled_from("<>\"'`&=/\\\n\t#:;-! "), st.characters()), max_size=30))
def test_any_text_anywhere_makes_no_element(value):
    known = Read(html.render(pages.every_part()))
    read = Read(html.render(pages.told(value.replace("\n", " "))))
    assert read.open == []
    assert {tag for tag, _ in read.tags} <= {tag for tag, _ in known.tags} | {"wbr"}
    assert {name for _, a in read.tags for name in a} <= {name for _, a in known.tags for name in a}
    assert len([tag for tag, _ in read.tags if tag == "script"]) == 1


ATTRIBUTES = frozenset(
    {
        *("aria-atomic", "aria-controls", "aria-hidden", "aria-label", "aria-labelledby", "aria-live", "role"),
        *("charset", "content", "href", "http-equiv", "lang", "name", "rel"),
        *("checked", "class", "colspan", "hidden", "id", "open", "scope", "tabindex", "translate"),
        *("data-aspect", "data-file", "data-label", "data-rule", "data-severity"),
        *("for", "placeholder", "type", "value"),
        *("d", "height", "rx", "viewbox", "width", "x", "y"),
    }
)
"""What an element of the page may have: nothing that runs a script, holds style or loads anything."""


@pytest.mark.parametrize("name", [*ALL, "every-part", "hostile-everywhere"])
def test_no_attribute_that_runs_or_loads(name):
    made = {"every-part": pages.every_part, "hostile-everywhere": pages.hostile}.get(name, lambda: ALL[name])
    tags = Read(html.render(made())).tags
    assert {attribute for _, attributes in tags for attribute in attributes} <= ATTRIBUTES
    addresses = [(tag, attributes["href"]) for tag, attributes in tags if "href" in attributes]
    assert ("link", "data:,") in addresses
    assert all(re.fullmatch(r"https://[!-~]+|#[!-~]*", address) for tag, address in addresses if tag != "link")


def test_the_templates_escape_every_value_even_inside_an_attribute():
    template = environment().from_string('<p id="{{ value }}">{{ value }}</p>')
    read = Read(template.render(value='"><script>\u202e'))
    assert read.tags == [("p", {"id": '"><script>\\u202e'})]
    assert read.texts == ['"><script>\\u202e']


@pytest.mark.parametrize("value", [1.5, b"x", ["x"], True, object()])
def test_a_template_prints_text_alone(value):
    with pytest.raises(TypeError, match="the template prints"):
        environment().from_string("{{ value }}").render(value=value)


@given(st.text())
def test_text_reads_as_it_is_written(value):
    shown = show(value)
    assert "<" not in shown
    assert stdlib_html.unescape(shown) == disarm(value)
    assert "".join(Read(path(value)).texts) == disarm(value)


@given(st.text(alphabet="`<a\n'\" &"))
def test_prose_makes_code_alone(value):
    assert {tag for tag, _ in Read(prose(value)).tags} <= {"code"}


@given(st.one_of(st.text(), st.text().map("https://".__add__), st.text().map("#".__add__)))
def test_a_link_leads_to_https_or_to_the_page(address):
    for tag, attributes in Read(link(address, "x")).tags:
        assert tag == "a"
        assert re.fullmatch(r"https://[!-~]+|#[!-~]*", attributes["href"])


@pytest.mark.parametrize("name", ["page.css", "page.js"])
def test_style_and_script_cannot_end_early(name):
    body = (Path(html.__file__).parent / "page" / name).read_text(encoding="utf-8")
    assert "</" not in body
    assert "<!--" not in body


CODE = st.text(alphabet=st.sampled_from("ab1 \t\"'#/*\\<&é\u202e0x.e_fr"), max_size=80)


@given(
    CODE, st.sampled_from(["a.py", "b.cu", "c.yaml", "d.md", "Makefile", "e.zig"]), st.sampled_from(["", '"""', "'''"])
)
def test_colour_changes_no_letter(line, path, inside):
    shown, _ = coloured(line, language_of(path), inside if path == "a.py" else "")
    assert "".join(Read(shown).texts) == "\t".join(map(disarm, line.split("\t")))


def test_colour_tells_words_strings_numbers_and_comments():
    shown, inside = coloured("def f(x='a#b', y=0x1F):  # why", language_of("a.py"))
    assert re.findall(r'<span class="(.)">(.*?)</span>', stdlib_html.unescape(shown)) == [
        ("k", "def"),
        ("s", "'a#b'"),
        ("n", "0x1F"),
        ("c", "# why"),
    ]
    assert inside == ""
    shown, inside = coloured('x = """one', language_of("a.py"))
    assert inside == '"""'
    shown, inside = coloured('two """ + y', language_of("a.py"), inside)
    assert shown.startswith('<span class="s">two &quot;&quot;&quot;</span>')
    assert inside == ""


def test_a_long_line_is_cut_and_quickly():
    shown, _ = coloured('"' * 200_000, language_of("a.py"))
    assert f"{200_000 - LONGEST} more characters" in shown
