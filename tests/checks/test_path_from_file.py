"""Paths from ``__file__`` that lead elsewhere after a move, or are called the root and are not."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/path-from-file"
PROJECT = {
    "pyproject.toml": '[project]\nname = "halcyon-omni"\n',
    "tests/data/a.yaml": "a: 1\n",
    "tests/__init__.py": "",
}
IMPORTS = "import os\nfrom pathlib import Path\n\n"


def after_move(code: str, old: str = "tests/stages/paths.py", new: str = "tests/e2e/offline/paths.py") -> list[str]:
    """Return what is said when a file with some code moves."""
    text = f"{IMPORTS}{code}\n"
    return [each.message for each in findings_of(RULE, {old: None, new: text}, PROJECT | {old: text})]


@pytest.mark.parametrize(
    "code",
    [
        "HERE = Path(__file__).parent.parent.parent",
        "HERE = Path(__file__).resolve().parents[2]",
        "HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))",
        'HERE = os.path.join(os.path.dirname(__file__), "..", "..")',
        'HERE = os.path.join(os.path.dirname(__file__), os.pardir, "../")',
    ],
)
def test_the_root_is_missed_after_a_move(code: str) -> None:
    (message,) = after_move(code)
    assert "leads to `tests`, and no longer to the root of the repository" in message


@pytest.mark.parametrize(
    "code",
    [
        'TEXT = (Path(__file__).parent.parent / "data" / "a.yaml").read_text()',
        'FOLDER = Path(__file__).parents[1]\nTEXT = open(FOLDER / "data/a.yaml")',
        'TEXT = open(os.path.join(os.path.dirname(__file__), "../data/a.yaml"))',
    ],
)
def test_a_file_is_missed_after_a_move(code: str) -> None:
    (message,) = after_move(code)
    assert "leads to `tests/e2e/data/a.yaml`, which does not exist; it led to `tests/data/a.yaml` before" in message


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("HERE = Path(__file__).parent.parent.parent", "tests/steps/paths.py"),  # of the same depth
        ("HERE = Path(__file__).parent", "tests/e2e/offline/paths.py"),
        ('OUT = Path(__file__).parent / "out.txt"', "tests/e2e/offline/paths.py"),  # a file that it writes
        ("HERE = Path(__file__).parents[depth]", "tests/e2e/offline/paths.py"),
        ('HERE = Path(__file__).parents[2]\nTEXT = open(HERE / "data/a.yaml")', "tests/e2e/offline/paths.py"),
    ],
)
def test_paths_that_still_lead_somewhere(code: str, new: str) -> None:
    assert after_move(code, new=new) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("REPO_ROOT = Path(__file__).parents[1]", True),
        ("REPO_ROOT = Path(__file__).parents[2]", False),
        ("HERE = Path(__file__).parents[1]", False),
        ("cwd = Path(__file__).parents[1]  # halcyon-omni root", True),
        ("cwd = Path(__file__).parents[1]  # the root of the repository", True),
        ("cwd = Path(__file__).parents[2]  # the root of the repository", False),
        ('REPO_ROOT = Path(__file__).parents[1]\nTEXT = open(REPO_ROOT / "data/a.yaml")', False),
    ],
)
def test_what_is_called_the_root(code: str, expected: bool) -> None:
    found = findings_of(RULE, {"tests/serving/paths.py": f"{IMPORTS}{code}\n"}, PROJECT)
    assert bool(found) is expected
