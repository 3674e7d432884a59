import pytest

from review_bot.checks.workflows.missing_path import leads_somewhere

NAMES = ["README.md", "docs/guide/index.md", "src/engine/run.py", "src/engine/grpo/run_grpo.sh", "setup.py"]
FOLDERS = {"docs", "docs/guide", "src", "src/engine", "src/engine/grpo"}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("src/**", True),
        ("src/engine/*.py", True),
        ("**.py", True),
        ("**/index.md", True),
        ("src/**grpo**", True),
        ("docs/", True),
        ("./setup.py", True),
        ("src/[a-z]*.py", True),
        ("lib/**", False),
        ("src/*.py", False),
        ("docs/*.md", False),
        ("src/engine/run", False),
        ("**/*.toml", False),
    ],
)
def test_a_pattern_of_a_workflow_matches_as_on_github(pattern, expected):
    assert leads_somewhere(pattern, NAMES, FOLDERS) is expected
