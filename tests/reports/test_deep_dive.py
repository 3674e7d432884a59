"""REVIEW.md: what it tells, what it bounds, and what no pull request can make it say."""

import re
import time

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from review_bot.changes.profile import FileProfile
from review_bot.findings import (
    CONFIDENTIAL,
    Examination,
    Fix,
    Fixes,
    Related,
    SkippedFix,
    Suggestion,
    Suppressed,
)
from review_bot.reports import deep_dive, summary_sections
from review_bot.review.context import CoveringTest, Overlap, OverlapReport, Owned, Owners, ReviewContext
from tests.reports.test_markdown import PIECES
from tests.reviews import ALL, CONSTANT, EVIL, RUN_PY, SWALLOWED, changed, finding, hints, review_of

BARE_LINKS = re.compile(r"@[A-Za-z0-9]|#\d|\bGH-\d|https?://|www\.[a-z]|\b[0-9a-f]{7,40}\b", re.IGNORECASE)
OWN_HTML = {"<sub>", "</sub>", "<details>", "</details>", "<summary>", "</summary>"}


def read(text):
    """Parse Markdown with tables, as GitHub does: (all tokens, words outside code)."""
    flat = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        flat += [token, *(token.children or [])]
    return flat, [token.content for token in flat if token.type == "text"]


def section(text, heading):
    """Return what stands below a heading, up to the next of its rank."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"(?ms)^{re.escape(heading)}$(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text)
    assert found, heading
    return found[1]


def test_a_finding_is_told_whole():
    text = deep_dive.render(review_of([RUN_PY], Examination((CONSTANT,))))
    told = section(section(text, "## By aspect") and text, "#### Warning: Condition that is always true")
    assert CONSTANT.message in told
    assert f"**Why it matters.** {CONSTANT.why}" in told
    assert f"**Instead.** {CONSTANT.instead}" in told
    assert "`engine/run.py:14:12`" in told
    assert "```text\n  12 |         except Exception:\n  13 |             pass\n> 14 |         if True:\n" in told
    assert "See also `engine/run.py:16` (never reached)." in told
    assert "```diff\n-        if True:\n-            return None\n+        return None\n```" in told
    assert "about 20 min" in told


def test_aspects_with_findings_come_in_order_and_no_other_is_praised():
    secure = finding("security/pickle-load", aspect="Security")
    early = finding("api/copied-override", aspect="Architecture & Design", severity="hint", counted=True)
    text = deep_dive.render(review_of([RUN_PY], Examination((SWALLOWED, secure, early))))
    found = re.findall(r"(?m)^### (.+)$", text[text.index("## By aspect") : text.index("## By file")])
    shown = [heading.replace("\\", "") for heading in found]
    assert shown == ["Architecture & Design", "Code Quality", "Security"]
    assert "No findings in" not in text
    assert "| Security | 0 | 1 | 0 | 0 | 0 |" in text


def test_what_others_count_is_listed_here():
    text = deep_dive.render(ALL["counted"])
    small = section(text, "#### Minor findings (only counted in the summary)")
    assert "`step` has 130 lines." in small
    assert all(f"engine/part_{number % 2}.py:{10 + number}`: The parameter `p{number}`" in small for number in range(5))


def test_a_file_tells_size_owners_tests_and_findings_by_line():
    review = review_of([RUN_PY], Examination((SWALLOWED, CONSTANT)))
    around = ReviewContext(
        owners=Owners("CODEOWNERS", (Owned(("@org/engine",), ("engine/run.py",)),)),
        tests=(CoveringTest("tests/test_run.py", ("engine/run.py",), changed=False),),
    )
    file = section(deep_dive.render(review._replace(context=around)), "### `engine/run.py`")
    assert "Modified, +7 -1." in file
    assert "Owners: `@\u200borg/engine`. Tests to run: `tests/test_run.py`." in file
    assert "Changes `step`." in file
    lines = re.findall(r"(?m)^- Line (\d+) `([^`]+)`: (.*)$", file)
    assert lines == [
        ("12", SWALLOWED.rule, "warning: Exception swallowed"),
        ("14", CONSTANT.rule, "warning: Condition that is always true"),
    ]


def test_other_pull_requests_are_told_prerequisites_first():
    found = (
        Overlap(18, "Change `step`", "same-function", "Engine.step", "engine/run.py", 8, "engine/run.py", 9),
        Overlap(16, "Add outputs", "adds-module", "vllm_omni.outputs", "engine/run.py", 3, "vllm_omni/outputs.py", 1),
        Overlap(20, "Drop it", "removes-used", "pad", "engine/run.py", 9, "engine/pad.py", 4),
        Overlap(17, "Name it", "adds-name", "Out", "engine/run.py", 4, "vllm_omni/out.py", None),
    )
    around = ReviewContext(overlaps=OverlapReport(7, 9, found, (16, 0, 18), ("2 were too large.",)))
    told = section(
        deep_dive.render(review_of([RUN_PY], Examination())._replace(context=around)),
        "## Other open pull requests",
    ).replace("\u200b", "")
    lines = [line[2:].replace("\\", "") for line in told.strip().split("\n")]
    assert lines == [
        "`#16` (`Add outputs`) adds the module `vllm_omni.outputs` (`vllm_omni/outputs.py:1`), which `engine/run.py:3` imports; merge it first.",
        "`#17` (`Name it`) adds the name `Out` (`vllm_omni/out.py`), which `engine/run.py:4` imports; merge it first.",
        "`#18` (`Change 'step'`) also changes `Engine.step` (`engine/run.py:9` there, `engine/run.py:8` here).",
        "`#20` (`Drop it`) removes `pad` (`engine/pad.py:4`), which `engine/run.py:9` uses.",
        "Suggested merge order: `#16`, this one, `#18`.",
        "Compared with 7 of 9 open pull requests.",
        "2 were too large.",
    ]


def test_fixes_are_pointed_at():
    fix = Fix("engine/run.py", CONSTANT.rule, (CONSTANT.fingerprint,), Suggestion(14, 15, "        return None"))
    review = review_of([RUN_PY], Examination((CONSTANT,)))
    assert "## Fixes" not in deep_dive.render(review)
    told = section(
        deep_dive.render(review._replace(fixes=Fixes((fix,), (SkippedFix(fix, "another touches its lines"),)))),
        "## Fixes",
    )
    assert "1 fix verified" in told
    assert "- `engine/run.py:14:12 errors/constant-condition`: another touches its lines" in told


def test_a_suggestion_for_another_line_names_it():
    away = finding(path="a.py", line=1, end_line=1, suggestion=Suggestion(3, 3, ""))
    file = changed("a.py", "@@ -0,0 +1,3 @@\n+import os\n+\n+import os\n")
    text = deep_dive.render(review_of([file], Examination((away,))))
    assert "Suggestion, on line 3:\n\n```diff\n-import os\n```" in text


def test_what_was_not_reviewed_and_what_was_set_aside():
    incomplete, mixed = deep_dive.render(ALL["incomplete"]), deep_dive.render(ALL["mixed"])
    assert "- `data/table.csv`: UTF-16 text" in section(incomplete, "## Could not be reviewed")
    assert "No score: " in incomplete
    assert "comment: the driver raises on shutdown" in section(mixed, "## Set aside")
    assert "`engine/run.py:12:5 style/todo`: accepted in the baseline" in section(mixed, "## Set aside")


def test_an_empty_change_is_one_sentence():
    assert deep_dive.render(ALL["empty"]).count(".") == 1


def test_scores_are_folded_and_in_no_heading():
    code = FileProfile(0, code_lines=40)
    text = deep_dive.render(review_of([RUN_PY], Examination((SWALLOWED,), profiles=(code,))))
    assert not re.search(r"(?m)^#.*\b(score|of 10|/10)", text, re.IGNORECASE)
    fold = text[text.index("<details>") : text.index("</details>")]
    assert text.count(" of 10") == fold.count(" of 10")


def test_a_credential_is_never_shown():
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    rule = min(CONFIDENTIAL)
    file = changed("a.py", f'@@ -0,0 +1,3 @@\n+one = 1\n+token = "{secret}"\n+three = 3\n')
    here = finding(rule, path="a.py", line=2, end_line=2, column=1, end_column=6, suggestion=Suggestion(2, 2, "x"))
    beside = finding(path="a.py", line=1, end_line=3, suggestion=Suggestion(1, 3, "none = 0"))
    silenced = Suppressed(here, "comment", "not real", 2)
    for examination in (Examination((here, beside)), Examination((beside,), (silenced,))):
        text = deep_dive.render(review_of([file], examination))
        assert secret[8:20] not in text
        assert "(not shown: this line holds a credential)" in text


@pytest.mark.parametrize("name", ALL)
def test_the_text_holds_only_what_the_template_allows(name):
    text = deep_dive.render(ALL[name])
    tokens, words = read(text)
    html = [tag for t in tokens if t.type in {"html_inline", "html_block"} for tag in re.findall(r"<[^>]*>", t.content)]
    assert set(html) <= OWN_HTML
    assert not [token for token in tokens if token.type in {"image", "code_block", "hr", "blockquote_open"}]
    links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    headings = {f"#{line[3:].lower().replace(' ', '-')}" for line in text.split("\n") if line.startswith("## ")}
    pages = ("https://example.org/", summary_sections.SCORECARD_PAGE)
    assert all(link.startswith(pages) or link in headings for link in links)
    assert not [word for word in words if BARE_LINKS.search(word)]
    assert {token.info for token in tokens if token.type == "fence"} <= {"text", "diff"}


@settings(max_examples=60, deadline=None)
@given(PIECES, PIECES, PIECES)
def test_no_text_of_a_change_leaves_its_place(one, two, three):
    path = f"{one}.py"
    line = two.replace("\n", " ")
    file = changed("x.py", "@@ -1,1 +1,2 @@\n x\n+y\n")
    file = file._replace(path=path, hunks=(file.hunks[0]._replace(lines=(f" class A{line}", f"+def {line}")),))
    bad = finding(
        title=one or "t",
        message=two,
        why=three,
        instead=one,
        path=path,
        line=2,
        end_line=2,
        related=(Related(path, 1, two),),
        suggestion=Suggestion(2, 2, three),
    )
    neighbour = Overlap(7, one, "same-function", two, path, 2, three, 1)
    review = review_of(
        [file],
        Examination((bad, bad._replace(rule="a/b", counted=True)), (Suppressed(bad, "noqa", two, 2),)),
        title=one,
        base_label=two,
    )._replace(context=ReviewContext(overlaps=OverlapReport(1, 1, (neighbour,), (7, 0), (three,))))
    tokens, words = read(deep_dive.render(review))
    html = [tag for t in tokens if t.type in {"html_inline", "html_block"} for tag in re.findall(r"<[^>]*>", t.content)]
    assert set(html) <= OWN_HTML
    assert not {token.type for token in tokens} & {"image", "code_block", "hr", "blockquote_open"}
    assert sum(token.type == "heading_open" for token in tokens) == 15
    assert {token.info for token in tokens if token.type == "fence"} <= {"text", "diff"}
    assert not [word for word in words if BARE_LINKS.search(word)]


def test_hostile_text_makes_no_heading_and_no_list_of_its_own():
    text = deep_dive.render(ALL["hostile"])
    headings = [line for line in text.split("\n") if line.startswith("#")]
    assert not [line for line in headings if line in {"# heading", "## heading"}]
    assert "\n- item" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("name", ALL)
def test_the_same_review_gives_the_same_bytes(name):
    assert deep_dive.render(ALL[name]) == deep_dive.render(ALL[name])


def test_five_thousand_findings_fit():
    many = hints(4000, 400)
    lines = "".join(f"+line {number}\n" for number in range(1000))
    file = changed("engine/run.py", f"@@ -0,0 +1,1000 @@\n{lines}", status="added", old_path=None)
    wide = [
        finding(
            f"errors/rule-{number % 250}",
            line=number + 1,
            end_line=number + 1,
            message="m" * 900 + str(number),
            why="w" * 900,
            related=(Related("engine/run.py", 1, "n" * 900),),
        )
        for number in range(1000)
    ]
    files = [file, *(changed(f"engine/part_{number}.py", "@@ -1 +1 @@\n-a\n+b\n") for number in range(400))]
    review = review_of(files, Examination((*many, *wide)))
    started = time.process_time()
    text = deep_dive.render(review)
    assert time.process_time() - started < 10
    assert len(text.encode()) <= deep_dive.LONGEST
    assert "in `report.json`" in text
    assert "400 files" in text or "more files have fewer or no findings" in text


def test_three_thousand_files_take_no_minute():
    files = [changed(f"engine/part_{number}.py", "@@ -1 +1 @@\n-a\n+b\n") for number in range(3_000)]
    paths = tuple(file.path for file in files)
    review = review_of(files, Examination(tuple(hints(5_000, 3_000))))
    around = ReviewContext(
        owners=Owners("CODEOWNERS", (Owned(("@a",), paths),)),
        tests=tuple(CoveringTest(f"tests/test_{number}.py", paths, changed=False) for number in range(20)),
    )
    started = time.process_time()
    text = deep_dive.render(review._replace(context=around))
    assert time.process_time() - started < 20
    assert len(text.encode()) <= deep_dive.LONGEST
    assert "more files have fewer or no findings" in text


def test_hostile_text_is_bounded_too():
    files = [changed(f"{EVIL}{number}.py", "@@ -1 +1 @@\n-a\n+b\n") for number in range(500)]
    found = [
        finding(f"r/{number}", path=file.path, line=1, end_line=1, message=EVIL * 50, why=EVIL * 50)
        for number, file in enumerate(files)
    ]
    assert len(deep_dive.render(review_of(files, Examination(tuple(found)))).encode()) <= deep_dive.LONGEST


def test_steps_are_a_numbered_list():
    text = deep_dive.render(ALL["flow"])
    assert (
        "Steps that lead here:\n\n1. `engine/mask.py:2`: `mask` is tested for None\n"
        "2. `engine/mask.py:3`: `query is None` is false\n"
    ) in text
    assert "See also `engine/run.py:16` (the same use)." in text
