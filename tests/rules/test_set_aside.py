"""A copy that was set aside is told once, and what else is wrong with it stays in the summary."""

from __future__ import annotations

import pytest

from review_bot.rules.scope import is_set_aside
from tests.rule_cases import findings_of

RULE = "errors/constant-condition"
CODE = "def run():\n    fast = True\n    if not fast:\n        return 2\n    return 1\n"


@pytest.mark.parametrize(
    "path", ["pkg/run_bak.py", "pkg/bak_run.py", "run.bak2.py", "SAMPLE_TESTS.py", "pkg/x_orig.py"]
)
def test_a_copy_is_known_by_its_name(path: str) -> None:
    assert is_set_aside(path)
    assert [finding.placement for finding in findings_of(RULE, {path: CODE})] == ["summary"]


@pytest.mark.parametrize(
    "path", ["pkg/run.py", "pkg/baker.py", "pkg/original.py", "pkg/RPC.py", "bak/run.py", "README.md"]
)
def test_other_files_are_not_taken_for_copies(path: str) -> None:
    assert not is_set_aside(path)


def test_an_error_is_one_in_a_copy_too_and_still_turns_the_gate_red() -> None:
    change = {"pkg/__init__.py": "", "pkg/run_bak.py": "from pkg.gone import x\n"}
    found = findings_of("api/missing-module-import", change, base={"pkg/__init__.py": ""})
    assert [(finding.placement, finding.severity) for finding in found] == [("summary", "error")]
