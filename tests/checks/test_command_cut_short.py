"""Options behind a line that ends their command too early."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "shell/command-cut-short"


def said(lines: list[str], path: str = "run.sh") -> list[tuple[int | None, str]]:
    """Return the line and the message of each finding in a new file."""
    return [(each.line, each.message) for each in findings_of(RULE, {path: "\n".join(lines) + "\n"}, {})]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("  --port 80", "has no backslash"),
        ("  --port 80 \\ ", "has a space after its backslash"),
        ("  --port 80 \\\t", "has a space after its backslash"),
        ("  --port 80 \\ # usual", "has a comment after its backslash"),
        ("  # --port 80 \\", "is a comment"),
    ],
)
def test_the_line_that_ends_a_command_is_named(second: str, reason: str) -> None:
    found = said(["serve --model m \\", second, "  --host h"])
    assert found == [(2, f"Line 2 {reason}, so the command ends there and does not get `--host` (line 3).")]


@pytest.mark.parametrize(
    ("second", "advice"),
    [
        ("  --port 80", "End the line with a backslash and nothing after it."),
        ("  --port 80  # usual", "Move the comment above the command, and end the line with a backslash."),
        ("  --port 80 \\ ", "Delete the space after the backslash."),
        ("  --port 80 \\ # usual", "Move the comment above the command, so that the backslash ends the line."),
        ("  # --port 80 \\", "Move the comment above the command."),
    ],
)
def test_the_advice_fits_the_end_of_the_line(second: str, advice: str) -> None:
    text = f"serve --model m \\\n{second}\n  --host h\n"
    assert [each.instead for each in findings_of(RULE, {"run.sh": text}, {})] == [advice]


@pytest.mark.parametrize(
    "lines",
    [
        ["serve --model m \\", "  --port 80 \\", "  --host h"],
        ["serve --model m \\", "  --name a\\ b \\", "  --host h"],
        ["serve --model m \\", "  --port 80", "    --host h"],
        ["serve --model m \\", "  --text 'a", "  --host h'"],
        ["serve --model m \\", "  [--port P]", "  --host h"],
        ["# serve \\ ", "  --host h"],
        ["serve --model m \\", "  --port 80", "", "  --host h"],
        ["  --host h"],
    ],
)
def test_other_lines_are_left_alone(lines: list[str]) -> None:
    assert said(lines) == []


def test_the_first_command_line_counts_too() -> None:
    assert [line for line, _ in said(["serve --model m \\ ", "  --host h"], "docs/serve.md")] == [1]


def test_one_command_is_reported_once() -> None:
    assert [line for line, _ in said(["serve --model m \\ # a", "  --host h \\ # b", "  --port 80"])] == [1]


def test_a_command_that_is_cut_by_several_comments_is_reported_at_the_first() -> None:
    command = ["serve --model m \\", "  # network", "  --host h \\", "  --port 80 \\", "  # limits", "  --tokens 8"]
    assert [line for line, _ in said(command)] == [2]
    assert [line for line, _ in said([*command, "", *command])] == [2, 9]
