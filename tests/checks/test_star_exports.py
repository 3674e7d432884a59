"""Names that a star import no longer brings: what ``__all__`` lists, however it is put together, and who needs them."""

from __future__ import annotations

import ast

import pytest

from review_bot.analysis.python.exports import listed_exports
from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

RULE = "api/removed-name"
TWO = "def load(): ...\n\n\ndef save(): ...\n"
CALL = "from pkg.core import *\n\n\ndef main():\n    return load()\n"


def users(core: str, use: str, before: str = TWO) -> list[str]:
    """Return what is said where ``use.py`` imports from a module that becomes ``core``."""
    base = {"pkg/__init__.py": "", "pkg/core.py": before, "use.py": use}
    return [each.message for each in findings_of(RULE, {"pkg/core.py": core}, base)]


@pytest.mark.parametrize(
    "exports",
    [
        "__all__ = ['save']",
        "__all__: list[str] = ['save']",
        "__all__ = ('save',)",
        "__all__ = ['save'] + []",
        "__all__ = [*['save']]",
        "__all__ = sorted(['save'])",
        "__all__ = 'save'.split()",
        "__all__ = []\n__all__ += ['save']",
        "__all__ = []\n__all__.append('save')",
        "__all__ = []\n__all__.extend(('save',))",
        "__all__ = ['load', 'save']\n__all__.remove('load')",
        "__all__ = ['load']\n__all__ = ['save']",
        "__all__ = ['save']\n\n\ndef __dir__():\n    return __all__",
    ],
)
def test_a_name_that_is_listed_no_longer_is_missed(exports: str) -> None:
    assert users(f"{TWO}\n{exports}\n", CALL) == [
        "`use.py:5` still uses `load`, which came by a star import: the `__all__` of `pkg/core.py` now leaves it out."
    ]


@pytest.mark.parametrize(
    "exports",
    [
        "__all__ = ['load', 'save']",
        "__all__ = ['save']\n__all__ += ['load']",
        "__all__ = ['save']\nif FULL:\n    __all__ += ['load']",
        "__all__ = [each for each in dir() if each[0] != '_']",
        "__all__ = ['save']\n\n\ndef export(one):\n    __all__.append(one.__name__)\n    return one",
        "__all__ = ['save']\nglobals()['__all__'].append('load')",
        "from pkg.names import __all__",
    ],
)
def test_a_name_that_is_listed_or_may_be_is_not(exports: str) -> None:
    assert users(f"{TWO}\n{exports}\n", CALL) == []


@pytest.mark.parametrize(
    "use",
    [
        "from pkg.core import load\n\nload()\n",
        "import pkg.core\n\npkg.core.load()\n",
        "from pkg.core import *\n\nsave()\n",
        "from pkg.core import *\n\n\ndef main():\n    try:\n        return load()\n    except NameError:\n        return None\n",
        "from contextlib import suppress\nfrom pkg.core import *\n\nwith suppress(NameError):\n    load()\n",
        "from __future__ import annotations\nfrom pkg.core import *\n\n\ndef main(one: load) -> load:\n    return one\n",
        "from pkg.core import *\n\n\ndef main():\n    one: load = 1\n    return one\n",
        "from pkg.core import *\n\n\nclass Main:\n    load = 3\n    more = load\n",
        "from pkg.core import *\n\n\ndef main():\n    from other import load\n    return load()\n",
        "from pkg.core import *\n\ntry:\n    save()\nexcept ValueError as load:\n    print(load)\n",
    ],
)
def test_who_gets_the_name_in_another_way_does_not_need_it(use: str) -> None:
    assert users(f"{TWO}\n__all__ = ['save']\n", use) == []


@pytest.mark.parametrize(
    "use",
    [
        "from pkg.core import *\n\nLIST = [load for load in range(3)]\n\n\ndef main():\n    return load()\n",
        "from pkg.core import *\n\n\nclass Other:\n    load = 1\n\n\ndef main():\n    return load()\n",
        "from pkg.core import *\n\nhandle = lambda load: load\n\n\ndef main():\n    return load()\n",
    ],
)
def test_another_name_of_an_inner_scope_hides_no_use(use: str) -> None:
    assert len(users(f"{TWO}\n__all__ = ['save']\n", use)) == 1


def test_the_list_of_a_package_counts_for_what_it_imports_by_a_star() -> None:
    base = {
        "pkg/__init__.py": "from .core import *\n\n__all__ = ['load', 'save']\n",
        "pkg/core.py": TWO,
        "use.py": "from pkg import *\n\nload()\n",
    }
    (finding,) = findings_of(RULE, {"pkg/__init__.py": "from .core import *\n\n__all__ = ['save']\n"}, base)

    assert finding.message == (
        "`use.py:3` still uses `load`, which came by a star import: the `__all__` of `pkg/__init__.py` now leaves it out."
    )


def test_a_star_import_brings_the_modules_that_a_package_imports_from() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/ops/__init__.py": "from .conv import run\n",
        "pkg/ops/conv.py": "def run(): ...\n",
    }
    head = {"pkg/nn.py": "from .ops import *\n", "use.py": "from pkg import nn\n\nnn.conv.run()\n"}

    assert findings_of("api/missing-module-attribute", head, base) == []


def test_what_a_builtin_replaces_is_not_missed() -> None:
    before = "from builtins import range\n\n\ndef load(): ...\n"
    assert users("def load(): ...\n", "from pkg.core import *\n\nrange(3)\n", before) == []


def test_what_a_package_sets_in_its_module_is_not_missed() -> None:
    shim = "from . import core, more\n\ncore.load = more.load\n"
    use = "from pkg.core import load\n\nload()\n"

    assert len(users("def save(): ...\n", use)) == 1
    base = {"pkg/__init__.py": "", "pkg/core.py": TWO, "pkg/more.py": TWO, "use.py": use}
    assert findings_of(RULE, {"pkg/core.py": "def save(): ...\n", "pkg/__init__.py": shim}, base) == []


def test_an_all_that_many_statements_make_takes_linear_time() -> None:
    def read(statements: int) -> None:
        text = "__all__ = []\n" + "".join(f"__all__ += ['x{number}']\n" for number in range(statements))
        assert len(listed_exports(ast.parse(text)) or ()) == statements

    assert growth(read, 200) < SUPERLINEAR
