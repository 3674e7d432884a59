"""Each of GitHub's refusals, with its words."""

from __future__ import annotations

import httpx
import pytest

from tests.fake_github.conftest import BASE, client


def review(api, pr, *comments, event="COMMENT", body="One line."):
    wanted = {"commit_id": pr.head_sha, "event": event, "body": body, "comments": list(comments)}
    return api.post("/pulls/1/reviews", json=wanted)


def at(line, path="a.py", **more):
    return {"path": path, "line": line, "side": "RIGHT", "body": "Look.", **more}


HUNK = " and Pull request review thread diff hunk can't be blank"


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        (at(20), "Pull request review thread line must be part of the diff" + HUNK),
        (at(999), "Pull request review thread line must be part of the diff" + HUNK),
        (at(2, "other.py"), "Pull request review thread path is invalid" + HUNK),
        (at(0), "Pull request review thread line required and an integer greater than zero" + HUNK),
        (at("2"), "Pull request review thread line required and an integer greater than zero" + HUNK),
        (at(2, start_line=2), "Pull request review thread start line must precede the end line."),
        (at(3, start_line=4), "Pull request review thread start line must precede the end line."),
        (at(30, start_line=2), "Pull request review thread start line must be part of the same hunk as the line."),
    ],
)
def test_one_bad_comment_refuses_the_whole_review(api, pr, comment, words):
    got = review(api, pr, at(2), comment)
    assert got.status_code == 422
    assert (got.json()["message"], got.json()["errors"]) == ("Unprocessable Entity", [words])
    assert (pr.reviews, pr.review_comments) == ([], [])


def test_a_good_review_is_200_and_all_is_there(api, pr):
    good = [
        at(2),
        at(3, start_line=1),
        {**at(2), "side": "LEFT"},
        at(31),
        at(1, "n.py"),
        {**at(1, "gone.py"), "side": "LEFT"},
    ]
    got = review(api, pr, *good)
    assert (got.status_code, got.json()["state"]) == (200, "COMMENTED")
    rows = api.get("/pulls/1/comments").json()
    assert [(row["path"], row["line"], row["side"]) for row in rows] == [
        ("a.py", 2, "RIGHT"),
        ("a.py", 3, "RIGHT"),
        ("a.py", 2, "LEFT"),
        ("a.py", 31, "RIGHT"),
        ("n.py", 1, "RIGHT"),
        ("gone.py", 1, "LEFT"),
    ]
    assert rows[0]["position"] == 3
    assert rows[0]["diff_hunk"].endswith("-line 2\n+line two")
    assert (rows[1]["start_line"], rows[1]["start_side"]) == (1, "RIGHT")
    assert {row["user"]["login"] for row in rows} == {"github-actions[bot]"}
    assert {row["pull_request_review_id"] for row in rows} == {got.json()["id"]}


def test_a_file_whose_diff_is_too_large_takes_no_line(api, pr, github):
    github.limits.patch_lines = 10
    words = "Pull request review thread path diff too large" + HUNK
    assert review(api, pr, at(2)).json()["errors"] == [words]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"event": "LGTM"}, "LGTM is not a member of"),
        ({"comments": [{"line": 2, "body": "x"}]}, '"path" wasn\'t supplied.'),
        ({"comments": [{"line": 2, "path": "a.py"}]}, '"body" wasn\'t supplied.'),
        ({"comments": [at(2, subject_type="file")]}, '"subject_type" is not a permitted key.'),
    ],
)
def test_requests_that_the_description_does_not_allow(api, pr, change, words):
    got = api.post("/pulls/1/reviews", json={"commit_id": pr.head_sha, "event": "COMMENT", "body": "x"} | change)
    assert got.status_code == 422
    assert words in got.json()["message"]


def test_texts_have_a_limit(api, pr):
    most = "x" * 65_536
    assert review(api, pr, body=most).status_code == 200
    got = review(api, pr, body=most + "x")
    assert (got.status_code, got.json()["errors"]) == (422, ["Body is too long (maximum is 65536 characters)"])
    got = api.post("/issues/1/comments", json={"body": most + "x"})
    assert (got.status_code, got.json()["errors"][0]["resource"]) == (422, "IssueComment")
    assert got.json()["errors"][0]["code"] == "unprocessable"


def test_who_may_approve(github, api, repo, pr):
    words = "GitHub Actions is not permitted to approve pull requests."
    assert review(api, pr, event="APPROVE").json()["errors"] == [words]
    with client(github, github.token("ada")) as ada:
        assert review(ada, pr, event="APPROVE").json()["errors"] == ["Can not approve your own pull request"]
    assert review(api, pr, event="REQUEST_CHANGES").json()["state"] == "CHANGES_REQUESTED"


def test_a_commit_of_another_change_is_refused(api, repo, pr):
    foreign = repo.commit({"x": "x\n"}, "foreign")
    got = api.post("/pulls/1/reviews", json={"commit_id": foreign, "event": "COMMENT", "body": "x"})
    assert (got.status_code, got.json()["errors"]) == (422, ["The commitOID is not part of the pull request"])


def test_single_comments_have_errors_that_are_objects(api, pr):
    wanted = {"commit_id": pr.head_sha, "path": "a.py", "line": 20, "side": "RIGHT", "body": "x"}
    got = api.post("/pulls/1/comments", json=wanted)
    assert (got.status_code, got.json()["message"]) == (422, "Validation Failed")
    first, second = got.json()["errors"]
    assert first["message"] == "pull_request_review_thread.line must be part of the diff"
    assert second["code"] == "missing_field"


def test_a_comment_on_a_file(api, pr):
    wanted = {"commit_id": pr.head_sha, "path": "gone.py", "subject_type": "file", "body": "Why?"}
    got = api.post("/pulls/1/comments", json=wanted)
    assert (got.status_code, got.json()["subject_type"]) == (201, "file")


def test_edit_delete_and_reply(github, api, repo, pr):
    review(api, pr, at(2))
    mine = pr.review_comments[0]
    assert api.patch(f"/pulls/comments/{mine.id}", json={"body": "Other."}).json()["body"] == "Other."
    reply = pr.reply_as("grace", mine.id, "No.")
    assert api.get("/pulls/1/comments").json()[1]["in_reply_to_id"] == mine.id
    assert api.post(f"/pulls/1/comments/{reply.id}/replies", json={"body": "x"}).status_code == 404
    with client(github, github.token("mallory")) as mallory:
        assert mallory.patch(f"/pulls/comments/{mine.id}", json={"body": "Mine."}).status_code == 403
    assert api.delete(f"/pulls/comments/{reply.id}").status_code == 204  # an app may: so the bot itself must take care
    assert api.delete(f"/pulls/comments/{mine.id}").status_code == 204
    assert api.delete(f"/pulls/comments/{mine.id}").status_code == 404
    assert pr.threads == []


def test_issue_comments(github, api, pr):
    made = api.post("/issues/1/comments", json={"body": "Summary."})
    assert (made.status_code, made.json()["user"]["type"]) == (201, "Bot")
    address = f"/issues/comments/{made.json()['id']}"
    assert api.patch(address, json={"body": "Better."}).json()["body"] == "Better."
    github.delete_account("github-actions[bot]")
    assert api.get("/issues/1/comments").json()[0]["user"] is None
    assert api.delete(address).status_code == 204
    assert api.get("/issues/1/comments").json() == []


def test_dismissals_and_pending_reviews(api, pr):
    standing = review(api, pr, event="REQUEST_CHANGES").json()["id"]
    path = f"/pulls/1/reviews/{standing}/dismissals"
    assert api.put(path, json={"message": "Fixed.", "event": "DISMISS"}).json()["state"] == "DISMISSED"
    assert api.put(path, json={"message": "Again.", "event": "DISMISS"}).status_code == 422
    pending = api.post("/pulls/1/reviews", json={"comments": [at(2)]}).json()
    assert pending["state"] == "PENDING"
    assert "submitted_at" not in pending
    assert api.get("/pulls/1/comments").json() == []
    assert api.post("/pulls/1/reviews", json={"comments": []}).status_code == 422
    assert api.delete(f"/pulls/1/reviews/{pending['id']}").status_code == 200
    assert api.delete(f"/pulls/1/reviews/{standing}").status_code == 422


def test_statuses(github, api, repo, pr):
    path = f"/statuses/{pr.head_sha}"
    assert api.post(path, json={"state": "success", "context": "Gate", "description": "x" * 140}).status_code == 201
    got = api.post(path, json={"state": "success", "description": "x" * 141})
    assert got.json()["errors"][0]["message"] == "description is too long (maximum is 140 characters)"
    assert api.post(path, json={"state": "green"}).status_code == 422
    assert api.post("/statuses/" + "0" * 40, json={"state": "success"}).status_code == 422
    assert api.get(f"/commits/{pr.head_sha}/status").json()["state"] == "success"
    with client(github, github.token()) as poor:
        got = poor.post(path, json={"state": "success"})
        assert (got.status_code, got.json()["message"]) == (403, "Resource not accessible by integration")
    assert [one.context for one in repo.statuses(pr.head_sha)] == ["Gate"]


def test_tokens(github, api, repo, pr):
    with client(github, "ghs_wrong") as wrong:
        assert (wrong.get("/pulls/1").status_code, wrong.get("/pulls/1").json()["message"]) == (401, "Bad credentials")
    assert httpx.get(f"{github.url}/repos/octo/halcyon/pulls/1", trust_env=False).status_code == 200
    with client(github, github.token(read_only=True)) as fork:
        assert fork.get("/pulls/1").status_code == 200
        for got in (review(fork, pr), fork.post("/issues/1/comments", json={"body": "x"})):
            assert (got.status_code, got.json()["message"]) == (403, "Resource not accessible by integration")
    assert api.get(f"{github.url}/user").status_code == 403
    assert pr.reviews == []


def test_private_repositories_are_not_there_for_others(github, repo):
    closed = github.repository("octo/closed", private=True)
    closed.commit({"a": "a\n"})
    mine = github.token(repositories=[repo])
    for token, permissions, status in ((mine, None, 404), (None, {}, 403), (None, {"contents": "read"}, 200)):
        with client(github, token or github.token(permissions=permissions), root="/repos/octo/closed") as api:
            assert api.get("/contents/a").status_code == status


def test_locked_and_archived(github, api, repo, pr):
    pr.lock()
    got = api.post("/issues/1/comments", json={"body": "x"})
    assert (got.status_code, got.json()["message"]) == (403, "Unable to create comment because issue is locked.")
    assert review(api, pr).status_code == 403
    repo.collaborator("grace", "write")
    with client(github, github.token("grace")) as grace:
        assert grace.post("/issues/1/comments", json={"body": "x"}).status_code == 201
    pr.record.locked = False
    repo.archive()
    assert "archived" in review(api, pr).json()["message"]


def test_people_and_runs(github, api, repo, pr):
    repo.collaborator("grace", "maintain")
    github.hosting.world.user("eve")
    assert api.get("/collaborators/grace/permission").json()["permission"] == "write"
    assert api.get("/collaborators/eve/permission").json()["permission"] == "read"
    assert api.get("/collaborators/nobody/permission").status_code == 404
    run = repo.workflow_run(pr.head_sha)
    repo.workflow_run(pr.base_sha)
    found = api.get(f"/actions/runs?head_sha={pr.head_sha}").json()
    assert [one["id"] for one in found["workflow_runs"]] == [run.id]
    assert api.post(f"/actions/runs/{run.id}/rerun").status_code == 403
    with client(github, github.token(permissions={"actions": "write"})) as strong:
        assert strong.post(f"/actions/runs/{run.id}/rerun").status_code == 201
        assert strong.post(f"/actions/runs/{run.id}/rerun").status_code == 403
    assert run.attempt == 2


def test_the_hour_has_an_end(github, pr):
    github.limits.requests_an_hour = 3
    moments = [1000.0]
    github.clock = lambda: moments[0]
    with client(github, github.token()) as api:
        left = [api.get("/pulls/1").headers["x-ratelimit-remaining"] for _ in range(3)]
        over = api.get("/pulls/1")
        assert left == ["2", "1", "0"]
        assert (over.status_code, over.headers["x-ratelimit-remaining"], over.headers["x-ratelimit-reset"]) == (
            403,
            "0",
            "4600",
        )
        assert "rate limit exceeded" in over.json()["message"]
        moments[0] = 4601.0
        assert api.get("/pulls/1").status_code == 200


def test_content_creation_has_a_limit_a_minute(github, api, pr):
    github.limits.content_creation = 2
    codes = [api.post("/issues/1/comments", json={"body": "x"}) for _ in range(3)]
    assert [got.status_code for got in codes] == [201, 201, 403]
    assert codes[2].headers["retry-after"] == "60"
    assert "secondary rate limit" in codes[2].json()["message"]


def test_a_force_push_takes_the_old_commit_out(github, api, pr):
    old = pr.head_sha
    pr.approve_as("grace")
    pr.force_push({"n.py": "other\n"})
    got = api.post("/pulls/1/reviews", json={"commit_id": old, "event": "COMMENT", "body": "x"})
    assert got.json()["errors"] == ["The commitOID is not part of the pull request"]
    assert pr.reviews[0].commit_id == old


def test_approvals_follow_a_force_push_that_leaves_the_patch_as_it_was(github, pr, repo):
    old = pr.head_sha
    pr.approve_as("grace")
    pr.review_as("eve", body="Hm.")
    repo.commit({"later.py": "later\n"})
    pr.rebase()
    assert [one.commit_id for one in pr.reviews] == [pr.head_sha, old]
    pr.push({"n.py": "more\n"})
    assert pr.reviews[0].commit_id != pr.head_sha
    github.hosting.approvals_follow = "any force push"
    pr.approve_as("eve")
    pr.force_push({"n.py": "third\n"})
    assert pr.reviews[-1].commit_id == pr.head_sha


class TestCommentsFollowTheHead:
    def comment(self, api, pr, line=2, **more):
        assert review(api, pr, at(line, **more)).status_code == 200
        return pr.review_comments[-1]

    def test_a_line_that_moved_takes_its_comment_along(self, api, pr):
        comment, first = self.comment(api, pr), pr.head_sha
        text = BASE.replace("line 2\n", "line two\n")
        pr.push({"a.py": "a new first line\n" + text})
        assert (comment.line, comment.original_line, comment.original_commit_id) == (3, 2, first)
        assert comment.commit_id == pr.head_sha

    def test_a_line_that_changed_leaves_its_comment_outdated(self, api, pr):
        comment = self.comment(api, pr)
        pr.push({"a.py": BASE.replace("line 2\n", "line TWO\n")})
        row = api.get("/pulls/1/comments").json()[0]
        assert (row["line"], row["position"], row["original_line"]) == (None, None, 2)
        assert comment.outdated

    def test_a_line_that_left_the_diff_leaves_it_outdated_and_coming_back_heals(self, api, pr):
        comment, first = self.comment(api, pr, 31), pr.head_sha
        pr.push({"a.py": BASE})
        assert comment.line is None
        pr.force_push(sha=first)
        assert comment.line == 31

    def test_old_lines_and_several_lines(self, api, pr):
        left = self.comment(api, pr, side="LEFT")
        several = self.comment(api, pr, 3, start_line=1)
        pr.push({"n.py": "other\n"})
        assert (left.line, several.start_line, several.line) == (2, 1, 3)
        text = BASE.replace("line 2\n", "line two\n").replace("line 1\n", "line one\n", 1)
        pr.push({"a.py": text})
        assert (left.line, several.line) == (2, None)

    def test_answers_go_with_the_first_and_rebase_keeps(self, api, pr, repo):
        comment = self.comment(api, pr)
        reply = pr.reply_as("grace", comment.id, "Why?")
        repo.commit({"a.py": "zero\n" + BASE})
        pr.rebase()
        assert (comment.line, reply.line) == (3, 3)
        assert api.get(f"/compare/main...{pr.head_sha}").json()["status"] == "ahead"

    def test_a_review_of_an_older_commit_is_placed_at_the_head(self, api, pr):
        old = pr.head_sha
        pr.push({"a.py": BASE.replace("line 2\n", "line TWO\n")})
        wanted = {"commit_id": old, "event": "COMMENT", "body": "x", "comments": [at(31)]}
        assert api.post("/pulls/1/reviews", json=wanted).status_code == 200
        assert (pr.review_comments[0].line, pr.review_comments[0].original_line) == (None, 31)
