"""Classes below many others: what they inherit is known, however many classes a change puts in between."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

CALL = (
    "api/caller-left-behind",
    "    def get(self, a):\n        return a\n",
    "    def get(self, a, b):\n        return a\n",
    "\n\ndef run():\n    return Last().get(1)\n",
)
STORE = (
    "errors/read-only-attribute",
    "    def width(self):\n        return 1\n",
    "    @property\n    def width(self):\n        return 1\n",
    "\n\ndef run():\n    made = Last()\n    made.width = 1\n    return made\n",
)
READ = (
    "api/left-unset",
    "    def __init__(self):\n        self.width = 1\n",
    "    def __init__(self):\n        self.height = 1\n",
    "\n\ndef run():\n    made = Last()\n    return made.width\n",
)


def line(first: str, *, between: int) -> str:
    """Return classes that inherit from one another."""
    text = f"class Item0:\n{first}"
    for number in range(between):
        text += f"\n\nclass Item{number + 1}(Item{number}):\n    pass\n"
    return text + f"\n\nclass Last(Item{between}):\n    pass\n"


@pytest.mark.parametrize("between", [0, 7, 60])
@pytest.mark.parametrize(("rule", "before", "after", "use"), [CALL, STORE, READ])
def test_a_class_far_below_inherits(rule: str, before: str, after: str, use: str, between: int) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": line(before, between=0) + use}
    head = {"pkg/core.py": line(after, between=between) + use}

    assert [each.severity for each in findings_of(rule, head, base)] == ["error"]


def test_a_name_that_no_class_of_many_has_is_unknown() -> None:
    text = line("    pass\n", between=60) + "\n\ndef run():\n    made = Last()\n    return made.nope\n"
    (finding,) = findings_of("errors/unknown-attribute", {"pkg/core.py": text}, {"pkg/__init__.py": ""})

    assert finding.severity == "error"


def test_a_class_that_inherits_from_itself_may_have_any_name() -> None:
    text = "class Last(Last):\n    pass\n\n\ndef run():\n    made = Last()\n    return made.nope\n"
    assert findings_of("errors/unknown-attribute", {"pkg/core.py": text}, {"pkg/__init__.py": ""}) == []
