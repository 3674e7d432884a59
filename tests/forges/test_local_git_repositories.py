"""Repositories of every kind, revisions, the choice of the base, and what git cannot read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from review_bot.errors import ForgeError, UsageError
from review_bot.forges.base_branch import default_branch
from review_bot.forges.local_git import LocalGit
from review_bot.forges.repository_root import find_root
from tests.forges.local_reading import added, by_path, read, texts
from tests.git_repository import GitRepository

pytestmark = pytest.mark.usefixtures("no_user_settings")


def test_a_sha256_repository(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n", "empty.py": ""})
    repo.write({"b.py": "1\n", "c.py": ""})

    change = read(repo, "HEAD~1")

    assert {path: file.added for path, file in by_path(change).items()} == {
        "a.py": 1,
        "b.py": 1,
        "c.py": 0,
        "empty.py": 0,
    }
    assert texts(repo, "HEAD~1")["a.py"] == ("1\n", "1\n2\n")
    assert texts(repo, "HEAD~1", "HEAD")["a.py"] == ("1\n", "1\n2\n")


def test_a_bare_repository_reviews_its_head_and_reads_settings_from_the_base(
    repo: GitRepository, tmp_path: Path
) -> None:
    repo.commit(
        {"a.py": "1\n", ".github/review-bot.yml": "fail-on: never\n", ".github/review-bot/rules/x.yml": "id: x\n"}
    )
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n", ".github/review-bot.yml": "fail-on: hint\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(bare))

    source = LocalGit(str(bare), base="main", head="topic")
    change = source.read()

    assert source.bare
    assert added(change, "a.py") == [(2, "2")]
    assert source.settings(".github/review-bot.yml") == "fail-on: never\n"
    assert source.settings("missing.yml") is None
    assert source.own_files(".github/review-bot/rules") == [(".github/review-bot/rules/x.yml", "id: x\n")]
    repository = source.repository()
    assert repository.head_text("a.py") == "1\n2\n"
    assert repository.base_text("a.py") == "1\n"
    source.close()
    without = LocalGit(str(bare))
    assert without.read().head is not None
    without.close()


def test_a_revision_is_never_an_option(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(bare))

    for name in (
        "--help",
        "-h",
        "--output=x",
        "HEAD..HEAD",
        "^HEAD",
        "",
        "HEAD:a.py",
        "HEAD^{tree}",
        "a\nb",
        "nowhere",
    ):
        source = LocalGit(str(bare), base=name)
        for call in (
            source.read,
            lambda source=source: source.settings("x"),
            lambda source=source: source.own_files("x"),
        ):
            with pytest.raises(UsageError, match="is not a commit"):
                call()
        source.close()


def test_a_worktree_and_a_subfolder(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "sub/b.py": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "topic")
    (tmp_path / "tree" / "a.py").write_text("1\n2\n")
    (tmp_path / "tree" / "top.py").write_text("1\n")

    assert (tmp_path / "tree" / ".git").is_file()
    change = read(repo, "main", folder=str(tmp_path / "tree" / "sub"))
    assert [file.path for file in change.files] == ["a.py", "top.py"]


def test_git_dir_and_work_tree_from_the_environment(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "1\n", "sub/b.py": "1\n"})
    elsewhere = tmp_path / "elsewhere"
    os.rename(repo.folder / ".git", elsewhere)
    (repo.folder / "a.py").write_text("1\n2\n")
    (repo.folder / "new.py").write_text("1\n")
    monkeypatch.chdir(repo.folder / "sub")
    monkeypatch.setenv("GIT_DIR", "../../elsewhere")
    monkeypatch.setenv("GIT_WORK_TREE", "..")

    source = LocalGit(".", base="HEAD")
    change = source.read()

    assert source.root == str(repo.folder)
    assert [file.path for file in change.files] == ["a.py", "new.py"]
    source.close()


def test_a_detached_head(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "--detach")
    repo.git("branch", "-q", "-f", "main", "HEAD~1")
    repo.write({"a.py": "1\n2\n3\n"})

    change = read(repo)

    assert change.base_label == "main"
    assert added(change, "a.py") == [(2, "2"), (3, "3")]


def test_an_annotated_tag_is_a_revision(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.git("tag", "-a", "-m", "x", "v1")
    repo.commit({"a.py": "1\n2\n"})

    assert added(read(repo, "v1", "HEAD"), "a.py") == [(2, "2")]


def test_the_base_is_the_default_branch_of_the_remote_then_main_then_master_then_head(
    repo: GitRepository, tmp_path: Path
) -> None:
    root = str(repo.folder)
    repo.commit({"a.py": "1\n"})
    repo.git("branch", "-m", "work")
    assert default_branch(root) == ("HEAD", "HEAD")
    repo.git("branch", "master")
    assert default_branch(root)[1] == "master"
    repo.git("branch", "main")
    assert default_branch(root)[1] == "main"
    repo.git("update-ref", "refs/remotes/upstream/trunk", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/upstream/HEAD", "refs/remotes/upstream/trunk")
    assert default_branch(root)[1] == "upstream/trunk"
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert default_branch(root)[1] == "origin/main"
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    assert default_branch(root)[1] == "origin/main"
    repo.git("update-ref", "refs/remotes/origin/dev", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev")
    assert default_branch(root) == ("refs/remotes/origin/dev", "origin/dev")


def test_a_shallow_clone_says_what_to_fetch(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": "1\n"})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.folder}", str(clone))

    with pytest.raises(UsageError, match=r"shallow.*git fetch --unshallow"):
        read(repo, "origin/main", "origin/topic", str(clone))


def test_unrelated_histories_and_an_empty_repository(repo: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no commit"):
        read(repo)
    with pytest.raises(UsageError, match="is not a commit"):
        read(repo, "main", "HEAD")
    repo.commit({"a.py": "1\n"})
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"a.py": "2\n"})
    with pytest.raises(UsageError, match="no common ancestor"):
        read(repo, "main", "other")


def test_an_empty_commit_and_no_change(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit()

    assert read(repo, "HEAD~1", "HEAD").files == ()
    assert read(repo).files == ()


def test_no_repository_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UsageError, match="is not in a git repository"):
        find_root(str(tmp_path))
    with pytest.raises(UsageError, match="does not exist"):
        find_root(str(tmp_path / "missing"))
    (tmp_path / ".git").mkdir()
    with pytest.raises(UsageError, match="is not in a git repository"):
        LocalGit(str(tmp_path)).read()


def test_a_repository_of_somebody_else(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.py": "1\n"})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError, match=r"does not trust.*`git config --global --add safe\.directory /"):
        read(repo, "HEAD")


def test_the_git_folder_itself_has_no_working_tree(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    with pytest.raises(UsageError, match="no working tree"):
        read(repo, folder=str(repo.folder / ".git"))


def test_no_git(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ForgeError, match="git is not installed"):
        read(repo, "HEAD")


def test_a_damaged_object_is_an_error_with_words(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})
    blob = repo.git("rev-parse", "HEAD:a.py").decode().strip()
    path = repo.folder / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(b"junk")
    with pytest.raises(ForgeError, match="or they are damaged"):
        read(repo, "HEAD~1", "HEAD")
