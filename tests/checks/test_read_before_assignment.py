from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/read-before-assignment"


def found(body: str) -> list[tuple[int, str]]:
    text = "def run(items, flag):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return [(each.line or 0, each.message.split("`")[1]) for each in findings_of(RULE, text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("print(a)\na = 1", [(2, "a")]),
        ("if flag:\n    print(a)\na = 1", [(3, "a")]),
        ("a, b = a, 1", [(2, "a")]),
        ("a = items.pop('a', a)", [(2, "a")]),
        ("a = flag and a", [(2, "a")]),
        ("b = a.copy()\na = b + a", [(2, "a")]),
        ("print(f'{a}')\nfor a in items:\n    pass", [(2, "a")]),
        ("print(json)\nimport json", [(2, "json")]),
        ("print(e)\ntry:\n    pass\nexcept OSError as e:\n    pass", [(2, "e")]),
    ],
)
def test_a_read_in_front_of_every_binding_is_reported(body, expected):
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "for each in items:\n    if flag:\n        print(a)\n    a = each",
        "while flag:\n    a = a + 1 if flag else 0",
        "print([a for a in items])\na = 1",
        "later = lambda: a\na = 1",
        "def inner():\n    return a\na = 1",
        "global a\nprint(a)\na = 1",
        "print(items)\nitems = []",
        "print(a)",
        "def inner():\n    nonlocal a\n    a = 2\na = a + 1",
    ],
)
def test_a_read_that_may_find_a_value_is_left_out(body):
    assert found(body) == []


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("def run(text):\n    split = split(text)\n    return split\n", "error"),
        ("def run(text):\n    if text:\n        split = split(text)\n    return text\n", "error"),
        ("def run():\n    print(count)\n    count = 1\n", "error"),
        ("import fast\n\n\n@fast.compiled\ndef run(text):\n    split = split(text)\n", "warning"),
        ("def run(text):\n    try:\n        split = split(text)\n    except Exception:\n        pass\n", "warning"),
        ("def run(text):\n    try:\n        print(a)\n    except UnboundLocalError:\n        a = 1\n", "warning"),
        ("def run(text):\n    size = eval('text')\n    split = split(text)\n", "warning"),
        ("import pytest\n\n\ndef run():\n    with pytest.raises(NameError):\n        a = a + 1\n", "warning"),
    ],
)
def test_a_read_that_surely_fails_is_an_error(code: str, severity: str) -> None:
    assert [each.severity for each in findings_of(RULE, code)] == [severity]


def test_a_read_that_the_change_puts_above_the_only_binding_is_an_error() -> None:
    base = "count = 0\n\n\ndef run():\n    print(count)\n"
    [finding] = findings_of(RULE, {"a.py": f"{base}    count = 1\n"}, {"a.py": base})
    assert finding.severity == "error"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("a = 1\ndel a\nprint(a)", 4),
        ("del items\nfor each in items:\n    print(each)", 3),
        ("for a in items:\n    del a\n    if flag:\n        print(a)", 5),
        ("del items, flag\nflag = flag + 1", 3),
        ("del items\nif flag:\n    return 1\nreturn items", 5),
    ],
)
def test_a_read_below_the_del_of_the_name_is_an_error(body: str, line: int) -> None:
    text = "def run(items, flag):\n" + "".join(f"    {each}\n" for each in body.split("\n"))
    assert [(each.line, each.severity) for each in findings_of(RULE, text)] == [(line, "error")]


@pytest.mark.parametrize(
    "body",
    [
        "del items\nitems = 1\nprint(items)",
        "if flag:\n    del items\nelse:\n    print(items)",
        "del items\nif flag:\n    items = 1\nprint(items)",
        "del items[0]\nprint(items)",
        "del items.first\nprint(items)",
        "del items\nprint([items for items in flag])",
        "del items\nfrom lib import items\nprint(items)",
        "del items\nfor items in flag:\n    print(items)",
        "del items\ntry:\n    print(items)\nexcept NameError:\n    pass",
        "del items\nreturn flag\nprint(items)",
        "def inner():\n    nonlocal items\n    items = 1\ndel items\ninner()\nprint(items)",
        "global count\ndel count\nmake()\nprint(count)",
        "while flag:\n    a = 1\n    print(a)\n    del a",
    ],
)
def test_a_name_that_may_be_bound_again_after_its_del_is_left_alone(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "code",
    [
        "def f(rows):\n    try:\n        return rows[0]\n    except IndexError as error:\n        pass\n    return error\n",
        "def f(rows):\n    for row in rows:\n        try:\n            row()\n        except OSError as error:\n            print(error)\n    raise ValueError from error\n",
    ],
)
def test_the_name_of_an_error_is_gone_below_its_handler(code: str) -> None:
    (found,) = findings_of(RULE, code)
    assert found.severity == "error"
    assert "deletes it at its end" in found.message


@pytest.mark.parametrize(
    "code",
    [
        "def f(rows):\n    try:\n        return rows[0]\n    except IndexError as error:\n        return error\n",
        "def f(rows):\n    error = None\n    try:\n        rows()\n    except IndexError as error:\n        return 1\n    return error\n",
        "def f(rows):\n    try:\n        rows()\n    except OSError as error:\n        try:\n            rows(error)\n        finally:\n            print(error)\n",
        "def f(rows):\n    try:\n        rows()\n    except OSError as error:\n        return lambda: error\n",
        "def f(rows):\n    try:\n        rows()\n    except OSError as error:\n        last = error\n    return last\n",
    ],
)
def test_the_name_of_an_error_that_has_a_value_is_left_alone(code: str) -> None:
    assert not findings_of(RULE, code)
