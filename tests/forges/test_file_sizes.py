"""Sizes of changed files: at the head, in the working tree, and at the merge base of what the change deletes."""

from __future__ import annotations

import os

import pytest

from review_bot.errors import ForgeError
from review_bot.forges import file_sizes
from review_bot.forges.local_git import LocalGit
from tests.git_repository import GitRepository


@pytest.fixture
def repo(tmp_path):
    made = GitRepository(tmp_path / "repo")
    made.commit({"old.py": "x" * 100, "kept.py": "x" * 7, "odd [1] é.py": "x" * 5})
    return made


def sizes(repo, head, *paths):
    source = LocalGit(str(repo.folder), base="HEAD~1" if head else "HEAD", head=head)
    try:
        source.read()
        return source.sizes(paths)
    finally:
        source.close()


def test_a_deleted_file_has_the_size_of_the_merge_base(repo):
    repo.commit({"old.py": None, "kept.py": "x" * 9, "new.py": "x"})
    paths = ("old.py", "kept.py", "new.py", "odd [1] é.py", "missing.py")
    assert sizes(repo, "HEAD", *paths) == {"old.py": 100, "kept.py": 9, "new.py": 1, "odd [1] é.py": 5}


def test_the_working_tree_is_measured_where_it_is_reviewed(repo):
    repo.write({"old.py": None, "kept.py": "x" * 11, "new.py": "x" * 3})
    assert sizes(repo, None, "old.py", "kept.py", "new.py") == {"old.py": 100, "kept.py": 11, "new.py": 3}


def test_more_paths_than_fit_in_one_command(repo):
    files = {f"many/{number:04}.txt": "x" * (number % 10) for number in range(1_100)}
    repo.commit(files)
    assert sizes(repo, "HEAD", *files) == {path: len(text) for path, text in files.items()}


def test_only_regular_files_of_a_folder_have_a_size(tmp_path):
    (tmp_path / "a.py").write_text("four")
    (tmp_path / "folder").mkdir()
    os.symlink("a.py", tmp_path / "link.py")
    paths = ["a.py", "folder", "link.py", "missing.py", "nul\0.py"]
    assert file_sizes.in_folder(str(tmp_path), paths) == {"a.py": 4}


def test_a_repository_that_is_gone_is_an_error(repo, tmp_path):
    repo.commit({"a.py": "x"})
    source = LocalGit(str(repo.folder), base="HEAD~1", head="HEAD")
    change = source.read()
    source.close()
    with pytest.raises(ForgeError):
        file_sizes.in_repository(str(tmp_path / "elsewhere"), change, ["a.py"])
