"""Rules of a repository's own, through the whole Action: what they find, and what they cannot see is not green."""

from __future__ import annotations

import pytest

from tests.action import Action

FOLDER = ".github/review-bot/rules"
NO_EVAL = "id: no-eval\nlanguage: python\nseverity: {0}\nmessage: Found.\nrule: {{pattern: eval($X)}}\n"


@pytest.mark.parametrize(
    ("severity", "metadata", "code"),
    [("error", "", 1), ("error", "metadata: {confidence: medium}\n", 0), ("warning", "", 0)],
)
def test_an_error_of_an_own_rule_gates_unless_it_says_that_it_is_not_sure(
    action: Action, severity: str, metadata: str, code: int
):
    action.repository.commit({f"{FOLDER}/a.yml": NO_EVAL.format(severity) + metadata})
    result = action.run(action.open({"halcyon/a.py": '"""A."""\n\nx = eval("1")\n'}))
    assert "no-eval" in {each["rule"] for each in result.report()["findings"]}
    assert result.code == code
