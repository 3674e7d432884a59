"""Python that fails when it runs, in spellings that might keep a rule quiet. Each table is one pull request."""

from __future__ import annotations

from collections.abc import Mapping

from tests.action import BAD_LINE, Action

INNER = f"    {BAD_LINE}"
CACHE = "def lookup(block: int) -> int:\n    return block\n"

ADDED: Mapping[str, str] = {
    "plain": BAD_LINE,
    "handler raises in every branch": f"try:\n{INNER}except ImportError as e:\n    if str(e):\n        raise\n    else:\n        raise ValueError\n",
    "handler raises under a true condition": f"try:\n{INNER}except ImportError:\n    if True:\n        raise\n",
    "handler raises in a with": f"import threading\n\ntry:\n{INNER}except ImportError:\n    with threading.Lock():\n        raise\n",
    "handler raises in finally": f"try:\n{INNER}except ImportError:\n    try:\n        pass\n    finally:\n        raise\n",
    "handler raises in a loop": f"try:\n{INNER}except ImportError:\n    while True:\n        raise\n",
    "handler asserts": f"try:\n{INNER}except ImportError:\n    assert False\n",
    "handler quits": f"try:\n{INNER}except ImportError:\n    quit()\n",
    "code after the raise": f"try:\n{INNER}except ImportError:\n    raise\n    StepOutput = None\n",
    "an earlier handler raises": f"try:\n{INNER}except Exception:\n    raise\nexcept ImportError:\n    StepOutput = None\n",
    "an earlier, narrower handler raises": f"try:\n{INNER}except ModuleNotFoundError:\n    raise\nexcept ImportError:\n    pass\n",
    "handler of the module, not of its names": "try:\n    from halcyon.cache import nothing\nexcept ModuleNotFoundError:\n    nothing = None\n",
    "a variable named ImportError": f"ImportError = OSError\ntry:\n{INNER}except ImportError:\n    StepOutput = None\n",
    "a class named ImportError": f"class ImportError(Exception):\n    pass\n\n\ntry:\n{INNER}except ImportError:\n    StepOutput = None\n",
    "another error under its name": f"from builtins import OSError as ImportError\n\ntry:\n{INNER}except ImportError:\n    StepOutput = None\n",
    "an attribute of its name": f"class E:\n    ImportError = OSError\n\n\ntry:\n{INNER}except E.ImportError:\n    StepOutput = None\n",
    "a suppress of its own": f"import contextlib\n\n\n@contextlib.contextmanager\ndef suppress(*_errors):\n    yield\n\n\nwith suppress(ImportError):\n{INNER}",
    "TYPE_CHECKING is a function": f"from typing import TYPE_CHECKING\n\n\ndef TYPE_CHECKING():\n    pass\n\n\nif TYPE_CHECKING:\n{INNER}",
    "TYPE_CHECKING is a parameter": f"from typing import TYPE_CHECKING\n\n\ndef f(TYPE_CHECKING=True):\n    if TYPE_CHECKING:\n        {BAD_LINE}",
    "TYPE_CHECKING by globals": f"from typing import TYPE_CHECKING\n\nglobals()['TYPE_CHECKING'] = True\nif TYPE_CHECKING:\n{INNER}",
    "TYPE_CHECKING of typing is set": f"import typing\n\ntyping.TYPE_CHECKING = True\nif typing.TYPE_CHECKING:\n{INNER}",
    "TYPE_CHECKING by match": f"from typing import TYPE_CHECKING\n\nmatch 1:\n    case TYPE_CHECKING:\n        pass\nif TYPE_CHECKING:\n{INNER}",
    "TYPE_CHECKING is False": f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING is False:\n{INNER}",
    "a constant that becomes a class": f"FAST = False\n\n\nclass FAST:\n    pass\n\n\nif FAST:\n{INNER}",
    "a constant that is caught": f"FAST = False\ntry:\n    1 / 0\nexcept ZeroDivisionError as FAST:\n    if FAST:\n        {BAD_LINE}",
    "a constant that a star replaces": f"FAST = False\nfrom halcyon.cache import *\n\nif FAST:\n{INNER}",
    "a constant that globals replaces": f"FAST = False\nglobals().update(FAST=True)\nif FAST:\n{INNER}",
    "where it is not found": f"from importlib.util import find_spec\n\nif find_spec('halcyon.outputs') is None:\n{INNER}",
    "not where it is found": f"from importlib.util import find_spec\n\nif not find_spec('halcyon.outputs'):\n{INNER}",
    "where it is found, or anywhere": f"import sys\nfrom importlib.util import find_spec\n\nif find_spec('halcyon.outputs') or sys:\n{INNER}",
    "else of where it is found": f"from importlib.util import find_spec\n\nif find_spec('halcyon.outputs'):\n    pass\nelse:\n{INNER}",
    "Python 3": f"import sys\n\nif sys.version_info.major == 3:\n{INNER}",
    "Python 3 by index": f"import sys\n\nif sys.version_info[0] >= 3:\n{INNER}",
    "None in sys.modules": f"import sys\n\nsys.modules['halcyon.outputs'] = None\n{BAD_LINE}",
    "the last part in sys.modules": f"import sys\n\nsys.modules['outputs'] = sys\n{BAD_LINE}",
    "the size of sys.modules": f"import sys\n\nprint(len(sys.modules), 'halcyon.outputs')\n{BAD_LINE}",
    "words on sys.modules": f"print('sys.modules', 'halcyon.outputs')\n{BAD_LINE}",
    "an importorskip of its own": f"def importorskip(_name):\n    pass\n\n\nimportorskip('halcyon.outputs')\n{BAD_LINE}",
    "a filled list": f"if [0]:\n{INNER}",
    "a loop": f"for _ in [0]:\n{INNER}",
    "a class": f"class A:\n{INNER}",
    "a function defined in a try": f"try:\n    def f():\n        {BAD_LINE}except ImportError:\n    pass\n",
    "a function defined where errors are suppressed": f"import contextlib\n\nwith contextlib.suppress(ImportError):\n    def f():\n        {BAD_LINE}",
    "a match": f"match 1:\n    case 1:\n        {BAD_LINE}",
}

EDITED: Mapping[str, tuple[str, str]] = {
    "leaves a docstring": (f'"""An example:\n\n{BAD_LINE}\n"""\nX = 1\n', f'"""An example."""\n\n{BAD_LINE}\nX = 1\n'),
    "if 0 becomes if 1": (f"if 0:\n{INNER}", f"if 1:\n{INNER}"),
    "not TYPE_CHECKING": (
        f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n{INNER}",
        f"from typing import TYPE_CHECKING\n\nif not TYPE_CHECKING:\n{INNER}",
    ),
    "another TYPE_CHECKING": (
        f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n{INNER}",
        f"TYPE_CHECKING = True\n\nif TYPE_CHECKING:\n{INNER}",
    ),
    "another error is caught": (
        f"try:\n{INNER}except ImportError:\n    StepOutput = None\n",
        f"try:\n{INNER}except OSError:\n    StepOutput = None\n",
    ),
    "only a missing module is caught": (
        "try:\n    from halcyon.cache import nothing\nexcept ImportError:\n    nothing = None\n",
        "try:\n    from halcyon.cache import nothing\nexcept ModuleNotFoundError:\n    nothing = None\n",
    ),
    "the handler raises": (
        f"try:\n{INNER}except ImportError:\n    StepOutput = None\n",
        f"try:\n{INNER}except ImportError:\n    raise\n",
    ),
    "try becomes if": (f"try:\n{INNER}except ImportError:\n    StepOutput = None\n", f"if True:\n{INNER}"),
    "try becomes def": (f"try:\n{INNER}except ImportError:\n    StepOutput = None\n", f"def f():\n{INNER}"),
    "nothing is suppressed": (
        f"import contextlib\n\nwith contextlib.suppress(ImportError):\n{INNER}",
        f"import contextlib\n\nwith contextlib.nullcontext():\n{INNER}",
    ),
    "a constant changes": (f"FAST = False\nif FAST:\n{INNER}", f"FAST = True\nif FAST:\n{INNER}"),
    "another module is asked for": (
        f"from importlib.util import find_spec\n\nif find_spec('halcyon.outputs'):\n{INNER}",
        f"from importlib.util import find_spec\n\nif find_spec('json'):\n{INNER}",
    ),
    "the line before is joined": (f"if False: \\\n  {BAD_LINE}", f"pass; \\\n  {BAD_LINE}"),
    "another module, the same names": (
        "from halcyon.cache import (\n    lookup,\n)\n",
        "from halcyon import (\n    lookup,\n)\n",
    ),
    "a part of the module is gone": (
        "from \\\n  . \\\n  cache \\\n  import lookup\n",
        "from \\\n  . \\\n  import lookup\n",
    ),
    "ImportError is another": (
        f"try:\n{INNER}except ImportError:\n    StepOutput = None\n",
        f"ImportError = OSError\ntry:\n{INNER}except ImportError:\n    StepOutput = None\n",
    ),
}

REMOVED: Mapping[str, str] = {
    "gone": "X = 1\n",
    "deleted in if": f"{CACHE}if True:\n    del lookup\n",
    "deleted as a tuple": f"{CACHE}del (lookup,)\n",
    "deleted in a loop": f"{CACHE}for _ in [1]:\n    del lookup\n",
    "deleted in with": f"import threading\n\n{CACHE}\n\nwith threading.Lock():\n    del lookup\n",
    "deleted in try": f"{CACHE}try:\n    del lookup\nfinally:\n    pass\n",
    "under an empty tuple": "if ():\n    lookup = 1\n",
    "under a false comparison": "if 1 == 2:\n    lookup = 1\n",
    "for Python 2": "import sys\n\nif sys.version_info[0] < 3:\n    lookup = 1\n",
    "in a loop over nothing": "for lookup in ():\n    pass\n",
    "in a loop that never runs": "for _ in []:\n    lookup = 1\n",
    "for scripts alone": "if __name__ == '__main__':\n    lookup = 1\n",
    "for scripts alone, turned round": "if '__main__' == __name__:\n    lookup = 1\n",
    "after a raise": "if True:\n    raise ValueError\nlookup = 1\n",
    "after the exit": "import sys\n\nsys.exit()\nlookup = 1\n",
    "after a raise in try": "try:\n    raise ValueError\n    lookup = 1\nexcept ValueError:\n    pass\n",
    "in else of a try that raises": "try:\n    raise ValueError\nexcept ValueError:\n    pass\nelse:\n    lookup = 1\n",
    "in a handler of nothing": "try:\n    pass\nexcept ValueError:\n    lookup = 1\n",
    "in a lambda": "X = lambda: (lookup := 1)\n",
    "by a star that leaves it out": "from halcyon.listed import *\n",
    "by a pattern that never matches": "match 0:\n    case 1 as lookup:\n        pass\n",
    "by patterns that never match": "match 0:\n    case (1 | 2) as lookup:\n        pass\n    case [lookup] | {'a': lookup}:\n        pass\n",
    "in a function of a case": "match TABLE:\n    case _:\n        def f() -> None:\n            def lookup() -> None:\n                pass\n",
    "in an annotation": "lookup: int\n",
    "in __all__": "__all__ = ['lookup']\n",
}

REFUSED: Mapping[str, str] = {
    "return outside": "return 1\n",
    "break outside": "break\n",
    "await outside": "await x\n",
    "yield in a class": "class A:\n    yield 1\n",
    "late future": "X = 1\nfrom __future__ import annotations\n",
    "two parameters": "def f(a, a): pass\n",
    "two stars": "a, *b, *c = [1]\n",
    "star alone": "*a = [1]\n",
    "bare except first": "try:\n    pass\nexcept:\n    pass\nexcept KeyError:\n    pass\n",
    "return of an async generator": "async def f():\n    yield 1\n    return 2\n",
    "break in except*": "while 1:\n    try:\n        pass\n    except* ValueError:\n        break\n",
    "a pattern that hides others": "match 1:\n    case x:\n        pass\n    case 1:\n        pass\n",
    "a keyword twice": "print(sep='', sep='')\n",
    "__debug__": "__debug__ = 1\n",
    "nested blocks": "".join("    " * n + "for _ in x:\n" for n in range(25)) + "    " * 25 + "pass\n",
}

HONEST: Mapping[str, str] = {
    "caught": f"try:\n{INNER}except ImportError:\n    StepOutput = None\n",
    "caught and logged": f"import logging\n\ntry:\n{INNER}except Exception:\n    logging.exception('none')\n",
    "caught by builtins": f"import builtins\n\ntry:\n{INNER}except builtins.ImportError:\n    StepOutput = None\n",
    "suppressed": f"from contextlib import suppress\n\nwith suppress(ImportError):\n{INNER}",
    "a function that returns": f"def f():\n    try:\n        {BAD_LINE}    except ImportError:\n        return None\n",
    "raises for one cause": f"try:\n{INNER}except ImportError as e:\n    if e.name:\n        raise\n",
    "a class in a try": f"try:\n    class A:\n        {BAD_LINE}except ImportError:\n    pass\n",
    "a try in a function": f"def f():\n    try:\n        {BAD_LINE}    except ImportError:\n        pass\n",
    "asked for": f"from importlib.util import find_spec\n\nif find_spec('halcyon.outputs') is not None:\n{INNER}",
    "asked for with more": f"import os\nfrom importlib.util import find_spec\n\nif find_spec('halcyon.outputs') and os.name:\n{INNER}",
    "else of not": f"from importlib.util import find_spec\n\nif not find_spec('halcyon.outputs'):\n    pass\nelse:\n{INNER}",
    "type checking": f"import typing as t\n\nif t.TYPE_CHECKING:\n{INNER}",
    "an old Python": f"import sys\n\nif sys.version_info[0] < 3:\n{INNER}",
}


def paths(table: Mapping[str, object]) -> dict[str, str]:
    """Return a file for each entry of a table."""
    return {name: f"halcyon/case_{number}.py" for number, name in enumerate(table)}


def with_errors(action: Action, change: Mapping[str, str | None]) -> set[str]:
    """Return the paths with an error in a pull request, as the finding or as another place with the same problem."""
    result = action.run(action.open(change))
    decisions = {"changes-required"} if int(result.outputs["errors"]) else {"comments", "no-findings"}
    assert result.outputs["verdict"] in decisions, result.log
    errors = [each for each in result.report()["findings"] if each["severity"] == "error"]
    same = [place for each in errors for place in each["related"] if place["note"] == "same problem"]
    return {each["path"] for each in (*errors, *same)}


def doc(text: str) -> str:
    """Return a file with a docstring, which no rule misses then."""
    return f'"""Steps."""\n{text}'


def test_an_added_import_that_fails_is_an_error_whatever_surrounds_it(action: Action):
    files = paths(ADDED)
    found = with_errors(action, {files[name]: doc(text) for name, text in ADDED.items()})
    assert {name for name in ADDED if files[name] not in found} == set()


def test_an_import_that_the_change_makes_fail_is_an_error_though_its_line_is_old(action: Action):
    files = paths(EDITED)
    action.repository.commit({files[name]: doc(old) for name, (old, _) in EDITED.items()})
    found = with_errors(action, {files[name]: doc(new) for name, (_, new) in EDITED.items()})
    assert {name for name in EDITED if files[name] not in found} == set()


def test_an_import_that_failed_before_is_not_the_matter_of_the_change(action: Action):
    action.repository.commit({"halcyon/old.py": doc(f"def f():\n{INNER}    X = 1\n    return X\n")})
    assert not with_errors(action, {"halcyon/old.py": doc(f"def f():\n{INNER}    X = 2\n    return X\n")})


def test_relative_imports_of_a_file_that_moves_to_another_folder_are_new(action: Action):
    text = doc("from .cache import lookup\n\nX = lookup\n" + "Y = 1\n" * 20)
    action.repository.commit({"halcyon/use.py": text})
    moved = {"halcyon/use.py": None, "halcyon/sub/__init__.py": doc(""), "halcyon/sub/use.py": text}
    assert with_errors(action, moved) == {"halcyon/sub/use.py"}


def test_a_name_that_no_code_binds_any_more_is_removed(action: Action):
    files = paths(REMOVED)
    users = {name: path.replace("case", "user") for name, path in files.items()}
    importers = {users[name]: doc(f"from {files[name][:-3].replace('/', '.')} import lookup\n") for name in REMOVED}
    listed = {"halcyon/listed.py": doc("__all__ = ['other']\nother = lookup = 1\n")}
    action.repository.commit({path: doc(CACHE) for path in files.values()} | importers | listed)
    found = with_errors(action, {files[name]: doc(text) for name, text in REMOVED.items()})
    assert {name for name in REMOVED if files[name] not in found} == set()


def test_a_private_name_does_not_come_by_a_star(action: Action):
    importer = doc("from halcyon.limits import _LIMIT\n")
    action.repository.commit({"halcyon/limits.py": doc("_LIMIT = 1\n"), "halcyon/use.py": importer})
    change = {"halcyon/limits.py": doc("from halcyon.other import *\n"), "halcyon/other.py": doc("_LIMIT = 1\n")}
    assert with_errors(action, change) == {"halcyon/limits.py"}


def test_a_package_hides_the_module_of_its_name(action: Action):
    assert with_errors(action, {"halcyon/cache/__init__.py": doc("X = 1\n")}) == {"halcyon/cache/__init__.py"}


def test_a_module_hides_the_folder_of_its_name(action: Action):
    change = {"halcyon/cache/part.py": doc("x = 1\n"), "halcyon/use.py": doc("from halcyon.cache.part import x\n")}
    assert with_errors(action, change) == {"halcyon/use.py"}


def test_names_that_a_module_still_provides_are_not_removed(action: Action):
    kept = {
        "by a star": "from halcyon.listed import *\n",
        "under a condition": f"import os\n\nif os.name:\n    del os\nelse:\n    del os\n{CACHE}",
        "in every branch": "import os\n\nif os.name:\n    lookup = 1\nelse:\n    raise ValueError\n",
        "after a caught error": "try:\n    raise ValueError\nexcept ValueError:\n    pass\nlookup = 1\n",
        "not for scripts": "if __name__ != '__main__':\n    lookup = 1\n",
        "before what is for scripts": f"{CACHE}\n\nif __name__ == '__main__':\n    lookup(1)\n",
        "deleted and bound again": f"lookup = 1\ndel lookup\n\n\n{CACHE}",
    }
    files = paths(kept)
    users = {files[name].replace("case", "user"): files[name][:-3].replace("/", ".") for name in kept}
    action.repository.commit({path: doc(CACHE) for path in files.values()})
    action.repository.commit({path: doc(f"from {module} import lookup\n") for path, module in users.items()})
    listed = {"halcyon/listed.py": doc("__all__ = ['lookup']\nlookup = 1\n")}
    assert with_errors(action, listed | {files[name]: doc(text) for name, text in kept.items()}) == set()


def test_what_only_the_compiler_refuses_is_an_error(action: Action):
    files = paths(REFUSED)
    found = with_errors(action, {files[name]: doc(text) for name, text in REFUSED.items()})
    assert {name for name in REFUSED if files[name] not in found} == set()


def test_an_import_that_code_prepares_for_is_no_error(action: Action):
    files = paths(HONEST)
    found = with_errors(action, {files[name]: doc(text) for name, text in HONEST.items()})
    assert {name for name in HONEST if files[name] in found} == set()
