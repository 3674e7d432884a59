"""What a module lists in ``__all__`` and does not have, or what is no name."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/undefined-export"
CORE = "def load(path):\n    return path\n\n\n__all__ = [{}]\n"


@pytest.mark.parametrize("item", ["load", "1", '"laod"'])
@pytest.mark.parametrize(
    ("reader", "severity"),
    [
        ("from pkg.core import *\n", "error"),
        ("from .core import *\n", "error"),
        ("from pkg.core import load\n", "warning"),
        ("try:\n    from pkg.core import *\nexcept Exception:\n    pass\n", "warning"),
        ("def run():\n    import pkg.core\n", "warning"),
        ("from elsewhere.core import *\n", "warning"),
    ],
)
def test_it_is_an_error_if_a_star_import_brings_it(item: str, reader: str, severity: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": CORE.format('"load"'), "pkg/run.py": reader}
    (found,) = findings_of(RULE, {"pkg/core.py": CORE.format(item)}, base)
    assert found.severity == severity


@pytest.mark.parametrize("item", ['"load"', "NAME", "load.__name__", "str(load)", "*NAMES", "other"])
def test_what_is_a_name_or_may_be_one_is_left_alone(item: str) -> None:
    code = f'from lib import other\n\nNAME = "load"\n{CORE.format(item)}'
    base = {"pkg/__init__.py": "", "pkg/core.py": CORE.format('"load"'), "pkg/run.py": "from pkg.core import *\n"}
    assert findings_of(RULE, {"pkg/core.py": code}, base) == []


def test_a_call_that_is_given_the_name_may_define_it() -> None:
    code = 'from lib import fixture_union\n\n__all__ = ["devices"]\n\nfixture_union("devices", [1])\n'
    base = {"pkg/__init__.py": "", "pkg/core.py": "", "pkg/run.py": "from pkg.core import *\n"}
    assert findings_of(RULE, {"pkg/core.py": code}, base) == []


@pytest.mark.parametrize(
    "line",
    [
        '__all__ = ["load"] + ["laod"]',
        '__all__ = ["laod"] + lib.__all__',
        '__all__ += ["laod"]',
        '__all__.append("laod")',
        '__all__.extend(["load", "laod"])',
    ],
)
def test_a_list_that_statements_put_together(line: str) -> None:
    code = f"import lib\n\n{CORE.format('')}{line}\n"
    base = {"pkg/__init__.py": "", "pkg/core.py": CORE.format('"load"'), "pkg/run.py": "from pkg.core import *\n"}
    (found,) = findings_of(RULE, {"pkg/core.py": code}, base)
    assert found.severity == "error"
    assert findings_of(RULE, {"pkg/core.py": code.replace("laod", "lib")}, base) == []


@pytest.mark.parametrize("line", ['names.append("laod")', '__all__.append(name("laod"))', '__all__ = names - ["laod"]'])
def test_another_list_says_nothing(line: str) -> None:
    code = f"from lib import name, names\n\n{CORE.format('')}{line}\n"
    base = {"pkg/__init__.py": "", "pkg/core.py": CORE.format('"load"'), "pkg/run.py": "from pkg.core import *\n"}
    assert findings_of(RULE, {"pkg/core.py": code}, base) == []
