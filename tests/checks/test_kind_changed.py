"""Uses of a name that is something else now, among very many files that have the same word."""

import pytest

from tests.rule_cases import findings_of

RULE = "api/kind-changed"
BASE = {
    "pkg/__init__.py": "",
    "pkg/core.py": "def load(x):\n    return x\n",
    "pkg/run.py": "from pkg.core import load\n\n\ndef run(x):\n    return load(x)\n",
}
CHANGE = {"pkg/core.py": "load = None\n"}
MANY = 201


@pytest.mark.parametrize("text", ["LOAD = 'load'\n", "import pkg.core\n\nLOAD = 'load'\n"])
def test_files_that_the_change_adds_keep_no_use_from_being_seen(text: str) -> None:
    added = {f"pkg/a{number}.py": text for number in range(MANY)}
    assert [each.severity for each in findings_of(RULE, CHANGE | added, BASE)] == ["error"]


def test_a_use_is_seen_among_many_files_with_the_word() -> None:
    others = {f"pkg/a{number}.py": "LOAD = 'load'\n" for number in range(MANY)}
    assert [each.severity for each in findings_of(RULE, CHANGE, BASE | others)] == ["error"]
