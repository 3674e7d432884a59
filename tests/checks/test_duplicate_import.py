from __future__ import annotations

from review_bot.findings import Suggestion
from tests.rule_cases import findings_of

RULE = "style/duplicate-import"


def test_two_names_of_one_module_are_two_imports() -> None:
    assert findings_of(RULE, "from package.a import x, y\nfrom package.a import z\n") == []


def test_a_name_that_the_base_imported_as_often_is_left_alone() -> None:
    twice = "from {0} import x\nimport torch\nfrom {0} import x\n"

    assert findings_of(RULE, {"m.py": twice.format("new.a")}, {"m.py": twice.format("old.a")}) == []
    assert len(findings_of(RULE, {"m.py": twice.format("new.a")}, {"m.py": "from old.a import x\n"})) == 1


def test_an_import_inside_a_function_is_deleted_if_something_stays() -> None:
    text = "import torch\n\n\ndef f():\n    import torch\n    return torch.zeros(1)\n\n\ndef g():\n    import torch\n"

    with_more, alone = findings_of(RULE, text)

    assert (with_more.line, with_more.suggestion) == (5, Suggestion(5, 5, ""))
    assert (alone.line, alone.suggestion) == (10, None)


def test_it_stands_at_the_first_import_when_only_that_is_new() -> None:
    (finding,) = findings_of(
        RULE,
        {"package/module.py": "from package.a import x, y\nimport torch\nfrom package.a import y\n"},
        {"package/module.py": "import torch\nfrom package.a import y\n"},
    )

    assert finding.line == 1
    assert finding.message == "`y` is already imported on line 3."


def test_the_sorted_form_with_as_on_its_own_lines_is_left_alone() -> None:
    text = "from package.a import w, x\nfrom package.a import y as _y\nfrom package.a import z as _z\n"

    assert findings_of(RULE, text) == []


def test_an_import_at_the_top_does_not_repeat_one_in_a_function() -> None:
    local = "\n\ndef f():\n    import torch\n    return torch.zeros(1)\n"

    assert findings_of(RULE, {"m.py": f"import torch\n{local}"}, {"m.py": f"import json\n{local}"}) == []
