"""What a report may claim of a change, and counter-examples where the claim would be false and must not be there.

Ticks of the checklist, ticks of the merge criteria, and facts in favour of a change.
"""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.advice.checklist import CHECKS, checks
from review_bot.advice.merge_criteria import criteria
from review_bot.advice.strengths import strengths
from review_bot.assessment.metrics import share
from review_bot.changes.pull_request import Unreviewed
from review_bot.configuration import rule_registry
from review_bot.findings import Examination, Failure, LeftOut, NoText, NotRun, Suppressed
from review_bot.review.context import Overlap, OverlapReport, Owned, Owners, PullRequestStatus, ReviewContext
from review_bot.review.policy import Allowance, Policy
from review_bot.review.reach import FileWithoutRules, LanguageReach, Reach
from tests.reviews import ALL, RUN_PY, clean, finding, review_of

EVERY = frozenset(line.rule for line in CHECKS)
UNREVIEWED = Unreviewed("b.py", "not UTF-8 text", 10)
UNSEEN: dict[str, dict[str, Any]] = {
    "a file that could not be read": {"unreviewed": (UNREVIEWED,)},
    "a file that the configuration ignores": {"ignored": ("gen/a.py",)},
    "a generated file": {"left_out": (LeftOut("a_pb2.py", "generated"),)},
    "a binary file": {"no_text": (NoText("a.bin", "binary"),)},
    "a large file in LFS": {"no_text": (NoText("a.pt", "lfs"),)},
    "a submodule": {"no_text": (NoText("third", "submodule"),)},
    "a symbolic link": {"no_text": (NoText("link", "symlink"),)},
}
ALLOWED = Policy(unreviewed_ok=(Allowance("b.py", "generated"),))


def looked(*findings, rules=EVERY, policy=None, **seen):
    """Review a change with every rule that the checklist relies on."""
    return review_of([RUN_PY], Examination(findings=findings, **seen), policy=policy)._replace(rules=rules)


# ------------------------------------------------------------------------------------------------- the checklist


def test_each_line_relies_on_a_rule_that_there_is():
    assert rule_registry.builtin_rulebook().known_ids >= EVERY


def test_a_line_is_ticked_where_its_rule_read_every_added_line():
    assert [(each.id, each.met, each.proof) for each in checks(looked())] == [
        ("secrets", True, "security/hardcoded-secret read 7 added lines"),
        ("hidden-characters", True, "security/hidden-characters read 7 added lines"),
        ("conflict-markers", True, "style/conflict-marker read 7 added lines"),
    ]


def test_a_finding_of_another_rule_changes_no_line():
    assert checks(looked(finding("errors/bare-except"))) == checks(looked())


@pytest.mark.parametrize("line", CHECKS, ids=lambda line: line.id)
@pytest.mark.parametrize(
    "case",
    ["found", "moved", "suppressed", "accepted", "counted", "off", "not run", "failed on a file", "failed"],
)
def test_no_line_is_ticked_that_is_false(line, case):
    hit = finding(line.rule, severity="error")
    review = {
        "found": lambda: looked(hit),
        "moved": lambda: looked(hit._replace(moved=True)),
        "suppressed": lambda: looked(suppressed=(Suppressed(hit, "comment", "a test", 1),)),
        "accepted": lambda: looked(suppressed=(Suppressed(hit, "baseline", "old", None),)),
        "counted": lambda: looked(hit._replace(severity="hint", counted=True)),
        "off": lambda: looked(rules=EVERY - {line.rule}),
        "not run": lambda: looked(not_run=(NotRun(line.rule, "needs whole files"),)),
        "failed on a file": lambda: looked(failures=(Failure(line.rule, "a.py", "x"),)),
        "failed": lambda: looked(failures=(Failure(line.rule, None, "x"),)),
    }[case]()
    assert line.id not in {each.id for each in checks(review)}


@pytest.mark.parametrize("case", UNSEEN)
def test_nothing_is_ticked_where_some_text_was_not_read(case):
    assert checks(looked(**UNSEEN[case])) == ()


def test_nothing_is_ticked_where_a_file_may_stay_unreviewed():
    assert checks(looked(unreviewed=(UNREVIEWED,), policy=ALLOWED)) == ()


def test_nothing_is_ticked_of_a_change_that_adds_no_line():
    gone = RUN_PY._replace(added=0)
    assert checks(review_of([gone], Examination())._replace(rules=EVERY)) == ()


@pytest.mark.parametrize("said", ["imports", "callers", "errors", "dependencies", "tests"])
def test_silence_of_rules_that_report_in_certain_cases_ticks_nothing(said):
    everything = rule_registry.builtin_rulebook().known_ids
    assert said not in {each.id for each in checks(looked(rules=everything))}


# ---------------------------------------------------------------------------------------------- the merge criteria

PYTHON = Reach((LanguageReach("Python", 1, 184),))


def ticked(review):
    return {each.id: each.proof for each in criteria(review) if each.met}


def test_that_rules_read_every_file_is_ticked_with_what_proves_it():
    assert ticked(looked()._replace(reach=PYTHON)) == {"reviewed": "184 rules on 1 Python file"}
    images = Reach((LanguageReach("Dockerfile", 2, 25), LanguageReach("Go", 1, 1)))
    assert ticked(looked()._replace(reach=images)) == {"reviewed": "25 rules on 2 Dockerfiles, 1 rule on 1 Go file"}


def test_what_was_left_to_a_linter_was_read():
    left = NotRun("memory/lru-cache-on-method", "1 place left to ruff: ruff.toml configures B019")
    ignored = NotRun("linters", "ruff.toml was ignored, so findings may repeat what a linter reports: no TOML")

    assert "reviewed" in ticked(looked(not_run=(left, ignored))._replace(reach=PYTHON))


@pytest.mark.parametrize("case", UNSEEN)
def test_not_every_file_was_read(case):
    review = looked(**UNSEEN[case])._replace(reach=PYTHON)
    (line,) = (each for each in criteria(review) if each.id == "reviewed")
    assert (line.met is True, bool(line.open)) == (False, True)


@pytest.mark.parametrize(
    "review",
    [
        looked()._replace(reach=Reach((), (FileWithoutRules("a.ts", "TypeScript"),))),
        looked()._replace(reach=PYTHON._replace(without_rules=(FileWithoutRules("a.go", "Go"),))),
        looked()._replace(reach=PYTHON._replace(data_files=("a.json",))),
        looked(not_run=(NotRun("api/call-misfit", "needs the tree"),))._replace(reach=PYTHON),
        looked(failures=(Failure("api/call-misfit", None, "x"),))._replace(reach=PYTHON),
        looked(unreviewed=(UNREVIEWED,), policy=ALLOWED)._replace(reach=PYTHON),
    ],
    ids=[
        "no rules at all",
        "one file without rules",
        "a data file",
        "a rule that did not run",
        "a rule that failed",
        "allowed",
    ],
)
def test_what_no_rule_read_is_left_to_a_person(review):
    assert "reviewed" not in ticked(review)


def test_where_nothing_was_read_nothing_is_ticked():
    assert ticked(looked()) == {}


@pytest.mark.parametrize("severity", ["error", "warning", "info", "hint"])
@pytest.mark.parametrize(
    "seen",
    [
        {},
        {"suppressed": True},
        {"moved": True},
        {"counted": True},
    ],
    ids=["nothing found", "suppressed", "moved", "counted"],
)
def test_silence_resolves_no_severity(severity, seen):
    hit = finding(severity=severity)
    hidden = Suppressed(hit, "comment", "meant so", 1)
    review = looked(
        *([hit._replace(**seen)] if seen and "suppressed" not in seen else []),
        suppressed=(hidden,) if "suppressed" in seen else (),
        policy=Policy(fail_on="hint"),
    )
    assert {"must-fix", "should-fix", "consider", "nit"}.isdisjoint(each.id for each in criteria(review))


@pytest.mark.parametrize(
    ("severity", "fail_on", "shown"),
    [
        ("error", "error", "must-fix"),
        ("warning", "error", "should-fix"),
        ("warning", "never", "should-fix"),
        ("info", "info", "consider"),
        ("info", "error", None),
        ("hint", "hint", "nit"),
        ("hint", "never", None),
    ],
)
def test_what_is_open_is_listed_down_to_the_gate(severity, fail_on, shown):
    review = looked(finding(severity=severity), policy=Policy(fail_on=fail_on))
    lines = [(each.id, each.met, each.open) for each in criteria(review)]
    assert lines == ([] if shown is None else [(shown, False, ("Exception swallowed",))])


OWNED = (Owned(("@Ada",), ("a.py",)), Owned(("@octo/engines",), ("b.py",)), Owned(("@grace",), ("c.py",)))


@pytest.mark.parametrize(
    ("owned", "approved_by", "met"),
    [
        (OWNED[:1], ("ada",), True),
        ((OWNED[0], OWNED[2]), ("ada", "grace"), True),
        ((OWNED[0], OWNED[2]), ("ada",), False),  # c.py has no approval of its owner
        (OWNED[:2], ("ada",), None),  # ada may be of the team, or not
        (OWNED[:2], None, None),
        (OWNED[:1], None, None),
        (OWNED[:1], ("bob",), False),
        (OWNED[:1], (), False),
        (OWNED[1:2], ("bob",), None),
        (OWNED, ("grace",), False),
    ],
)
def test_each_owned_file_needs_an_owner(owned, approved_by, met):
    around = ReviewContext(owners=Owners("CODEOWNERS", owned), status=PullRequestStatus(approved_by=approved_by))
    (line,) = (each for each in criteria(clean()._replace(context=around)) if each.id == "domain-owner")
    assert (line.met, bool(line.proof)) == (met, met is True)


@pytest.mark.parametrize(
    ("status", "name", "met"),
    [
        (PullRequestStatus(ci="passed"), "ci-status", True),
        (PullRequestStatus(ci="failed", failing=("build",)), "ci-status", False),
        (PullRequestStatus(ci="pending"), "ci-status", False),
        (PullRequestStatus(ci="none"), "ci-status", None),
        (PullRequestStatus(), "ci-status", None),
        (PullRequestStatus(unresolved=0), "unresolved-threads", True),
        (PullRequestStatus(unresolved=2), "unresolved-threads", False),
        (PullRequestStatus(), "unresolved-threads", None),
        (None, "ci-status", None),
    ],
)
def test_what_github_reports_is_ticked_only_where_it_says_so(status, name, met):
    lines = {each.id: each for each in criteria(clean()._replace(context=ReviewContext(status=status)))}
    assert (lines[name].met if name in lines else None) is met
    assert all(bool(each.proof) == (each.met is True) for each in lines.values())


def test_what_the_change_builds_on_is_open_until_it_is_there():
    needed = Overlap(7, "Add it", "adds-module", "engine.pad", "a.py", 1, "engine/pad.py", None)
    review = clean()._replace(context=ReviewContext(overlaps=OverlapReport(1, 1, (needed,))))
    assert [(each.id, each.met) for each in criteria(review) if each.id == "prerequisites"] == [
        ("prerequisites", False)
    ]
    assert not any(each.id == "prerequisites" for each in criteria(clean()))


# ------------------------------------------------------------------------------------------------- facts in favour


def measured(*findings, **facts):
    """Review a change whose measures all reach their targets, but for ``facts``."""
    full = {
        "type_hint_coverage": share(13, 13, 90),
        "docstring_coverage": share(4, 4, 80),
        "test_to_code_ratio": share(40, 50, 50),
        "coverage": share(45, 50, 80),
    }
    seen = {
        name: facts.pop(name)
        for name in ("suppressed", "ignored", "unreviewed", "no_text", "left_out", "failures")
        if name in facts
    }
    review = looked(*findings, **seen)
    metrics = review.assessment.metrics._replace(**(full | facts))
    return review._replace(assessment=review.assessment._replace(metrics=metrics))


def test_measures_that_reach_their_target_are_facts_in_favour():
    assert strengths(measured()) == (
        "100 % of the parameters and return values added to library code have type hints (13 of 13).",
        "100 % of the public definitions added to library code have docstrings (4 of 4).",
        "90 % of measurable added lines are covered by tests (45 of 50).",
        "40 lines of tests for 50 lines of code.",
    )


HINTS, DOCSTRINGS, COVERED, TESTS = "have type hints", "have docstrings", "covered by tests", "lines of tests"


@pytest.mark.parametrize(
    ("review", "claim"),
    [
        (measured(type_hint_coverage=share(11, 13, 90)), HINTS),
        (measured(type_hint_coverage=share(2, 2, 90)), HINTS),
        (measured(type_hint_coverage=share(0, 0, 90)), HINTS),
        (measured(docstring_coverage=share(3, 4, 80)), DOCSTRINGS),
        (measured(docstring_coverage=share(1, 1, 80)), DOCSTRINGS),
        (measured(finding("docs/public-docstring", severity="hint", counted=True)), DOCSTRINGS),
        (measured(suppressed=(Suppressed(finding("docs/module-docstring"), "noqa", "D100", 1),)), DOCSTRINGS),
        (measured(coverage=None), COVERED),
        (measured(coverage=share(10, 50, 80)), COVERED),
        (measured(coverage=share(1, 1, 80)), COVERED),
        (measured(finding("testing/no-assertion")), COVERED),
        (measured(test_to_code_ratio=share(10, 50, 50)), TESTS),
        (measured(test_to_code_ratio=share(0, 0, 50)), TESTS),
        (measured(test_to_code_ratio=share(2, 2, 50)), TESTS),
        (measured(finding("testing/no-assertion")), TESTS),
        (measured(finding("testing/test-skipped", severity="info")), TESTS),
        (measured(suppressed=(Suppressed(finding("testing/test-removed"), "comment", "x", 1),)), TESTS),
    ],
)
def test_no_fact_is_claimed_that_is_false(review, claim):
    assert [fact for fact in strengths(review) if claim in fact] == []


@pytest.mark.parametrize("case", UNSEEN)
def test_nothing_is_praised_where_some_text_was_not_read(case):
    assert strengths(measured(**UNSEEN[case])) == ()


def test_silence_of_rules_is_no_praise():
    assert strengths(ALL["clean"]) == ()
    assert not any("No findings" in fact for review in ALL.values() for fact in strengths(review))
