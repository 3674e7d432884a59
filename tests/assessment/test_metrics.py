"""What a change is measured by."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from review_bot.assessment.metrics import effort_minutes, measure, share
from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from tests.reviews import RUN_PY, finding


def test_files_are_added_up():
    one = FileProfile(0, code_lines=40, documented=1, definitions=3, annotated=2, slots=4)
    two = FileProfile(1, test_lines=10)
    three = FileProfile(2, code_lines=10, documented=1, definitions=1, slots=1)
    metrics = measure(PullRequest((RUN_PY,)), [one, two, three], [])

    assert (metrics.lines_added, metrics.lines_deleted, metrics.code_lines_added) == (RUN_PY.added, RUN_PY.removed, 50)
    assert metrics.docstring_coverage == (2, 4, 50, 80)
    assert metrics.type_hint_coverage == (2, 5, 40, 90)
    assert metrics.test_to_code_ratio == (10, 50, 20, 50)


def test_what_is_not_measured_is_none_and_not_nought():
    metrics = measure(PullRequest(()), [], [])

    assert metrics.coverage is None
    assert metrics.docstring_coverage.percent is None
    assert metrics.test_to_code_ratio.percent is None


@given(st.integers(0, 500), st.integers(1, 500))
def test_a_percentage_is_rounded_half_up(part, whole):
    percent = share(part, whole, 80).percent
    assert percent is not None
    assert 2 * part * 100 - whole < 2 * whole * percent <= 2 * part * 100 + whole


def test_a_smell_is_a_rule_in_a_file():
    findings = [
        finding("errors/swallowed-exception", line=1),
        finding("errors/swallowed-exception", line=9),
        finding("errors/swallowed-exception", path="other.py"),
        finding("memory/item-in-loop", severity="info"),
        finding("style/long-function", severity="hint"),
        finding("docs/public-docstring"),
    ]
    assert measure(PullRequest(()), [], findings).smells == 3


def test_further_hits_of_a_rule_in_a_file_take_a_fifth_of_its_time():
    same = [finding(effort_minutes=10, line=line) for line in (1, 2, 3)]
    assert effort_minutes(same) == 14
    assert effort_minutes([*same, finding(effort_minutes=10, path="other.py")]) == 24
    assert effort_minutes([finding(effort_minutes=10, moved=True)]) == 0
    assert effort_minutes([finding(effort_minutes=10, counted=True)]) == 0
