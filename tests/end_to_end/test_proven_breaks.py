"""What a change breaks elsewhere in the tree, and attempts to excuse it: the whole Action decides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.action import BAD_LINE, Action

LIMITS = '"""Limits."""\n\nLIMIT = 8\n\n\ndef check(size: int) -> bool:\n    """Return whether a size fits."""\n    return size < 8\n'
RUN = '"""Runs."""\n\nfrom halcyon._limits import LIMIT, check\n\nprint(LIMIT, check(3))\n'
STEPS = f'"""Steps."""\n\n{BAD_LINE}\n\ndef run(step: StepOutput) -> int:\n    """Return one."""\n    return 1\n'
BASE_CLASS = '"""Models."""\n\n\nclass Model:\n    def __init__(self, size):\n        self.size = size\n'
SIZE_OF = "\n    def size_of(self):\n        return self.size\n"
SIZES = '"""Sizes."""\n\nfrom typing import NamedTuple\n\n\nclass Size(NamedTuple):\n    """A size."""\n\n    height: int\n    width: int\n'
DATA = SIZES.replace("typing import NamedTuple", "dataclasses import dataclass").replace(
    "class Size(NamedTuple)", "@dataclass\nclass Size"
)
SIZES_USE = '"""Runs."""\n\nfrom halcyon._sizes import Size\n\n\ndef run():\n    """Return the width."""\n    size = Size(1, 2)\n    return size.width\n'
LOCKS = '"""Locks."""\n\nfrom contextlib import contextmanager\n\n\n@contextmanager\ndef held(lock):\n    """Hold a lock."""\n    if lock is None:\n        yield\n        return\n    with lock:\n        yield\n'


def errors(action: Action, base: dict[str, Any], change: dict[str, Any]) -> tuple[int, str]:
    """Return the exit code and the number of errors of a change on top of some files."""
    action.repository.commit(base)
    result = action.run(action.open(change))
    return result.code, result.outputs["errors"]


BREAKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a renamed constant of a private module": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT", "CAP")},
    ),
    "a renamed private function": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": LIMITS.replace("def check", "def _check")},
    ),
    "a removed module": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": None},
    ),
    "a renamed module": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": None, "halcyon/_caps.py": LIMITS},
    ),
    "a module that becomes a folder of notes": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": None, "halcyon/_limits/notes.txt": "Nothing here.\n"},
    ),
    "a module that moves into a package of its name": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {
            "halcyon/_limits.py": None,
            "halcyon/_limits/__init__.py": '"""Limits."""\n\nfrom ._check import check\n',
            "halcyon/_limits/_check.py": LIMITS,
        },
    ),
    "a module that becomes a note next to a package of its name": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": None, "halcyon/_limits.md": LIMITS, "halcyon/_limits/__init__.py": '"""Limits."""\n'},
    ),
    "a module that is renamed next to a package of its name": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": None, "halcyon/_check.py": LIMITS, "halcyon/_limits/__init__.py": '"""Limits."""\n'},
    ),
    "what is read of a module that moves into a package of its name": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": "from halcyon import _limits\n\nprint(_limits.LIMIT)\n"},
        {
            "halcyon/_limits.py": None,
            "halcyon/_limits/__init__.py": '"""Limits."""\n',
            "halcyon/_limits/_check.py": LIMITS.replace("size < 8", "size < LIMIT"),
        },
    ),
    "a name that only type checkers still see": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT = 8", "LIMIT: int").replace('"""Limits."""', '"""The LIMIT."""')},
    ),
    **{
        f"a name that no import binds: {guard.splitlines()[0]}": (
            {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
            {"halcyon/_limits.py": LIMITS.replace("LIMIT = 8", guard)},
        )
        for guard in (
            "if __name__ == '__main__' and print:\n    LIMIT = 8",
            "if not __name__ != '__main__':\n    LIMIT = 8",
            "if __spec__ is None:\n    LIMIT = 8",
            "for _ in (1,):\n    break\n    LIMIT = 8",
            "if 1 > 2 > 0:\n    LIMIT = 8",
        )
    },
    "a dropped re-export": (
        {
            "halcyon/__init__.py": '"""A small engine."""\n\nfrom halcyon._limits import LIMIT\n',
            "halcyon/_limits.py": LIMITS,
            "tests/test_limits.py": "from halcyon import LIMIT\n\n\ndef test_limit():\n    assert LIMIT == 8\n",
        },
        {"halcyon/__init__.py": '"""A small engine."""\n'},
    ),
    "a base class that asks for more": (
        {
            "halcyon/base.py": BASE_CLASS,
            "halcyon/run.py": '"""Runs."""\n\nfrom halcyon.base import Model\n\n\nclass Small(Model):\n    def __init__(self):\n        super().__init__(1)\n',
        },
        {"halcyon/base.py": BASE_CLASS.replace("size)", "size, device)")},
    ),
    "modules that import each other": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN.replace("print(", "STEPS = (")},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT = 8", "from halcyon.run import STEPS\n\nLIMIT = len(STEPS)")},
    ),
    "a module that imports itself": (
        {"halcyon/_limits.py": LIMITS},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT = 8", "from halcyon._limits import check\n\nLIMIT = 8")},
    ),
    "a method that only super() still finds": (
        {
            "halcyon/base.py": BASE_CLASS + SIZE_OF,
            "halcyon/run.py": '"""Runs."""\n\nfrom halcyon.base import Model\n\n\nclass Small(Model):\n    def size_of(self):\n        return super().size_of() + 1\n',
        },
        {"halcyon/base.py": BASE_CLASS},
    ),
    "a removed name of a module beside a script": (
        {"scripts/limits.py": LIMITS, "scripts/run.py": "from limits import LIMIT\n\nprint(LIMIT)\n"},
        {"scripts/limits.py": LIMITS.replace("LIMIT", "CAP")},
    ),
    "a renamed module beside a test": (
        {
            "tests/limits.py": LIMITS,
            "tests/test_run.py": "import limits\n\n\ndef test_limit():\n    assert limits.LIMIT\n",
        },
        {"tests/limits.py": None, "tests/caps.py": LIMITS},
    ),
    "an argument of a function beside a script": (
        {"limits.py": LIMITS, "run.py": "import limits\n\nprint(limits.check(3))\n"},
        {"limits.py": LIMITS.replace("size: int", "size: int, device: str")},
    ),
    "an attribute of an imported module": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": "import halcyon._limits as limits\n\nprint(limits.LIMIT)\n"},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT", "CAP")},
    ),
    "a name that came by a star": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": "from halcyon._limits import *\n\nprint(LIMIT)\n"},
        {"halcyon/_limits.py": LIMITS.replace("LIMIT", "CAP")},
    ),
    "a star import that only type checkers still see": (
        {
            "halcyon/__init__.py": '"""A small engine."""\n\nfrom halcyon._limits import *\n',
            "halcyon/_limits.py": LIMITS,
            "tests/test_limits.py": "from halcyon import LIMIT\n\n\ndef test_limit():\n    assert LIMIT == 8\n",
        },
        {
            "halcyon/__init__.py": '"""A small engine."""\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from halcyon._limits import *\n'
        },
    ),
    "an added import of a name that does not exist": (
        {"halcyon/_limits.py": LIMITS},
        {"halcyon/run.py": RUN.replace("LIMIT", "CAP")},
    ),
    "a call that no longer fits": (
        {"halcyon/_limits.py": LIMITS, "halcyon/run.py": RUN},
        {"halcyon/_limits.py": LIMITS.replace("size: int", "size: int, step: int")},
    ),
    "an added read of an attribute that a function declares global": (
        {"halcyon/_limits.py": LIMITS},
        {"halcyon/run.py": "from halcyon import _limits\n\n\ndef run():\n    global _limits\n    return _limits.CAP\n"},
    ),
    "a renamed field of a named tuple": (
        {"halcyon/_sizes.py": SIZES, "halcyon/run.py": SIZES_USE},
        {"halcyon/_sizes.py": SIZES.replace("width", "columns")},
    ),
    "a named tuple with one more field that is unpacked": (
        {
            "halcyon/_sizes.py": SIZES,
            "halcyon/run.py": SIZES_USE.replace("return size.width", "rows, columns = size\n    return rows"),
        },
        {"halcyon/_sizes.py": SIZES.replace("width: int", "width: int\n    depth: int = 1")},
    ),
    "a dataclass that is frozen while code sets its field": (
        {
            "halcyon/_sizes.py": DATA,
            "halcyon/run.py": SIZES_USE.replace("return size.width", "size.width = 3\n    return size"),
        },
        {"halcyon/_sizes.py": DATA.replace("@dataclass", "@dataclass(frozen=True)")},
    ),
    "a context manager that no longer yields on a path": (
        {"halcyon/_locks.py": LOCKS},
        {"halcyon/_locks.py": LOCKS.replace("        yield\n        return\n", "        return\n")},
    ),
    "an added call that does not fit": (
        {"halcyon/_limits.py": LIMITS},
        {"halcyon/run.py": RUN.replace("check(3)", "check(3, 4)")},
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_a_change_breaks_is_red(action: Action, name):
    code, found = errors(action, *BREAKS[name])
    assert (code, found) == (1, "1")


EXCUSES: dict[str, dict[str, Any]] = {
    "a comment on sys.modules": {"halcyon/steps.py": f"# sys.modules, meta_path\n{STEPS}"},
    "a comment on importorskip": {"halcyon/steps.py": f"# importorskip('halcyon.outputs')\n{STEPS}"},
    "importorskip of another module": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"import pytest\n\npytest.importorskip('torch')\n{BAD_LINE}")
    },
    "__path__ in a package": {"halcyon/__init__.py": '"""Engine; see __path__."""\n\n__path__ = __path__\n'},
    "a Makefile": {"Makefile": "# halcyon/outputs\nhalcyon/outputs.py:\n\ttouch $@\n"},
    "a .gitignore": {".gitignore": "halcyon/outputs.py\n"},
    "a comment in setup.py": {"setup.py": "from setuptools import setup\n\nsetup()  # halcyon.outputs\n"},
    "a stub": {"halcyon/outputs.pyi": "class StepOutput: ...\n"},
    "a source that no build knows": {"halcyon/outputs.c": "int main() { return 0; }\n"},
    "a folder of notes": {"halcyon/outputs/notes.txt": "Soon.\n"},
    "the module in another folder": {"docs/halcyon/outputs.py": '"""Nothing."""\n\nStepOutput = 1\n'},
    "a file that would set it": {
        "halcyon/other.py": '"""Sets it."""\n\nimport sys\n\nsys.modules["halcyon.outputs"] = sys\n'
    },
    "requirements of a release": {"halcyon/requirements.txt": "halcyon==1.0\n"},
    "a constant string": {"halcyon/steps.py": STEPS.replace(BAD_LINE, f'if "version":\n    {BAD_LINE}')},
    "a constant": {"halcyon/steps.py": STEPS.replace(BAD_LINE, f"HAS_OUTPUTS = True\nif HAS_OUTPUTS:\n    {BAD_LINE}")},
    "any Python": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"import sys\n\nif sys.version_info >= (3, 6):\n    {BAD_LINE}")
    },
    **{
        f"any Python: {test}": {
            "halcyon/steps.py": STEPS.replace(BAD_LINE, f"import sys\n\nLEAST = (3, 0)\n\nif {test}:\n    {BAD_LINE}")
        }
        for test in (
            "(2, 0) < sys.version_info < (9, 0)",
            "(3, 12) <= sys.version_info",
            "sys.version_info[0:2] >= LEAST",
            "sys.version_info[0] in (3, 4)",
            "(sys.version_info >= (3,)) is True",
            "sys.version[0] == '3'",
        )
    },
    "a context of another name": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"from contextlib import nullcontext as suppress\n\nwith suppress(ImportError):\n    {BAD_LINE}"
        )
    },
    "a context that is replaced": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE,
            "import contextlib\n\ncontextlib.suppress = contextlib.nullcontext\n\n"
            f"with contextlib.suppress(ImportError):\n    {BAD_LINE}",
        )
    },
    "another package": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f'from importlib.util import find_spec\n\nif find_spec("json"):\n    {BAD_LINE}'
        )
    },
    "the branch that runs": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"from typing import TYPE_CHECKING\n\nif not TYPE_CHECKING:\n    {BAD_LINE}"
        )
    },
    "a package without its __init__.py": {"halcyon/__init__.py": None},
    "a look into sys.modules": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f'import sys\n\nprint(sys.modules.get("halcyon.outputs"))\n{BAD_LINE}'
        )
    },
    "an entry of another module": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f'import sys\n\nsys.modules["other"] = sys\nNAME = "halcyon.outputs"\n{BAD_LINE}'
        )
    },
    "a TYPE_CHECKING of its own": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"TYPE_CHECKING = True\n\nif TYPE_CHECKING:\n    {BAD_LINE}")
    },
    "a handler that ends the program": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"import sys\n\ntry:\n    {BAD_LINE}except ImportError:\n    sys.exit(1)\n"
        )
    },
    "a handler that raises": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"try:\n    {BAD_LINE}except ImportError:\n    raise\n")
    },
    "a handler that always runs": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"try:\n    raise ImportError\nexcept ImportError:\n    {BAD_LINE}")
    },
    "a fallback of another missing module": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"try:\n    import halcyon.missing\nexcept ImportError:\n    {BAD_LINE}"
        )
    },
}


@pytest.mark.parametrize("name", EXCUSES)
def test_a_change_cannot_excuse_its_own_import(action: Action, name):
    code, found = errors(action, {"README.md": "Halcyon\n"}, {"halcyon/steps.py": STEPS} | EXCUSES[name])
    assert code == 1
    assert int(found) >= 1


EXPECTED: dict[str, dict[str, Any]] = {
    "a caught import": {
        "halcyon/steps.py": STEPS.replace(BAD_LINE, f"try:\n    {BAD_LINE}except ImportError:\n    StepOutput = None\n")
    },
    "a fake of a test": {
        "halcyon/steps.py": '"""Steps."""\n',
        "tests/test_steps.py": f'import sys\n\nsys.modules["halcyon.outputs"] = sys\n{BAD_LINE}',
    },
    "a fake of conftest.py": {
        "halcyon/steps.py": '"""Steps."""\n',
        "tests/conftest.py": 'import sys\n\nsys.modules["halcyon.outputs"] = sys\n',
        "tests/test_steps.py": BAD_LINE,
    },
    "importorskip of the module": {
        "halcyon/steps.py": '"""Steps."""\n',
        "tests/test_steps.py": f'import pytest\n\npytest.importorskip("halcyon.outputs")\n{BAD_LINE}',
    },
    "an extension and its build": {
        "halcyon/outputs.c": "PyMODINIT_FUNC PyInit_outputs(void) { return 0; }\n",
        "setup.py": 'from setuptools import Extension, setup\n\nsetup(ext_modules=[Extension("halcyon.outputs", ["halcyon/outputs.c"])])\n',
    },
    "a Python of long ago": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"import sys\n\nif (3, 0) < sys.version_info < (3, 10):\n    {BAD_LINE}"
        )
    },
    "a context that expects it": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f"from contextlib import suppress\n\nwith suppress(ImportError):\n    {BAD_LINE}"
        )
    },
    "a condition that asks for it": {
        "halcyon/steps.py": STEPS.replace(
            BAD_LINE, f'from importlib.util import find_spec\n\nif find_spec("halcyon.outputs"):\n    {BAD_LINE}'
        )
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_import_that_code_prepares_for_is_no_error(action: Action, name):
    _, found = errors(action, {"README.md": "Halcyon\n"}, {"halcyon/steps.py": STEPS} | EXPECTED[name])
    assert found == "0"


def test_a_stub_reads_other_stubs_of_the_change(action: Action):
    stubs = {
        "typings/halcyon/fast/__init__.pyi": "from .core import Core as Core\n",
        "typings/halcyon/fast/core.pyi": "class Core: ...\n",
    }
    assert errors(action, {"typings/halcyon/__init__.py": ""}, stubs)[1] == "0"
    stubs["typings/halcyon/fast/more.pyi"] = "from .cores import Core as Core\n"
    assert errors(action, {}, stubs)[1] == "1"


def test_a_super_that_may_be_another_class_is_no_error(action: Action):
    mixed = "class Small(Model):\n    def __init__(self):\n        super().__init__(1)\n\n\nclass Both(Small, Other):\n    pass\n"
    other = "class Other(Model):\n    def __init__(self, size):\n        super().__init__(size, 'cpu')\n\n\n"
    files = {
        "halcyon/base.py": BASE_CLASS,
        "halcyon/run.py": f'"""Runs."""\n\nfrom halcyon.base import Model\n\n\n{other}{mixed}',
    }
    assert errors(action, files, {"halcyon/base.py": BASE_CLASS.replace("size)", "size, device=None)")})[1] == "0"
    assert errors(action, files, {"halcyon/base.py": BASE_CLASS.replace("size)", "size, device)")})[1] == "0"


BESIDE: dict[str, dict[str, Any]] = {
    "a module that moves to a folder of its own": {"scripts/limits.py": None, "lib/limits.py": LIMITS},
    "a module of the standard library": {"scripts/json.py": "X = 1\n", "scripts/more.py": "from json import loads\n"},
    "a module of a well-known package": {"scripts/torch.py": "X = 1\n", "scripts/more.py": "from torch import nn\n"},
    "another folder": {"scripts/more.py": "import sys\n\nsys.path.insert(0, 'lib')\nfrom limits import MORE\n"},
    "a file in a package": {"halcyon/limits.py": LIMITS, "halcyon/more.py": "from limits import MORE\n"},
    "one of several conftest.py": {"scripts/conftest.py": "X = 1\n", "scripts/test_x.py": "from conftest import Y\n"},
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_module_beside_a_script_may_be_another(action: Action, name):
    base = {"scripts/limits.py": LIMITS, "scripts/run.py": "from limits import LIMIT\n\nprint(LIMIT)\n"}
    assert errors(action, base, BESIDE[name])[1] == "0"


PACKAGE = {
    "engine/__init__.py": "",
    "engine/outputs.py": '"""Outputs."""\n\n\nclass StepOutput:\n    """One."""\n',
    "halcyon/run.py": "from engine.outputs import StepOutput\n",
}
REMOVED = {path: None for path in PACKAGE if path.startswith("engine/")}
RENAMED = {**REMOVED, **{path.replace("engine/", "core/"): PACKAGE[path] for path in REMOVED}}


@pytest.mark.parametrize(
    ("project", "changes", "code"),
    [
        ("engine", REMOVED, 1),
        ("engine", RENAMED, 1),
        ("halcyon", RENAMED, 1),
        ("halcyon", REMOVED, 0),  # an installed package may have the name
        ("halcyon", {**RENAMED, "requirements.txt": "engine==2.0\n"}, 0),
        ("halcyon", {**REMOVED, **{f"src/{path}": PACKAGE[path] for path in REMOVED}}, 0),
    ],
)
def test_a_package_that_goes_as_a_whole(action, project, changes, code):
    action.repository.commit({"pyproject.toml": f'[project]\nname = "{project}"\n', **PACKAGE})
    assert action.run(action.open(changes)).code == code
