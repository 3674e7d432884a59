"""Copied statements: what a function could take of them."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "pr/copied-block"


def steps(first: int, indent: str) -> str:
    """Return seven statements from a number on."""
    return "".join(
        f"{indent}step_{n} = task.read_step_{n}(limits.of_step_{n}, scale_{n})\n" for n in range(first, first + 7)
    )


def test_whole_statements_can_be_moved() -> None:
    lines = steps(0, "    ") + steps(7, "    ")
    [finding] = findings_of(RULE, f"def one(task):\n    a = 1\n{lines}\n\ndef two(task):\n    b = 2\n{lines}")

    assert finding.instead == "Move them into a function that both places call, so that a fix reaches both."


def test_lines_from_within_a_loop_to_behind_it_cannot() -> None:
    lines = steps(0, "        ") + steps(7, "    ")
    [finding] = findings_of(
        RULE,
        f"def one(tasks):\n    for task in tasks:\n{lines}\n\n"
        f"def two(tasks):\n    for task in tasks.values():\n{lines}",
    )

    assert finding.instead == (
        "Move the statements that are whole among them, or the code around both places, "
        "into a function that both places call, so that a fix reaches both."
    )


def test_the_whole_body_of_a_function_can_be_called() -> None:
    own, inner = (steps(0, indent) + steps(7, indent) for indent in ("    ", "        "))
    code = f"def one(task):\n{own}\n\ndef two(tasks):\n    for task in tasks.values():\n{inner}"
    [finding] = findings_of(RULE, code)

    assert finding.instead == "Call `one()` here, so that a fix reaches both places."
