"""Criteria, steps, effort and good facts, from reviews made by hand."""

import pytest

from review_bot.advice.checklist import CHECKS, checks
from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import next_steps, review_effort
from review_bot.advice.strengths import strengths
from review_bot.assessment.review_areas import AreaSeen, Place, SelectedQuestion
from review_bot.configuration import rule_registry
from review_bot.findings import Examination, NotRun, Suppressed
from review_bot.review.context import Owned, Owners, PullRequestStatus, ReviewContext
from review_bot.review.policy import Policy
from tests.reviews import ALL, CONSTANT, MARKER, RUN_PY, SWALLOWED, UNTESTED, changed, finding, review_of


def drawn(areas, cards):
    """Assess a change as one that touches areas and draws cards."""
    assessment = ALL["clean"].assessment
    seen = tuple(AreaSeen(f"a{number}", "An area", (), 9, ()) for number in range(areas))
    return assessment._replace(
        areas=(*seen, AreaSeen("any", "All code", (), 9, ())),
        checklist=tuple(
            SelectedQuestion(f"card/{n}", "A card", (), (), (Place("a", 1, 1),), 1, ()) for n in range(cards)
        ),
    )


@pytest.mark.parametrize(
    ("lines", "areas", "cards", "errors", "effort"),
    [
        (1, 0, 0, 0, 1),
        (100, 1, 0, 0, 1),
        (101, 1, 0, 0, 2),
        (100, 1, 5, 0, 2),
        (100, 1, 6, 0, 3),
        (100, 1, 0, 3, 3),
        (100, 1, 0, 9, 3),
        (5_000, 1, 3, 0, 4),
        (10_000, 1, 3, 0, 4),
        (10_000, 1, 4, 0, 5),
        (140_000, 0, 0, 0, 5),
    ],
)
def test_effort_to_review_is_counted_in_points(lines, areas, cards, errors, effort):
    body = f"@@ -0,0 +1,{lines} @@\n" + "+x\n" * lines
    found = tuple(finding(severity="error", line=number + 1) for number in range(errors))
    review = review_of([changed("a.py", body)], Examination(findings=found))
    assert review_effort(review._replace(assessment=drawn(areas, cards))) == effort


def test_quick_steps_come_first_and_then_the_gravest():
    plan = next_steps(review_of([RUN_PY], Examination(findings=(UNTESTED, CONSTANT, SWALLOWED, MARKER))))
    assert [(step.when, step.title, step.minutes) for step in plan.steps] == [
        ("now", "Conflict marker", 5),
        ("now", "Exception swallowed", 15),
        ("then", "Condition that is always true", 20),
        ("then", "Code without tests", 60),
    ]
    assert plan.steps[0].text == "Resolve the conflict."


def test_findings_of_a_rule_are_one_step_with_their_time_together():
    same = tuple(SWALLOWED._replace(line=number, path=path) for path in ("a.py", "b.py") for number in (1, 2))
    (step,) = next_steps(review_of([RUN_PY], Examination(findings=same))).steps
    assert (step.when, step.minutes) == ("then", 36)


def test_the_time_counts_what_is_lighter_apart_and_what_moved_or_is_counted_not_at_all():
    light = finding("style/x", severity="info", effort_minutes=7)
    found = (SWALLOWED, light, SWALLOWED._replace(rule="r/moved", moved=True), light._replace(rule="r/c", counted=True))
    plan = next_steps(review_of([RUN_PY], Examination(findings=found)))
    assert (plan.minutes, plan.lighter) == (15, 7)


def test_a_stricter_gate_has_lines_of_its_own():
    light = finding("style/x", severity="info")
    lines = {each.id: each for each in criteria(review_of([RUN_PY], Examination(findings=(light,))))}
    assert set(lines) == {"reviewed", "must-fix", "should-fix"}
    strict = review_of([RUN_PY], Examination(findings=(light,)), policy=Policy(fail_on="hint"))
    lines = {each.id: each for each in criteria(strict)}
    assert (lines["consider"].met, lines["consider"].open, lines["nit"].met) == (False, ("Exception swallowed",), True)
    never = review_of([RUN_PY], Examination(findings=(light,)), policy=Policy(fail_on="never"))
    assert {each.id for each in criteria(never)} == {"reviewed", "must-fix", "should-fix"}


OWNERS = Owners("CODEOWNERS", (Owned(("@Ada",), ("a.py",)), Owned(("@octo/engines",), ("b.py",))))


@pytest.mark.parametrize(
    ("owned", "approved_by", "met"),
    [
        (OWNERS.owned, None, None),
        (OWNERS.owned, ("ada",), True),
        (OWNERS.owned, ("bob",), None),  # bob may be of the team
        (OWNERS.owned[:1], ("bob",), False),
        (OWNERS.owned[:1], (), False),
    ],
)
def test_an_approval_of_an_owner_is_seen_and_one_of_a_team_is_left_to_people(owned, approved_by, met):
    around = ReviewContext(owners=OWNERS._replace(owned=owned), status=PullRequestStatus(approved_by=approved_by))
    lines = {each.id: each for each in criteria(ALL["clean"]._replace(context=around))}
    assert lines["domain-owner"].met is met


def test_good_facts_are_measures_that_reach_their_target():
    nothing = "No findings in Architecture & Design, Functional Correctness, Testing, Security and Performance."
    assert strengths(ALL["questions"]) == (nothing,)
    assessment = ALL["questions"].assessment
    hinted = assessment._replace(
        metrics=assessment.metrics._replace(
            type_hint_coverage=assessment.metrics.type_hint_coverage._replace(part=13, percent=100)
        )
    )
    told = strengths(ALL["questions"]._replace(assessment=hinted))
    assert told == ("100 % of added parameters and return values have type hints (13 of 13).", nothing)
    assert strengths(ALL["incomplete"]) == ()


EVERY = frozenset(rule for line in CHECKS for rule in line.rules)


def looked(findings=(), rules=EVERY, **facts):
    """Review a change to code with every rule that the checklist speaks of."""
    review = review_of([RUN_PY], Examination(findings=tuple(findings), **facts))._replace(rules=rules)
    return review._replace(assessment=ALL["questions"].assessment)


def test_every_line_of_the_checklist_names_rules_that_there_are():
    assert rule_registry.builtin_rulebook().known_ids >= EVERY


def test_a_line_is_ticked_where_its_rules_found_nothing():
    lines = {each.id: each for each in checks(looked([SWALLOWED]))}
    assert [name for name, each in lines.items() if each.met] == [
        "imports",
        "callers",
        "tests",
        "dependencies",
        "secrets",
    ]
    assert lines["errors"].rules == ("errors/swallowed-exception",)


def test_of_little_code_without_a_test_no_line_says_that_tests_come_with_it():
    assessment = ALL["questions"].assessment
    ratio = assessment.metrics.test_to_code_ratio._replace(part=0)
    untested = assessment._replace(metrics=assessment.metrics._replace(test_to_code_ratio=ratio))
    assert "tests" not in {each.id for each in checks(looked()._replace(assessment=untested))}
    removed = UNTESTED._replace(rule="testing/test-removed")
    lines = {each.id: each for each in checks(looked([removed])._replace(assessment=untested))}
    assert lines["tests"].rules == ("testing/test-removed",)


@pytest.mark.parametrize(
    "facts",
    [
        {"rules": EVERY - {"errors/bare-except"}},
        {"not_run": (NotRun("errors/bare-except", "its linter answers for it"),)},
    ],
)
def test_a_line_one_of_whose_rules_did_not_look_is_left_out(facts):
    assert "errors" not in {each.id for each in checks(looked(**facts))}
    assert "imports" in {each.id for each in checks(looked(**facts))}


def test_what_is_suppressed_was_found_and_what_moved_was_there_before():
    hushed = looked(suppressed=(Suppressed(SWALLOWED, "comment", "measured", 1),))
    assert [each.id for each in checks(hushed) if not each.met] == ["errors"]
    assert all(each.met for each in checks(looked([SWALLOWED._replace(moved=True)])))


def test_nothing_is_ticked_where_not_everything_was_looked_at():
    assert checks(looked(ignored=("gen/a.py",))) == ()
    assert checks(ALL["incomplete"]._replace(rules=EVERY)) == ()
    assert checks(ALL["clean"]._replace(rules=EVERY)) == ()
