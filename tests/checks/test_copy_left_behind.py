"""Edits of a document that its copy elsewhere does not get."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "docs/copy-left-behind"
LINES = [f"This is line number {number}." for number in range(12)]
README, PAGE = "examples/serving/qwen/README.md", "docs/guide/serving/qwen.md"


def page(*lines: str) -> str:
    return "".join(f"{line}\n\n" for line in lines)


def found(edited: str, other: str = PAGE, copy: str = "", more: dict[str, str] | None = None) -> int:
    base = {README: page(*LINES), other: copy or page("# Qwen", *LINES), **(more or {})}
    return len(findings_of(RULE, {README: edited}, base))


def test_an_edited_line() -> None:
    assert found(page(*LINES[:5], "This line is new now.", *LINES[6:])) == 1


def test_added_lines_between_lines_of_both() -> None:
    assert found(page(*LINES[:5], "This line is new now.", *LINES[5:])) == 1


@pytest.mark.parametrize(
    ("other", "copy", "more"),
    [
        ("docs/guide/serving/llama.md", "", {}),  # of another name
        (PAGE, page(*LINES[:5], *(f"Another line {number}" for number in range(9))), {}),
        (PAGE, "", {".gitignore": "qwen.md\n"}),
        (PAGE, "", {"docs/make.py": "PAGES = 'docs/guide/serving'\n\n\ndef main():\n    write(PAGES)\n"}),
        ("docs/archive/qwen.md", "", {}),
    ],
)
def test_documents_that_are_no_copies_to_keep(other: str, copy: str, more: dict[str, str]) -> None:
    assert found(page(*LINES[:5], "This line is new now.", *LINES[6:]), other, copy, more) == 0


def test_the_message_counts_the_lines_of_both() -> None:
    (finding,) = findings_of(
        RULE,
        {README: page("# Serve", *LINES[:5], "This line is new now.", *LINES[6:])},
        {README: page("# Serve", *LINES), PAGE: page("# Qwen", *LINES)},
    )
    assert finding.message == f"`{PAGE}` had 12 of the 13 different lines of this document, and does not get this edit."


def test_lines_that_are_translated() -> None:
    for count in (1, 3, 9):
        translated = (f"这是第 {number} 行，用中文写的。" for number in range(count))
        assert found(page(*translated, *LINES[count:])) == 0


def test_a_document_that_is_rewritten() -> None:
    other = (f"Eine Zeile mit der Nummer {number}." for number in range(9))
    assert found(page(*other, *LINES[9:])) == 0


def test_lines_that_the_copy_never_had() -> None:
    without = page(*LINES[:5], *LINES[6:])
    assert found(page(*LINES[:5], "This line is new now.", *LINES[6:]), copy=without) == 0


def test_a_line_that_the_document_had_twice() -> None:
    base = {README: page(*LINES, LINES[3]), PAGE: page("# Qwen", *LINES)}
    assert findings_of(RULE, {README: page(*LINES)}, base) == []
