"""Rows against trees: the trees say what changed, a row only adds what fits them."""

from __future__ import annotations

from collections.abc import Mapping

from review_bot.changes.pull_request import Unreviewed
from review_bot.forges.github.changed_files import FileRow, trees_of
from review_bot.forges.github.tree_diff import NOT_CHANGED, match_rows
from review_bot.forges.github.trees import Entry, Tree

ONE, TWO, THREE = "1" * 40, "2" * 40, "3" * 40


def tree(files: Mapping[str, str]) -> Tree:
    """Return a tree of regular files; ``mode blob`` gives another mode."""
    parted = {path: text.rpartition(" ") for path, text in files.items()}
    return Tree({path: Entry(mode or "100644", blob) for path, (mode, _, blob) in parted.items()})


def row(name: str, status: str, sha: str | None = TWO, previous: str | None = None) -> FileRow:
    return FileRow(
        filename=name, status=status, additions=1, deletions=1, sha=sha, previous_filename=previous, patch="x"
    )


def found(rows: list[FileRow], base: Tree, head: Tree) -> list[tuple[str, str | None, str, bool]]:
    pairs, unreviewed = match_rows(rows, base, head)
    assert unreviewed == []
    return [(each.path, each.old_path, each.status, each.row is not None) for each in pairs]


def test_each_status_finds_its_sides() -> None:
    base = tree({"gone": ONE, "edited": ONE, "from": ONE, "source": THREE, "script": ONE, "link": ONE, "same": ONE})
    head = tree({
        "edited": TWO, "to": TWO, "source": THREE, "twin": TWO, "new": TWO, "script": f"100755 {ONE}",
        "link": f"120000 {TWO}", "same": ONE,
    })  # fmt: skip
    rows = [
        row("gone", "removed", ONE), row("edited", "modified"), row("to", "renamed", TWO, "from"),
        row("twin", "copied", TWO, "source"), row("new", "added"), row("script", "modified", ONE), row("link", "changed"),
    ]  # fmt: skip

    assert found(rows, base, head) == [
        ("edited", "edited", "modified", True),
        ("gone", "gone", "deleted", True),
        ("link", "link", "retyped", True),
        ("new", None, "added", True),
        ("script", "script", "modified", True),
        ("to", "from", "renamed", True),
        ("twin", None, "added", False),
    ]


def test_a_path_without_a_row_that_fits_is_there_all_the_same() -> None:
    base = tree({"unlisted": ONE, "lagging": ONE, "kept": ONE, "wrong": ONE, "twice": ONE})
    head = tree({"unlisted": TWO, "lagging": TWO, "kept": ONE, "to": TWO, "wrong": TWO, "twice": TWO})
    rows = [
        row("lagging", "modified", THREE),  # of another head
        row("to", "renamed", TWO, "kept"),  # what it was renamed from is still there
        row("wrong", "added"),
        row("twice", "modified"),
        row("twice", "modified"),
    ]

    assert found(rows, base, head) == [
        ("lagging", "lagging", "modified", False),
        ("to", None, "added", False),
        ("twice", "twice", "modified", False),
        ("unlisted", "unlisted", "modified", False),
        ("wrong", "wrong", "modified", False),
    ]


def test_a_row_that_the_trees_deny_is_named() -> None:
    same = tree({"a.py": ONE})

    assert match_rows([row("a.py", "modified"), row("b.py", "added")], same, same)[1] == [
        Unreviewed("a.py", NOT_CHANGED),
        Unreviewed("b.py", NOT_CHANGED),
    ]
    assert match_rows([row("a.py", "unchanged")], same, same) == ([], [])


def test_beyond_the_longest_list_files_are_named() -> None:
    pairs, unreviewed = match_rows([row("a", "added")], tree({}), tree({"a": TWO, "b": TWO}), unlisted="too many")

    assert [each.path for each in pairs] == ["a"]
    assert unreviewed == [Unreviewed("b", "too many")]


def test_a_name_that_leads_astray_is_named() -> None:
    names = ["../up.py", "a/.GIT/config", "x" * 5000]
    pairs, unreviewed = match_rows([], tree({}), tree(dict.fromkeys(names, TWO)))

    assert pairs == []
    assert sorted(entry.path for entry in unreviewed) == sorted(names)
    assert all(entry.reason.startswith("its name ") for entry in unreviewed)


def test_rows_alone_tell_both_trees_as_far_as_they_go() -> None:
    pointer = f"@@ -1 +1 @@\n-Subproject commit {ONE}\n+Subproject commit {TWO}"
    rows = [
        row("gone", "removed", ONE), row("edited", "modified"), row("to", "renamed", TWO, "from"), row("new", "added"),
        FileRow(filename="sub", status="modified", additions=1, deletions=1, sha=TWO, patch=pointer),
    ]  # fmt: skip
    base, head = trees_of(rows)

    assert not base.whole
    assert base.entries == {
        "gone": Entry("100644", ONE), "edited": Entry("100644", ""), "from": Entry("100644", ""),
        "sub": Entry("160000", ""),
    }  # fmt: skip
    assert head.entries["sub"] == Entry("160000", TWO)
    assert found(rows, base, head)[-1] == ("to", "from", "renamed", True)
