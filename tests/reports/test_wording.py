"""The sentences that reports share."""

import pytest

from review_bot.findings import Suppressed
from review_bot.reports import wording
from tests.reviews import ALL, SWALLOWED, UNTESTED, clean


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
    assert [wording.count(1, "file"), wording.count(2, "file"), wording.count(0, "entry", "entries")] == [
        "1 file",
        "2 files",
        "0 entries",
    ]
    assert wording.severity_counts([SWALLOWED]) == "1 should fix"
    hint = SWALLOWED._replace(severity="hint")
    assert wording.severity_counts([hint]) == "1 nit"
    assert wording.severity_counts([hint, hint, SWALLOWED._replace(moved=True)]) == "2 nits"


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


def test_the_verdict_says_when_nothing_was_found():
    assert wording.verdict(clean()) == "Approve: nothing found"
    assert wording.verdict(clean()._replace(suppressed=(Suppressed(SWALLOWED, "comment", "measured", 1),))) == (
        "Approve: nothing open"
    )
    only_a_nit = clean()._replace(findings=(SWALLOWED._replace(severity="hint"),))
    assert wording.verdict(only_a_nit) == "Approve: nothing that must or should be fixed"
    only_moved = clean()._replace(findings=(SWALLOWED._replace(moved=True),))
    assert wording.verdict(only_moved) == "Approve: nothing open"
