from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/asyncio-timeout-uncaught"
HEAD = "import asyncio\nfrom contextlib import suppress\n\n\nasync def take(queue, limit):\n"
WAIT = "await asyncio.wait_for(queue.get(), limit)"


def lines(body: str, promise: str = ">=3.10", base: str | None = None, top: str = "") -> list[int]:
    """Return the lines that are reported of a function with some body, and of code behind it."""
    files = {"pyproject.toml": f'[project]\nrequires-python = "{promise}"\n'}
    files |= {} if base is None else {"pkg/run.py": HEAD + base}
    return [each.line or 0 for each in findings_of(RULE, {"pkg/run.py": HEAD + body + top}, files)]


def tried(body: str, *handlers: str) -> str:
    return f"    try:\n        {body}\n" + "".join(f"    except {each}:\n        pass\n" for each in handlers)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (tried(WAIT, "TimeoutError"), [8]),
        (tried(WAIT, "(OSError, TimeoutError)", "Exception"), [8]),
        (tried(f"return {WAIT}", "ValueError", "TimeoutError"), [10]),
        (tried(f"with lock:\n            {WAIT}", "TimeoutError"), [9]),
        (tried(WAIT, "Exception", "TimeoutError"), []),
        (tried(WAIT, "TimeoutError", "asyncio.TimeoutError"), []),
        (tried(WAIT, "(TimeoutError, QUEUE_TIMEOUTS)"), []),
        (tried(WAIT, "(TimeoutError, *OTHERS)"), []),
        (tried(f"with suppress(asyncio.TimeoutError):\n            {WAIT}", "TimeoutError"), []),
        (tried("await queue.wait_for(limit)", "TimeoutError"), []),
        (tried("await asyncio.wait_for(queue.get(), None)", "TimeoutError"), []),
        (tried("task = asyncio.wait_for(queue.get(), limit)", "TimeoutError"), []),
        (tried(f"async def inner():\n            {WAIT}", "TimeoutError"), []),
    ],
)
def test_a_handler_that_misses_the_timeout_is_reported(body: str, expected: list[int]) -> None:
    assert lines(body) == expected


@pytest.mark.parametrize(("promise", "found"), [(">=3.9", True), (">3.9,<4", True), (">=3.11", False), ("", False)])
def test_the_oldest_python_decides(promise: str, found: bool) -> None:
    assert bool(lines(tried(WAIT, "TimeoutError"), promise)) == found


def test_the_added_line_is_reported() -> None:
    assert lines(tried(WAIT, "TimeoutError"), base=tried("await queue.get()", "TimeoutError")) == [7]
    assert lines(tried(WAIT, "TimeoutError"), base=tried(WAIT, "asyncio.TimeoutError")) == [8]
    assert lines(tried(WAIT, "TimeoutError"), base=tried(WAIT, "TimeoutError") + "    return 1\n") == []


def test_a_name_that_falls_back_to_the_built_in_class_is_reported() -> None:
    body = tried(WAIT, "TimeoutError")

    assert lines(body, base=body + "from .errors import TimeoutError\n") == [8]


@pytest.mark.parametrize(
    "top",
    [
        "from .errors import TimeoutError\n",
        "TimeoutError = asyncio.TimeoutError\n",
        "from asyncio import *\n",
        "if sys.version_info < (3, 11):\n    raise SystemExit\n",
    ],
)
def test_the_name_may_stand_for_another_class(top: str) -> None:
    assert lines(tried(WAIT, "TimeoutError"), top=top) == []
