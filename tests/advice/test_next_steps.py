"""Criteria, steps, effort and good facts, from reviews made by hand."""

import pytest

from review_bot.advice.next_steps import next_steps, review_effort
from review_bot.assessment.review_areas import AreaSeen, Place, SelectedQuestion
from review_bot.findings import Examination
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
