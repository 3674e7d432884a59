from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "style/long-function"


def _function(lines: int) -> str:
    return "def run(x):\n" + "    x += 1\n" * (lines - 1)


def test_lines_count_from_the_def_to_the_last_one() -> None:
    assert findings_of(RULE, _function(150)) == []

    (finding,) = findings_of(RULE, _function(151))

    assert (finding.line, finding.end_line) == (1, 151)
    assert finding.message == "`run` is 151 lines long."


def test_a_model_may_be_longer() -> None:
    assert findings_of(RULE, {"package/models/flow.py": _function(250)}) == []
    assert len(findings_of(RULE, {"package/models/flow.py": _function(251)})) == 1


def test_a_few_new_lines_in_an_old_function_do_not_count() -> None:
    before = _function(160)

    assert findings_of(RULE, {"a.py": before.replace("(x):", "(x, y):")}, {"a.py": before}) == []
