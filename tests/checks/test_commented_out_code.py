from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "style/commented-out-code"
CODE = "# engine.stop()\n# engine.start(again=True)\n"


def test_a_run_is_told_once_with_its_length() -> None:
    (finding,) = findings_of(RULE, f"x = 1\n{CODE}# engine.wait()\ny = 2\n")

    assert (finding.line, finding.end_line, finding.message) == (2, 4, "These 3 lines are commented-out code.")


def test_only_added_lines_make_a_run() -> None:
    before = "# engine.stop()\nx = 1\n"

    assert findings_of(RULE, {"a.py": CODE + "x = 1\n"}, {"a.py": before}) == []


def test_indented_code_is_read_as_it_stands() -> None:
    assert findings_of(RULE, "def f():\n    #     if x:\n    #         g(x)\n    return 1\n")


def test_what_python_cannot_read_is_prose() -> None:
    assert findings_of(RULE, "# first (a) then b = c\n# see f(x) for more\nx = 1\n") == []
    assert findings_of(RULE, "# batch = 4, width = 8\n# heads = batch\nx = 1\n") == []
