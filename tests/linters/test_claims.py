from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from review_bot.errors import ConfigError
from review_bot.linters.claims import Claims, read_claims

if TYPE_CHECKING:
    from collections.abc import Mapping


def claims(files: Mapping[str, str]) -> Claims:
    return read_claims(files.get)


def settled(files: Mapping[str, str], code: str, path: str = "engine/scheduler.py") -> str | None:
    """Return the linter that answers for a code in a file."""
    found = claims(files)
    assert not found.problems
    claim = found.covering([code], path)
    return None if claim is None else claim.linter


def ruff(text: str) -> dict[str, str]:
    return {"pyproject.toml": f"[tool.ruff.lint]\n{text}\n"}


@pytest.mark.parametrize(
    ("files", "code", "linter"),
    [
        ({}, "E731", None),
        ({"pyproject.toml": "[tool.black]\nline-length = 88\n"}, "E731", None),
        ({"pyproject.toml": "[tool.ruff]\n"}, "E731", "ruff"),  # nothing selected: the default set
        ({"pyproject.toml": "[tool.ruff]\n"}, "W291", None),
        ({"pyproject.toml": "[tool.ruff]\nselect = ['W']\n"}, "W291", "ruff"),  # as it was written long ago
        (ruff("select = ['S1']"), "S113", "ruff"),
        (ruff("select = ['S1']"), "S602", None),
        (ruff("select = ['ALL']"), "ERA001", "ruff"),
        (ruff("select = ['E']"), "ERA001", None),  # E is another linter than ERA
        (ruff("select = ['T']"), "TRY002", None),
        (ruff("select = ['F']\nextend-select = ['T20']"), "T201", "ruff"),
        (ruff("select = ['F']"), "T201", None),
        (ruff("select = ['E']\nignore = ['E731']"), "E731", "ruff"),  # left out on purpose
        ({"ruff.toml": "[lint]\nselect = ['B']\n"}, "B006", "ruff"),
        ({"ruff.toml": "[lint]\nselect = ['B']\n", **ruff("select = ['S']")}, "S113", None),  # ruff reads one file
        ({".ruff.toml": "lint.select = ['S']\n", "ruff.toml": "lint.select = ['B']\n"}, "B006", None),
        ({".flake8": "[flake8]\nmax-line-length = 100\n"}, "W291", "flake8"),
        ({"setup.cfg": "[flake8]\nselect = E,W\n"}, "F403", None),
        ({"tox.ini": "[flake8]\nextend-select =\n    B9\n    B006\n"}, "B006", "flake8"),
        ({"setup.cfg": "[metadata]\nname = x\n"}, "W291", None),
        ({".flake8": "[flake8]\nextend_ignore = E731\n"}, "E731", "flake8"),
        ({".pylintrc": "[MAIN]\njobs = 2\n"}, "F403", "pylint"),
        ({".pylintrc": "[MESSAGES CONTROL]\ndisable=all\nenable=wildcard-import\n"}, "B006", None),
        ({".pylintrc": "[MESSAGES CONTROL]\ndisable=all\nenable=wildcard-import\n"}, "F403", "pylint"),
        ({"pyproject.toml": "[tool.pylint.main]\njobs = 2\n"}, "B904", "pylint"),
        ({"pyproject.toml": "[tool.bandit]\n"}, "S602", "bandit"),
    ],
)
def test_a_linter_answers_for_what_it_reports_or_was_told_to_leave_out(
    files: dict[str, str], code: str, linter: str | None
) -> None:
    assert settled(files, code) == linter


def test_codes_ignored_in_some_files_are_settled_there() -> None:
    files = ruff("select = ['E']\nper-file-ignores = {'tests/**' = ['T201'], '__init__.py' = ['F403']}")

    assert settled(files, "T201", "tests/test_engine.py") == "ruff"
    assert settled(files, "T201", "engine/core.py") is None
    assert settled(files, "F403", "engine/models/__init__.py") == "ruff"


@pytest.mark.parametrize(
    ("hooks", "code", "linter"),
    [
        ("- id: trailing-whitespace", "W291", "trailing-whitespace"),
        ("- id: debug-statements", "T100", "debug-statements"),
        ("- id: ruff-check", "F403", "ruff"),
        ("- id: ruff\n  args: [--select=T20, --fix]", "T201", "ruff"),
        ("- id: 'ruff'\n  args: ['--extend-select', 'S,B']", "B006", "ruff"),
        ("# - id: ruff", "F403", None),
        ("- id: flake8\n  additional_dependencies: [flake8-print, torchfix==0.7]", "T201", "flake8"),
        ("- id: flake8\n  additional_dependencies: [flake8-print, torchfix==0.7]", "TOR101", "flake8"),
        ("- id: mypy\n  args: [--select=T20]", "T201", None),
    ],
)
def test_hooks_of_pre_commit_count(hooks: str, code: str, linter: str | None) -> None:
    text = "repos:\n- repo: local\n  hooks:\n" + "".join(f"  {line}\n" for line in hooks.splitlines())

    assert settled({".pre-commit-config.yaml": text}, code) == linter


def test_a_hook_of_ruff_obeys_the_configuration_beside_it() -> None:
    files = {".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: ruff\n", **ruff("select = ['E']")}

    assert settled(files, "F403") is None


def test_linters_of_python_read_no_other_files() -> None:
    assert settled({".flake8": "[flake8]\n"}, "W291", "notes.md") is None
    assert settled({".pre-commit-config.yaml": "- id: trailing-whitespace\n"}, "W291", "notes.md") is not None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[tool.ruff\n"),
        ("ruff.toml", "select = [\n"),
        ("pyproject.toml", "a = " + "[" * 5000),
        ("setup.cfg", "no section\n"),
        (".flake8", "[flake8]\n= 3\n"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_settles_nothing(path: str, text: str) -> None:
    found = claims({path: text})

    assert [name for name, _ in found.problems] == [path]
    assert found.covering(["F403", "W291"], "engine/core.py") is None


@pytest.mark.parametrize(
    "text",
    [
        "tool = 3\n",
        "[tool]\nruff = 'yes'\n",
        "[tool.ruff]\nlint = []\nselect = 'E'\n",
        "[tool.ruff.lint]\nselect = [1, 'S']\nper-file-ignores = []\n",
        "[tool.ruff.lint]\nselect = []\nper-file-ignores = {'[' = ['S'], '' = 3}\n",
    ],
)
def test_values_of_another_kind_do_no_harm(text: str) -> None:
    assert settled({"pyproject.toml": text}, "TD003") is None


def test_a_source_that_refuses_a_file_is_quoted() -> None:
    def read(path: str) -> str | None:
        if path == "pyproject.toml":
            raise ConfigError("it is a symbolic link", path=path)
        return "[lint]\nselect = ['B']\n" if path == "ruff.toml" else None

    found = read_claims(read)

    assert found.problems == (("pyproject.toml", "it is a symbolic link"),)
    assert found.covering(["B006"], "a.py") is not None
