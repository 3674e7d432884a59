"""The sentences that reports share."""

import pytest

from review_bot.findings import Examination, Suppressed
from review_bot.reports import brief, html, wording
from review_bot.review.policy import Policy
from review_bot.text.listing import count
from tests.reviews import ALL, RUN_PY, SWALLOWED, UNTESTED, clean, finding, review_of


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "0 min"),
        (1, "1 min"),
        (59, "59 min"),
        (60, "1 h"),
        (62, "1 h"),
        (63, "1 h 5 min"),
        (118, "2 h"),
        (597, "9 h 55 min"),
        (599, "10 h"),
        (630, "10 h"),
        (640, "11 h"),
    ],
)
def test_duration(minutes, said):
    assert wording.duration(minutes) == said


def test_singular_and_plural():
    assert [count(1, "file"), count(2, "file"), count(0, "entry", "entries")] == [
        "1 file",
        "2 files",
        "0 entries",
    ]
    assert wording.severity_counts([SWALLOWED]) == "1 warning"
    hint = SWALLOWED._replace(severity="hint")
    assert wording.severity_counts([hint]) == "1 hint"
    assert wording.severity_counts([hint, hint, SWALLOWED._replace(moved=True)]) == "2 hints"


def test_place():
    assert wording.place(SWALLOWED) == "engine/run.py:12:9"
    assert wording.place(SWALLOWED._replace(column=None)) == "engine/run.py:12"
    assert wording.place(SWALLOWED._replace(line=None)) == "engine/run.py"
    assert wording.place(SWALLOWED._replace(side="LEFT")) == "engine/run.py (deleted line 12)"
    assert wording.place(UNTESTED) == "the whole change"


def test_base():
    assert wording.base(clean()) == "against origin/main (merge base aaaaaaaaaaaa)"
    bare = clean()._replace(pull_request=clean().pull_request._replace(base=None, merge_base=None, base_label=None))
    assert wording.base(bare) == ""
    named = clean().pull_request._replace(base_label="aaaaaaa")
    assert wording.base(clean()._replace(pull_request=named)) == "against aaaaaaa"
    long = clean().pull_request._replace(base_label="a" * 40)
    assert wording.base(clean()._replace(pull_request=long)) == "against aaaaaaaaaaaa"


def test_an_empty_change_with_something_unreviewed_is_not_empty():
    assert wording.empty(ALL["empty"])
    assert not wording.empty(ALL["empty"]._replace(unreviewed=ALL["incomplete"].unreviewed))


def test_one_line():
    assert wording.one_line("  a\r\n\tb  c ") == "a b c"
    assert wording.one_line("x" * 50, 10) == "xxxxxxx..."
    assert wording.one_line("a `" + "x" * 50 + "` b", 10) == "a `xxx...`", "what was quoted stays a quotation"
    assert wording.one_line("a `b` " + "x" * 50, 10) == "a `b` x..."


def test_the_verdict_says_when_nothing_was_found():
    assert wording.verdict(clean()) == "No findings"
    assert wording.verdict(clean()._replace(suppressed=(Suppressed(SWALLOWED, "comment", "measured", 1),))) == (
        "No open findings"
    )
    only_a_nit = review_of([RUN_PY], Examination((SWALLOWED._replace(severity="hint"),)))
    assert wording.verdict(only_a_nit) == "Comments: 1 finding to consider. A person has to judge the rest"
    only_moved = clean()._replace(findings=(SWALLOWED._replace(moved=True),))
    assert wording.verdict(only_moved) == "No open findings"


@pytest.mark.parametrize(
    ("severities", "fail_on", "said"),
    [
        ("", "error", ("No findings", "", False, "")),
        ("hint", "error", ("No errors or warnings", "1 hint", False, "")),
        ("warning hint hint", "error", ("1 warning", "2 hints", True, "")),
        ("error warning info", "error", ("1 error, 1 warning", "1 info", True, "")),
        ("error", "never", ("1 error", "", True, "The check still passes (`fail-on: never`).")),
        (
            "info hint",
            "info",
            ("1 info", "1 hint", True, "The check fails on `info` and above (`fail-on: info`)."),
        ),
    ],
)
def test_the_headline_names_each_number_once(severities, fail_on, said):
    found = tuple(finding(f"r{number}", severity=each) for number, each in enumerate(severities.split()))
    review = review_of([RUN_PY], Examination(findings=found), policy=Policy(fail_on=fail_on))
    assert (*wording.headline(review), wording.gate(review)) == said


def test_the_headline_begins_with_what_is_missing():
    said = wording.headline(ALL["incomplete"])
    assert said == ("1 file could not be reviewed; 2 rules failed; 1 warning", "", True)


@pytest.mark.parametrize(
    ("label", "repeated"),
    [
        ("main", "main"),
        ("HEAD~3", 40 * "b"),
        ("work^", 40 * "b"),
        ("HEAD", 40 * "b"),
        ("@{upstream}", 40 * "b"),
        ("feature/head", "feature/head"),
    ],
)
def test_commands_to_run_later_name_no_relative_revision(label, repeated):
    review = clean()._replace(
        pull_request=clean().pull_request._replace(base=40 * "b", base_label=label, head=40 * "c")
    )
    shown = wording.revision(repeated)
    assert wording.export_command(review) == f"review-bot review --base {shown} --head {12 * 'c'} --export dossier"
    assert f"`review-bot review --base {shown} --head {12 * 'c'}`" in brief.render(review)
    assert f"<code>review-bot review --base {shown} --head {12 * 'c'}</code>" in html.render(review)
    working_tree = review._replace(pull_request=review.pull_request._replace(head=None))
    assert f"`review-bot review --base {shown}`" in brief.render(working_tree)
