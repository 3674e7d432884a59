"""Diff text of many makers: every path and line right, or a plain word about what is wrong."""

from __future__ import annotations

import difflib
import re

import pytest

from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.unified_diff import ParsedDiff, parse_diff, read_hunks
from review_bot.errors import DiffError

HUNK = "@@ -1,2 +1,3 @@\n 1\n+2\n 3\n"
GIT = f"diff --git a/a.py b/a.py\nindex 1111111..2222222 100644\n--- a/a.py\n+++ b/a.py\n{HUNK}"


def one(text: str) -> ChangedFile:
    parsed = parse_diff(text)
    assert parsed.unreviewed == ()
    (file,) = parsed.files
    return file


def summary(parsed: ParsedDiff) -> list[tuple[str, str, list[tuple[int, str]]]]:
    return [(file.path, file.status, list(file.added_lines())) for file in parsed.files]


def reason(text: str) -> tuple[str, str]:
    parsed = parse_diff(text)
    (entry,) = parsed.unreviewed
    return entry.path, entry.reason


# ----------------------------------------------------------------------------------------- who makes diffs


def test_plain_diff_with_time_stamps() -> None:
    file = one(
        f"--- old/src/a b.py\t2026-01-02 03:04:05.000000000 +0000\n+++ new/src/a b.py\t2026-01-02 03:04:06.000000000 +0000\n{HUNK}"
    )
    assert (file.path, file.old_path, file.status) == ("src/a b.py", "src/a b.py", "modified")


def test_plain_diff_of_a_backup_and_of_a_renamed_file() -> None:
    assert one(f"--- a.py.orig\n+++ a.py\n{HUNK}").path == "a.py"
    renamed = one(f"--- a/old.py\n+++ b/new.py\n{HUNK}")
    assert (renamed.path, renamed.old_path, renamed.status) == ("new.py", "old.py", "renamed")


def test_plain_diff_of_new_and_deleted_files() -> None:
    new = "diff -ruN old/n.py new/n.py\n--- old/n.py\t1970-01-01 00:00:00.000000000 +0000\n+++ new/n.py\t2026-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+x\n"
    gone = "--- a/g.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    assert summary(parse_diff(new + gone)) == [("n.py", "added", [(1, "x")]), ("g.py", "deleted", [])]


def test_what_diff_r_says_in_words_is_named() -> None:
    parsed = parse_diff(f"Only in new/src: only.py\n{GIT}Binary files old/x.png and new/x.png differ\n")
    assert [entry.path for entry in parsed.unreviewed] == ["new/src/only.py"]
    assert {file.path: file.kind for file in parsed.files} == {"a.py": "text", "x.png": "binary"}


def test_subversion() -> None:
    line = "=" * 67
    text = (
        f"Index: src/a.py\n{line}\n--- src/a.py\t(revision 3)\n+++ src/a.py\t(working copy)\n{HUNK}"
        f"Index: src/b.py\n{line}\n--- src/b.py\t(nonexistent)\n+++ src/b.py\t(working copy)\n@@ -0,0 +1 @@\n+x\n"
        f"\nProperty changes on: src/b.py\n{'_' * 67}\nAdded: svn:eol-style\n## -0,0 +1 ##\n+native\n\\ No newline at end of property\n"
    )
    assert summary(parse_diff(text)) == [("src/a.py", "modified", [(2, "2")]), ("src/b.py", "added", [(1, "x")])]


def test_difflib() -> None:
    before, after = ["1\n", "2\n", "3\n"], ["1\n", "two\n", "3\n", "4\n"]
    text = "".join(difflib.unified_diff(before, after, "a.py", "a.py"))
    assert list(one(text).added_lines()) == [(2, "two"), (4, "4")]


def test_mails_of_format_patch() -> None:
    def mail(diff: str) -> str:
        return (
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: Halcyon <h@example.org>\n"
            "Subject: [PATCH] x\n\n - a list\n + another\n\n---\n a.py | 1 +\n 1 file changed, 1 insertion(+)\n"
            f" rename old.py => new.py (100%)\n\n{diff}-- \n2.39.5\n\n"
        )

    rename = "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n"
    parsed = parse_diff(mail(GIT) + mail(GIT.replace("a.py", "b.py")) + mail(rename))
    assert summary(parsed) == [
        ("a.py", "modified", [(2, "2")]),
        ("b.py", "modified", [(2, "2")]),
        ("new.py", "renamed", []),
    ]
    assert parsed.unreviewed == ()


def test_git_show_and_git_log() -> None:
    commit = "commit 0123456789012345678901234567890123456789\nAuthor: H <h@example.org>\nDate:   now\n\n    - x\n    + y\n\n"
    parsed = parse_diff(commit + GIT + "\n" + commit + GIT.replace("a.py", "b.py"))
    assert [file.path for file in parsed.files] == ["a.py", "b.py"]


def test_two_sections_of_one_file_are_not_guessed_together() -> None:
    parsed = parse_diff(GIT + GIT)
    assert [(file.path, file.hunks, file.added) for file in parsed.files] == [("a.py", (), 0)]
    assert "a second section for this file" in reason(GIT + GIT)[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a/", "b/"),
        ("i/", "w/"),
        ("c/", "i/"),
        ("c/", "w/"),
        ("o/", "w/"),
        ("b/", "a/"),
        ("1/", "2/"),
        ("", ""),
        ("old/", "new/"),
        ("x/y/", "z/"),
    ],
)
@pytest.mark.parametrize("name", ["m.py", "a/m.py", "b/m.py", "src/a b.py", "x b/m.py", "w/x.py"])
def test_every_prefix(old: str, new: str, name: str) -> None:
    tab = "\t" if " " in name else ""
    text = f"diff --git {old}{name} {new}{name}\nindex 1111111..2222222 100644\n--- {old}{name}{tab}\n+++ {new}{name}{tab}\n{HUNK}"
    assert one(text).path == name
    mode = f"diff --git {old}{name} {new}{name}\nold mode 100644\nnew mode 100755\n"
    assert one(mode).path == name


def test_no_prefix_and_a_rename_between_folders_named_like_prefixes() -> None:
    file = one("diff --git a/x.py b/x.py\nsimilarity index 100%\nrename from a/x.py\nrename to b/x.py\n")
    assert (file.old_path, file.path) == ("a/x.py", "b/x.py")


def test_crlf_diff_of_a_file_with_unix_ends() -> None:
    file = one(GIT.replace("\n", "\r\n"))
    assert (file.path, list(file.added_lines())) == ("a.py", [(2, "2")])


def test_crlf_in_the_file_alone() -> None:
    assert list(one(GIT.replace(" 1\n+2\n 3\n", " 1\r\n+2\r\n 3\r\n")).added_lines()) == [(2, "2\r")]


def test_context_lines_whose_blank_was_stripped() -> None:
    text = GIT.replace("@@ -1,2 +1,3 @@\n 1\n+2\n 3\n", "@@ -1,3 +1,4 @@\n 1\n\n+2\n 3\n")
    assert list(one(text).added_lines()) == [(3, "2")]


def test_a_translated_word_about_the_missing_line_end() -> None:
    file = one(GIT + "\\ Kein Zeilenumbruch am Dateiende.\n")
    assert file.hunks[0].lines[-1] == "\\ No newline at end of file"


def test_submodules_in_words_and_in_lines() -> None:
    words = "Submodule libs/x 1111111..2222222:\n  > a commit\n  < another\n"
    lines = "diff --git a/y b/y\nindex 1111111..2222222 160000\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n"
    parsed = parse_diff(words + lines)
    assert [(file.path, file.kind, file.added, file.hunks) for file in parsed.files] == [
        ("libs/x", "submodule", 0, ()),
        ("y", "submodule", 0, ()),
    ]


def test_a_binary_patch_is_skipped() -> None:
    text = f"diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQz0RR9100000\n\nliteral 0\nHcmV?d00001\n\n{GIT}"
    assert {file.path: file.kind for file in parse_diff(text).files} == {"x.png": "binary", "a.py": "text"}


def test_empty_files_come_and_go() -> None:
    new = "diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n"
    gone = "diff --git a/g.py b/g.py\ndeleted file mode 100644\nindex e69de29..0000000\n"
    assert [(file.path, file.status) for file in parse_diff(new + gone).files] == [
        ("e.py", "added"),
        ("g.py", "deleted"),
    ]


# ---------------------------------------------------------------------------------- contents like headers


def test_lines_that_look_like_headers_are_lines() -> None:
    odd = ["-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file", "From: x", "-- "]
    text = (
        "--- a/a.sql\n+++ b/a.sql\n@@ -1,7 +1,7 @@\n"
        + "".join(f"-{line}\n" for line in odd)
        + "".join(f"+{line}\n" for line in odd)
    )
    file = one(text)
    assert [line for _, line in file.added_lines()] == odd
    assert [line for _, line in file.removed_lines()] == odd


# ------------------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize("cut", range(1, GIT.count("\n")))
def test_a_diff_cut_off_at_any_line(cut: int) -> None:
    text = "".join(GIT.splitlines(keepends=True)[:cut])
    try:
        parsed = parse_diff(text)
    except DiffError:
        return
    assert [entry.path for entry in parsed.unreviewed] == ["a.py"]


@pytest.mark.parametrize("dropped", range(GIT.count("\n")))
def test_a_diff_that_lacks_a_line(dropped: int) -> None:
    lines = GIT.splitlines(keepends=True)
    try:
        parsed = parse_diff("".join(lines[:dropped] + lines[dropped + 1 :]))
    except DiffError:
        return
    harmless = dropped == 1  # the line of the object ids
    assert parsed.unreviewed or (harmless and summary(parsed) == summary(parse_diff(GIT)))


@pytest.mark.parametrize(
    "header",
    [
        "@@ -1,2 +1,2 @@",
        "@@ -1,2 +1,4 @@",
        "@@ -1,1 +1,3 @@",
        "@@ -1,2 +1,99999999999999999999 @@",
        "@@ -1,2 +1,1234567890 @@",
        "@@@ -1,2 -1,2 +1,3 @@@",
        "@@ -1,2 +1,3",
        "@@ -١,2 +1,3 @@",
    ],
)
def test_a_hunk_header_that_lies(header: str) -> None:
    with pytest.raises(DiffError, match=r"line [5-8] of the diff"):
        parse_diff(GIT.replace("@@ -1,2 +1,3 @@", header))


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("@@ -10 +10,2 @@\n a\n+b\n", "is not at the position that the hunks before"),
        ("@@ -2 +3,2 @@\n a\n+b\n", "overlaps"),
        ("@@ -0 +1,2 @@\n a\n+b\n", "overlaps"),
    ],
)
def test_hunks_that_do_not_follow_each_other(second: str, words: str) -> None:
    path, why = reason(GIT + second)
    assert path == "a.py"
    assert words in why
    assert one(GIT + "@@ -10 +11,2 @@\n a\n+b\n").added == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("--- a/a.py", "--- a/b.py", "two different files"),
        ("+++ b/a.py", "+++ b/b.py", "two different files"),
        ("diff --git a/a.py b/a.py", "diff --git a/c.py b/c.py", "two different files"),
        ("+++ b/a.py", "+++ /dev/null", "a deleted file has added lines"),
        ("--- a/a.py", "--- /dev/null", "removed lines|overlaps"),
        ("index 1111111..2222222 100644", "index 1111111..222222g 100644", "`index` line"),
        ("index 1111111..2222222 100644", "rename from x.py", "rename to"),
        ("index 1111111..2222222 100644", "old mode 100644", "new mode"),
        ("index 1111111..2222222 100644", "old mode 120000\nnew mode 100644", "another type of file"),
        ("index 1111111..2222222 100644", "new file mode 100644", "names both sides"),
        ("index 1111111..2222222 100644", "--- a/a.py", "two lines"),
    ],
)
def test_a_header_that_contradicts_itself(old: str, new: str, words: str) -> None:
    text = GIT.replace(old, new)
    if new == "--- /dev/null":
        text = text.replace("@@ -1,2 +1,3 @@\n 1\n+2\n 3\n", "@@ -1,2 +1,1 @@\n-1\n+2\n-3\n")
    assert re.search(words, reason(text)[1])


@pytest.mark.parametrize(
    "name",
    [
        "../x.py",
        "/etc/passwd",
        "a/../../x.py",
        ".git/config",
        "x/.GIT/hooks/y",
        ".g\u200cit/config",
        "x/.git /config",
        "x/.git./config",
        "GIT~1/config",
        ".git::$INDEX_ALLOCATION/config",
        "a//b.py",
        "./x.py",
        "x" * 4097,
        "C:/x.py",
    ],
)
def test_a_name_that_may_not_be_is_named_and_not_read(name: str) -> None:
    parsed = parse_diff(f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n{HUNK}")
    assert parsed.files == ()
    assert [entry.path for entry in parsed.unreviewed] == [name]


@pytest.mark.parametrize("name", ["C:\\work\\x.py", "src\\x.py", "C:/work/x.py"])
def test_names_of_windows_are_named(name: str) -> None:
    parsed = parse_diff(f"--- {name}\t(revision 1)\n+++ {name}\t(working copy)\n{HUNK}")
    assert (parsed.files, [entry.path for entry in parsed.unreviewed]) == ((), [name])


@pytest.mark.parametrize("name", ['"a/x', '"a/\\q.py"', '"a/\\400.py"', '"a/x"y"', '"a/\\'])
def test_a_name_that_is_quoted_wrongly_is_named(name: str) -> None:
    parsed = parse_diff(f"--- {name}\n+++ {name}\n{HUNK}")
    assert parsed.files == ()
    assert len(parsed.unreviewed) == 1


def test_quoted_names_with_a_time_stamp() -> None:
    assert one(f'--- "a/t\\tb.py"\t2026-01-01\n+++ "b/t\\tb.py"\t2026-01-01\n{HUNK}').path == "t\tb.py"


@pytest.mark.parametrize(
    "text",
    ["+lost\n", "-lost\n", " lost\n", "rename from x\n", "old mode 100644\n", "index 1111111..2222222\n"],
)
def test_a_line_that_belongs_to_nothing_is_an_error(text: str) -> None:
    with pytest.raises(DiffError, match="line 9 of the diff"):
        parse_diff(GIT + text)


@pytest.mark.parametrize(
    "text", ["-- \n", "-- \n" + GIT.replace("a.py", "b.py"), "--\n\\ No newline at end of file\n", "-- \n+x\n"]
)
def test_a_removed_line_is_not_taken_for_the_signature_of_a_mail(text: str) -> None:
    with pytest.raises(DiffError, match="line 9 of the diff"):
        parse_diff(GIT + text)


@pytest.mark.parametrize(
    "text",
    [
        "Index: b.py\n1c1\n< old()\n---\n> new()\n",
        "0a1,2\n> new()\n> other()\n",
        "*** b.py\n--- b.py\n***************\n*** 1 ****\n! old()\n--- 1 ----\n! new()\n",
    ],
)
def test_hunks_in_other_formats_are_refused(text: str) -> None:
    commit = f"commit {'1' * 40}\n\n    Change it\n\n"
    for diff in (text + GIT, GIT + commit + text):
        with pytest.raises(DiffError, match="in another format"):
            parse_diff(diff)
    assert parse_diff(GIT + commit + "1a2 is a version\n***************\nof b.py\n").files  # words of a person


def test_a_change_of_type_without_lines_is_named() -> None:
    header = "diff --git a/a.py b/a.py\nold mode 120000\nnew mode {}\n"
    assert [entry.path for entry in parse_diff(header.format("100644")).unreviewed] == ["a.py"]
    assert not parse_diff(header.replace("120000", "100755").format("100644")).unreviewed


def test_combined_diffs_are_refused() -> None:
    for text in ("diff --cc a.py\n", "diff --combined a.py\n", "@@@ -1,2 -1,2 +1,3 @@@\n"):
        with pytest.raises(DiffError, match=r"git diff BASE\.\.\.HEAD"):
            parse_diff(GIT + text)


def test_hunks_of_one_file_alone() -> None:
    assert read_hunks("") == ()
    with pytest.raises(DiffError, match="as many lines"):
        read_hunks("@@ -1,2 +1,2 @@\n a\n")
    with pytest.raises(DiffError, match="header of another"):
        read_hunks(HUNK + "--- a/x\n+++ b/x\n" + HUNK)
    with pytest.raises(DiffError):
        read_hunks("words\n")
    with pytest.raises(DiffError):
        read_hunks(f"@@ -1 +1,{'9' * 5000} @@\n a\n")


def test_a_joined_file_takes_all_lines_of_both_sides() -> None:
    gone = "diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n"
    link = "diff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n"
    file = one(gone + link)
    assert (file.status, file.kind, file.added, file.removed, file.old_mode, file.new_mode) == (
        "retyped",
        "symlink",
        1,
        2,
        "100644",
        "120000",
    )
    assert list(file.removed_lines()) == [(1, "1"), (2, "2")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"sha": "1"}', "this is JSON"),
        ('[\n  {"sha": "1"}]', "this is JSON"),
        ("[]", "this is JSON"),
        ("[![CI](a.svg)](b) text\n", "this is not a unified diff"),
        ("[Halcyon](https://halcyon.example) text\n", "this is not a unified diff"),
    ],
)
def test_a_text_that_is_not_a_diff_is_called_what_it_is(text, what):
    with pytest.raises(DiffError, match=what):
        parse_diff(text)
