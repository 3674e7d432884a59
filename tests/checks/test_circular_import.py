"""Imports of a name that its module has not bound yet."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "api/circular-import"


def test_the_first_import_of_a_circle_is_reported_in_each_module():
    base = {"pkg/__init__.py": "", "pkg/a.py": "C = 1\n", "pkg/b.py": "from pkg.a import C\n\nA = 1\nB = 1\n"}
    head = {"pkg/a.py": "from pkg.b import A\nfrom pkg.b import B\n\nC = 1\n"}
    assert [(each.path, each.line) for each in findings_of(RULE, head, base)] == [("pkg/a.py", 1)]
