"""The parts of a summary: what is seen before anything is unfolded, and what each part says."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes.pull_request import Unreviewed
from review_bot.comments.model import Context
from review_bot.findings import Examination, Failure, Fix, Fixes, SkippedFix, Suggestion, Suppressed
from review_bot.reports import brief, comments, deep_dive, html, suggested_fixes, summary, summary_comment, terminal
from review_bot.reports.ledger import Counts, Ledger, Since
from review_bot.reports.summary import LEAST_TOPICS, MOST_LINES, first_screen, unfolded_lines
from review_bot.reports.summary_comment import CommentDelivery, WithheldFindings
from review_bot.reports.wording import place
from review_bot.review.context import DeclinedFinding, PullRequestStatus, ReviewContext
from review_bot.review.layout import SECTIONS, Layout
from review_bot.review.policy import Policy
from tests.reviews import ALL, CONSTANT, GUIDE, RUN_PY, SWALLOWED, around, finding, hints, review_of

CONTEXT = Context("octo/engine", 19, "abc1234" + "0" * 33)
MISSING = "api/missing-module-import"


def before_folds(text):
    return text.partition("<details>")[0]


@st.composite
def reviews(draw):
    """Make a review with any number of everything that a summary tells unfolded."""
    found = []
    for severity in ("error", "warning", "info"):
        for number in range(draw(st.integers(0, 30))):
            rule = f"r/{draw(st.integers(0, 9))}"
            found.append(finding(rule, severity=severity, message=f"{severity} {number}", line=number + 1))
    policy = Policy(
        fail_on=draw(st.sampled_from(["error", "hint", "never"])),
        layout=Layout(intro=draw(st.sampled_from(["", "Hello."])), outro=draw(st.sampled_from(["", "Bye."]))),
    )
    review = review_of(
        [RUN_PY],
        Examination(
            findings=tuple(found),
            unreviewed=tuple(Unreviewed(f"{number}.csv", "not UTF-8") for number in range(draw(st.integers(0, 30)))),
            failures=tuple(Failure(f"f/{number}", None, "boom") for number in range(draw(st.integers(0, 4)))),
            suppressed=(Suppressed(SWALLOWED, "comment", "measured", 3),) * draw(st.integers(0, 2)),
        ),
        policy=policy,
        guide=GUIDE,
    )
    if draw(st.booleans()):
        status = PullRequestStatus(
            "failed", tuple(f"check {number}" for number in range(draw(st.integers(0, 20)))), 3, ()
        )
        review = review._replace(context=around("pool", "engine/run.py", 12)._replace(status=status))
    return review


@settings(max_examples=120, deadline=None)
@given(reviews(), st.integers(0, 9), st.integers(0, 9))
def test_the_first_screen_has_25_lines_or_no_more_topics_than_it_must(review, notices, problems):
    context = CONTEXT._replace(notices=("A note.",) * notices, problems=("A problem.",) * problems)
    delivery = CommentDelivery(held=(WithheldFindings(3, "a reason"),), ledger=Ledger(Since("f" * 40, Counts(1, 2, 3))))
    for text in (summary.render(review), summary_comment.render(review, context, delivery)):
        topics = len(re.findall(r"(?m)^- \*\*", first_screen(text)))
        assert unfolded_lines(text) <= MOST_LINES or topics <= LEAST_TOPICS
        assert unfolded_lines(text) <= 60
        assert text.count("<details>") == text.count("</details>")


@settings(max_examples=60, deadline=None)
@given(reviews())
def test_nothing_that_must_or_should_be_fixed_is_lost_with_the_lines(review):
    text = summary.render(review)
    messages = {each.message for each in review.findings if each.severity in {"error", "warning"}}
    shown = sum(f" {message}<br>" in text for message in messages)
    rest = sum(int(part.split(" ")[0]) for part in text.split("\n- and ")[1:] if part.split("\n")[0].endswith(" more"))
    assert shown == len(messages) or shown + rest >= len(messages)


def test_missing_modules_of_one_package_are_one_topic():
    found = tuple(
        finding(MISSING, severity="error", message=f"The module `engine.{name}` does not exist.", line=number + 1)
        for number, name in enumerate(("pool", "cache", "other.deep"))
    )
    text = summary.render(review_of([RUN_PY], Examination(findings=found)))
    assert text.count("- **Exception swallowed.**") == 1
    assert (
        "3 modules do not exist in this repository at the head of this change: `engine.cache`, `engine.other.deep`, `engine.pool`."
        in text
    )
    alone = summary.render(review_of([RUN_PY], Examination(findings=found[:1])))
    assert "The module `engine.pool` does not exist." in alone


def test_a_rule_with_many_findings_hides_none_that_has_few():
    many = [finding("a/many", message=f"Number {number}.", line=number) for number in range(1, 40)]
    text = summary.render(review_of([RUN_PY], Examination(findings=(*many, finding("z/one", message="The one.")))))
    assert "The one." in before_folds(text)


@pytest.mark.parametrize("number", [4, 8, 11])
def test_a_fold_takes_what_a_rule_says_again_before_what_another_says_once(number):
    many = [
        finding("a/many", message=f"Number {each}.", line=each, instead="Write it.") for each in range(1, number + 1)
    ]
    few = [finding(f"z/{each}", message=f"Rule {each}.", instead="Remove it.") for each in range(4)]
    text = before_folds(summary.render(review_of([RUN_PY], Examination(findings=(*many, *few)))))
    assert [f"Rule {each}." in text for each in range(4)] == [True] * 4
    assert "Number 1." in text


def test_what_exceeds_the_lines_stands_in_a_fold_of_its_part():
    found = [finding(f"r/{number}", message=f"Number {number}.", line=number) for number in range(1, 25)]
    text = summary.render(review_of([RUN_PY], Examination(findings=tuple(found))))
    assert re.search(r"<summary>Warnings \(should fix\): \d+ more</summary>", text)
    assert all(f"Number {number}." in text for number in range(1, 25))
    assert text.index("### Warnings (should fix)") < text.index(" more</summary>") < text.index("Merge criteria: ")


def test_criteria_are_ticked_as_they_become_true():
    text = summary.render(ALL["surrounded"])
    for line in (
        "- [ ] All warnings resolved or declined (2 open)\n",
        "- [ ] Required pull requests merged (`#14`)\n",
        "- [ ] All other checks passed (lint pool)\n",
        "- [ ] All other conversations resolved (2 open)\n",
    ):
        assert line in text
    assert "<summary>Merge criteria: 0 of 5 met</summary>" in text
    assert "Merge criteria" not in summary.render(ALL["clean"])


def test_only_a_line_that_a_person_decides_has_a_key():
    text = summary.render(ALL["surrounded"])
    assert "<!-- review-bot:tick criterion/domain-owner -->" in text
    assert "criterion/must-fix" not in text
    assert "- [ ] **Memory.** When is `self.model` freed? <!-- review-bot:tick card/memory --><br>" in text


def test_what_the_change_builds_on_is_seen_and_leads_to_the_pull_request():
    text = summary_comment.render(ALL["surrounded"], CONTEXT, CommentDelivery())
    assert (
        "**Builds on** `#14` (pool), which adds `engine.pool` "
        "(`engine/pool.py`), imported here at `engine/run.py:12`." in text
    )
    assert "`#14`" in before_folds(summary.render(ALL["surrounded"]))
    assert "`#16`" not in before_folds(summary.render(ALL["surrounded"]))


def test_a_pull_request_that_meets_this_one_twice_is_named_once():
    review = ALL["surrounded"]
    overlaps = review.context.overlaps
    assert overlaps is not None
    twice = [each._replace(path=path) for each in overlaps.found[1:2] for path in ("a.py", "b.py")]
    met = review.context._replace(overlaps=overlaps._replace(found=tuple(twice)))
    text = summary.render(review._replace(context=met))
    assert "<summary>Related open pull requests: 1</summary>" in text
    assert len(re.findall(r"(?m)^- `#16` \(", text)) == 1
    assert len(re.findall(r"(?m)^- `#16` ", text)) == 2
    none = review.context._replace(overlaps=overlaps._replace(found=overlaps.found[:1]))
    assert "Other related" not in summary.render(review._replace(context=none))
    limited = none._replace(overlaps=overlaps._replace(found=overlaps.found[:1], limits=("9 were not compared.",)))
    text = summary.render(review._replace(context=limited))
    assert "<summary>Open pull requests: comparison incomplete</summary>" in text
    assert "9 were not compared." in text


def test_the_command_that_lists_what_is_counted_names_both_ends():
    assert "run `review-bot review --base origin/main --head cccccccccccc --all`" in summary.render(ALL["counted"])


def test_each_finding_is_told_once():
    text = summary.render(review_of([RUN_PY], Examination(findings=(SWALLOWED, CONSTANT, *hints(3, 2)))))
    for title in ("Exception swallowed", "Condition that is always true", "Missing type hint"):
        assert text.count(title) == 1


def test_minutes_are_estimates_in_a_fold():
    text = summary.render(review_of([RUN_PY], Examination(findings=(SWALLOWED, CONSTANT))))
    assert "- Estimates: about 35 min to fix; review effort: 1 of 5.\n" in text
    assert " min" not in first_screen(text)


@pytest.mark.parametrize("part", [each for each in SECTIONS if each not in {"must-fix", "should-fix"}])
def test_a_repository_leaves_parts_out(part):
    review = ALL["surrounded"]
    others = tuple(each for each in SECTIONS if each != part)
    shown = summary.render(review._replace(policy=Policy(layout=Layout(others))))
    assert len(shown) <= len(summary.render(review))


def test_a_repository_chooses_the_order_and_cannot_hide_what_is_to_be_fixed():
    review = ALL["mixed"]._replace(
        policy=Policy(layout=Layout(("criteria", "must-fix"), "Ask in the `#engine` channel.", "Thank you."))
    )
    text = summary.render(review)
    order = [
        "## Review Bot",
        "Ask in the `#engine` channel.",
        "### Warnings (should fix)",
        "<summary>Merge criteria: ",
        "### Errors (must fix)",
    ]
    assert sorted(order, key=text.index) == order
    assert text.endswith("\n\nThank you.\n")
    assert "Next steps" not in text
    assert "186 hints, by rule" not in text


def test_areas_alone_make_no_checklist():
    review = ALL["surrounded"]
    assert review.assessment.areas
    assert "Review checklist" in summary.render(review)
    context = review.context._replace(owners=None)
    alone = review._replace(context=context, rules=frozenset(), assessment=review.assessment._replace(checklist=()))
    assert "Review checklist" not in summary.render(alone)


def test_scores_can_be_reckoned_by_hand():
    review = ALL["surrounded"]
    text = summary.render(review._replace(policy=review.policy._replace(scorecard="on")))
    assert "- Code Quality: 7 of 10 (weight 15): 10, -1.5 for `errors/constant-condition`, -1.5 for " in text
    assert "- Architecture \\& Design, Functional Correctness, " in text
    assert ", Performance: no findings\n" in text
    assert "It rests on 7 of 7 aspects" in text
    assert "Overall: " not in summary.render(review), "scores are in the summary only if the configuration wants them"


def test_what_a_person_declined_is_listed_once_with_who_and_why():
    declined = DeclinedFinding(SWALLOWED.fingerprint, "grace", "meant so")
    other = CONSTANT._replace(fingerprint="ffffffffffffffff-01234567")
    review = review_of([RUN_PY], Examination(findings=(SWALLOWED, other)))
    fix = Fix("engine/run.py", SWALLOWED.rule, (SWALLOWED.fingerprint,), Suggestion(12, 12, "x"))
    review = review._replace(context=ReviewContext(declined=(declined,)), fixes=Fixes((fix,), (SkippedFix(fix, "no"),)))
    text = summary_comment.render(review, CONTEXT, CommentDelivery())
    assert "**1 warning**, 1 declined." in text
    assert "\n1 finding was declined; it still counts in the verdict.\n" in first_screen(text) + "\n"
    assert "\n- 1 finding declined, still counted in the verdict\n" in text
    assert f"  - `{place(SWALLOWED)} {SWALLOWED.rule}`: grace: meant so\n" in text
    assert text.count(SWALLOWED.rule) == 1
    assert "- [ ] All warnings resolved or declined (1 open)" in text
    assert "automatic fix" not in text


def test_a_declined_finding_that_fails_the_check_is_still_counted():
    failing = SWALLOWED._replace(severity="error")
    declined = DeclinedFinding(failing.fingerprint, "grace", "meant so")
    review = review_of([RUN_PY], Examination(findings=(failing,)))
    review = review._replace(context=ReviewContext(declined=(declined,)))
    text = summary_comment.render(review, CONTEXT, CommentDelivery())
    assert "## Review Bot: changes required\n\n**1 error**, 1 declined but failing the check." in text


@pytest.mark.parametrize("report", [deep_dive, suggested_fixes, html, brief, terminal])
def test_what_a_person_declined_is_no_work_in_any_report(report):
    declined = SWALLOWED._replace(title="The declined one", instead="The declined advice.", message="Declined text.")
    review = review_of([RUN_PY], Examination(findings=(declined,)))
    fix = Fix("engine/run.py", declined.rule, (declined.fingerprint,), Suggestion(12, 12, "fixed = 1"))
    review = review._replace(fixes=Fixes((fix,), ()))
    assert "The declined advice." in report.render(review)
    review = review._replace(context=ReviewContext(declined=(DeclinedFinding(declined.fingerprint, "grace", "no"),)))
    text = report.render(review)
    for words in ("The declined one", "The declined advice.", "Declined text.", "fixed = 1"):
        assert words not in text


def test_a_rule_whose_title_is_its_message_says_it_once():
    own = finding("no-print", title="Log it.", message="Log it.", instead="", why="")
    review = review_of([RUN_PY], Examination(findings=(own,)))
    told = (summary.render(review), deep_dive.render(review), comments.alone(own, CONTEXT))
    assert [text.count("Log it") for text in told] == [1, 4, 1]
