from __future__ import annotations

from review_bot.findings import Suggestion
from tests.rule_cases import findings_of

RULE = "style/split-import"


def test_two_neighbours_become_one_import() -> None:
    (finding,) = findings_of(RULE, "from package.a import x, y\nfrom package.a import z\n")

    assert finding.line == 2
    assert finding.message == "`package.a` is imported from twice: here and on line 1."
    assert finding.suggestion == Suggestion(1, 2, "from package.a import x, y, z")


def test_it_is_at_the_first_import_when_only_that_is_new() -> None:
    (finding,) = findings_of(
        RULE,
        {"package/module.py": "from package.a import x, z\nimport torch\nfrom package.a import y\n"},
        {"package/module.py": "import torch\nfrom package.a import y\n"},
    )

    assert finding.line == 1
    assert finding.message == "`package.a` is imported from twice: here and on line 3."


def test_one_import_for_each_name_is_a_style() -> None:
    single = "from package.a import x\nfrom package.a import y\nimport torch\n"

    assert findings_of(RULE, single) == []
    assert len(findings_of(RULE, single + "from package.b import p, q\n")) == 1
