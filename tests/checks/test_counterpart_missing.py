from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "pr/counterpart-missing"
NAMES = ("barlow", "dino", "ntxent", "vicreg")


def test_what_the_count_leaves_out_is_said() -> None:
    base = {f"losses/{each}.py": "A = 1\n" for each in NAMES}
    base |= {f"losses/{each}_test.py": "def test(): ...\n" for each in NAMES}
    head = {"losses/simsiam.py": "def loss(x):\n    return x\n"}

    (plain,) = findings_of(RULE, head, {path.replace("losses/", "pkg/"): base[path] for path in base} | base)
    (packaged,) = findings_of(RULE, head, base | {"losses/__init__.py": ""})

    assert plain.message.startswith(
        "4 of the 4 other `.py` files in the folder `losses` (without what is named like a test) have a test"
    )
    assert (
        "in the folder `losses` (without `__init__.py` and what is named like a test) have a test" in packaged.message
    )


def test_hidden_folders_that_are_not_counted_are_named() -> None:
    base = {f"examples/{each}/run.py": "A = 1\n" for each in NAMES}
    base |= {f"docs/examples/{each}.md": "# A\n" for each in NAMES} | {"examples/.settings/run.py": "A = 1\n"}

    (found,) = findings_of(RULE, {"examples/simsiam/run.py": "A = 1\n"}, base)

    assert "4 of the 4 other folders in the folder `examples` (without `.settings`) have a page" in found.message


def test_the_imports_of_tests_say_which_of_two_folders_they_test() -> None:
    base = {f"pkg/{folder}/{each}.py": "A = 1\n" for folder in ("models", "configs") for each in NAMES}
    base |= {f"tests/test_{each}.py": f"from pkg.models.{each} import A\n" for each in NAMES}
    code = "def make():\n    return 1\n"

    assert findings_of(RULE, {"pkg/configs/simsiam.py": code}, base) == []
    (found,) = findings_of(RULE, {"pkg/models/simsiam.py": code}, base)
    assert "(`tests/test_simsiam.py`)" in found.message
