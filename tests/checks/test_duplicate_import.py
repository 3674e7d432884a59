from __future__ import annotations

from review_bot.findings import Suggestion
from tests.rule_cases import findings_of

RULE = "style/duplicate-import"


def test_two_neighbours_become_one_import() -> None:
    (finding,) = findings_of(RULE, "from package.a import x, y\nfrom package.a import z\n")

    assert finding.line == 2
    assert finding.message == "`package.a` is imported from twice: here and on line 1."
    assert finding.suggestion == Suggestion(1, 2, "from package.a import x, y, z")


def test_an_import_inside_a_function_is_deleted_if_something_stays() -> None:
    text = "import torch\n\n\ndef f():\n    import torch\n    return torch.zeros(1)\n\n\ndef g():\n    import torch\n"

    with_more, alone = findings_of(RULE, text)

    assert (with_more.line, with_more.suggestion) == (5, Suggestion(5, 5, ""))
    assert (alone.line, alone.suggestion) == (10, None)


def test_it_stands_at_the_first_import_when_only_that_is_new() -> None:
    (finding,) = findings_of(
        RULE,
        {"package/module.py": "from package.a import x, z\nimport torch\nfrom package.a import y\n"},
        {"package/module.py": "import torch\nfrom package.a import y\n"},
    )

    assert finding.line == 1
    assert finding.message == "`package.a` is imported from twice: here and on line 3."


def test_the_sorted_form_with_as_on_its_own_lines_is_left_alone() -> None:
    text = "from package.a import w, x\nfrom package.a import y as _y\nfrom package.a import z as _z\n"

    assert findings_of(RULE, text) == []


def test_an_import_at_the_top_does_not_repeat_one_in_a_function() -> None:
    local = "\n\ndef f():\n    import torch\n    return torch.zeros(1)\n"

    assert findings_of(RULE, {"m.py": f"import torch\n{local}"}, {"m.py": f"import json\n{local}"}) == []


def test_one_import_for_each_name_is_a_style() -> None:
    single = "from package.a import x\nfrom package.a import y\nimport torch\n"

    assert findings_of(RULE, single) == []
    assert len(findings_of(RULE, single + "from package.b import p, q\n")) == 1
