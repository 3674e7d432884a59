"""One situation each: what stands in the pull request, what the review says now, what is written."""

import time

import pytest

from review_bot.changes.pull_request import Unreviewed
from review_bot.comments.model import Context, PostedReview, Posting, PublicationSettings
from review_bot.findings import Examination, Failure, NotRun, Suggestion, Suppressed
from review_bot.publishing.plan import plan
from review_bot.reports import comments
from tests.pull_request_page import Page
from tests.reviews import CONSTANT, RUN_PY, changed, finding, review_of

HEAD = "abc1234" + "0" * 33
CONTEXT = Context("octo/engine", 19, HEAD)
LATER = CONTEXT._replace(head="def5678" + "0" * 33)
PLAIN = PublicationSettings()
LONG = changed("engine/long.py", "@@ -0,0 +1,80 @@\n" + "+x\n" * 80, old_path=None, status="added")


def mark(number, **facts):
    facts = {"path": "engine/long.py", "line": number, "end_line": number} | facts
    return finding(**{"fingerprint": f"{number:016x}-{0:08x}"} | facts)


def seen(*findings, files=(RUN_PY, LONG), **facts):
    return review_of(files, Examination(findings=findings, **facts))


def posted(*reviews, settings=PLAIN, context=CONTEXT):
    """Return the page after some reviews in a row."""
    page = Page()
    for review in reviews:
        page.carry_out(plan(review, page.posted(), settings, context))
    return page


def only(page, kind="inline"):
    (found,) = [each for each in page.comments.values() if each.kind == kind]
    return found


def test_nothing_found_still_says_that_a_review_took_place():
    page = posted(seen())
    assert [each.kind for each in page.comments.values()] == ["summary"]
    assert only(page, "summary").body.startswith("## Review Bot: no findings\n\n**No findings.** 2 files")


def test_an_empty_change_is_one_sentence():
    assert "Nothing to review: the change against" in only(posted(review_of([], Examination())), "summary").body


@pytest.mark.parametrize(("number", "expected"), [(1, 1), (3, 3), (4, 1), (30, 1)])
def test_more_than_three_of_a_rule_in_a_file_share_one_comment(number, expected):
    written = plan(seen(*(mark(n) for n in range(1, number + 1))), Page().posted(), PLAIN, CONTEXT)
    assert len(written.new) == expected
    assert sum(len(new.fingerprints) for new in written.new) == number


def test_light_findings_nits_and_moved_lines_have_no_comment():
    review = seen(mark(1, severity="info"), mark(2, severity="hint"), mark(3, moved=True), mark(4, placement="summary"))
    assert plan(review, Page().posted(), PLAIN, CONTEXT).new == ()
    written = plan(review, Page().posted(), PLAIN._replace(posting=Posting(comment_on="info")), CONTEXT)
    assert [new.line for new in written.new] == [1]


def test_a_line_that_the_diff_does_not_show_has_no_comment_and_is_told_in_the_summary():
    page = posted(seen(finding(line=200, end_line=200), files=(RUN_PY, LONG._replace(shown=False))))
    assert "This handler silently discards every exception." in only(page, "summary").body
    assert plan(seen(mark(3), files=(LONG._replace(shown=False),)), Page().posted(), PLAIN, CONTEXT).new == ()


def test_the_gravest_come_first_and_the_rest_is_counted():
    review = seen(*(mark(n, rule=f"r/{n}", severity="error" if n > 8 else "warning") for n in range(1, 11)))
    page = posted(review, review, settings=PLAIN._replace(posting=Posting(max_comments=3)))
    assert sorted(each.line for each in page.comments.values() if each.line) == [1, 9, 10]
    said = "7 findings without a comment: `max-comments` is 3, most severe first."
    assert said in only(page, "summary").body


def test_a_new_error_is_not_kept_out_by_warnings_that_came_before():
    before = [mark(n, rule=f"r/{n}") for n in range(1, 4)]
    page = posted(seen(*before), settings=PLAIN._replace(posting=Posting(max_comments=3)))
    written = plan(
        seen(*before, mark(9, severity="error")), page.posted(), PLAIN._replace(posting=Posting(max_comments=3)), LATER
    )
    assert [new.line for new in written.new] == [9]


def test_a_draft_and_other_modes_get_no_new_comments():
    page = posted(seen(mark(1)), settings=PLAIN._replace(quiet=True))
    assert "1 finding without a comment: comments are posted when the draft" in only(page, "summary").body
    assert [
        each.kind
        for each in posted(
            seen(mark(1)), settings=PLAIN._replace(posting=Posting(comments="summary"))
        ).comments.values()
    ] == ["summary"]
    assert posted(seen(mark(1)), settings=PLAIN._replace(posting=Posting(comments="off"))).comments == {}


@pytest.mark.parametrize("settings", [PLAIN._replace(quiet=True), PLAIN._replace(posting=Posting(comments="off"))])
def test_what_stands_is_kept_up_to_date_in_every_mode(settings):
    page = posted(seen(mark(1)))
    page.carry_out(plan(seen(), page.posted(), settings, LATER))
    assert only(page).body.startswith("Fixed in `def5678`.")
    assert only(page, "summary").body.startswith("## Review Bot: no findings")


def test_a_finding_that_moves_is_not_said_again():
    page = posted(seen(mark(1)))
    written = plan(seen(mark(1, line=40, end_line=40)), page.posted(), PLAIN, LATER)
    assert (written.new, [edit.kind for edit in written.edits]) == ((), ["summary"])


def test_fixed_is_said_once_with_the_commit_and_nothing_to_click():
    page = posted(seen(CONSTANT))
    assert "```suggestion" in only(page).body
    page.carry_out(plan(seen(), page.posted(), PLAIN, LATER))
    text = only(page).body
    assert text.startswith("Fixed in `def5678`.\n\n<details>\n<summary>Original comment</summary>\n\n**Warning: ")
    assert "```suggestion" not in text
    assert "review-bot: ignore" not in text
    newer = CONTEXT._replace(head="9" * 40)
    assert [edit.kind for edit in plan(seen(), page.posted(), PLAIN, newer).edits] == ["summary"]


def test_what_comes_back_has_its_old_text_again():
    page = posted(seen(mark(1)))
    before = only(page).body
    page.carry_out(plan(seen(), page.posted(), PLAIN, LATER))
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, LATER))
    assert only(page).body == before


@pytest.mark.parametrize(
    "facts",
    [
        {"unreviewed": (Unreviewed("engine/long.py", "too large"),)},
        {"failures": (Failure("errors/swallowed-exception", "engine/long.py", "boom"),)},
        {"failures": (Failure("errors/swallowed-exception", None, "boom"),)},
        {"not_run": (NotRun("errors/swallowed-exception", "needs the tree"),)},
    ],
)
def test_nothing_is_closed_where_nobody_looked(facts):
    page = posted(seen(mark(1)))
    written = plan(seen(**facts), page.posted(), PLAIN, LATER)
    assert [edit.kind for edit in written.edits] == ["summary"]


def test_other_gaps_close_nothing_less():
    page = posted(seen(mark(1)))
    gaps = {"unreviewed": (Unreviewed("engine/run.py", "?"),), "not_run": (NotRun("style/other", "?"),)}
    written = plan(seen(**gaps), page.posted(), PLAIN, LATER)
    assert [edit.kind for edit in written.edits] == ["inline", "summary"]


def test_suppressed_says_why_and_reopens():
    page = posted(seen(mark(1)))
    silenced = seen(suppressed=(Suppressed(mark(1), "comment", "see #12", 1),))
    page.carry_out(plan(silenced, page.posted(), PLAIN, LATER))
    text = only(page).body
    assert text.startswith("Suppressed in the code: see \\#\u200b12\n\n<details>")
    assert plan(silenced, page.posted(), PLAIN, LATER).empty
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, LATER))
    assert only(page).body.startswith("**Warning: ")


def test_no_longer_checked():
    page = posted(seen(mark(1)))
    ignored = plan(seen(ignored=("engine/long.py",)), page.posted(), PLAIN, LATER)
    assert ignored.edits[0].body.startswith("No longer checked: the configuration ignores this file.")
    off = plan(seen(), page.posted(), PLAIN, LATER._replace(rules=frozenset({"style/other"})))
    assert off.edits[0].body.startswith("No longer checked: this rule is disabled.")


def test_findings_about_suppressions_are_never_switched_off_nor_silenced():
    page = posted(seen(mark(1, rule="suppression/unused")))
    assert "ignore[" not in only(page).body
    written = plan(seen(), page.posted(), PLAIN, LATER._replace(rules=frozenset()))
    assert written.edits[0].body.startswith("Fixed in")


def test_ten_thousand_findings_in_one_file_are_planned_in_time():
    file = changed("a.py", "@@ -0,0 +1,10000 @@\n" + "+x\n" * 10_000, old_path=None, status="added")
    many = [
        mark(n, path="a.py", rule=f"r/{n % 997}", severity="error" if n == 9999 else "warning")
        for n in range(1, 10_001)
    ]
    review = seen(*many, files=(file,))
    page = Page()
    began = time.process_time()
    page.carry_out(plan(review, page.posted(), PLAIN, CONTEXT))
    assert plan(review, page.posted(), PLAIN, CONTEXT).empty
    assert time.process_time() - began < 5
    assert len([each for each in page.comments.values() if each.kind == "inline"]) == 30
    assert 9999 in {each.line for each in page.comments.values()}
    assert "1 error, 9999 warnings" in only(page, "summary").body


def test_new_hits_join_the_list_of_their_rule_and_file():
    page = posted(seen(*(mark(n) for n in range(1, 6))))
    written = plan(seen(*(mark(n) for n in range(2, 9))), page.posted(), PLAIN, LATER)
    assert written.new == ()
    assert "7 times in this file" in written.edits[0].body
    page.carry_out(written)
    assert len(only(page).fingerprints) == 7


def test_a_list_speaks_of_300_at_most_and_takes_another_in_where_one_is_fixed():
    file = changed("a.py", "@@ -0,0 +1,1000 @@\n" + "+x\n" * 1000, old_path=None, status="added")
    review = seen(*(mark(n, path="a.py") for n in range(1, 1001)), files=(file,))
    page = posted(review)
    assert len(only(page).fingerprints) == 300
    assert len(only(page).body) < 65_536
    assert "at least 300 times in this file" in only(page).body
    assert "700 findings without a comment: a comment lists at most 300 findings." in only(page, "summary").body
    assert plan(review, page.posted(), PLAIN, CONTEXT).empty
    page.carry_out(
        plan(seen(*(mark(n, path="a.py") for n in range(2, 1001)), files=(file,)), page.posted(), PLAIN, LATER)
    )
    assert len(only(page).fingerprints) == 300


def test_long_messages_leave_a_comment_postable():
    messages = [f"{n} " + "\u202e" * 990 for n in range(60)]
    page = posted(seen(*(mark(n + 1, message=message) for n, message in enumerate(messages))))
    assert len(only(page).body.encode()) < 65_536
    assert "and 55 more" in only(page).body


def test_an_edit_by_somebody_is_undone_but_not_what_github_does_to_blanks():
    page = posted(seen(mark(1)))
    before = only(page)
    page.change(before.id, body=before.body.replace("\n", "  \r\n"))
    assert plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT).empty
    page.change(before.id, body="All good!\n" + before.body)
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT))
    assert only(page).body == before.body


def test_of_copies_the_oldest_stays_or_the_one_where_somebody_replied():
    page = posted(seen(mark(1)))
    first = only(page)
    copy = page.add("inline", first.body, path=first.path, line=first.line)
    page.add("summary", only(page, "summary").body)
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT))
    assert copy not in page.comments
    assert first.id in page.comments

    answered = [page.add("inline", first.body, path=first.path, line=first.line, replied=True) for _ in range(2)]
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT))
    assert [each.id for each in page.comments.values() if each.kind == "inline"] == answered
    assert [each.kind for each in page.comments.values()].count("summary") == 1
    assert plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT).empty


def test_a_comment_that_somebody_deleted_is_posted_once_more():
    page = posted(seen(mark(1)))
    del page.comments[only(page).id]
    page.carry_out(plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT))
    assert only(page).line == 1
    assert plan(seen(mark(1)), page.posted(), PLAIN, CONTEXT).empty


def test_a_file_that_the_change_adds_keeps_its_comments_through_a_rename():
    page = posted(seen(mark(1)))
    renamed = LONG._replace(path="engine/better.py")
    there = mark(1, path="engine/better.py", fingerprint=f"{1:016x}-ffffffff")
    written = plan(seen(there, files=(renamed,)), page.posted(), PLAIN, LATER)
    assert written.new == ()
    page.carry_out(written)
    assert only(page).fingerprints == (there.fingerprint,)
    assert "Since `abc1234`: 1 still open." in only(page, "summary").body


def test_the_same_statement_in_another_file_is_another_finding():
    page = posted(seen(mark(1)))
    there = mark(1, path="engine/run.py", line=12, end_line=12)._replace(fingerprint=f"{1:016x}-ffffffff")
    written = plan(seen(there), page.posted(), PLAIN, LATER)
    assert [new.path for new in written.new] == ["engine/run.py"]
    assert written.edits[0].body.startswith("Fixed in")


def test_threads_of_fixed_comments_are_resolved_if_wanted_and_nobody_replied():
    page = posted(seen(mark(1), mark(2)))
    first, second = [each.id for each in page.comments.values() if each.kind == "inline"]
    page.change(first, thread="T-first")
    page.change(second, thread="T-second", replied=True)
    assert plan(seen(), page.posted(), PLAIN, LATER).resolve == ()
    wanted = PLAIN._replace(resolve_threads=True)
    written = plan(seen(), page.posted(), wanted, LATER)
    assert written.resolve == ("T-first",)
    page.carry_out(written)
    assert plan(seen(), page.posted(), wanted, LATER).empty


def test_the_thread_of_a_finding_that_is_back_is_reopened():
    wanted = PLAIN._replace(resolve_threads=True)
    page = posted(seen(mark(1), mark(2)))
    first, second = [each.id for each in page.comments.values() if each.kind == "inline"]
    page.change(first, thread="T-first")
    page.change(second, thread="T-second")
    page.carry_out(plan(seen(mark(2)), page.posted(), wanted, LATER))
    page.change(second, resolved=True)  # by a person, who knows of the finding
    written = plan(seen(mark(1), mark(2)), page.posted(), wanted, LATER)
    assert written.reopen == ("T-first",)
    assert plan(seen(mark(1), mark(2)), page.posted(), PLAIN, LATER).reopen == ()
    page.carry_out(written)
    assert plan(seen(mark(1), mark(2)), page.posted(), wanted, LATER).empty


def test_changes_are_requested_once_and_withdrawn():
    wanted = PLAIN._replace(request_changes=True)
    grave = seen(mark(1, severity="error"))
    page = posted(grave, grave, settings=wanted)
    assert len(page.requests) == 1
    cut = seen(unreviewed=(Unreviewed("engine/long.py", "?"),))
    assert plan(cut, page.posted(), wanted, LATER).withdraw == ()
    page.requests[99] = PostedReview(99)
    assert plan(grave, page.posted(), wanted, CONTEXT).withdraw == (99,)
    page.carry_out(plan(seen(), page.posted(), wanted, LATER))
    assert page.requests == {}
    first = plan(grave, Page().posted(), wanted, CONTEXT)
    line, marker_line = first.review_body.split("\n")
    assert line == "1 new comment, changes required; see the summary comment for the full review."
    assert marker_line == "<!-- review-bot:1 review-bot summary -->"
    assert plan(grave, posted(grave).posted(), wanted, CONTEXT).review_body.startswith("Changes required; ")


def test_a_quiet_draft_keeps_the_request_that_it_has_and_gets_no_other():
    wanted = PLAIN._replace(request_changes=True)
    grave = seen(mark(1, severity="error"))
    asked = posted(grave, settings=wanted).posted()
    draft = wanted._replace(quiet=True)
    first = plan(grave, Page().posted(), draft, CONTEXT)
    assert (first.request_changes, first.new, first.review_body) == (False, (), "")
    assert first.summary is not None
    assert plan(grave, asked, draft, CONTEXT).withdraw == ()
    assert plan(seen(), asked, draft, LATER).withdraw == tuple(each.id for each in asked.requests)


def test_what_could_not_be_posted_stands_in_the_summary_with_the_reason():
    context = CONTEXT._replace(withheld={(mark(1).fingerprint,): "GitHub refused the line"})
    page = posted(seen(mark(1)), context=context)
    text = only(page, "summary").body
    assert "1 finding without a comment: GitHub refused the line." in text
    assert "This handler silently discards every exception." in text


def test_a_finding_about_a_file_and_one_on_a_deleted_line():
    whole = mark(1, placement="file", line=None, end_line=None)
    deleted = finding(line=10, end_line=10, side="LEFT", fingerprint="f" * 16 + "-" + "0" * 8)
    written = plan(seen(whole, deleted), Page().posted(), PLAIN, CONTEXT)
    assert [(new.path, new.line, new.side) for new in written.new] == [
        ("engine/long.py", None, "RIGHT"),
        ("engine/run.py", 10, "LEFT"),
    ]
    assert written.review_body.startswith("2 new comments;")


def test_a_suggestion_stays_only_where_the_comment_stands_on_its_lines():
    page = posted(seen(CONSTANT))
    assert (only(page).start_line, only(page).line) == (14, 15)
    page.change(only(page).id, line=20, start_line=19)
    written = plan(seen(CONSTANT), page.posted(), PLAIN, CONTEXT)
    assert [edit.kind for edit in written.edits] == ["inline"]
    assert "```suggestion" not in written.edits[0].body
    page.change(only(page).id, line=None, start_line=None)
    assert plan(seen(CONSTANT), page.posted(), PLAIN, CONTEXT).empty


def test_what_changed_since_the_last_push():
    silenced = (Suppressed(mark(4), "comment", "known", 4),)
    page = posted(seen(*(mark(n, rule=f"r/{n}") for n in range(1, 5))))
    later = seen(mark(2, rule="r/2"), mark(7, rule="r/7"), suppressed=silenced)
    for _ in range(2):
        page.carry_out(plan(later, page.posted(), PLAIN, LATER))
        assert "Since `abc1234`: 1 new, 2 fixed, 1 still open, 1 suppressed." in only(page, "summary").body
    last = CONTEXT._replace(head="9" * 40)
    page.carry_out(plan(later, page.posted(), PLAIN, last))
    assert "Since `def5678`: 2 still open." in only(page, "summary").body


def test_too_much_to_remember_is_not_compared():
    many = [mark(1, line=n % 80 + 1)._replace(fingerprint=f"{n:016x}-{0:08x}") for n in range(2000)]
    page = posted(seen(*many))
    page.carry_out(plan(seen(*many[1:]), page.posted(), PLAIN, LATER))
    text = only(page, "summary").body
    assert "Since" not in text
    assert len(text.encode()) <= 60_000
    assert plan(seen(*many[1:]), page.posted(), PLAIN, LATER).empty


def test_another_name_marks_other_comments_and_says_so():
    settings = PLAIN._replace(name="second")
    written = plan(seen(mark(1)), Page().posted(), settings, CONTEXT)
    assert "<!-- review-bot:1 second inline " in written.new[0].body
    assert (written.summary or "").startswith("## Review Bot (second): comments")


def test_twins_with_one_fingerprint_make_one_comment():
    twins = seen(mark(1), mark(1, line=2))
    page = posted(twins)
    assert only(page).line == 1
    assert plan(twins, page.posted(), PLAIN, CONTEXT).empty


def test_a_comment_without_its_hidden_lines_is_mended():
    page = posted(seen(mark(1, suggestion=Suggestion(1, 1, "y"))))
    found = only(page)
    marker_line = found.body.split("\n")[-1]
    page.change(found.id, body=f"gone\n{marker_line}")
    page.carry_out(plan(seen(mark(1, suggestion=Suggestion(1, 1, "y"))), page.posted(), PLAIN, CONTEXT))
    assert only(page).body == found.body
    page.change(found.id, body=f"gone\n{marker_line}")
    page.carry_out(plan(seen(), page.posted(), PLAIN, LATER))
    assert comments.settled(only(page).body) == "fixed"
