"""CI, conversations and approvals in the criteria of the summary: lines that follow GitHub, and no part of a verdict."""

from __future__ import annotations

import pytest

from tests.action import BAD_LINE, DOUBTFUL

FINE = {"halcyon/fine.py": '"""All is well here."""\n'}
BAD = {"halcyon/run.py": BAD_LINE}


def lines(pr):
    """Return the criteria of the summary."""
    [body] = [each.body for each in pr.comments if "review-bot:1 review-bot summary" in each.body]
    section = body.partition("<summary>Merge criteria: ")[2].partition("</details>")[0]
    return [line for line in section.split("\n") if line.startswith("- ")]


def said(pr, words):
    return [line for line in lines(pr) if words in line]


@pytest.mark.parametrize("files", [FINE, BAD])
@pytest.mark.parametrize(
    ("conclusion", "line"),
    [
        ("success", "- [x] All other checks passed (as GitHub reported them for this commit)"),
        ("failure", "- [ ] All other checks passed (unit tests)"),
        (None, "- [ ] All other checks passed (still running)"),
    ],
)
def test_other_checks_are_a_line_and_no_part_of_the_verdict(action, files, conclusion, line):
    pr = action.open(files)
    code = action.run(pr).code
    assert said(pr, "checks pass") == []
    action.repository.check_run(pr.head_sha, "unit tests", conclusion, run=5)
    action.repository.check_run(pr.head_sha, "review-bot", None, run=1)
    assert action.run(pr).code == code
    assert said(pr, "checks pass") == [line]
    seen = len(action.github.requests)
    assert action.run(pr).code == code
    assert not [each for each in action.github.requests[seen:] if each.method != "GET" and not each.operation]


def test_our_own_status_is_not_waited_for(action):
    action.token = action.github.token(permissions={"contents": "read", "pull-requests": "write", "statuses": "write"})
    pr = action.open(BAD)
    assert action.run(pr, inputs={"status": "true"}).code == 1
    assert action.run(pr, inputs={"status": "true"}).code == 1
    assert said(pr, "checks pass") == []


def test_conversations_of_others_are_counted_until_they_are_resolved(action):
    pr = action.open({"halcyon/run.py": DOUBTFUL})
    action.run(pr)
    assert said(pr, "conversation") == [
        "- [x] All other conversations resolved (GitHub lists no other open conversation)"
    ], "that of our comment is not counted"
    pr.review_as("grace", [{"path": "halcyon/run.py", "line": 1, "body": "Why?"}], body="One.")
    assert action.run(pr).code == 0
    assert said(pr, "conversation") == ["- [ ] All other conversations resolved (1 open)"]
    pr.resolve_thread(pr.review_comments[-1].thread)
    assert action.run(pr).code == 0
    assert said(pr, "conversation") == [
        "- [x] All other conversations resolved (GitHub lists no other open conversation)"
    ]


def test_a_private_repository_whose_checks_the_token_may_not_read(action):
    pr = action.open(BAD)
    action.repository.record.private = True
    action.repository.check_run(pr.head_sha, "unit tests", "success", run=5)
    assert action.run(pr).code == 1
    assert said(pr, "checks pass") == []
    assert said(pr, "conversation") == [
        "- [x] All other conversations resolved (GitHub lists no other open conversation)"
    ]


def test_the_name_of_a_check_is_text(action):
    pr = action.open(FINE)
    action.repository.check_run(
        pr.head_sha, "<b>@grace</b> [x](https://example.org) <!-- review-bot:tick a -->", "failure"
    )
    action.run(pr)
    [line] = said(pr, "checks pass")
    assert "<b>" not in line
    assert "<!--" not in line
    assert "@grace" not in line
