"""The posted summary and the summary of the job."""

import re

import pytest

from review_bot.comments.model import Context
from review_bot.findings import Examination, Failure, Finding
from review_bot.reports import summary_comment
from review_bot.reports.ledger import Counts, Ledger, Since
from review_bot.reports.summary_comment import CommentDelivery, WithheldFindings
from review_bot.reports.summary_sections import SCORECARD_PAGE
from tests.reports.test_markdown import BARE_LINKS, OWN_HTML, inline_html, read
from tests.reviews import ALL, CONSTANT, EVIL, PAGES, RUN_PY, SWALLOWED, finding, review_of

CONTEXT = Context("octo/engine", 19, "abc1234" + "0" * 33)
DIFF = "https://github.com/octo/engine/pull/19/files#diff-"
PULLS = "https://github.com/octo/engine/pull/1"


def render(name, context=CONTEXT, delivery=CommentDelivery(), **facts):  # noqa: B008  # an immutable value
    return summary_comment.render(ALL[name], context, delivery, **facts)


def since(counts, head="fffffff"):
    return Ledger(Since(head + "0" * 33, counts))


def test_verdict_news_notices_then_findings_then_the_rest():
    context = CONTEXT._replace(notices=("This change edits `x.yml`.",), problems=("One comment is missing.",))
    text = render(
        "mixed",
        context,
        CommentDelivery(held=(WithheldFindings(3, "a reason"),), ledger=since(Counts(2, 3, 4, 1), "fedcba9")),
    )
    order = [
        "## Review Bot: changes required",
        "**1 error, 3 warnings**, 186 hints. 4 files, ",
        "Since `fedcba9`: 2 new, 3 fixed, 4 still open, 1 suppressed.",
        "\n\nOne comment is missing.\n\n",
        "Note: This change edits `x.yml`.",
        "### Errors (must fix)",
        "### Warnings (should fix)",
        "<summary>186 hints, by rule</summary>",
        "<summary>Set aside: ",
        "<summary>About this review</summary>",
        "- Head: `abc123400000`. Rules: 40, digest `dddddddddddd`.",
        "`review-bot review --pr octo/engine#19`",
        "3 findings without a comment: a reason.",
    ]
    assert sorted(order, key=text.index) == order


def test_what_has_a_comment_of_its_own_is_one_line():
    review = review_of([RUN_PY], Examination(findings=(CONSTANT, SWALLOWED)))
    text = summary_comment.render(review, CONTEXT, CommentDelivery(commented=frozenset({CONSTANT})))
    assert "- **Condition that is always true.** [`engine/run.py:14`](" in text
    assert CONSTANT.instead not in text
    assert "- **Exception swallowed.** This handler silently discards every exception.<br>\n" in text


def test_what_is_told_elsewhere_is_named_once_for_each_rule():
    other = CONSTANT._replace(line=20, end_line=20, message="Another condition.", fingerprint="0" * 16 + "-" + "0" * 8)
    review = review_of([RUN_PY], Examination(findings=(CONSTANT, other)))
    delivery = CommentDelivery(commented=frozenset({CONSTANT, other}))
    assert summary_comment.render(review, CONTEXT, delivery).count("- **Condition that is always true.**") == 1
    assert summary_comment.render(review, CONTEXT, CommentDelivery()).count("- **Condition that is always true.**") == 2


def test_places_lead_to_the_lines_of_the_diff():
    assert f"]({DIFF}" in render("mixed")
    assert DIFF not in render("mixed", CONTEXT._replace(number=None))


def test_an_incomplete_review_says_what_to_do():
    text = render("incomplete")
    assert "\n\nThe check fails because the review is incomplete. Fix the files listed" in text
    assert "add them to `unreviewed-ok` in `.github/review-bot.yml` on the base branch" in text
    assert "re-run the check" in text
    assert "2 not checked in this run." in render(
        "incomplete", delivery=CommentDelivery(ledger=since(Counts(unseen=2)))
    )


def test_nothing_new():
    assert "Since `fffffff`: no changes." in render("clean", delivery=CommentDelivery(ledger=since(Counts())))


def test_an_empty_change_keeps_its_notices():
    text = render("empty", CONTEXT._replace(notices=("See `x`.",)))
    assert text.startswith("## Review Bot: nothing to review\n\nNothing to review: ")
    assert text.endswith("\n\nNote: See `x`.\n")


def test_the_policy_names_its_commit_once():
    review = ALL["incomplete"]
    told = review._replace(policy=review.policy._replace(sha="e" * 40))
    assert "Policy: .github/review-bot.yml at `eeeeeeeeeeee`;" in summary_comment.render(
        told, CONTEXT, CommentDelivery()
    )
    named = told._replace(policy=told.policy._replace(source="x.yml at eeeeeeeeeeee"))
    assert "Policy: x.yml at `eeeeeeeeeeee`;" in summary_comment.render(named, CONTEXT, CommentDelivery())


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("job", [False, True])
def test_the_text_holds_only_what_the_template_allows(name, job):
    context = CONTEXT._replace(notices=(EVIL,), problems=(EVIL,))
    delivery = CommentDelivery(held=(WithheldFindings(1, EVIL),))
    text = summary_comment.job_summary(ALL[name], context) if job else render(name, context, delivery, label="second")
    tokens, words, addresses = read(text)
    assert inline_html(tokens) <= OWN_HTML
    assert not [token for token in tokens if token.type in {"image", "code_block", "hr", "blockquote_open"}]
    assert {token.info for token in tokens if token.type == "fence"} <= {"sh"}
    assert {token.tag for token in tokens if token.type == "heading_open"} <= {"h2", "h3"}
    assert all(
        address.startswith((PAGES, SCORECARD_PAGE, "https://example.org/", DIFF, PULLS)) for address in addresses
    )
    assert not [word for word in words if BARE_LINKS.search(word)]


def crowd(number) -> tuple[Finding, ...]:
    long = "x/" * 100
    return tuple(
        finding(
            f"f{each}/{EVIL[:120]}",
            path=f"{long}{each}.py",
            severity=severity,
            message=f"{each} {EVIL * 3}",
            line=each + 1,
        )
        for each in range(number)
        for severity in ("error", "warning", "info")
    )


@pytest.mark.parametrize("room", [60_000, 40_000, 15_000])
def test_it_fits_whatever_there_is_to_tell(room):
    failures = tuple(Failure(f"r{number}", "x/" * 100, EVIL) for number in range(80))
    review = review_of([RUN_PY], Examination(findings=crowd(100), failures=failures))
    context = CONTEXT._replace(notices=(EVIL,) * 30)
    text = summary_comment.render(review, context, CommentDelivery(), room=room)
    assert len(text.encode()) <= room
    assert text.endswith("</details>\n")


def test_the_job_summary_tells_all_that_fits():
    review = review_of([RUN_PY], Examination(findings=crowd(60)))
    text = summary_comment.job_summary(review, CONTEXT)
    assert not re.search(r"\n- and \d+ more|and \d+ more ·", text)
    big = summary_comment.job_summary(review_of([RUN_PY], Examination(findings=crowd(2_000))), CONTEXT)
    assert len(big.encode()) <= 900_000
    assert " more" in big
