from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/strip-of-word"


def advice(call: str, promise: str = ">=3.10") -> str:
    """Return what the one finding recommends."""
    base = {"pyproject.toml": f'[project]\nrequires-python = "{promise}"\n'}
    (found,) = findings_of(RULE, {"pkg/run.py": f"def run(name):\n    return {call}\n"}, base)
    assert found.message == f"`{call}` strips any of these characters, not the whole word."
    return found.instead


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("lstrip", "To drop a word, use `removeprefix`."),
        ("rstrip", "To drop a word, use `removesuffix`."),
        ("strip", "To drop a word, use `removeprefix` at the start and `removesuffix` at the end."),
    ],
)
def test_names_the_method_of_the_side(method: str, expected: str) -> None:
    assert advice(f"name.{method}('model.')") == expected


@pytest.mark.parametrize(
    ("method", "test", "lacking"),
    [
        ("lstrip", "`startswith`", "`removeprefix`"),
        ("rstrip", "`endswith`", "`removesuffix`"),
        ("strip", "`startswith` or `endswith`", "`removeprefix` and `removesuffix`"),
    ],
)
def test_recommends_a_slice_where_the_project_supports_an_older_python(method: str, test: str, lacking: str) -> None:
    assert advice(f"name.{method}('model.')", ">=3.8") == (
        f"To drop a word, slice after a test with {test}: Python 3.8, which `pyproject.toml` declares support for, "
        f"does not have {lacking}."
    )


def test_recommends_the_method_where_no_version_is_declared() -> None:
    (found,) = findings_of(RULE, {"pkg/run.py": "def run(name):\n    return name.lstrip('model.')\n"})
    assert found.instead == "To drop a word, use `removeprefix`."


@pytest.mark.parametrize(
    "call", ["name.strip(b'model.')", "name.strip(*'model.')", "strip('model.')", "name.strip(r'model.')"]
)
def test_leaves_other_calls_alone(call: str) -> None:
    assert not findings_of(RULE, {"pkg/run.py": f"def run(name):\n    return {call}\n"})


def test_leaves_calls_alone_that_begin_on_an_unchanged_line() -> None:
    before = "def run(name):\n    return name.strip(\n        'a'\n    )\n"
    after = before.replace("'a'", "'model.'")
    assert not findings_of(RULE, {"pkg/run.py": after}, {"pkg/run.py": before})


def test_writes_a_call_of_several_lines_on_one() -> None:
    (found,) = findings_of(RULE, {"pkg/run.py": "def run(name):\n    return name.strip(\n        'model.'\n    )\n"})
    assert found.message == "`name.strip('model.')` strips any of these characters, not the whole word."
    assert (found.line, found.end_line) == (2, 4)
