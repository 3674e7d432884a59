"""One finding for a class, however many of its methods are long."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "api/copied-override"
LONG = "\n" * 120
BEFORE = "from vllm.runner import Runner\n\nclass Mine(Runner):\n"


def method(name: str, inside: str = "        work()\n") -> str:
    return f"    def {name}(self):\n{inside}{LONG}        return 1\n"


def test_further_methods_are_listed_beside_the_first() -> None:
    [finding] = findings_of(RULE, BEFORE + method("execute_model") + method("schedule") + method("own_method"))

    assert (finding.line, finding.end_line) == (4, 4)
    assert "`Mine.execute_model` (123 lines)" in finding.message
    assert [(place.line, place.note) for place in finding.related] == [(127, "`schedule`, 123 lines")]


def test_super_of_another_method_is_not_the_call() -> None:
    assert len(findings_of(RULE, BEFORE + method("schedule", "        super().other()\n"))) == 1
    assert findings_of(RULE, BEFORE + method("schedule", "        super().schedule()\n")) == []


def test_an_old_method_with_a_new_line_is_not_added() -> None:
    old = BEFORE + method("schedule")
    new = old.replace("        return 1", "        log()\n        return 1")

    assert findings_of(RULE, {"a/b.py": new}, {"a/b.py": old}) == []
