"""What is counted and not listed: a number for people, a row for machines, and nothing for the verdict."""

import json

import pytest

from review_bot.comments.model import Context
from review_bot.findings import Examination
from review_bot.publishing.history import compare
from review_bot.reports import annotations, json_v1, summary, terminal
from review_bot.review.policy import Policy
from tests.engine.cases import review, rulebook_of
from tests.reviews import ALL, RUN_PY, hints, review_of

RULES = """\
id: own/word
severity: hint
text: {regex: TODO}
metadata: {show: count, confidence: high}
"""


def test_people_see_numbers_in_one_folded_line():
    text = summary.render(ALL["counted"])
    assert "<summary>Minor findings (counts only): 6</summary>" in text
    assert "Missing type hint: 5 ([`types/missing-annotation`]" in text
    assert "part_0.py" not in text
    assert "hint" not in text.split("<details>")[0]


def test_a_terminal_has_a_line_for_all_of_them():
    text = terminal.render(ALL["counted"])
    assert "Minor findings (--all lists them): Missing type hint (5), Long or deeply nested function (1)." in " ".join(
        text.split()
    )
    assert "part_0.py" not in text


def test_a_list_of_all_shows_true_severities_most_severe_first():
    info = hints(1, 1)[0]._replace(counted=True, severity="info", rule="types/wide", title="Wide type")
    hint = hints(1, 1)[0]._replace(counted=True, severity="hint")
    warning = hints(1, 1)[0]._replace(severity="warning", rule="api/removed", path="engine/run.py")
    listed = hints(1, 1)[0]._replace(severity="hint", rule="api/listed")
    judged = review_of([RUN_PY], Examination((hint, info, listed, warning)))
    lines = terminal.render(judged, everything=True).split("\n")
    rules = ("api/removed", "types/wide", "api/listed", hint.rule)
    assert [line for line in lines if line.endswith(rules)] == [
        "warning  api/removed",
        "info  types/wide",
        "hint  api/listed",
        f"hint  {hint.rule}",
    ]


def test_a_counted_rule_with_two_severities_is_counted_once():
    found = [each._replace(counted=True, severity=severity) for severity in ("hint", "info") for each in hints(1, 1)]
    text = terminal.render(review_of([RUN_PY], Examination(tuple(found))))
    assert f"{found[0].title} (2)" in text


def test_machines_see_each():
    findings = json.loads(json_v1.render(ALL["counted"]))["findings"]
    assert [each["counted"] for each in findings].count(True) == 6
    assert {each["placement"] for each in findings if each["counted"]} == {"summary"}


def test_nothing_is_annotated():
    assert "Missing type hint" not in annotations.render(ALL["counted"])


@pytest.mark.parametrize("fail_on", ["error", "warning", "info", "hint"])
def test_the_gate_does_not_know_them(fail_on):
    only = [each._replace(counted=True, confidence="high") for each in hints(3, 1)]
    judged = review_of([RUN_PY], Examination(tuple(only)), policy=Policy(fail_on=fail_on))
    assert (judged.verdict.decision, judged.verdict.passed, judged.minutes) == ("no-findings", True, 0)


def test_they_are_no_news_of_a_push():
    silent = [each._replace(counted=True) for each in hints(3, 1)]
    history = compare(review_of([RUN_PY], Examination(tuple(silent))), None, Context("octo/engine", 19, "c" * 40))
    assert history.remembered == ()


def test_a_rule_says_that_its_findings_are_counted():
    [found] = review({"a.py": "x = 1  # TODO\n"}, rules=RULES).findings
    assert (found.counted, found.placement) == (True, "summary")


@pytest.mark.parametrize(("severity", "counted"), [("hint", True), ("info", True), ("warning", False)])
def test_a_configuration_that_raises_the_severity_wants_to_see_it(severity, counted):
    book = rulebook_of(RULES)
    book = book._replace(rules=tuple(rule._replace(severity=severity) for rule in book.rules))
    [found] = review({"a.py": "x = 1  # TODO\n"}, rulebook=book).findings
    assert found.counted is counted
