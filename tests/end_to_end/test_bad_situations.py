"""What the Action does in each situation of the first table of ``docs/when-it-fails.md``, word for word.

Each test names its row; the last test holds the rows against the tests, so that no row is without one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fake_github.faults import Fault
from fake_github.world import ACTIONS_BOT
from review_bot.comments import marker
from tests.action import BAD_LINE, DOUBTFUL

PAGE = Path(__file__).parents[2] / "docs/when-it-fails.md"
BAD = {"halcyon/run.py": BAD_LINE}
FINE = {"halcyon/fine.py": '"""All is well here."""\n'}
ADVICE = "`permissions: contents: read, pull-requests: write`."
CONFIG = ".github/review-bot.yml"

TOO_LARGE = "larger than 50,000,000 bytes"

TRIED: list[tuple[str, str]] = []

Test = Callable[..., None]


def situation(row: str, exit_cell: str) -> Callable[[Test], Test]:
    """Say which row of the table a test shows, and what the table says of its exit code."""

    def note(test: Test) -> Test:
        TRIED.append((row, exit_cell))
        return test

    return note


def sentence(result: Any) -> str:
    """Return what a run that could not review says; the same sentence stands in log and job summary."""
    found = re.fullmatch(
        r"::error title=Review incomplete::Review Bot could not complete this review(.*)\n", result.log
    )
    assert found, result.log
    assert result.summary.startswith("## Review Bot: review incomplete\n\nReview Bot could not complete this review")
    assert (result.outputs["verdict"], result.outputs["passed"]) == ("incomplete", "false")
    return found[1].strip(": ")


def silent(pr: Any) -> bool:
    return not pr.review_comments and not pr.comments


def inline(pr: Any) -> list[tuple[str, int | None]]:
    return [(each.path, each.line) for each in pr.review_comments]


def summary(pr: Any) -> str:
    """Return the one summary comment, without what keeps addresses and names from becoming links."""
    [comment] = pr.comments
    return str(comment.body).replace("\u200b", "")


# ------------------------------------------------------------------------------------------------- the token


@situation("No token", "3, E-TOKEN")
def test_no_token(action):
    result = action.run(action.open(BAD), token="")
    assert result.code == 3
    assert sentence(result) == (
        "(E-TOKEN): there is no token; remove the input github-token to use the job's own token, or set "
        f"it. The job needs {ADVICE}"
    )
    assert not action.github.requests


@situation("Wrong or expired token", "3, E-TOKEN")
def test_wrong_token(action):
    result = action.run(action.open(BAD), token="ghs_expired")
    assert result.code == 3
    assert re.fullmatch(
        r"\(E-TOKEN\): (GET|POST) \S+: GitHub answered 401 \(Bad credentials\); the token is wrong, expired or "
        rf"revoked\. The job needs {re.escape(ADVICE)}",
        sentence(result),
    )
    asked = [(each.method, each.path, each.operation) for each in action.github.requests]
    assert len(asked) == len(set(asked)), "tried again"


@situation("The token can read but not write (forks under `pull_request`, Dependabot)", "0 or 1 by the findings")
@pytest.mark.parametrize(("change", "code"), [(BAD, 1), (FINE, 0), ({"halcyon/steps.py": DOUBTFUL}, 0)])
def test_a_token_that_may_only_read(action, change, code):
    pr = action.open(change)
    result = action.run(pr, token=action.github.token(read_only=True))
    assert (result.code, silent(pr)) == (code, True)
    told = "Review Bot could not comment, which needs `pull-requests: write` (E-PERMISSION)"
    assert f"::warning title=Review Bot::{told}: " in result.log
    assert f"\n\n{told}: " in result.summary
    assert "The full report is on this page." in result.summary
    assert result.report()["verdict"]["passed"] is (code == 0)
    for each in result.report()["findings"]:
        if each["severity"] in {"error", "warning"}:
            assert each["message"].replace("`", "") in result.summary.replace("`", "").replace("\u200b", "")
            assert f"::{each['severity']} file={each['path']},line={each['line']}" in result.log


@situation("The token cannot read the repository", "3, E-PERMISSION or E-GONE")
@pytest.mark.parametrize(
    ("permissions", "everywhere", "code"),
    [
        ({"contents": "read"}, True, "E-PERMISSION"),
        ({"pull_requests": "write"}, True, "E-PERMISSION"),
        (None, False, "E-GONE"),
    ],
)
def test_a_token_that_may_not_read(action, permissions, everywhere, code):
    pr = action.open(BAD)
    action.repository.record.private = True
    token = action.github.token(permissions=permissions, repositories=None if everywhere else [])
    result = action.run(pr, token=token)
    assert result.code == 3
    said = sentence(result)
    assert said.startswith(f"({code}): ")
    assert said.endswith(f". Give the job {ADVICE}")
    assert ".." not in said
    assert silent(pr)


# ------------------------------------------------------------------------------------------------- the event


@situation("An event that names no pull request", "2")
def test_an_event_that_names_no_pull_request(action):
    result = action.run(None, event="push", payload={"ref": "refs/heads/main"})
    assert result.code == 2
    assert sentence(result) == (
        "the event 'push' does not name the pull request to review; set the input pr-number, or run on pull_request, "
        "pull_request_target or merge_group."
    )
    assert not action.github.requests


@situation("An invalid input", "2")
def test_an_input_that_is_not_understood(action):
    result = action.run(action.open(BAD), inputs={"fail-on": "errors"})
    assert result.code == 2
    assert sentence(result) == "input fail-on: 'errors' is not one of error, warning, info, hint, never."


# ------------------------------------------------------------------------------------------------- the pull request


@situation("The pull request is closed", "3, E-SUPERSEDED")
def test_closed(action):
    pr = action.open(BAD)
    pr.close()
    result = action.run(pr)
    assert (result.code, silent(pr), result.outputs["passed"]) == (3, True, "false")
    assert sentence(result) == "(E-SUPERSEDED): pull request 1 is closed; reopen it to have it reviewed."
    pr.reopen()
    assert action.run(pr, "reopened").code == 1


@situation("The pull request is merged", "0")
def test_merged(action):
    pr = action.open(BAD)
    pr.merge()
    result = action.run(pr)
    assert (result.code, silent(pr)) == (0, True)
    assert result.log == "Nothing to review: pull request 1 is merged.\n"
    assert (result.outputs["verdict"], result.outputs["passed"]) == ("", "true")


@situation("The pull request is merged into a branch that is not the default branch", "3, E-SUPERSEDED")
def test_merged_elsewhere(action):
    action.repository.set_branch("next", action.repository.tip("main"))
    pr = action.open(BAD, base="next")
    pr.merge()
    result = action.run(pr)
    assert (result.code, silent(pr)) == (3, True)
    assert "(E-SUPERSEDED): pull request 1 is merged into `next`" in sentence(result)


def test_a_deleted_branch_closes(action):
    pr = action.open(BAD)
    pr.delete_head_branch()
    assert action.run(pr).code == 3


@situation("It is closed during the run", "3, E-SUPERSEDED")
@pytest.mark.parametrize(("end", "state"), [("close", "closed"), ("merge", "merged")])
def test_closed_during_the_run(action, end, state):
    pr = action.open(BAD)
    action.github.before(("GET", "/git/trees/*"), getattr(pr, end))
    result = action.run(pr)
    assert (result.code, silent(pr)) == (3, True)
    assert sentence(result) == (
        f"(E-SUPERSEDED): the pull request was {state} during this run; nothing more was posted."
    )


@pytest.mark.parametrize("inputs", [{"comments": "off"}, {}, {"summary": "with-findings"}])
@pytest.mark.parametrize("end", ["close", "merge", "retarget", "push"])
def test_a_run_that_has_nothing_to_say_is_as_red(action, end, inputs):
    action.token = action.github.token(permissions={"contents": "read", "pull_requests": "write", "statuses": "write"})
    action.repository.set_branch("release", action.repository.tip("main"))
    pr, inputs = action.open(FINE), {**inputs, "status": "true"}
    assert action.run(pr, inputs=inputs).code == 0
    said, head = len(pr.comments), pr.head_sha
    given: dict[str, list[Any]] = {"retarget": ["release"], "push": [BAD]}
    action.github.before(("GET", "/git/trees/*"), lambda: getattr(pr, end)(*given.get(end, [])))
    assert (action.run(pr, inputs=inputs).code, len(pr.comments)) == (3, said)
    assert action.repository.statuses(head)[-1].state == "error"


@situation("A draft", "by the findings")
def test_a_draft(action):
    loud, quiet = action.open(BAD, draft=True), action.open({"halcyon/again.py": BAD_LINE}, draft=True)
    assert action.run(loud).code == 1
    assert inline(loud) == [("halcyon/run.py", 1)]
    wanted = {"drafts": "quiet", "request-changes": "true", "labels": "true"}
    held = action.run(quiet, inputs=wanted)
    assert (held.code, inline(quiet), quiet.reviews, quiet.record.labels) == (1, [], [], [])
    assert "1 finding without a comment: comments are posted when the draft is ready for review." in summary(quiet)
    quiet.ready_for_review()
    assert action.run(quiet, "ready_for_review", inputs=wanted).code == 1
    assert inline(quiet) == [("halcyon/again.py", 1)]
    assert [each.state for each in quiet.reviews] == ["CHANGES_REQUESTED"]
    assert quiet.record.labels == ["review-bot: changes-required"]
    assert "this is a draft" not in summary(quiet)


@situation("The head has moved since the event, or moves during the run", "3, E-SUPERSEDED")
def test_the_head_moves(action):
    pr = action.open(BAD)
    old, payload = pr.head_sha, action.repository.event(pr, "synchronize")
    pr.push(FINE)
    result = action.run(pr, payload=payload)
    assert result.code == 3
    assert sentence(result) == (
        f"(E-SUPERSEDED): the head of octo/halcyon#1 has moved from `{old[:12]}` to `{pr.head_sha[:12]}`; the review of "
        "the new head decides."
    )
    before = pr.head_sha
    action.github.before(("GET", "/git/trees/*"), lambda: pr.push({"halcyon/more.py": '"""More."""\n'}))
    result = action.run(pr)
    assert (result.code, silent(pr)) == (3, True)
    assert sentence(result) == (
        f"(E-SUPERSEDED): the pull request has moved on from `{before[:12]}` to `{pr.head_sha[:12]}` during this "
        "run; nothing more was posted, and the run for the newer commit decides."
    )


@situation("The base branch is changed during the run", "3, E-SUPERSEDED")
def test_the_base_changes(action):
    action.repository.set_branch("release", action.repository.tip("main"))
    pr = action.open(BAD)
    action.github.before(("GET", "/git/trees/*"), lambda: pr.retarget("release"))
    result = action.run(pr)
    assert (result.code, silent(pr)) == (3, True)
    assert sentence(result) == (
        "(E-SUPERSEDED): the base of the pull request was changed from main to release during this run; "
        "nothing more was posted; run the review again."
    )


@situation("The fork of the head is deleted", "by the findings")
def test_a_deleted_fork(action):
    pr = action.open(BAD, head_repository=action.repository.fork("eve"), author="eve")
    pr.delete_head_repository()
    assert action.run(pr).code == 1
    assert inline(pr) == [("halcyon/run.py", 1)]


@situation("The conversation is locked, or the repository archived", "0 or 1 by the findings")
@pytest.mark.parametrize(("change", "code"), [(BAD, 1), ({"halcyon/steps.py": DOUBTFUL}, 0)])
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("lock", "Unable to create comment because issue is locked."),
        ("archive", "Repository was archived so is read-only."),
    ],
)
def test_locked_or_archived(action, change, code, how, reason):
    pr = action.open(change)
    (pr.lock if how == "lock" else action.repository.archive)()
    result = action.run(pr)
    assert (result.code, silent(pr)) == (code, True)
    assert f"GitHub answered 403 ({reason})" in result.log
    assert "\n\nReview Bot could not comment" in result.summary


# ------------------------------------------------------------------------------------------------- the configuration


@situation("No configuration on the default branch", "by the findings")
def test_no_configuration(action):
    pr = action.open(BAD)
    assert action.run(pr).code == 1
    assert f"Policy: built-in (no {CONFIG}) at `{pr.base_sha[:12]}`; fail-on: error." in summary(pr)


@situation("A broken configuration on the default branch", "2")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "fail-on: errors\n",
            f"{CONFIG}:1: fail-on: must be one of error, warning, info, hint, never, not text ('errors'); did you mean",
        ),
        (
            "fail-on: errors\nmax-comments: 101\n",
            f"did you mean 'error'? {CONFIG}:2: max-comments: must be 100 or less. It is read",
        ),
        ("\nfail-in: error\n", f"{CONFIG}:2: fail-in: "),
        ("rules: [\n", f"{CONFIG}:"),
    ],
)
def test_a_broken_configuration(action, text, said):
    action.repository.commit({CONFIG: text})
    pr = action.open(BAD)
    result = action.run(pr)
    assert (result.code, silent(pr)) == (2, True)
    assert said in sentence(result)


@situation("The change edits or deletes the configuration", "by the findings")
@pytest.mark.parametrize(("new", "verb"), [("fail-on: error\n", "edits"), (None, "edits")])
def test_a_change_of_the_configuration(action, new, verb):
    action.repository.commit({CONFIG: "fail-on: never\n"})
    pr = action.open({**BAD, CONFIG: new})
    assert action.run(pr).code == 0, "the base says that nothing fails"
    assert (
        f"Note: This change {verb} `{CONFIG}`. That takes effect after the merge; this review used the version on `main`."
        in (summary(pr))
    )


# ------------------------------------------------------------------------------------------------- large changes


@situation("More than 3,000 files", "3, or by `on-incomplete` and `unreviewed-ok`")
def test_more_files_than_github_lists(action):
    pr = action.open({f"data/{number:04}.txt": f"{number}\n" for number in range(3001)})
    result = action.run(pr)
    assert result.code == 3
    said = "GitHub lists at most 3,000 files of a pull request; split it"
    assert result.report()["unreviewed"] == [{"path": "data/3000.txt", "reason": said, "allowed": False}]
    assert f"- `data/3000.txt`: {said}" in summary(pr)
    assert len(action.github.requests) < 60


@situation("A file whose diff GitHub does not show", "by the findings")
def test_a_diff_that_is_not_shown(action):
    action.github.limits.patch_lines = 10
    pr = action.open({"halcyon/long.py": BAD_LINE + "value = 1\n" * 20, **BAD})
    result = action.run(pr)
    assert (result.code, inline(pr)) == (1, [("halcyon/run.py", 1)])
    assert "`halcyon.outputs`" in summary(pr)
    assert "halcyon/long.py:1" in summary(pr)
    assert not result.report()["unreviewed"]


@situation("A file larger than 50,000,000 bytes", "3, or by `on-incomplete` and `unreviewed-ok`")
def test_a_file_that_is_too_large(action):
    big = {"data/rows.csv": b"1,2\n" * 12_500_001}
    pr = action.open(big)
    result = action.run(pr)
    assert result.code == 3
    assert result.report()["unreviewed"] == [{"path": "data/rows.csv", "reason": TOO_LARGE, "allowed": False}]
    assert "- `data/rows.csv`: larger than 50,000,000 bytes" in summary(pr)
    assert not [each for each in action.github.requests if "/git/blobs/" in each.path], "fetched"
    assert action.run(pr, inputs={"on-incomplete": "warn"}).code == 0
    allowed = "unreviewed-ok:\n  - {path: 'data/*.csv', reason: generated, max-bytes: 60000000}\n"
    action.repository.commit({CONFIG: allowed})
    assert action.run(action.open(big)).code == 0


@situation("A diff of 300 MB", "as above")
def test_a_diff_that_is_very_large(action):
    """Here a small one that GitHub shows as little of; the true size takes a minute, and was run by hand."""
    action.github.limits.response_lines = 100
    rows = "".join(f"value_{number} = {number}\n" for number in range(90))
    pr = action.open({f"halcyon/part_{number}.py": rows + BAD_LINE for number in range(5)})
    result = action.run(pr)
    assert result.code == 1
    assert not result.report()["unreviewed"]
    errors = [each for each in result.report()["findings"] if each["severity"] == "error"]
    found = {place["path"] for each in errors for place in (each, *each["related"])}
    assert found == {f"halcyon/part_{number}.py" for number in range(5)}
    said = summary(pr) + "".join(comment.body for comment in pr.review_comments)
    assert all(path in said for path in found)


# ------------------------------------------------------------------------------------------------- our comments


@situation("GitHub refuses an inline comment", "by the findings")
def test_a_refused_comment(action):
    pr = action.open(BAD)

    def shrink() -> None:
        action.github.limits.patch_lines = 0

    action.github.before(("POST", "/pulls/*/reviews"), shrink)
    result = action.run(pr)
    assert (result.code, inline(pr)) == (1, [])
    text = summary(pr)
    assert "`halcyon.outputs`" in text
    assert "1 finding without a comment: GitHub rejects it (Pull request review thread path diff too large" in text


@situation(
    "A [coverage report](coverage-reports.md) is missing, broken, too large, or of other files", "by the findings"
)
@pytest.mark.parametrize(("files", "code"), [(BAD, 1), (FINE, 0)])
def test_a_coverage_report_that_is_missing(action, files, code):
    pr = action.open(files)
    assert action.run(pr, inputs={"coverage": "nowhere.xml"}).code == code
    assert "`nowhere.xml`" in pr.comments[0].body


@situation("CODEOWNERS at the base has broken lines", "by the findings")
def test_codeowners_with_broken_lines(action):
    action.repository.commit({".github/CODEOWNERS": "*.py @grace\n[ab].py @ada\n"})
    pr = action.open(FINE)
    assert action.run(pr).code == 0
    body = pr.comments[0].body.replace("\u200b", "")
    assert "line 2" in body
    assert "`@grace`" in body


@situation("A comment of ours was deleted", "by the findings")
def test_a_deleted_comment(action):
    pr = action.open(BAD)
    action.run(pr)
    first, told = pr.review_comments[0], summary(pr)
    pr.delete_comment(first.id)
    assert action.run(pr).code == 1
    assert [each.body for each in pr.review_comments] == [first.body]
    written = len(action.github.requests)
    assert action.run(pr).code == 1
    assert {each.operation for each in action.github.requests[written:] if each.method != "GET"} <= {
        "Overview",
        "Blobs",
        "OpenPullRequests",
    }
    pr.delete_comment(pr.comments[0].id)
    assert action.run(pr).code == 1
    assert len(pr.review_comments) == 1
    assert summary(pr) == told


@situation("A comment of ours was edited", "by the findings")
def test_an_edited_comment(action):
    pr = action.open(BAD)
    action.run(pr)
    before = [each.body for each in (*pr.review_comments, *pr.comments)]
    for each in (*pr.review_comments, *pr.comments):
        pr.edit_comment(each.id, f"I do not agree.\n\n{each.body}")
    assert action.run(pr).code == 1
    assert [each.body for each in (*pr.review_comments, *pr.comments)] == before


@situation("The push history in the summary was edited or lost", "by the findings")
@pytest.mark.parametrize("now", ["", "<!-- review-bot:ledger {} -->", "<!-- review-bot:ledger [1, -->"])
def test_a_broken_memory(action, now):
    pr = action.open(BAD)
    action.run(pr)
    [told] = pr.comments
    pr.edit_comment(told.id, re.sub(r"<!-- review-bot:ledger .* -->", lambda _: now, told.body))
    pr.push(FINE)
    assert action.run(pr).code == 1
    assert "Since `" not in pr.comments[0].body
    pr.push({"halcyon/run.py": None})
    assert action.run(pr).code == 0
    assert ": 1 fixed." in pr.comments[0].body


@situation("The reply to `/review-bot decline` was deleted", "by the findings")
def test_a_deleted_answer(action):
    action.repository.collaborator("grace")
    pr = action.open(BAD)
    action.run(pr)
    [comment] = pr.review_comments
    name = comment.body.rsplit(" ", 2)[1]
    said = pr.comment_as("grace", f"/review-bot decline {name} it is generated")
    action.run(None, event="issue_comment", payload=action.repository.issue_comment_event(said))
    assert action.run(pr).code == 1
    assert "### Errors (must fix)" not in pr.comments[0].body
    del action.repository.record.issue_comments[pr.comments[-1].id]
    assert action.run(pr).code == 1
    assert "### Errors (must fix)" in pr.comments[0].body
    assert [each.minimized for each in pr.review_comments] == ["resolved"]


@situation("The token cannot read other checks", "by the findings")
def test_checks_that_may_not_be_read(action):
    pr = action.open(BAD)
    action.repository.record.private = True
    assert action.run(pr).code == 1
    before = pr.comments[0].body
    action.repository.check_run(pr.head_sha, "unit tests", "failure", run=5)
    assert action.run(pr).code == 1
    assert pr.comments[0].body == before


@situation("Other open pull requests cannot be read", "by the findings")
def test_other_pull_requests_that_cannot_be_read(action):
    pr = action.open(BAD)
    action.github.faults.add(Fault(("GRAPHQL", "OpenPullRequests"), "502_html", None))
    result = action.run(pr)
    assert result.code == 1
    assert [each.operation for each in action.github.requests].count("OpenPullRequests") == 2
    assert "Other open pull requests could not be read (E-GITHUB)." in summary(pr).replace("\\", "")


@situation("Someone else's comment contains our marker", "by the findings")
def test_somebody_elses_comment_with_our_mark(action):
    pr = action.open(BAD)
    action.run(pr)
    ours = [each.body for each in (*pr.review_comments, *pr.comments)]
    fresh = action.open({"halcyon/again.py": BAD_LINE})
    fresh.comment_as("mallory", ours[1])
    fresh.review_as("mallory", [{"path": "halcyon/again.py", "line": 1, "body": ours[0]}])
    fresh.comment_as(ACTIONS_BOT, marker.write("another-bot", "summary"))
    theirs = [each.body for each in (*fresh.review_comments, *fresh.comments)]
    assert action.run(fresh).code == 1
    assert [each.body for each in (*fresh.review_comments, *fresh.comments) if each.body in theirs] == theirs
    assert [each.author for each in fresh.review_comments] == ["mallory", ACTIONS_BOT]
    assert [each.author for each in fresh.comments] == ["mallory", ACTIONS_BOT, ACTIONS_BOT]


# ------------------------------------------------------------------------------------------------- the table


def test_every_row_of_the_table_is_tried():
    table = PAGE.read_text().split("## Situations on GitHub")[1].split("## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if "|" in line]
    assert [(row[0], row[2]) for row in cells[2:]] == TRIED
