"""Diffs that lie, lack lines or look like something else: cases 21 to 42."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fake_github.faults import Fault
from fake_github.git_store import Executable, Link, Submodule
from tests.hostile.ground import LOUD, Found, Ground, Ran

WORKER = "process"
ROWS = ("GET", "/pulls/*/files")
OLD = "".join(f"line_{number} = {number}\n" for number in range(1, 31))
NEW = OLD.replace("line_10 = 10\n", "SHOUT = 10\nline_10 = 10\n").replace("line_25 = 25\n", "line_25 = 26  # SHOUT\n")
FOUND: list[Found] = [("shout", "notes.txt", 10), ("shout", "notes.txt", 26)]
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'ab' * 32}\nsize 123456\n"


def changed(ground: Ground, change: Callable[[dict[str, Any]], object] | None = None) -> Ran:
    """Review a change of two lines, after something has been done to GitHub's row for it."""
    ground.base({"notes.txt": OLD})
    pr = ground.open({"notes.txt": NEW})
    if change is not None:
        ground.github.tamper(ROWS, lambda rows: change(rows[0]) and None)
    return ground.run(pr)


def found_by_contents(ran: Ran) -> None:
    """Check that both lines were found though GitHub's diff is of no use: in the summary, where no diff can lie."""
    assert (ran.code, ran.verdict, ran.unreviewed) == (0, "comments", [])
    assert ran.findings == FOUND
    assert ran.inline == []
    assert ran.shown("notes.txt:10")
    assert ran.shown("notes.txt:26")


def refused(ran: Ran, code: str, sentence: str = "") -> None:
    """Check that a run ended with an error, and wrote nothing."""
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.sentence().startswith(f"Review Bot could not complete this review ({code}): ")
    assert sentence in ran.sentence()
    assert [call.method for call in ran.calls if call.method not in {"GET", "POST"}] == []
    assert [call.path for call in ran.calls if call.method == "POST" and "graphql" not in call.path] == []


def test_the_change_as_it_is(ground: Ground) -> None:
    ran = changed(ground)
    assert (ran.code, ran.findings, ran.inline) == (0, FOUND, [("notes.txt", 10), ("notes.txt", 26)])


def test_21_empty_body(ground: Ground) -> None:
    ground.github.tamper(ROWS, lambda _rows: b"")
    refused(ground.run(ground.open({"a.py": LOUD})), "E-BADDATA")


def test_22_html_page(ground: Ground) -> None:
    ground.github.faults.add(Fault(ROWS, "html_200", times=None))
    refused(ground.run_process(ground.open({"a.py": LOUD})), "E-BADDATA")


def test_23_json_error(ground: Ground) -> None:
    ground.github.tamper(ROWS, lambda _rows: {"message": "Server Error"})
    refused(ground.run(ground.open({"a.py": LOUD})), "E-BADDATA")


def test_24_hunk_count_too_small(ground: Ground) -> None:
    def fewer(row: dict[str, Any]) -> None:
        assert "@@ -7,6 +7,7 @@" in row["patch"]
        row["patch"] = row["patch"].replace("@@ -7,6 +7,7 @@", "@@ -7,3 +7,3 @@")

    found_by_contents(changed(ground, fewer))


@pytest.mark.parametrize("cut", [False, True])
def test_25_hunk_count_too_large(ground: Ground, cut: bool) -> None:
    def more(row: dict[str, Any]) -> None:
        patch = row["patch"]
        row["patch"] = patch[: patch.index("+line_25")] if cut else patch.replace("+7,7 @@", "+7,8 @@")

    found_by_contents(changed(ground, more))


def test_26_combined_diff(ground: Ground) -> None:
    def combined(row: dict[str, Any]) -> None:
        row["patch"] = "@@@ -7,6 -7,6 +7,7 @@@ x\n  line_7 = 7\n  line_8 = 8\n  line_9 = 9\n++SHOUT = 10\n"

    found_by_contents(changed(ground, combined))


@pytest.mark.parametrize("counted", [1, 2])
def test_27_two_rows_for_one_file(ground: Ground, counted: int) -> None:
    pr = ground.open({"a.py": LOUD, "b.py": LOUD} if counted == 2 else {"a.py": LOUD})
    ground.github.tamper(ROWS, lambda rows: [rows[0], rows[0]])
    refused(ground.run(pr), "E-INCOMPLETE", "run the review again")


def test_28_immense_count(ground: Ground) -> None:
    def immense(row: dict[str, Any]) -> None:
        row["patch"] = row["patch"].replace("+7,7 @@", f"+7,{10**20} @@")
        row["additions"] = 10**20

    found_by_contents(changed(ground, immense))


def test_29_content_that_looks_like_a_diff(ground: Ground) -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-SHOUT\n+SHOUT\ndiff --git a/x b/x\n SHOUT\n\\ No newline at end of file\nSHOUT\n"
    ran = ground.run(ground.open({"notes.txt": text}))
    assert (ran.code, ran.unreviewed) == (0, [])
    assert ran.findings == [("shout", "notes.txt", line) for line in (4, 5, 7, 9)]
    assert ran.inline == [("notes.txt", 4)]


def test_30_other_line_ends(ground: Ground) -> None:
    lines = [
        "a\rSHOUT\n",
        "b\x0c\x0b\n",
        "SHOUT\x85c\n",
        "d\u2028\u2029SHOUT\n",
        "e\x1c\x1d\x1e\r\n",
        "SHOUT\r\n",
        "\r\rf\n",
    ]
    ran = ground.run(ground.open({"notes.txt": "".join(lines)}))
    assert (ran.code, ran.unreviewed) == (0, [])
    assert ran.findings == [("shout", "notes.txt", line) for line in (1, 3, 4, 6)]


def test_31_nul_byte(ground: Ground) -> None:
    ran = ground.run(ground.open({"early.py": "a = '\0'\n" + LOUD, "late.py": "a = 1\n" * 2000 + "b = '\0'\n" + LOUD}))
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert {path for path, _ in ran.unreviewed} == {"early.py", "late.py"}
    assert {("shout", "early.py", 2), ("shout", "late.py", 2002)} <= set(ran.findings)
    assert {reason for _, reason in ran.unreviewed if reason.startswith("line ")} == {
        f"line {line} contains a NUL byte, so git and GitHub do not show this file as text; only line patterns were "
        "tried on it; remove the byte"
        for line in (1, 2001)
    }
    many = ground.run(ground.open({"much.py": "a = '" + "\0" * 200 + "'\n" + LOUD, "data.bin": b"\0\1\2" * 100}))
    assert (many.code, {path for path, _ in many.unreviewed}) == (3, {"much.py"})
    assert ("shout", "much.py", 2) in many.findings
    assert many.no_text == [("data.bin", "binary")]


def test_32_executable(ground: Ground) -> None:
    ground.base({"run.sh": "echo SHOUT\n"})
    ran = ground.run(ground.open({"run.sh": Executable("echo SHOUT\n")}))
    assert (ran.code, ran.verdict, ran.findings, ran.unreviewed) == (0, "no-findings", [], [])
    assert "1 file, +0 -0" in ran.summary


def test_33_rename_out_of_a_guarded_folder(ground: Ground) -> None:
    gate = "on: pull_request\njobs: {}\n"
    ground.base({".github/workflows/gate.yml": gate})
    rule = ".github/review-bot/rules/shout.yml"
    was = ground.repository.hosting.store(ground.repository.record)
    assert was is not None
    from tests.hostile.ground import SHOUT

    pr = ground.open(
        {".github/workflows/gate.yml": None, "docs/gate.yml": gate, rule: None, "docs/shout.yml": SHOUT, "a.py": LOUD}
    )
    ran = ground.run(pr)
    assert ("shout", "a.py", 1) in ran.findings
    assert (ran.code, ran.verdict) == (0, "comments")
    assert "This change edits `.github/workflows/gate.yml`, and this check runs from the change's own" in ran.summary
    assert f"This change edits `{rule}`. That takes effect after the merge" in ran.summary


def test_34_symbolic_link(ground: Ground) -> None:
    ran = ground.run(ground.open({"passwords": Link("/etc/passwd"), "out": Link("../../SHOUT")}))
    assert (ran.code, ran.verdict, ran.findings) == (0, "no-findings", [])
    assert ran.no_text == [("out", "symlink"), ("passwords", "symlink")]
    assert "root:" not in "".join(ran.written) + ran.log


def test_35_submodule(ground: Ground) -> None:
    ground.base({"vendor": Submodule("1" * 40)})
    ran = ground.run(ground.open({"vendor": Submodule("2" * 40)}))
    assert (ran.code, ran.verdict, ran.findings) == (0, "no-findings", [])
    assert ran.no_text == [("vendor", "submodule")]
    assert ran.shown("vendor")


def test_36_lfs_pointer(ground: Ground) -> None:
    ran = ground.run(ground.open({"model.safetensors": POINTER}))
    assert (ran.code, ran.verdict, ran.findings) == (0, "no-findings", [])
    assert ran.no_text == [("model.safetensors", "lfs")]
    assert ran.shown("model.safetensors")


def test_37_gitattributes(ground: Ground) -> None:
    pr = ground.open({".gitattributes": "*.py -diff linguist-generated\n*.py binary\n", "a.py": LOUD})

    def hidden(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if row["filename"] == "a.py":
                row.pop("patch")
                row.update(additions=0, deletions=0, changes=0)

    ground.github.tamper(ROWS, hidden)
    ran = ground.run(pr)
    assert (ran.code, ran.findings, ran.unreviewed) == (0, [("shout", "a.py", 1)], [])
    assert ran.shown("a.py:1")


def test_38_final_newline(ground: Ground) -> None:
    ground.base({"with.txt": "a\nb\n", "without.txt": "a\nb"})
    ran = ground.run(ground.open({"with.txt": "a\nSHOUT", "without.txt": "a\nSHOUT\n"}))
    assert (ran.code, ran.unreviewed) == (0, [])
    assert ran.findings == [("shout", "with.txt", 2), ("shout", "without.txt", 2), ("style/eof-newline", "with.txt", 2)]
    same = ground.run(ground.open({"with.txt": "a\nb", "without.txt": "a\nb\n"}))
    assert same.findings == [("style/eof-newline", "with.txt", 2)]


def test_39_filler_before_a_bad_file(ground: Ground) -> None:
    pr = ground.open({"a.txt": "filler\n" * 20_001, "b.txt": "x\n" * 15_000, "c.txt": "x\n" * 6_000, "z.py": LOUD})
    rows: list[Any] = []
    ground.github.tamper(ROWS, rows.extend)
    ran = ground.run(pr)
    assert [row["filename"] for row in rows if "patch" not in row] == ["a.txt", "c.txt", "z.py"]
    assert ("shout", "z.py", 1) in ran.findings
    assert (ran.code, ran.unreviewed) == (0, [])


def test_40_too_many_files(ground: Ground) -> None:
    ran = ground.run(ground.open({f"many/{number:04}.txt": "one\n" for number in range(3001)}))
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.unreviewed == [("many/3000.txt", "GitHub lists at most 3,000 files of a pull request; split it")]


def test_41_row_without_anything(ground: Ground) -> None:
    def nothing(row: dict[str, Any]) -> None:
        row.pop("patch")
        row.update(additions=0, deletions=0, changes=0)

    found_by_contents(changed(ground, nothing))


def test_42_gigabyte(ground: Ground) -> None:
    pr = ground.open({"data.json": '{"a": 1}\n'})
    size = 1 << 30
    (entry,) = [
        entry
        for path, entry in ground.repository.hosting.store(ground.repository.record)
        .files(ground.repository.hosting.store(ground.repository.record).tree_of(pr.head_sha) or "")
        .items()
        if path == b"data.json"
    ]

    def large(answer: dict[str, Any]) -> None:
        for row in answer["tree"]:
            if row["path"] == "data.json":
                row["size"] = size

    def cut(answer: dict[str, Any]) -> None:
        for node in answer["data"]["repository"].values():
            if node and node["oid"] == entry.sha:
                node.update(byteSize=size, isTruncated=True, text=None)

    ground.github.tamper(("GET", "/git/trees/*"), large)
    ground.github.tamper(("GRAPHQL", "Blobs"), cut)
    ground.github.tamper(ROWS, lambda rows: rows[0].pop("patch") and None)
    ran = ground.run(pr)
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.unreviewed == [("data.json", "larger than 50,000,000 bytes")]
    assert [call.path for call in ran.calls if "/git/blobs/" in call.path] == []
