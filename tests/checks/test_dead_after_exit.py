from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "errors/dead-after-exit"


def test_the_comment_stands_where_the_change_is() -> None:
    before = "def f(x):\n    return x\n"
    after = "def f(x):\n    return x\n    return x + 1\n"

    (finding,) = findings_of(RULE, {"a.py": after}, {"a.py": before})

    assert finding.line == 3
    assert finding.message == "The `return` on line 2 ends this block, so line 3 can never run."


def test_each_block_is_told_once() -> None:
    code = "def f(items):\n    for item in items:\n        break\n        g()\n        continue\n        h()\n    return 1\n"

    (finding,) = findings_of(RULE, code)

    assert (finding.line, finding.message) == (
        3,
        "The `break` on line 3 ends this block, so lines 4 to 6 can never run.",
    )


def test_an_early_exit_in_another_block_ends_nothing_here() -> None:
    assert (
        findings_of(RULE, "def f(x):\n    if x:\n        return 1\n    else:\n        raise KeyError\n    g()\n") == []
    )


def test_dead_code_of_the_base_is_no_finding_of_the_change() -> None:
    before = "def f(x):\n    return x\n    return x + 1\n\n\ndef g():\n    return 1\n"

    assert findings_of(RULE, {"a.py": before.replace("return 1\n", "return 2\n")}, {"a.py": before}) == []
