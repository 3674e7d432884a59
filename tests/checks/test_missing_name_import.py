from __future__ import annotations

import pytest

from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

RULE = "api/missing-name-import"
PACKAGE = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/mod.py": ""}


def fires(module: str, imported: str = "Wanted", **more: str) -> bool:
    """Return whether an import of a name from ``pkg/mod.py`` with this text is reported."""
    tree = PACKAGE | {"pkg/mod.py": module} | {f"pkg/{name}.py": text for name, text in more.items()}
    return bool(findings_of(RULE, {"pkg/run.py": f"from pkg.mod import {imported}\n"}, tree))


@pytest.mark.parametrize(
    "module",
    [
        "class Wanted: ...\n",
        "def Wanted(): ...\n",
        "async def Wanted(): ...\n",
        "Wanted = 1\n",
        "Wanted: int = 1\n",
        "a = Wanted = 1\n",
        "(a, [b, *Wanted]) = f()\n",
        "import Wanted\n",
        "import Wanted.deeper\n",
        "import other as Wanted\n",
        "from other import Wanted\n",
        "from other import (\n    a,\n    Wanted,\n)\n",
        "from other import a \\\n    , Wanted\n",
        "if fast():\n    Wanted = 1\n",
        "if fast():\n    pass\nelif slow():\n    pass\nelse:\n    def Wanted(): ...\n",
        "try:\n    import Wanted\nexcept ImportError:\n    pass\n",
        "try:\n    import fast\nexcept ImportError:\n    Wanted = None\n",
        "for Wanted in range(3):\n    pass\n",
        "for i in range(3):\n    Wanted = i\n",
        "with open('x') as Wanted:\n    pass\n",
        "while (Wanted := next(it)):\n    pass\n",
        "print([Wanted := 1])\n",
        "match f():\n    case {'a': Wanted}:\n        pass\n",
        "match f():\n    case [*Wanted]:\n        pass\n",
        "def start():\n    global Wanted\n    Wanted = 1\n",
        "def __getattr__(name): ...\n",
        "from lazy import __getattr__\n",
        "globals()['Wan' + 'ted'] = 1\n",
        "exec(code)\n",
        "vars()[name] = 1\n",
        "import sys\nsetattr(sys.modules[__name__], name, 1)\n",
        "from elsewhere import *\n",
        "from pkg.star import *\n",
        "def broken(:\n",
    ],
)
def test_what_a_module_may_define_is_left_alone(module: str) -> None:
    star = "from .far import *\n"

    assert not fires(module, star=star, far="Wanted = 1\n")


@pytest.mark.parametrize(
    "module",
    [
        "",
        "Wanted_too = 1\n",
        "# Wanted = 1\n",
        "Wanted: int\n",
        "'''\nWanted = 1\nimport Wanted\n'''\n",
        "# globals() exec() sys.modules\n",
        "'''def __getattr__'''\n",
        "def __getattr__(name):\n    raise AttributeError(name)\n",
        "class A:\n    def __getattr__(self, name): ...\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from other import Wanted\n",
        "if False:\n    Wanted = 1\n",
        "while 0:\n    Wanted = 1\n",
        "Wanted = 1\ndel Wanted\n",
        "def start():\n    global Wanted\n",
        "def start():\n    return locals(), (Wanted := 1)\n",
        "x = globals()['y'], globals().get('z')\n",
        "__all__ = ['Wanted']\n",
        "__all__ = names + ['Wanted']\n",
        "class A:\n    Wanted = 1\n",
        "class A:\n    def Wanted(self): ...\n",
        "def f():\n    Wanted = 1\n",
        "def f():\n    for Wanted in []:\n        pass\n",
        "x = [i for i in range(3)]\n",
        "from other import Wanted as W\n",
        "from pkg.star import *\n",
        "x.Wanted = 1\nsetattr(x, 'y', 1)\n",
    ],
)
def test_what_it_surely_does_not_define_is_reported(module: str) -> None:
    assert fires(module, star="from .far import *\nother = 1\n", far="another = 1\n")


def test_star_imports_in_a_circle_are_one_module() -> None:
    assert fires("from pkg.star import *\n", star="from .mod import *\n")
    assert not fires("from pkg.star import *\n", star="from .far import *\nfrom .mod import *\n", far="Wanted = 1\n")
    assert not fires("from pkg.star import *\nWanted = 1\n", "Wanted", star="from .mod import *\n")


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("from pkg import mod, sub, gone\n", 1),
        ("from pkg import mod, sub\n", 0),
        ("from . import mod, gone\n", 1),
        ("from .sub import mod, gone\n", 1),
        ("from pkg import _version, _C\n", 1),
        ("from pkg import __name__, __path__, __doc__\n", 0),
        ("from pkg.mod import *\n", 0),
        ("from pkg.gone import X\n", 0),  # the rule about modules looks at it
        ("from other import X\n", 0),
        ("try:\n    from pkg import gone\nexcept ImportError:\n    gone = None\n", 0),
        ("import sys\nsys.modules['pkg'] = other\nfrom pkg import gone\n", 0),
        ("from pkg import gone, gone_too\n", 1),
    ],
)
def test_submodules_count_as_names(line: str, count: int) -> None:
    assert len(findings_of(RULE, {"pkg/run.py": line}, PACKAGE | {"pkg/mod.py": ""})) == count


def test_only_names_on_added_lines_count_and_the_first_one_is_the_place() -> None:
    base = PACKAGE | {"pkg/mod.py": "", "pkg/run.py": "from pkg.mod import (\n    A,\n)\n"}
    head = {"pkg/run.py": "from pkg.mod import (\n    A,\n    B,\n    C,\n)\n"}

    (finding,) = findings_of(RULE, head, base)

    assert (finding.line, finding.column, finding.end_column) == (3, 5, 6)
    assert finding.message == "`pkg.mod` does not define `B` or `C` at the head of this change."


def test_a_package_is_taken_before_a_module_of_its_name() -> None:
    both = PACKAGE | {"pkg/mod.py": "Wanted = 1\n", "pkg/mod/__init__.py": "Other = 1\n"}

    (finding,) = findings_of(RULE, {"pkg/run.py": "from pkg.mod import Other, Wanted\n"}, both)

    assert finding.message == "`pkg.mod` does not define `Wanted` at the head of this change."


def test_a_namespace_is_left_alone() -> None:
    space = PACKAGE | {"pkg/space/Wanted/data.txt": ""}

    assert findings_of(RULE, {"pkg/run.py": "from pkg.space import Wanted\n"}, space) == []


ALIAS = "import importlib\nimport sys\n\n\ndef alias(name, other):\n    sys.modules[name] = importlib.import_module(other)\n"


@pytest.mark.parametrize(
    ("target", "texts", "reported"),
    [
        ("pkg.core", {"core": "Wanted = 1\n"}, False),
        ("pkg.core", {"core": "_Other = 1\n"}, True),
        ("library.core", {}, False),  # what that has is not known
        ("pkg.mod", {}, True),  # itself
        ("pkg.core", {"core": "from pkg.alias import alias\n\nalias(__name__, 'pkg.mod')\n"}, True),  # in a circle
    ],
)
def test_a_module_in_whose_place_another_is_put(target: str, texts: dict[str, str], reported: bool) -> None:
    module = f"from pkg.alias import alias\n\nalias(__name__, {target!r})\n"
    assert fires(module, alias=ALIAS, **texts) is reported


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("try:\n    from pkg.mod import Gone\nexcept ImportError:\n    from pkg.mod import Gone\n", 1),
        ("try:\n    from pkg.mod import there\nexcept ImportError:\n    from pkg.mod import Gone\n", 0),
        ("try:\n    from os import nope\nexcept ImportError:\n    from pkg.mod import Gone\n", 1),
        ("try:\n    from elsewhere import Gone\nexcept ImportError:\n    from pkg.mod import Gone\n", 0),
        ("import os\n\nif os.path.exists(pkg.mod.__file__):\n    from pkg.mod import Gone\n", 1),
        ("from importlib.util import find_spec\n\nif find_spec('pkg.mod'):\n    from pkg.mod import Gone\n", 1),
        ("from lib import has_gone\n\nif has_gone():\n    from pkg.mod import Gone\n", 0),
        ("import pytest\n\npytest.importorskip('pkg.mod')\nfrom pkg.mod import Gone\n", 1),
        ("import sys\n\nsys.modules['pkg.mod'] = fake\nfrom pkg.mod import Gone\n", 0),
        ("import sys\n\nsys.modules['pkg'] = sys.modules['pkg']\nfrom pkg.mod import Gone\n", 1),
        ("import sys\nimport pkg.mod\n\nsys.modules['pkg.mod'] = pkg.mod\nfrom pkg.mod import Gone\n", 1),
    ],
)
def test_a_guard_must_be_about_what_is_missing(line: str, count: int) -> None:
    base = {"pkg/__init__.py": "", "pkg/mod.py": "there = 1\n"}
    assert len(findings_of(RULE, {"pkg/run.py": line}, base)) == count


@pytest.mark.parametrize("beside", ["pkg/mod.pyi", "pkg/mod.pyx", "pkg/mod.c"])
def test_a_folder_of_the_name_of_a_module_is_hidden_by_it(beside: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/mod.py": ""}
    head = {"pkg/run.py": "from pkg.mod import Wanted\n", beside: "", "pkg/mod/Wanted.py": ""}
    assert findings_of(RULE, head, base)
    assert not findings_of(RULE, head | {"pkg/mod/__init__.py": ""}, base)


@pytest.mark.parametrize(
    ("here", "there", "count"),
    [
        ("from pkg.there import Wanted\n", "from pkg.here import Wanted\n", 2),
        ("from pkg.there import Other as Wanted\n", "from .here import Wanted as Other\n", 2),
        ("from pkg.here import Wanted\n", "from pkg.here import Wanted\n", 2),
        ("from pkg.there import Wanted\n", "from pkg.here import Wanted\n\nWanted = 1\n", 0),
        ("from pkg.there import Wanted\n", "from pkg.here import *\nfrom pkg.here import Wanted\n", 0),
        ("from pkg.there import Wanted\n", "from elsewhere import Wanted\n", 0),
        ("from pkg.there import sub\n", "from pkg import sub\n", 0),
    ],
)
def test_a_name_that_modules_only_take_from_each_other_is_nowhere(here: str, there: str, count: int) -> None:
    head = {"pkg/here.py": here, "pkg/there.py": there}
    assert len(findings_of(RULE, head, {"pkg/__init__.py": "", "pkg/sub.py": ""})) == count


def test_a_long_way_of_a_name_takes_linear_time() -> None:
    def examine(modules: int) -> None:
        head = {f"pkg/m{i}.py": f"from pkg.m{(i + 1) % modules} import Wanted\n" for i in range(modules)}
        assert len(findings_of(RULE, head, {"pkg/__init__.py": ""})) == modules

    assert growth(examine, 20) < SUPERLINEAR


def test_no_build_puts_a_module_below_one_that_is_no_package() -> None:
    ignored = {".gitignore": "/pkg/mod/Wanted.py\n/pkg/Wanted.py\n", "pkg/__init__.py": "", "pkg/mod.py": ""}
    assert findings_of(RULE, {"pkg/run.py": "from pkg.mod import Wanted\n"}, ignored)
    assert not findings_of(RULE, {"pkg/run.py": "from pkg import Wanted\n"}, ignored)


@pytest.mark.parametrize(("name", "count"), [("os", 1), ("shutil", 0)])
def test_what_python_loads_first_has_no_other_in_its_place(name: str, count: int) -> None:
    head = {f"{name}.py": "def nope(): ...\n", "run.py": f"import {name}\n\n{name}.nope()\n"}
    assert len(findings_of("api/standard-name-missing", head)) == count


def test_a_build_file_with_the_name_of_a_module_adds_nothing_to_it() -> None:
    """A module of the tree is not what a build of that name makes: it has what its text says."""
    build = {"csrc/CMakeLists.txt": "add_library(utils STATIC utils.cc)\n", "csrc/utils.cc": "int run();\n"}
    base = {"pkg/__init__.py": "", "pkg/utils.py": "def load():\n    return 1\n", **build}

    assert len(findings_of(RULE, {"pkg/run.py": "from pkg.utils import store\n"}, base)) == 1


def test_a_folder_of_the_name_may_be_the_package_although_a_module_of_that_name_is_in_it() -> None:
    base = {"setup.py": "", "graph/graph.py": "NODES = 3\n", "graph/casting.py": "def cast(): ...\n"}

    assert findings_of(RULE, base | {"graph/denoiser.py": "from graph import casting\n"}, base) == []
