"""Paths through a context manager that yield never or twice, against what the standard library does with them."""

from textwrap import indent

import pytest

from tests.rule_cases import findings_of

RULE = "errors/context-manager-yields"
HEADER = "from contextlib import contextmanager\n\n\n@contextmanager\ndef held(on, kind=0):\n"


def messages(body: str) -> list[str]:
    """Return what is found in a context manager with this body."""
    return [each.message for each in findings_of(RULE, HEADER + indent(body, "    "))]


def outcomes(body: str) -> set[str]:
    """Return how ``with`` ends for each argument and each error of the block."""
    found: set[str] = set()
    for on in (True, False):
        for error in (None, KeyError):
            space: dict[str, object] = {}
            exec(HEADER + indent(body, "    "), space)  # the bodies of this file alone
            try:
                with space["held"](on):  # type: ignore[operator]
                    if error is not None:
                        raise error
                found.add("left")
            except RuntimeError as failure:
                found.add(str(failure).removesuffix("()").removesuffix(" after throw"))
            except KeyError:
                found.add("raised")
    return found


@pytest.mark.parametrize(
    "body",
    [
        "if on:\n    return\nyield\n",
        "if on:\n    pass\nelif kind:\n    yield\nelse:\n    yield\n",
        "try:\n    int('a')\nexcept ValueError:\n    return\nyield\n",
        "with open('/dev/null'):\n    if on:\n        return\n    yield\n",
        "kind += 1\nif kind > 5:\n    raise ValueError\nif on:\n    return\nyield\n",
    ],
)  # fmt: skip
def test_a_path_that_yields_nothing_fails_on_entry(body: str) -> None:
    assert ["does not yield here" in each for each in messages(body)] == [True]
    assert "generator didn't yield" in outcomes(body)


@pytest.mark.parametrize(
    "body",
    [
        "yield\nyield\n",
        "if on:\n    yield\nyield\n",
        "try:\n    yield\nexcept KeyError:\n    yield\n",
        "try:\n    yield\nexcept KeyError:\n    pass\nyield\n",
        "yield\nif on:\n    kind = 1\n    yield\n",
    ],
)
def test_a_path_that_yields_twice_fails_at_the_end(body: str) -> None:
    assert ["yields a second time here" in each for each in messages(body)] == [True]
    assert "generator didn't stop" in outcomes(body)


@pytest.mark.parametrize(
    "body",
    [
        "yield\n",
        "if on:\n    yield\n    return\nyield\n",
        "if on:\n    yield\nelse:\n    yield\n",
        "if on:\n    yield\nif not on:\n    yield\n",
        "for _ in range(3):\n    yield\n    return\n",
        "while True:\n    yield\n    break\n",
        "try:\n    kind = int(kind)\n    yield\nexcept KeyError:\n    pass\n",
        "try:\n    kind = int(kind)\n    yield\nexcept ValueError:\n    yield\n",
        "try:\n    kind = int('a')\nexcept ValueError:\n    kind = 0\nyield\n",
        "yield\nreturn\n",
        "def skip():\n    raise KeyError\nif on:\n    skip()\n    return\nyield\n",
        "yield from range(1)\n",
        "if on:\n    raise KeyError\nyield\n",
        "if kind:\n    yield\n    return\nif on:\n    kind = 2\nyield\n",
    ],
)
def test_other_bodies_are_left_alone(body: str) -> None:
    assert messages(body) == []
    assert outcomes(body) <= {"left", "raised"}


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("@contextmanager\n", "") + "    yield\n    yield\n",
        HEADER.replace("from contextlib", "from other") + "    yield\n    yield\n",
        HEADER.replace("@contextmanager\n", "@contextmanager\n@wrapped\n") + "    yield\n    yield\n",
        HEADER.replace("\n\n\n@", "\n\n\ndef contextmanager(function):\n    return function\n\n\n@")
        + "    yield\n    yield\n",
    ],
)
def test_what_is_no_context_manager_may_yield_as_it_likes(text: str) -> None:
    assert findings_of(RULE, text) == []


def test_what_was_so_before_is_not_new() -> None:
    body = "    if on:\n        return\n    yield\n"
    base = {"pkg/held.py": HEADER + body}
    assert findings_of(RULE, {"pkg/held.py": HEADER + "    kind += 1\n" + body}, base) == []
    assert len(findings_of(RULE, {"pkg/held.py": HEADER + body + "    yield\n"}, base)) == 1


def test_a_test_may_want_the_error() -> None:
    text = (
        HEADER + "    yield\n    yield\n\n\ndef test_held():\n    with pytest.raises(RuntimeError):\n        held(1)\n"
    )
    assert findings_of(RULE, {"tests/test_held.py": text}) == []
