"""Calls that use a result in the form that a function no longer returns, and which of them fail the gate."""

import pytest

from tests.rule_cases import findings_of

RULE = "api/return-changed"


def severities(before: str, after: str, use: str, guard: str = "") -> list[str]:
    """Return the severities of what is found where a function changes that one line uses."""
    body = f"    {use}\n" if not guard else f"    try:\n        {use}\n    except {guard}:\n        return None\n"
    run = f"from pkg.core import load\n\n\nasync def run(x):\n{body}    return x\n"
    base = {"pkg/__init__.py": "", "pkg/core.py": before, "pkg/run.py": run}
    return [each.severity for each in findings_of(RULE, {"pkg/core.py": after}, base)]


PAIR = "def load(x):\n    return x, 1\n"
ONE = "def load(x):\n    return x\n"
NOTHING = "def load(x):\n    print(x)\n"


@pytest.mark.parametrize(
    ("before", "after", "use", "expected"),
    [
        (PAIR, PAIR.replace("1", "1, 2"), "a, b = load(x)", "error"),
        (PAIR, f"async {PAIR}", "a, b = load(x)", "error"),
        (PAIR, NOTHING, "a, b = load(x)", "error"),
        (ONE, NOTHING, "x = load(x).shape", "error"),
        (ONE, NOTHING, "x = load(x)[0]", "error"),
        (ONE, NOTHING, "x = [each for each in load(x)]", "error"),
        (ONE, ONE + "    return x, 1\n", "x = load(x).shape", ""),
        (ONE, PAIR, "x = load(x).shape", "error"),
        (ONE, f"async {ONE}", "x = load(x).shape", "error"),
        (ONE, f"async {ONE}", "load(x)", "warning"),
        (ONE, NOTHING, "x = load(x)", "warning"),
        (ONE, NOTHING, "x = [each for each in x if load(each)]", ""),
        (ONE, f"async {ONE}", "x = load(x).close", "warning"),
    ],
)
def test_a_use_that_surely_fails_is_an_error(before: str, after: str, use: str, expected: str) -> None:
    assert severities(before, after, use) == [expected] * bool(expected)


@pytest.mark.parametrize("after", [f"async {ONE}", "def load(x):\n    yield x\n", NOTHING])
@pytest.mark.parametrize(
    "use",
    [
        "x = len(load(x))",
        "y = load(x)\n    x = y[0]",
        "y = load(x)\n    x = len(y)",
        "y = load(x)\n    x = y.shape",
        "with load(x):\n        pass",
    ],
)
def test_a_use_of_the_result_that_no_longer_works_is_an_error(after: str, use: str) -> None:
    assert severities(ONE, after, use) == ["error"]


@pytest.mark.parametrize("after", [f"async {ONE}", NOTHING])
@pytest.mark.parametrize("use", ["for y in load(x):\n        print(y)", "y = load(x)\n    x = [z for z in y]"])
def test_a_loop_over_what_has_no_items_any_more_is_an_error(after: str, use: str) -> None:
    assert severities(ONE, after, use) == ["error"]


@pytest.mark.parametrize(
    "use",
    [
        "y = await load(x)\n    x = y[0]",
        "y = load(x)\n    y = await y\n    x = y[0]",
        "y = load(x)\n    if isawaitable(y):\n        return await y\n    x = y[0]",
        "y = load(x)\n    x = (lambda y: y[0])(x)",
        "y = load(x)\n    import pkg.core as y\n    x = y[0]",
        "y = load(x)\n    x = [y[0] for y in x]",
        "y = load(x)\n    x = y is not None and y[0]",
        "y = load(x)\n    try:\n        x = y[0]\n    except TypeError:\n        x = await y",
    ],
)
def test_a_name_that_may_hold_something_else_or_is_awaited_is_none(use: str) -> None:
    assert severities(ONE, f"async {ONE}", use) == []


def test_a_result_that_is_asked_for_first_may_be_nothing() -> None:
    assert severities(ONE, NOTHING, "y = load(x)\n    if y is None:\n        return x\n    x = y.shape") == ["warning"]
    assert severities(ONE, NOTHING, "y = load(x)\n    if y:\n        x = y[0]") == ["warning"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return [x]\n", "error"),
        ("    return {'x': x}\n", "error"),
        ("    return f'{x}'\n", "error"),
        ("    if x:\n        return True\n    return False\n", "error"),
        ("    rows = []\n    rows.append(x)\n    return rows\n", "error"),
        ("    return x\n", ""),
        ("    return start(x)\n", ""),
        ("    if x:\n        return start(x)\n    return []\n", ""),
        ("    rows = []\n    if x:\n        rows = start(x)\n    return rows\n", ""),
        ("    rows = []\n    for rows in x:\n        x.send(rows)\n    return rows\n", ""),
        ("    global rows\n    rows = []\n    return rows\n", ""),
    ],
)
def test_what_nobody_can_await_any_more_is_an_error(body: str, expected: str) -> None:
    header = "def load(x):\n"
    assert severities(f"async {header}{body}", header + body, "x = await load(x)") == [expected] * bool(expected)
    assert severities(f"async {header}{body}", header + body, "x = load(x)") == []


@pytest.mark.parametrize(
    ("use", "guard", "expected"),
    [
        ("x = load(x).shape", "AttributeError", "warning"),
        ("x = load(x).shape", "KeyError", "error"),
        ("a, b = load(x)", "TypeError", ""),
        ("a, b = load(x)", "Exception", "error"),
    ],
)
def test_a_use_whose_failure_is_expected_is_none(use: str, guard: str, expected: str) -> None:
    before = PAIR if "a, b" in use else ONE
    assert severities(before, NOTHING, use, guard) == [expected] * bool(expected)


@pytest.mark.parametrize(
    "other", ["def run(model):\n    return model.load(1)\n", "from pkg.core import load\n\nload(1)\n"]
)
def test_many_files_with_the_name_hide_no_call(other: str) -> None:
    use = "from pkg.core import load\n\na, b = load(1)\n"
    base = {"pkg/__init__.py": "", "pkg/core.py": PAIR, "pkg/run.py": use}
    base |= {f"pkg/model{number}.py": other for number in range(260)}
    found = findings_of(RULE, {"pkg/core.py": PAIR.replace("1", "1, 2")}, base)
    assert [each.severity for each in found] == ["error"]


COROUTINE = f"async {ONE}"
NAME = "def load(x):\n    return x.name\n"
STREAM = "async def load(x):\n    yield x\n"
ITEM = "def load(x):\n    rows = read(x)\n    return rows[0]\n"
TEXT = "def load(x) -> str:\n    return read(x)\n"


@pytest.mark.parametrize(
    ("before", "after", "use", "expected"),
    [
        (f"async {NAME}", NAME, "x = await load(x)", "error"),
        (f"async {ITEM}".replace("read", "await read"), ITEM, "x = await load(x)", "error"),
        (f"async {TEXT}".replace("read", "await read"), TEXT, "x = await load(x)", "error"),
        (COROUTINE, "def load(x):\n    return len(x)\n", "x = await load(x)", "error"),
        (COROUTINE, "def load(x):\n    yield x\n", "x = await load(x)", "error"),
        (COROUTINE, STREAM, "x = await load(x)", "error"),
        (f"async {NAME}", NAME, "x = asyncio.run(load(x))", "error"),
        (f"async {NAME}", NAME, "x = await asyncio.gather(load(x), load(1))", "error"),
        (f"async {NAME}", NAME, "x = asyncio.create_task(load(x))", "error"),
        (STREAM, "def load(x):\n    yield x\n", "x = [each async for each in load(x)]", "error"),
        (STREAM, "async def load(x):\n    return [x]\n", "x = [each async for each in load(x)]", "error"),
        ("def load(x):\n    yield x\n", STREAM, "x = [each for each in load(x)]", "error"),
        # What it returns may be a coroutine, too.
        (COROUTINE, ONE, "x = await load(x)", ""),
        (COROUTINE, "def load(x):\n    return read(x)\n", "x = await load(x)", ""),
        ("async def load(x):\n    return read(x)\n", "def load(x):\n    return read(x)\n", "x = await load(x)", ""),
        (
            "async def load(x):\n    y = await read(x)\n    return y\n",
            "def load(x):\n    y = read(x)\n    return y\n",
            "x = await load(x)",
            "",
        ),
        (
            "async def load(x):\n    x = await read(x)\n    return x\n",
            "def load(x):\n    x = read(x)\n    return x\n",
            "x = await load(x)",
            "",
        ),
        (COROUTINE, "def load(x) -> Awaitable[str]:\n    return x.later\n", "x = await load(x)", ""),
        (COROUTINE, ONE, "x = load(x)", ""),
        (COROUTINE, ONE, "x = start(load(x))", ""),
        (STREAM, "def load(x):\n    return read(x)\n", "x = [each async for each in load(x)]", ""),
        (STREAM, "def load(x):\n    yield x\n", "x = load(x)", ""),
    ],
)
def test_what_is_awaited_must_stay_a_coroutine(before: str, after: str, use: str, expected: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": before}
    base["pkg/run.py"] = (
        f"import asyncio\n\nfrom pkg.core import load\n\n\nasync def run(x):\n    {use}\n    return x\n"
    )
    assert [each.severity for each in findings_of(RULE, {"pkg/core.py": after}, base)] == [expected] * bool(expected)
