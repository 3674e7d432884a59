"""Which pull requests stood open beside a change, read from real clones."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_bot.changes.open_pull_requests import OpenPullRequests, Want
from review_bot.forges.local_git import LocalGit
from tests.git_repository import ENVIRONMENT, GitRepository

BASE = {"pkg/__init__.py": "", "pkg/engine.py": "def step():\n    return 1\n", "old.py": "x = 1\n"}


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "clone")
    repository.commit(BASE)
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"pkg/run.py": "import pkg.outputs\n"})
    return repository


def _open(clone: GitRepository, number: int, files, *, base="main", ref="refs/pull/{}/head", message="Theirs") -> str:
    clone.git("checkout", "-q", "--detach", base)
    head = clone.commit(files, message)
    clone.git("update-ref", ref.format(number), head)
    clone.git("checkout", "-q", "feature")
    return head


def _listed(clone: GitRepository, *, base="main", head: str | None = "feature") -> tuple[OpenPullRequests, LocalGit]:
    source = LocalGit(str(clone.folder), base=base, head=head)
    source.read()
    others = source.open_pull_requests()
    assert others is not None
    ones = others.listed()
    for one in ones.pulls:
        for file in one.files:
            new = others.text(Want(one.number, "head", file.path))
            assert (new is None) == (file.work == "deleted")
    source.close()
    return ones, source


def _numbers(ones: OpenPullRequests) -> list[int]:
    return [one.number for one in ones.pulls]


def test_without_refs_there_is_nobody(clone):
    assert _listed(clone)[0] == OpenPullRequests(0)


@pytest.mark.parametrize(
    "ref", ["refs/pull/{}/head", "refs/remotes/origin/pr/{}", "refs/remotes/up/pull/{}/head", "refs/remotes/up/pull/{}"]
)
def test_files_and_texts_of_an_open_one(clone, ref):
    _open(
        clone, 7, {"pkg/outputs.py": "A = 1\n", "old.py": None, "pkg/engine.py": "def step():\n    return 2\n"}, ref=ref
    )
    ones, _ = _listed(clone)
    (one,) = ones.pulls
    assert (one.number, one.title) == (7, "Theirs")
    assert {(file.path, file.work) for file in one.files} == {
        ("pkg/outputs.py", "added"),
        ("old.py", "deleted"),
        ("pkg/engine.py", "modified"),
    }


def test_what_the_base_holds_is_not_open(clone):
    _open(clone, 7, {"a.py": "1\n"})
    _open(clone, 8, {"b.py": "1\n"})
    _open(clone, 9, {"c.py": "1\n"})
    _open(clone, 10, {"d.py": "1\n"})
    clone.git("checkout", "-q", "main")
    clone.git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from x/y", "refs/pull/7/head")
    clone.git("merge", "-q", "--squash", "refs/pull/8/head")
    clone.git("commit", "-q", "-m", "Add b (#8)")
    clone.git("cherry-pick", "refs/pull/9/head")
    clone.git("checkout", "-q", "feature")
    assert _numbers(_listed(clone)[0]) == [9, 10]  # nothing tells that 9 was put there by hand
    assert _numbers(_listed(clone, base="main~3")[0]) == [7, 8, 9, 10]


def test_a_squash_of_a_pull_request_is_not_beside_it(clone):
    _open(clone, 7, {"seven.py": "1\n"})
    _open(clone, 8, {"eight.py": "1\n"})
    clone.git("checkout", "-q", "main")
    clone.git("merge", "-q", "--squash", "refs/pull/7/head")
    clone.git("commit", "-q", "-m", "Add seven (#7)")
    clone.git("checkout", "-q", "feature")
    assert _numbers(_listed(clone, base="main~1", head="main")[0]) == [8]


def test_the_change_itself_and_what_it_is_built_on_are_not_others(clone):
    _open(clone, 6, {"below.py": "1\n"})
    clone.git("merge", "-q", "-m", "Build on 6", "refs/pull/6/head")
    clone.git("update-ref", "refs/pull/7/head", "feature")
    _open(clone, 8, {"above.py": "1\n"}, base="feature")
    _open(clone, 9, {"beside.py": "1\n"})
    assert _numbers(_listed(clone)[0]) == [9]
    assert _numbers(_listed(clone, head=None)[0]) == [9]


def test_their_files_are_those_since_they_left_the_default_branch(clone):
    _open(clone, 7, {"seven.py": "1\n"})
    clone.git("checkout", "-q", "main")
    clone.commit({"main.py": "1\n"})
    clone.git("checkout", "-q", "--detach", "refs/pull/7/head")
    clone.git("merge", "-q", "-m", "Merge main", "main")
    clone.commit({"more.py": "1\n"})
    clone.git("update-ref", "refs/pull/7/head", "HEAD")
    clone.git("checkout", "-q", "feature")
    for base in ("main", "main~1"):
        (one,) = _listed(clone, base=base)[0].pulls
        assert [file.path for file in one.files] == ["more.py", "seven.py"]


def test_a_change_of_long_ago_does_not_meet_what_began_later(clone, monkeypatch):
    def dated(day):
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(ENVIRONMENT, name, f"2026-{day}T12:00:00+00:00")

    dated("03-02")
    _open(clone, 5, {"five.py": "1\n"})
    dated("03-03")
    head = _open(clone, 7, {"seven.py": "1\n"})
    dated("03-04")
    clone.git("checkout", "-q", "--detach", "refs/pull/5/head")
    clone.commit({"five.py": "2\n"})
    clone.git("update-ref", "refs/pull/5/head", "HEAD")
    _open(clone, 8, {"eight.py": "1\n"})
    ones, _ = _listed(clone, head=head)
    assert _numbers(ones) == [5]
    assert any("began after it" in limit for limit in ones.limits)
    assert _numbers(_listed(clone)[0]) == [5, 7, 8]


def test_the_newest_are_compared(clone):
    base = clone.git("rev-parse", "main").decode().strip()
    tree = clone.git("rev-parse", "main^{tree}").decode().strip()
    lines = []
    for number in range(1, 131):
        commit = clone.git("commit-tree", tree, "-p", base, "-m", f"Number {number}").decode().strip()
        lines.append(f"create refs/pull/{number}/head {commit}\n")
    clone.git("update-ref", "--stdin", given="".join(lines).encode())
    ones, _ = _listed(clone)
    assert _numbers(ones) == list(range(81, 131))
    assert ones.known == 120
    assert "Of 130 pull requests in this clone, only the newest 120 were considered." in ones.limits


def test_what_is_no_text_is_not_read(clone):
    clone.git("checkout", "-q", "--detach", "main")
    (clone.folder / "link.py").symlink_to("old.py")
    clone.commit({"binary.py": b"\xff\xfe\x00", "tab\tand\nline.py": "x = 1\n"})
    clone.git("update-ref", "refs/pull/7/head", "HEAD")
    clone.git("checkout", "-q", "feature")
    source = LocalGit(str(clone.folder), base="main", head="feature")
    source.read()
    others = source.open_pull_requests()
    assert others is not None
    (one,) = others.listed().pulls
    texts = {file.path: others.text(Want(7, "head", file.path)) for file in one.files}
    source.close()
    assert texts == {"binary.py": None, "tab\tand\nline.py": "x = 1\n"}
    assert others.text(Want(7, "head", "elsewhere.py")) is None


def test_a_clone_that_cannot_be_read_is_a_limit(clone):
    _open(clone, 7, {"seven.py": "1\n"})
    blob = clone.git("rev-parse", "refs/pull/7/head^{tree}").decode().strip()
    (clone.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    source = LocalGit(str(clone.folder), base="main", head="feature")
    source.read()
    others = source.open_pull_requests()
    assert others is not None
    ones = others.listed()
    source.close()
    assert ones.pulls == ()
    assert ones.limits[0].startswith("The pull requests of this clone could not be read: ")
