from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "errors/constant-condition"
HEAD = """\
def plan(requests):
    for request in requests:
        is_image = True
        if not is_image:
            # later
            skip(request)
            continue
        take(request)
"""


def test_it_stands_at_the_assignment_and_names_the_dead_lines() -> None:
    (finding,) = findings_of(RULE, HEAD)

    assert (finding.line, finding.column) == (3, 9)
    assert finding.message == "`is_image` is set to True on line 3 and nowhere else, so lines 6 to 7 can never run."
    assert [place.line for place in finding.related] == [4]


def test_it_stands_at_the_condition_when_only_that_is_new() -> None:
    before = HEAD.replace(
        "        if not is_image:\n            # later\n            skip(request)\n            continue\n", ""
    )

    (finding,) = findings_of(RULE, {"package/module.py": HEAD}, {"package/module.py": before})

    assert finding.line == 4


def test_another_binding_of_any_kind_keeps_it_silent() -> None:
    for again in (
        "ready = check()",
        "for ready in states:\n        pass",
        "with lock() as ready:\n        pass",
        "import ready",
        "(ready := check())",
        "del ready",
        "match states:\n        case [ready]:\n            pass",
        "exec(code)",
    ):
        text = f"def f(states):\n    ready = False\n    {again}\n    if ready:\n        start()\n"
        assert findings_of(RULE, text) == [], again


def test_a_loop_flag_that_is_true_forever_is_left_alone() -> None:
    assert findings_of(RULE, "def f():\n    running = True\n    while running:\n        step()\n") == []


def test_a_change_of_other_lines_does_not_bring_it_up() -> None:
    after = HEAD.replace("        take(request)\n", "        take(request)\n        count(request)\n")

    assert findings_of(RULE, {"a.py": after}, {"a.py": HEAD}) == []
