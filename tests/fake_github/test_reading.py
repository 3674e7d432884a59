"""What the fake GitHub says about a change is what git says, in the shape and within the limits of GitHub."""

from __future__ import annotations

import base64
import io
import subprocess
import tarfile

import httpx
import pytest

from fake_github.git_store import Executable, Link, Submodule
from fake_github.server import FakeGitHub


def test_a_pull_request_and_its_files(api, pr):
    got = api.get("/pulls/1").json()
    assert (got["number"], got["head"]["sha"], got["base"]["sha"]) == (1, pr.head_sha, pr.base_sha)
    assert (got["changed_files"], got["additions"], got["deletions"]) == (3, 4, 3)
    files = {row["filename"]: row for row in api.get("/pulls/1/files").json()}
    assert {name: row["status"] for name, row in files.items()} == {
        "a.py": "modified",
        "gone.py": "removed",
        "n.py": "added",
    }
    assert files["a.py"]["patch"].startswith("@@ -1,5 +1,5 @@\n line 1\n-line 2\n+line two\n line 3")
    assert not files["a.py"]["patch"].endswith("\n")


def test_names_modes_and_renames_of_every_kind(api, repo, github):
    body = "".join(f"row {number}\n" for number in range(30))
    repo.commit({"old name.py": body, "run.sh": "echo\n", "link": "text\n"}, "main")
    changes = {
        "old name.py": None,
        'new b/né w\t"q".py': body + "one more\n",
        "run.sh": Executable("echo\n"),
        "link": Link("a.py"),
        "sub": Submodule("1" * 40),
        "raw.bin": b"\0\1\2",
        "empty": "",
        "latin.txt": b"caf\xe9\n",
    }
    sha = repo.commit(changes, "nasty")
    repo.open_pull_request("nasty")
    files = {row["filename"]: row for row in api.get("/pulls/1/files").json()}
    moved = files['new b/né w\t"q".py']
    assert (moved["status"], moved["previous_filename"], moved["additions"]) == ("renamed", "old name.py", 1)
    assert files["run.sh"]["changes"] == 0
    assert "patch" not in files["run.sh"]
    assert "patch" not in files["raw.bin"]
    assert "patch" not in files["empty"]
    assert files["sub"]["patch"] == f"@@ -0,0 +1 @@\n+Subproject commit {'1' * 40}"
    assert files["link"]["status"] == "changed"
    assert files["latin.txt"]["patch"] == "@@ -0,0 +1 @@\n+caf\ufffd"
    tree = {row["path"]: row for row in api.get(f"/git/trees/{sha}?recursive=1").json()["tree"]}
    assert (tree["run.sh"]["mode"], tree["link"]["mode"], tree["sub"]["type"]) == ("100755", "120000", "commit")
    assert (tree["d"]["type"], tree["d/b.py"]["type"]) == ("tree", "blob")


def test_the_bare_repository_is_one_that_git_accepts(repo, pr):
    git = ["git", "-C", str(repo.git)]
    assert b"error" not in subprocess.run([*git, "fsck", "--strict"], capture_output=True, check=True).stderr
    listed = subprocess.run([*git, "rev-parse", "feature", "refs/pull/1/head"], capture_output=True, check=True).stdout
    assert listed.decode().split() == [pr.head_sha] * 2


def test_pages_are_followed_by_numeric_links(api, repo, github):
    repo.commit({f"f{number:03}.py": "x\n" for number in range(250)}, "many")
    repo.open_pull_request("many")
    assert len(api.get("/pulls/1/files").json()) == 30
    names, address, pages = [], f"{github.url}/repos/octo/halcyon/pulls/1/files?per_page=100", 0
    while address:
        got = api.get(address)
        names += [row["filename"] for row in got.json()]
        address, pages = got.links.get("next", {}).get("url"), pages + 1
        assert address is None or f"/repositories/{repo.id}/pulls/1/files?" in address
    assert (len(names), len(set(names)), pages) == (250, 250, 3)
    assert len(api.get("/pulls/1/files?per_page=1000").json()) == 100


def test_no_link_header_when_all_fits(api, pr):
    assert "link" not in api.get("/pulls/1/files").headers


def test_a_file_that_is_too_large_has_counts_and_no_patch(api, repo, pr, github):
    github.limits.patch_lines = 10
    row = next(row for row in api.get("/pulls/1/files").json() if row["filename"] == "a.py")
    assert row["changes"] == 5
    assert "patch" not in row


def test_after_so_many_patch_lines_later_files_look_unchanged(api, repo, github):
    repo.commit({"a0.py": "x\n" * 19_990, "b.py": "evil()\n" * 30, "c.py": "c\n"}, "filler")
    repo.open_pull_request("filler")
    rows = {row["filename"]: row for row in api.get("/pulls/1/files").json()}
    assert "patch" in rows["a0.py"]
    assert ("patch" in rows["b.py"], rows["b.py"]["changes"]) == (False, 0)
    assert [row["changes"] for row in api.get("/pulls/1/files?per_page=1&page=2").json()] == [30]


def test_no_more_files_are_listed_than_github_lists(api, repo, pr, github):
    github.limits.files = 2
    assert len(api.get("/pulls/1/files").json()) == 2
    assert api.get("/pulls/1").json()["changed_files"] == 3


def test_the_diff_media_type_and_its_406(api, pr, github):
    accept = {"Accept": "application/vnd.github.diff"}
    assert "\n+line two\n" in api.get("/pulls/1", headers=accept).text
    github.limits.diff_files = 2
    got = api.get("/pulls/1", headers=accept)
    assert got.status_code == 406
    assert got.json()["message"].startswith("Sorry, the diff exceeded the maximum number of files (2).")
    assert got.json()["errors"] == [{"resource": "PullRequest", "field": "diff", "code": "too_large"}]
    github.limits.diff_files, github.limits.diff_lines = 300, 5
    assert "maximum number of lines (5)" in api.get("/pulls/1", headers=accept).json()["message"]


def test_compare_finds_the_merge_base_and_files_only_on_page_one(api, repo, pr):
    start = pr.base_sha
    tip = repo.commit({"later.py": "later\n"})
    got = api.get(f"/compare/{tip}...{pr.head_sha}").json()
    assert (got["merge_base_commit"]["sha"], got["status"]) == (start, "diverged")
    assert (got["ahead_by"], got["behind_by"], len(got["files"])) == (1, 1, 3)
    second = api.get(f"/compare/{tip}...{pr.head_sha}?per_page=1&page=2").json()
    assert (second["files"], second["merge_base_commit"]["sha"]) == ([], start)


def test_compare_lists_at_most_250_commits_without_paging(api, repo, github, pr):
    github.limits.compare_commits = 2
    for number in range(3):
        pr.push({"n.py": f"{number}\n"})
    got = api.get(f"/compare/main...{pr.head_sha}").json()
    assert (got["total_commits"], len(got["commits"])) == (4, 2)


def test_histories_without_a_common_commit(api, repo, pr):
    other = repo.commit({"x": "x\n"}, "alone", parents=())
    assert api.get(f"/compare/main...{other}").status_code == 404


def test_a_tree_past_the_limit_is_truncated(api, repo, github, pr):
    github.limits.tree_entries = 2
    got = api.get(f"/git/trees/{pr.head_sha}?recursive=1").json()
    assert (got["truncated"], len(got["tree"])) == (True, 2)
    github.limits.tree_entries, github.limits.tree_bytes = 100, 600
    assert api.get(f"/git/trees/{pr.head_sha}?recursive=1").json()["truncated"]


def test_blobs_are_base64_in_lines(api, repo, pr):
    data = bytes(range(256))
    repo.commit({"raw": data}, "bytes")
    sha = api.get("/contents/raw?ref=bytes").json()["sha"]
    got = api.get(f"/git/blobs/{sha}").json()
    assert "\n" in got["content"]
    assert (base64.b64decode(got["content"]), got["size"], got["encoding"]) == (data, 256, "base64")
    assert api.get("/git/blobs/" + "0" * 40).status_code == 404


def test_contents_of_files_folders_and_links(api, repo):
    repo.commit({"l": Link("a.py"), "s": Submodule("2" * 40), "big": "x" * 1_000_001})
    assert base64.b64decode(api.get("/contents/d/b.py").json()["content"]) == b"b\n"
    assert [row["name"] for row in api.get("/contents/d").json()] == ["b.py"]
    assert api.get("/contents/l").json()["type"] == "symlink"
    assert api.get("/contents/s").json()["type"] == "submodule"
    assert api.get("/contents/big").json()["encoding"] == "none"
    assert api.get("/contents/no.py").status_code == 404
    assert api.get("/contents/d/b.py", headers={"Accept": "application/vnd.github.raw"}).content == b"b\n"


@pytest.mark.parametrize("private", [False, True])
def test_the_tarball_comes_from_another_host(github: FakeGitHub, private):
    repo = github.repository("octo/closed", private=private)
    repo.commit({"a.py": "a\n", "secret.txt": "s\n", ".gitattributes": "secret.txt export-ignore\n"})
    headers = {"Authorization": f"Bearer {github.token()}"}
    got = httpx.get(f"{github.url}/repos/octo/closed/tarball/main", headers=headers, trust_env=False)
    assert (got.status_code, got.content) == (302, b"")
    assert got.headers["location"].startswith(github.archive_url)
    answer = httpx.get(got.headers["location"], trust_env=False)
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as archive:
        names = [name.split("/", 1)[-1] for name in archive.getnames()]
    assert sorted(name for name in names if "." in name) == [".gitattributes", "a.py"]
    sent = [exchange.headers.get("authorization") for exchange in github.requests]
    assert sent == ["Bearer <redacted>", None]
    bare = got.headers["location"].partition("?")[0]
    assert httpx.get(bare, trust_env=False).status_code == (404 if private else 200)


def test_fork_renamed_and_deleted(github, api, repo):
    fork = repo.fork("mallory")
    sha = fork.commit({"evil.py": "x\n"}, "patch-1")
    pr = repo.open_pull_request("patch-1", author="mallory", head_repository=fork)
    assert api.get("/pulls/1").json()["head"]["repo"]["full_name"] == "mallory/halcyon"
    pr.delete_head_repository()
    assert api.get("/pulls/1").json()["head"]["repo"] is None
    assert api.get(f"/git/trees/{sha}").status_code == 200
    repo.rename("octo/kingfisher")
    moved = api.get("/pulls/1")
    assert (moved.status_code, moved.headers["location"]) == (301, f"{github.url}/repositories/{repo.id}/pulls/1")
    assert api.get(moved.headers["location"]).json()["base"]["repo"]["full_name"] == "octo/kingfisher"


def test_events_have_what_an_action_reads(github, repo, pr):
    before, after = pr.head_sha, pr.push({"n.py": "newer\n"})
    event = repo.event(pr, "synchronize")
    assert (event["before"], event["after"], event["pull_request"]["number"]) == (before, after, 1)
    assert isinstance(event["repository"]["id"], int)
    head = repo.merge_group(pr)
    group = repo.merge_group_event(head)["merge_group"]
    assert group["head_ref"] == f"refs/heads/gh-readonly-queue/main/pr-1-{repo.tip('main')}"
    assert (group["base_sha"], group["base_ref"]) == (repo.tip("main"), "refs/heads/main")
    comment = pr.comment_as("grace", "/review-bot rerun")
    event = repo.issue_comment_event(comment)
    assert (event["issue"]["number"], event["comment"]["id"]) == (1, comment.id)
    assert "pull_request" in event["issue"]
    pr.review_as("grace", [{"path": "n.py", "line": 1, "body": "Why?"}])
    reply = pr.reply_as("ada", pr.review_comments[-1].id, "/review-bot help")
    event = repo.review_comment_event(reply)
    assert (event["comment"]["in_reply_to_id"], event["comment"]["id"]) == (reply.in_reply_to, reply.id)
    assert event["pull_request"]["head"]["sha"] == pr.head_sha
    assert repo.workflow_dispatch_event({"pr-number": "1"})["inputs"] == {"pr-number": "1"}
    run = repo.workflow_run(pr.head_sha)
    assert repo.workflow_run_event(run)["workflow_run"]["pull_requests"] == []


def test_snapshot_and_restore(github, api, repo, pr):
    saved, head = github.snapshot(), pr.head_sha
    pr.push({"n.py": "newer\n"})
    pr.comment_as("grace", "hello")
    github.restore(saved)
    assert (pr.head_sha, pr.comments) == (head, [])
    assert api.get("/pulls/1").json()["head"]["sha"] == head
    pr.push({"n.py": "another\n"})
    assert api.get("/pulls/1").json()["head"]["sha"] == pr.head_sha


def test_an_enterprise_server_has_its_own_addresses():
    with FakeGitHub(enterprise=True) as github:
        github.repository("o/r").commit({"a": "a\n"})
        assert github.url.endswith("/api/v3")
        got = httpx.get(f"{github.url}/repos/o/r", trust_env=False)
        assert got.json()["url"] == f"{github.url}/repos/o/r"
