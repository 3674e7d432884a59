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
    "a filled list": f"if [0]:\n{INNER}",
    "a loop": f"for _ in [0]:\n{INNER}",
    "a class": f"class A:\n{INNER}",
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
    """Return the paths with an error in a pull request."""
    result = action.run(action.open(change))
    assert result.outputs["verdict"] == ("request-changes" if int(result.outputs["errors"]) else "approve"), result.log
    return {each["path"] for each in result.report()["findings"] if each["severity"] == "error"}


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


def test_what_only_the_compiler_refuses_is_an_error(action: Action):
    files = paths(REFUSED)
    found = with_errors(action, {files[name]: doc(text) for name, text in REFUSED.items()})
    assert {name for name in REFUSED if files[name] not in found} == set()


def test_an_import_that_code_prepares_for_is_no_error(action: Action):
    files = paths(HONEST)
    found = with_errors(action, {files[name]: doc(text) for name, text in HONEST.items()})
    assert {name for name in HONEST if files[name] in found} == set()
