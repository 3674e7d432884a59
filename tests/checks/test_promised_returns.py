"""Functions that contradict their annotation: what the change brought, and what was there before."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

SIZE = "errors/return-size-contradiction"
MISSING = "errors/missing-return"


@pytest.mark.parametrize(
    ("annotation", "value", "count"),
    [
        ("tuple[int, int]", "1, 2, 3", 1),
        ("Tuple[int, int]", "(1,)", 1),
        ("typing.Tuple[int, int]", "1, 2, 3", 1),
        ("'tuple[int, int]'", "1, 2, 3", 1),
        ("tuple[int, int] | None", "1, 2, 3", 1),
        ("Optional[tuple[int, int]]", "1, 2, 3", 1),
        ("tuple[int, int] | tuple[str, str]", "1, 2, 3", 1),
        ("tuple[int]", "1, 2", 1),
        ("tuple[int, int]", "1, 2", 0),
        ("tuple[int, ...]", "1, 2, 3", 0),
        ("tuple[int, *Rest]", "1, 2, 3", 0),
        ("tuple[int, Unpack[Rest]]", "1, 2, 3", 0),
        ("tuple[int, int] | tuple[int, int, int]", "1, 2, 3", 0),
        ("tuple[int, int] | Sizes", "1, 2, 3", 0),
        ("tuple", "1, 2, 3", 0),
        ("tuple[int, int]", "*x, 1, 2", 0),
        ("tuple[int, int]", "x", 0),
    ],
)
def test_the_length_of_a_tuple(annotation: str, value: str, count: int) -> None:
    assert len(findings_of(SIZE, f"def f(x) -> {annotation}:\n    return {value}\n")) == count


def test_a_generator_within_a_function_is_another_function() -> None:
    inner = "    def each():\n        yield from x\n"
    assert len(findings_of(SIZE, f"def f(x) -> tuple[int, int]:\n{inner}    return 1, 2, 3\n")) == 1


WORK = "    for each in x:\n        each.run()\n"


@pytest.mark.parametrize(
    ("header", "body", "count"),
    [
        ("def f(x) -> int:", WORK, 1),
        ("async def f(x) -> dict[str, int]:", WORK, 1),
        ("@staticmethod\ndef f(x) -> int:", WORK, 1),
        ("def f(x) -> int:", WORK + "    return\n", 1),
        ("def f(x) -> int:", WORK + "    def inner():\n        return 1\n", 1),
        ("def f(x) -> int:", WORK + "    return 1\n", 0),
        ("def f(x) -> int:", WORK + "    raise ValueError(x)\n", 0),
        ("def f(x) -> int:", WORK + "    while True:\n        x.run()\n", 0),
        ("def f(x) -> int:", WORK + "    sys.exit(1)\n", 0),
        ("def f(x) -> int:", WORK + "    x.raise_for_state()\n", 0),
        ("def f(x) -> int:", WORK + "    yield 1\n", 0),
        ("def f(x) -> int:", "    ...\n", 0),
        ("def f(x) -> int:", "    if x:\n        raise ValueError\n", 0),
        ("def f(x) -> 'int | None':", WORK, 0),
        ("def f(x) -> Optional[int]:", WORK, 0),
        ("def f(x) -> Any:", WORK, 0),
        ("@kernel\ndef f(x) -> int:", WORK, 0),
        ("@abstractmethod\ndef f(x) -> int:", WORK, 0),
    ],
)
def test_a_result_that_is_never_returned(header: str, body: str, count: int) -> None:
    assert len(findings_of(MISSING, f"{header}\n{body}")) == count


@pytest.mark.parametrize(
    ("rule", "before", "after", "count"),
    [
        (SIZE, "def f(x) -> tuple[int, int]:\n    return (\n        1,\n        2,\n    )\n", "def f(x) -> tuple[int, int]:\n    return (\n        1,\n    )\n", 1),
        (SIZE, "def f(x) -> tuple[int, int, int]:\n    return 1, 2, 3\n", "def f(x) -> tuple[int, int]:\n    return 1, 2, 3\n", 1),
        (SIZE, "def f(x) -> tuple[int, int]:\n    return 1, 2, 3\n", "def f(x) -> tuple[int, int]:\n    return 1, 2, 4\n", 0),
        (MISSING, f"def f(x) -> int:\n{WORK}    return 1\n", f"def f(x) -> int:\n{WORK}", 1),
        (MISSING, f"def f(x):\n{WORK}", f"def f(x) -> int:\n{WORK}", 1),
        (MISSING, f"def f(x) -> int:\n{WORK}", f"def f(x) -> int:\n    x = x[1:]\n{WORK}", 0),
    ],
)  # fmt: skip
def test_only_what_the_change_brought(rule: str, before: str, after: str, count: int) -> None:
    rest = "\n\ndef g(x):\n    return x\n"
    assert len(findings_of(rule, {"engine/run.py": after + rest}, {"engine/run.py": before + rest})) == count
