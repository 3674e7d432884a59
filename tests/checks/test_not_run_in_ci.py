"""New and moved test files that no pytest command of CI runs."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "testing/not-run-in-ci"
TEST = "def test_it():\n    assert True\n"
RUN = {"tests/serving/test_api.py": TEST, "tests/serving/test_chat.py": TEST, "tests/e2e/test_qwen.py": TEST}
NEW = "tests/kernels/test_rope.py"


def reported(ci: dict[str, str], new: str = NEW) -> bool:
    """Return whether a new test is reported in a repository with some CI files, whose tests of serving CI runs."""
    serving = {".buildkite/serving.yml": "steps:\n- commands:\n  - pytest -s tests/serving/\n"}
    return bool(findings_of(RULE, {new: TEST}, RUN | serving | ci))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -s -v tests/e2e/test_qwen.py", True),
        ('pytest tests/e2e -m "not slow" -n 4', True),
        ("pip install pytest pytest-cov", True),
        ("echo pytest", True),
        ("# pytest tests", True),
        ("pytest $PYTEST_OPTS tests/e2e", True),
        ("pytest", False),
        ("pytest -m slow", False),
        ("python -m pytest .", False),
        ("pytest tests", False),
        ("cd tests && pytest kernels", False),
        ("pytest /workspace/tests/kernels", False),
        ("pytest tests/kernels/test_*.py", False),
        ("pytest tests/e2e tests/kernels/test_rope.py::test_it", False),
        ("pytest $TESTS", False),
        ("pytest ${{ matrix.folder }}", False),
        ("python tests/kernels/test_rope.py", False),
        ("python tests/run_suite.py", False),
    ],
)
def test_what_a_command_runs(command: str, expected: bool) -> None:
    assert reported({".github/workflows/test.yml": f"jobs:\n  a:\n    steps:\n    - run: {command}\n"}) is expected


@pytest.mark.parametrize(
    ("workflow", "file", "text", "expected"),
    [
        ("make test", "Makefile", "test:\n\tpytest tests\n", False),
        ("ruff check", "Makefile", "test:\n\tpytest tests\n", True),
        ("bash tools/check.sh", "tools/check.sh", "pytest tests/kernels\n", False),
        ("bash tools/other.sh", "tools/check.sh", "pytest tests/kernels\n", True),
        ("nox -s tests", "noxfile.py", 'session.run("pytest", "tests/kernels")\n', False),
        ("hatch run test", "pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "pytest"\n', False),
        ("tox", "tox.ini", "[testenv]\ncommands = pytest {posargs}\n", False),
    ],
)
def test_files_that_ci_leads_to(workflow: str, file: str, text: str, expected: bool) -> None:
    ci = {".github/workflows/test.yml": f"jobs:\n  a:\n    steps:\n    - run: {workflow}\n", file: text}
    assert reported(ci) is expected


@pytest.mark.parametrize(("option", "expected"), [("", True), (" --checks", False)])
def test_a_command_behind_an_option_runs_only_with_it(option: str, expected: bool) -> None:
    script = "CHECKS=no\ncase $1 in\n  --checks)\n    CHECKS=yes\n    ;;\nesac\nif [ $CHECKS = yes ]; then\n  pytest tests\nfi\n"
    ci = {"jobs.sh": script, ".github/workflows/a.yml": f"jobs:\n  a:\n    steps:\n    - run: bash jobs.sh{option}\n"}
    assert reported(ci) is expected


def test_a_program_that_starts_pytest_may_run_any_test() -> None:
    assert not reported({"tools/suite.py": "import subprocess\nsubprocess.run(['pytest', *files])\n"})


def test_what_defines_no_test_is_no_test_file() -> None:
    serving = {".buildkite/serving.yml": "steps:\n- commands:\n  - pytest -s tests/serving/\n"}
    assert findings_of(RULE, {NEW: "SIZE = 1\n"}, RUN | serving) == []
