"""Clones as a CI or a person makes them: a change is compared with what it grew from, or the run fails and says why."""

import json
import subprocess

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

SWALLOWS = "def f(g):\n    try:\n        g()\n    except Exception:\n        pass\n"


class Clone:
    """A clone of ``upstream``; ``review`` runs the program in it."""

    def __init__(self, folder, upstream, *options):
        self.folder = folder
        self._git("clone", "--quiet", *options, f"file://{upstream.folder}", str(folder))

    def git(self, *arguments):
        return self._git("-C", str(self.folder), *arguments)

    def review(self, *arguments):
        command = ["review", "--format", "json", *arguments]
        done = run_command(command, cwd=self.folder, env={**ENVIRONMENT, "COLUMNS": "1000"}, text=True)
        self.report = done.stdout
        report = json.loads(done.stdout) if done.stdout else None
        return done.returncode, sorted({each["path"] for each in report["findings"]}) if report else None, done.stderr

    def _git(self, *arguments):
        return subprocess.run(
            ["git", *arguments], env=dict(ENVIRONMENT), capture_output=True, text=True, check=True
        ).stdout


@pytest.fixture
def upstream(tmp_path):
    """``feat`` has findings in its first commit; its last one, which is harmless, is on top."""
    made = GitRepository(tmp_path / "upstream")
    made.git("config", "uploadpack.allowFilter", "true")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    made.commit({"README.md": "Old.\n"})
    made.commit({"README.md": "New.\n"})
    made.git("checkout", "-q", "-b", "feat")
    made.commit({"engine.py": SWALLOWS})
    made.commit({"notes.md": "Notes.\n"})
    made.git("checkout", "-q", "main")
    return made


@pytest.fixture
def clone(tmp_path, upstream):
    return lambda *options: Clone(tmp_path / "clone", upstream, *options)


def test_a_full_clone(clone):
    made = clone("--branch", "feat")
    assert made.review()[:2] == (0, ["engine.py"])
    made.git("checkout", "-q", "--detach")
    assert made.review()[:2] == (0, ["engine.py"])


@pytest.mark.parametrize("default", ["main", "feat"])
@pytest.mark.parametrize("depth", ["--depth=1", "--depth=2", "--single-branch"])
def test_a_clone_of_one_branch_is_not_compared_with_itself(clone, upstream, default, depth):
    upstream.git("checkout", "-q", default)
    made = clone(depth, "--branch", "feat")
    (made.folder / "left.txt").write_text("What an earlier step of the job wrote.\n")

    code, findings, error = made.review()

    assert (code, findings) == (2, None)
    unshallow = "" if depth == "--single-branch" else "--unshallow "
    assert f"run `git fetch {unshallow}origin BRANCH` with its name, then review with `--base FETCH_HEAD`" in error
    made.git("fetch", "--quiet", *unshallow.split(), "origin", "main")
    assert made.review("--base", "FETCH_HEAD")[:2] == (0, ["engine.py"])


def test_a_shallow_clone_of_the_default_branch_is_not_compared_with_itself(clone, upstream):
    upstream.git("merge", "--quiet", "feat")
    made = clone("--depth=1")
    code, _, error = made.review()
    assert code == 2
    assert "this clone is shallow, and nothing in it differs from origin/main" in error
    made.git("fetch", "--quiet", "--deepen", "1")
    assert made.review("--base", "HEAD~1")[0] == 0
    (made.folder / "engine.py").write_text(SWALLOWS + "\n\n" + SWALLOWS.replace("f(", "h("))
    assert made.review()[:2] == (0, ["engine.py"])


@pytest.mark.parametrize("depth", ["--depth=1", "--single-branch"])
def test_a_revision_that_a_shallow_clone_lacks_says_so(clone, depth):
    code, _, error = clone(depth).review("HEAD~9")
    assert code == 2
    assert ("`git fetch --unshallow`" in error) == (depth == "--depth=1")


def test_a_full_clone_without_a_change_passes(clone):
    assert clone().review()[:2] == (0, [])


def checked_out(folder, upstream, depth, *refs):
    """Fetch as actions/checkout does: into an empty repository, by its own refs."""
    made = GitRepository(folder)
    made.git("remote", "add", "origin", f"file://{upstream.folder}")
    made.git("fetch", "--quiet", "--no-tags", *([f"--depth={depth}"] if depth else []), "origin", *refs)
    made.git("checkout", "--quiet", "--force", refs[0].partition(":")[2])
    done = Clone.__new__(Clone)
    done.folder = folder
    return done


@pytest.mark.parametrize("depth", [2, 3, 0])
def test_the_merge_commit_of_a_pull_request_is_compared_with_what_it_was_merged_into(tmp_path, upstream, depth):
    upstream.commit({"main.md": "Went on.\n"})
    upstream.git("checkout", "-q", "--detach")
    upstream.git("merge", "--quiet", "--no-ff", "-m", "Merge", "feat")
    upstream.git("update-ref", "refs/pull/7/merge", "HEAD")
    made = checked_out(tmp_path / "work", upstream, depth, "+refs/pull/7/merge:refs/remotes/pull/7/merge")
    assert made.review()[:2] == (0, ["engine.py"])


def test_the_merge_commit_alone_says_how_deep_to_fetch(tmp_path, upstream):
    upstream.git("checkout", "-q", "--detach")
    upstream.git("merge", "--quiet", "--no-ff", "-m", "Merge", "feat")
    upstream.git("update-ref", "refs/pull/7/merge", "HEAD")
    made = checked_out(tmp_path / "work", upstream, 1, "+refs/pull/7/merge:refs/remotes/pull/7/merge")
    code, _, error = made.review()
    assert code == 2
    assert "`fetch-depth: 2` or more" in error


def test_a_pushed_branch_alone_says_what_to_fetch(tmp_path, upstream):
    made = checked_out(tmp_path / "work", upstream, 1, "+refs/heads/feat:refs/remotes/origin/feat")
    (made.folder / "left.txt").write_text("What an earlier step of the job wrote.\n")
    code, _, error = made.review()
    assert code == 2
    assert "run `git fetch --unshallow origin BRANCH`" in error


def test_a_remote_without_a_known_default_branch_names_the_branches_that_are_there(clone, upstream):
    upstream.git("branch", "-m", "main", "develop")
    made = clone("--origin", "upstream", "--branch", "feat")
    made.git("symbolic-ref", "--delete", "refs/remotes/upstream/HEAD")
    code, _, error = made.review()
    assert code == 2
    assert "pass it as --base: this clone has `upstream/develop`" in error
    assert made.review("--base", "upstream/develop")[:2] == (0, ["engine.py"])


@pytest.mark.parametrize(
    ("given", "meant"), [("main", "origin/main"), ("origin/mian", "origin/main"), ("faet", "feat")]
)
def test_a_revision_that_is_not_here_names_the_one_that_may_be_meant(clone, given, meant):
    made = clone("--branch", "feat")
    code, _, error = made.review("--base", given)
    assert code == 2
    assert f"'{given}' is not a commit in this repository; did you mean `{meant}`?" in error


@pytest.mark.parametrize("given", ["HEAD^2", "HEAD~99", "feat~99^2"])
def test_an_ancestor_that_a_commit_lacks_is_no_misspelled_name(clone, given):
    code, _, error = clone("--branch", "feat").review("--base", given)
    assert code == 2
    assert f"'{given}' is not a commit in this repository: `{given[:4]}` has no such ancestor" in error


def test_a_branch_without_a_common_ancestor(clone):
    made = clone("--branch", "feat")
    made.git("checkout", "-q", "--orphan", "other")
    made.git("commit", "-q", "-m", "alone")
    code, _, error = made.review()
    assert code == 2
    assert "no common ancestor" in error


def test_a_history_without_a_merge_base(clone):
    made = clone("--branch", "feat")
    made.git("checkout", "--quiet", "--orphan", "lone")
    made.git("commit", "--quiet", "--message", "A history of its own")
    code, _, error = made.review()
    assert code == 2
    assert "no common ancestor" in error


def test_a_worktree_of_a_clone(clone, tmp_path):
    made = clone()
    made.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "work", "origin/feat")
    made.folder = tmp_path / "tree"
    assert made.review()[:2] == (0, ["engine.py"])


def test_a_partial_clone_reviews_what_it_has_and_names_what_it_lacks(clone):
    made = clone("--filter=blob:none", "--branch", "feat")
    assert made.git("config", "remote.origin.promisor").strip() == "true"
    assert made.review()[:2] == (0, ["engine.py"])
    code, findings, error = made.review("--base", "origin/main~1")
    assert (code, findings) == (3, None)
    assert "this clone lacks objects that the change needs" in error
    made.git("fetch", "--quiet", "--refetch", "--no-filter")
    assert made.review("--base", "origin/main~1")[:2] == (0, ["engine.py"])


def test_a_broken_copy_names_what_it_lacks(clone, upstream):
    made = clone("--branch", "feat", "--no-hardlinks")
    old = made.git("rev-parse", "origin/main~1:README.md").strip()
    for packed in (made.folder / ".git/objects/pack").glob("*.pack"):
        content = packed.read_bytes()
        packed.unlink()
        subprocess.run(["git", "-C", str(made.folder), "unpack-objects", "-q"], input=content, check=True)
    (made.folder / ".git/objects" / old[:2] / old[2:]).unlink()
    code, findings, error = made.review("--base", "origin/main~1")
    assert (code, findings) == (3, None)
    assert f"this clone lacks objects that the change needs, or they are damaged (unable to read {old})" in error


def test_a_text_of_the_tree_that_a_partial_clone_lacks_is_not_taken_for_no_text(clone, upstream):
    """A rule that reads the rest of the tree would find nothing in it."""
    upstream.commit({"pkg/__init__.py": "from pkg.names import Name\n", "pkg/names.py": "Name = 1\n"})
    upstream.git("checkout", "-q", "-B", "feat")
    made = clone("--filter=blob:none", "--sparse", "--branch", "main")
    (made.folder / "use.py").write_text("from pkg import Name, Missing\n")
    assert made.review()[0] == 3
    assert "this clone lacks objects that the change needs" in made.report
