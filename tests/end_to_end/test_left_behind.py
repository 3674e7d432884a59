"""What a change breaks in notebooks, in stubs, through aliases and in lazy imports. Each table is one pull request.

``~`` in a path or a text is the number of the case, so that no case has to do with another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from fake_github.git_store import Link
from tests.action import Action


class Case(NamedTuple):
    """Files at the base, and what the change makes of some of them."""

    base: Mapping[str, str]
    change: Mapping[str, str | None]


def notebook(*cells: str, indent: int | None = 1, language: str = "python") -> str:
    """Return a notebook as Jupyter saves it."""
    written = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(keepends=True)} for cell in cells
    ]
    metadata = {"language_info": {"name": language}}
    return json.dumps({"cells": written, "metadata": metadata, "nbformat": 4}, indent=indent) + "\n"


INIT = {"pkg~/__init__.py": '"""A package."""\n'}
CORE = '"""Core."""\n\nLIMIT~ = 8\n'
PAIR = {**INIT, "pkg~/core.py": CORE}
RENAMED = {"pkg~/core.py": CORE.replace("LIMIT", "CAP")}
GONE = {"pkg~/core.py": None, "pkg~/other.py": CORE}
IMPORT = "from pkg~.core import LIMIT~\n"


def left(path: str, text: str, change: Mapping[str, str | None] = RENAMED) -> Case:
    """Return a change that leaves a file of the base behind."""
    return Case({**PAIR, path: text}, change)


def added(path: str, text: str, base: str = "") -> Case:
    """Return a change that adds a file, or edits it."""
    return Case({**PAIR, path: base} if base else PAIR, {path: text})


NOTEBOOKS: Mapping[str, Case] = {
    "a name, in a notebook": left("docs~/a.ipynb", notebook("x = 1\n", IMPORT)),
    "a name, beside magics": left("docs~/a.ipynb", notebook(f"%matplotlib inline\n!ls\nx = !ls\n{IMPORT}x?\n")),
    "a name, in a timed cell": left("docs~/a.ipynb", notebook(f"%%time\n{IMPORT}")),
    **{
        f"a name, in a cell of {magic}": left("docs~/a.ipynb", notebook(f"{magic}\n{IMPORT}"))
        for magic in ("%%memit", "%%mprun -f print", "%%timeit x = 1")
    },
    "a name, in a notebook on one line": left("docs~/a.ipynb", notebook("x = 1\n", IMPORT, indent=None)),
    "a name, after a cell that no Python reads": left("docs~/a.ipynb", notebook("1 +\n", IMPORT)),
    "a name, by its module": left("docs~/a.ipynb", notebook("import pkg~.core as c\n", "c.LIMIT~\n")),
    "a name, with an installed stranger": left("docs~/a.ipynb", notebook("!pip install torch\n", IMPORT)),
    **{
        f"a name, behind {magic}": left("docs~/a.ipynb", notebook("import pkg~.core as c\n", f"{magic} c.LIMIT~\n"))
        for magic in (
            "%timeit",
            "%timeit -n 10 -r3",
            "%timeit -qon 10",
            "%prun -l 5",
            "%prun -s cumulative -q -T out.txt",
            "x, y = %time",
            "  t = %timeit -o",
            "%memit",
            "%memit -r 3 -c",
            "%mprun -f print",
            "%lprun -s -f print -fopen -u 1e-3",
            "%%timeit -n 10",
            "%%prun -s time",
        )
    },
    "a module, in a notebook": left("docs~/a.ipynb", notebook(IMPORT), GONE),
    "an added notebook": added("docs~/a.ipynb", notebook("from pkg~.core import NONE\n")),
    "an added notebook on one line": added("docs~/a.ipynb", notebook("from pkg~.none import A\n", indent=None)),
    "an added cell": added("docs~/a.ipynb", notebook("x = 1\n", "import pkg~.none\n"), notebook("x = 1\n")),
    "a stub that imports a name": left("pkg~/fast.pyi", IMPORT),
    "a stub that imports a module": left("pkg~/fast.pyi", IMPORT, GONE),
    "a cell with a carriage return": added("docs~/a.ipynb", notebook("# a note\rfrom pkg~.core import NONE\n")),
    **{
        f"a cell with {line.strip()!r}": added("docs~/a.ipynb", notebook(f"{line}from pkg~.core import NONE\n"))
        for line in ("a.b = %time f()\n", "a[0] = !ls\n", "%timeit f( \\\n  1)\n", "x = f?\n")
    },
    **{
        f"a cell with {line!r}": added("docs~/a.ipynb", notebook(f"{line}\n"))
        for line in (
            "from pkg~.core import NONE; names = !ls",
            "names = !ls \n%time from pkg~.core import NONE",
            "echo a = !ls\nfrom pkg~.core import NONE",
        )
    },
    "a cell that is indented": added("docs~/a.ipynb", notebook("  x = 1\n  from pkg~.core import NONE\n")),
    "a cell with prompts": added(
        "docs~/a.ipynb", notebook(">>> def f():\n...     return 1\n>>> from pkg~.core import NONE\n")
    ),
    "a cell with prompts of IPython": added("docs~/a.ipynb", notebook("In [1]: from pkg~.core import NONE\n")),
    "an added stub": added("pkg~/fast.pyi", "from .core import NONE\n"),
}

SOUND_NOTEBOOKS: Mapping[str, Case] = {
    "a notebook that changes too": Case(
        {**PAIR, "docs~/a.ipynb": notebook(IMPORT)},
        {**RENAMED, "docs~/a.ipynb": notebook(IMPORT.replace("LIMIT", "CAP"))},
    ),
    "a caught import": left("docs~/a.ipynb", notebook(f"try:\n    {IMPORT}except ImportError:\n    pass\n")),
    "a notebook that installs a release": left("docs~/a.ipynb", notebook("!pip install -q pkg~==1.0\n", IMPORT)),
    "a notebook that clones": left("docs~/a.ipynb", notebook("!git clone https://x.org/a/pkg~.git\n", IMPORT)),
    "a cell of a shell": left("docs~/a.ipynb", notebook(f"%%bash\n{IMPORT}")),
    "another language": left("docs~/a.ipynb", notebook(IMPORT, language="julia")),
    "words in a notebook": left("docs~/a.ipynb", notebook('"from pkg~.core import LIMIT~"\n')),
    "no notebook": left("docs~/a.ipynb", f"{IMPORT}\n"),
    "a notebook that is written anew": added(
        "docs~/a.ipynb", notebook("from pkg~.none import A\n", indent=2), notebook("from pkg~.none import A\n")
    ),
    "a stub beside the module": Case({**PAIR, "pkg~/core.pyi": "LIMIT~: int\n", "pkg~/fast.pyi": IMPORT}, RENAMED),
    "a name for type checkers": Case(
        {**PAIR, "pkg~/fast.pyi": IMPORT},
        {"pkg~/core.py": '"""Core."""\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    LIMIT~ = 8\n'},
    ),
}


LOAD = '''"""Loads."""


def load~(path):
    """Return the path."""
    return path
'''
WRAPPER = '''"""Wraps."""

import functools


def timed~(function):
    """Time a function."""

    @functools.wraps(function)
    def run(*args, **kwargs):
        result = function(*args, **kwargs)
        print(function.__name__)
        return result

    return run


def named~(name):
    """Name a function."""

    def wrap(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            print(name)
            return function(*args, **kwargs)

        return run

    return wrap
'''


def calls(caller: str, load: str = LOAD, *, after: str | None = None, **files: str) -> Case:
    """Return a change by which ``load~`` needs ``device`` as well, and a file that calls it."""
    base = {**INIT, "pkg~/core.py": load, "pkg~/use.py": f'"""Uses."""\n\n{caller}', "pkg~/wrap.py": WRAPPER}
    base |= {f"pkg~/{name}.py": f'"""More."""\n\n{text}' for name, text in files.items()}
    return Case(base, {"pkg~/core.py": after or load.replace("(path)", "(path, device)")})


FROM_CORE = "from pkg~.core import load~\n\n"
INDENTED = "    def load~(path, device):\n        return path, device\n"
BOTH = """try:
    import fast~
except ImportError:

    def load~(path):
        return path
else:

    def load~(path):
        return path, fast~
"""
CHECKED = """from typing import TYPE_CHECKING

if TYPE_CHECKING:

    def load~(path, device=None): ...
else:

    def load~(path):
        return path
"""

THREADED = (
    "from threading import Thread\n\n\nclass A:\n    def start(self):\n        Thread(target=self.step~, args=(1,)).start()\n\n"
    "    def step~(self, key):\n        return key\n"
)

STATIC = "class A~:\n    @staticmethod\n    def get(key):\n        return key\n"
BY_CLASS = "from pkg~.core import A~\n\nprint(A~.get(1))\n"
BY_OBJECT = "from pkg~.core import A~\n\nprint(A~().get(1))\n"
BASE = "class A~:\n    def __init__(self, a):\n        self.a = a\n"
BELOW = "from pkg~.core import A~\n\n\nclass B(A~):\n    def __init__(self):\n        A~.__init__(self, 1)\n"

SIZED = "class A~:\n    def __init__(self):\n        self.n = 1\n\n    def size~(self):\n        return self.n\n"
AS_PROPERTY = SIZED.replace("    def size", "    @property\n    def size")
CALLS_SIZE = "from pkg~.core import A~\n\na = A~()\nprint(a.size~() + 1)\n"
CALLS_OWN_SIZE = "from pkg~.core import A~\n\n\nclass B(A~):\n    def f(self):\n        return self.size~()\n"

CALLS: Mapping[str, Case] = {
    "plain": calls(f"{FROM_CORE}print(load~(1))\n"),
    "an alias": calls(f"{FROM_CORE}go = load~\nprint(go(1))\n"),
    "an alias of an alias": calls("from pkg~.core import load~ as a\n\nb = a\nc = b\nprint(c(1))\n"),
    "an alias of a module's function": calls("import pkg~.core as core\n\ngo = core.load~\nprint(go(1))\n"),
    "a local alias": calls(f"{FROM_CORE}def f():\n    go = load~\n    return go(1)\n"),
    "an alias in another module": calls(
        "from pkg~.names import go~\n\nprint(go~(1))\n", names=f"{FROM_CORE}go~ = load~\n"
    ),
    "an alias with an annotation in another module": calls(
        "from pkg~.names import go~\n\nprint(go~(1))\n",
        names=f"from typing import Callable\n\n{FROM_CORE}go~: Callable = load~\n",
    ),
    "an alias over lines in another module": calls(
        "from pkg~.names import go~\n\nprint(go~(1))\n", names=f"{FROM_CORE}go~ = (\n    load~\n)\n"
    ),
    "partial over lines in another module": calls(
        "from pkg~.names import go~\n\nprint(go~())\n",
        names=f"import functools\n\n{FROM_CORE}go~ = functools.partial(\n    load~,\n    1,\n)\n",
    ),
    "a call on the line of a doubtful one": calls(
        f"{FROM_CORE}def f(version):\n    return load~(1), load~(1) if version else 0\n"
    ),
    "another name in another module": calls(
        "from pkg~.names import go~\n\nprint(go~(1))\n", names="from pkg~.core import load~ as go~\n"
    ),
    "partial": calls(f"import functools\n\n{FROM_CORE}go = functools.partial(load~, 1)\nprint(go())\n"),
    "partial with a keyword": calls(
        f"from functools import partial\n\n{FROM_CORE}go = partial(load~, path=1)\nprint(go())\n"
    ),
    "a wrapper of the tree": calls(
        f"{FROM_CORE}print(load~(1))\n", LOAD.replace("def ", "from pkg~.wrap import timed~\n\n\n@timed~\ndef ")
    ),
    "a made wrapper": calls(
        f"{FROM_CORE}print(load~(1))\n", LOAD.replace("def ", "import pkg~.wrap as w\n\n\n@w.named~(1)\ndef ")
    ),
    "a cache": calls(
        f"{FROM_CORE}print(load~(1))\n", LOAD.replace("def ", "import functools\n\n\n@functools.cache\ndef ")
    ),
    "inference mode": calls(
        f"{FROM_CORE}print(load~(1))\n", LOAD.replace("def ", "import torch\n\n\n@torch.inference_mode()\ndef ")
    ),
    "in try and in else": calls(f"{FROM_CORE}print(load~(1))\n", BOTH),
    "beside TYPE_CHECKING": calls(f"{FROM_CORE}print(load~(1))\n", CHECKED),
    "an import that may be None": calls(
        "try:\n    from pkg~.core import load~\nexcept ImportError:\n    load~ = None\n\nprint(load~(1))\n"
    ),
    "None before the import": calls(
        "load~ = None\ntry:\n    from pkg~.core import load~\nexcept ImportError:\n    pass\n\nif load~:\n    load~(1)\n"
    ),
    "in a block that runs": calls(f"{FROM_CORE}print(load~(1))\n", after=f"if True:\n{INDENTED}"),
    "in a block that may run": calls(
        f"{FROM_CORE}print(load~(1))\n", after=f"import os\n\nfor _ in os.environ:\n{INDENTED}"
    ),
    "below a context": calls(f"{FROM_CORE}print(load~(1))\n", after=f"with open('a'):\n{INDENTED}"),
    "beside overloads": calls(
        f"{FROM_CORE}print(load~(1))\n",
        after="from typing import overload\n\n\n@overload\ndef load~(path: int, device: int): ...\n@overload\n"
        "def load~(path: str, device: int): ...\ndef load~(path, device):\n    return path, device\n",
    ),
    "a method in a block": calls(
        "from pkg~.core import A\n\nA().load~(1)\n",
        f"class A:\n{INDENTED.replace('(path, device)', '(self, path)')}",
        after="class A:\n    try:\n        def load~(self, path, device):\n            return path, device\n"
        "    finally:\n        pass\n",
    ),
    "a class in a block": calls(
        "from pkg~.core import A\n\nA(1)\n",
        "class A:\n    def __init__(self, path):\n        self.path = path\n",
        after="if True:\n    class A:\n        def __init__(self, path, device):\n            self.path = path, device\n",
    ),
    "a call whose failure is only renamed": calls(
        f"{FROM_CORE}try:\n    load~(1)\nexcept TypeError as error:\n    raise ValueError from error\n"
    ),
    "a thread of asyncio": calls(
        f"import asyncio\n\n{FROM_CORE}async def f():\n    await asyncio.to_thread(load~, 1)\n"
    ),
    "an executor": calls(f"{FROM_CORE}async def f(loop):\n    await loop.run_in_executor(None, load~, 1)\n"),
    "a thread": calls(f"import threading\n\n{FROM_CORE}threading.Thread(target=load~, args=(1,)).start()\n"),
    "a process": calls(f"from multiprocessing import Process\n\n{FROM_CORE}Process(target=load~, args=[1]).start()\n"),
    "a partial in a thread": calls(
        f"import asyncio\nfrom functools import partial\n\n{FROM_CORE}"
        "async def f():\n    await asyncio.to_thread(partial(load~, 1))\n"
    ),
    "a pool": calls(
        f"from concurrent.futures import ThreadPoolExecutor\n\n{FROM_CORE}with ThreadPoolExecutor() as pool:\n    pool.submit(load~, 1)\n"
    ),
    "a pool of an object": calls(
        f"from concurrent import futures\n\n{FROM_CORE}class A:\n    def __init__(self):\n        self.pool = futures.ProcessPoolExecutor(2)\n\n"
        "    def f(self):\n        return self.pool.submit(load~, path=1)\n"
    ),
    "a process of a context": calls(
        f"import multiprocessing as mp\n\n{FROM_CORE}context = mp.get_context('spawn')\ncontext.Process(target=load~, args=(1,)).start()\n"
    ),
    "a thread of a method": Case(
        {**INIT, "pkg~/core.py": THREADED},
        {"pkg~/core.py": THREADED.replace("step~(self, key)", "step~(self, key, block)")},
    ),
    "a static method that needs an object now": Case(
        {**INIT, "pkg~/core.py": STATIC, "pkg~/use.py": BY_CLASS},
        {"pkg~/core.py": STATIC.replace("@staticmethod", "# An object's").replace("(key)", "(self, key)")},
    ),
    "a method of an object that is static now": Case(
        {
            **INIT,
            "pkg~/core.py": STATIC.replace("@staticmethod", "# An object's").replace("(key)", "(self, key)"),
            "pkg~/use.py": BY_OBJECT,
        },
        {"pkg~/core.py": STATIC.replace("(key)", "(self, key)")},
    ),
    "the constructor of a base by its name": Case(
        {**INIT, "pkg~/core.py": BASE, "pkg~/use.py": BELOW},
        {"pkg~/core.py": BASE.replace("(self, a)", "(self, a, b)")},
    ),
    "a method that is a property now": Case(
        {**INIT, "pkg~/core.py": SIZED, "pkg~/use.py": CALLS_SIZE}, {"pkg~/core.py": AS_PROPERTY}
    ),
    "a method that is a cached property now, by self": Case(
        {**INIT, "pkg~/core.py": SIZED, "pkg~/use.py": CALLS_OWN_SIZE},
        {"pkg~/core.py": f"import functools\n\n\n{AS_PROPERTY.replace('@', '@functools.cached_')}"},
    ),
    "a property that is a method now": Case(
        {**INIT, "pkg~/core.py": AS_PROPERTY, "pkg~/use.py": CALLS_SIZE.replace("size~()", "size~")},
        {"pkg~/core.py": SIZED},
    ),
    "a call whose failure is only logged": calls(
        f"{FROM_CORE}def f():\n    try:\n        return load~(1)\n    except Exception as error:\n        print(error)\n"
    ),
    "a notebook that calls": Case(
        {**INIT, "pkg~/core.py": LOAD, "docs~/a.ipynb": notebook(f"{FROM_CORE}load~(1)\n")},
        {"pkg~/core.py": LOAD.replace("(path)", "(path, device)")},
    ),
}

NEEDS_MORE = LOAD.replace("(path)", "(path, device)")
KERNEL = {"pkg~/kernel.py": NEEDS_MORE}
IMPORTS = '"""Loads."""\n\nfrom pkg~.kernel import load~\n'
CALLER = f"{FROM_CORE}print(load~(1))\n"
CACHE = "class Cache~:\n    def get(self, key):\n        return key\n"
GETS = "from pkg~.core import Cache~\n\nprint(Cache~().get(1))\n"


def moved(
    change: Mapping[str, str | None] = KERNEL, *, caller: str = CALLER, core: str = LOAD, left: str | None = IMPORTS
) -> Case:
    """Return a change that takes what is called out of a file, and a file with the call."""
    return Case({**INIT, "pkg~/core.py": core, "pkg~/use.py": caller}, {"pkg~/core.py": left, **change})


MOVED: Mapping[str, Case] = {
    "a function": moved(),
    "a function, with its file gone": moved({**KERNEL, "pkg~/use.py": CALLER.replace("core", "kernel")}, left=None),
    "a function, and another of its name": moved({**KERNEL, "pkg~/decoy.py": NEEDS_MORE}),
    "a function into a file that was there": Case(
        {**INIT, "pkg~/core.py": LOAD, "pkg~/use.py": CALLER, "pkg~/kernel.py": "SIZE~ = 1\n"},
        {"pkg~/core.py": IMPORTS, "pkg~/kernel.py": f"SIZE~ = 1\n\n{NEEDS_MORE}"},
    ),
    "a function that its own file calls": moved(core=f"{LOAD}\n\nload~(1)\n", left=f"{IMPORTS}\n\nload~(1)\n"),
    "a function that moves into a block": moved({"pkg~/kernel.py": f"if True:\n{INDENTED}"}),
    "a method": moved(
        {"pkg~/kernel.py": CACHE.replace("key)", "key, block)")},
        caller=GETS,
        core=CACHE,
        left="from pkg~.kernel import Cache~\n",
    ),
    "a constructor": moved(
        {"pkg~/kernel.py": CACHE.replace("get(self, key)", "__init__(self, key, block)")},
        caller="from pkg~.core import Cache~\n\nprint(Cache~(1))\n",
        core=CACHE.replace("get", "__init__"),
        left="from pkg~.kernel import Cache~\n",
    ),
}
SOUND_PROPERTIES: Mapping[str, Case] = {
    "a call that changes too": Case(
        {**INIT, "pkg~/core.py": SIZED, "pkg~/use.py": CALLS_SIZE},
        {"pkg~/core.py": AS_PROPERTY, "pkg~/use.py": CALLS_SIZE.replace("size~()", "size~")},
    ),
    "a property that may hold a function": Case(
        {**INIT, "pkg~/core.py": SIZED, "pkg~/use.py": CALLS_SIZE},
        {"pkg~/core.py": AS_PROPERTY.replace("return self.n", "return self.n.get")},
    ),
    "a call of what is a method now": Case(
        {**INIT, "pkg~/core.py": AS_PROPERTY, "pkg~/use.py": CALLS_SIZE}, {"pkg~/core.py": SIZED}
    ),
    "another class": Case(
        {
            **INIT,
            "pkg~/core.py": AS_PROPERTY,
            "pkg~/use.py": "class A~:\n    size~ = 1\n\n\na = A~()\nprint(a.size~)\n",
        },
        {"pkg~/core.py": SIZED},
    ),
    "a question to the class": Case(
        {
            **INIT,
            "pkg~/core.py": AS_PROPERTY,
            "pkg~/use.py": "from pkg~.core import A~\n\nprint(hasattr(A~.size~, 'fget'))\n",
        },
        {"pkg~/core.py": SIZED},
    ),
}
SOUND_MOVED: Mapping[str, Case] = {
    "a function as it was": moved({"pkg~/kernel.py": LOAD}),
    "a function with a default": moved({"pkg~/kernel.py": LOAD.replace("(path)", "(path, device=None)")}),
    "a call that changes too": moved({**KERNEL, "pkg~/use.py": CALLER.replace("(1)", "(1, 2)")}),
    "a call that failed before": moved(caller=CALLER.replace("(1)", "()")),
    "a call that fits by its alternative": moved(
        {
            "pkg~/kernel.py": f"try:\n    import fast~\nexcept ImportError:\n{INDENTED}else:\n{INDENTED.replace('device', '*device')}"
        }
    ),
    "another function of its name": moved(
        left='"""Loads."""\n', caller="from pkg~.kernel import load~\n\nprint(load~(1))\n"
    ),
    "a call of a parameter": moved(caller=f"{FROM_CORE}def run(load~):\n    return load~(1)\n"),
    "a caught failure": moved(caller=f"{FROM_CORE}try:\n    load~(1)\nexcept TypeError:\n    print(1)\n"),
}

ADDED_CALLS: Mapping[str, str] = {
    "plain": f"{FROM_CORE}print(load~(1, 2))\n",
    "a re-exported name": "from pkg~ import load~\n\nprint(load~(1, 2))\n",
    "an alias": f"{FROM_CORE}go = load~\nprint(go(1, 2))\n",
    "an alias with an annotation": f"{FROM_CORE}go: object = load~\nprint(go(1, 2))\n",
    "an alias of a local function": "def f(a):\n    return a\n\n\ngo = f\nprint(go(1, 2))\n",
    "a local alias": f"{FROM_CORE}def f():\n    go = load~\n    return go(1, 2)\n",
    "a thread of asyncio": f"from asyncio import to_thread\n\n{FROM_CORE}async def f():\n    await to_thread(load~, 1, mode=2)\n",
    "an executor": f"{FROM_CORE}async def f(loop):\n    await loop.run_in_executor(None, load~)\n",
    "a thread": f"from threading import Thread\n\n{FROM_CORE}Thread(target=load~).start()\n",
    "partial": f"from functools import partial\n\n{FROM_CORE}go = partial(load~, 1)\nprint(go(2))\n",
    "partial of a keyword": f"from functools import partial\n\n{FROM_CORE}go = partial(load~, mode=1)\nprint(go(2))\n",
    "a pool": f"from concurrent.futures import ThreadPoolExecutor as Pool\n\n{FROM_CORE}def f():\n    pool = Pool()\n    return pool.submit(load~, 1, mode=2)\n",
    "a partial that nothing here calls": f"from functools import partial\n\n{FROM_CORE}HANDLERS = {{'load': partial(load~, mode=1)}}\n",
    "a partial with too much": f"import functools\n\n{FROM_CORE}HANDLERS = [functools.partial(load~, 1, 2)]\n",
    "a lambda": "go = lambda x: x\nprint(go(1, 2))\n",
    "a local lambda": "def f():\n    go = lambda x: x\n    return go()\n",
    "a wrapper": "from pkg~.wrap import timed~\n\n\n@timed~\ndef f(a):\n    return a\n\n\nprint(f())\n",
    "a wrapped method": "from pkg~.wrap import timed~\n\n\nclass A:\n    @timed~\n    def f(self, a):\n        return a\n\n    def g(self):\n        return self.f()\n",
    "arguments that are written out in others": f"{FROM_CORE}load~(*(*[1], 2))\n",
    "the letters of a text": f"{FROM_CORE}load~(*'ab')\n",
    "keywords that are written out in others": f"{FROM_CORE}load~(1, **{{**dict(other=2)}})\n",
    "a handler whose function raises": f"{FROM_CORE}def stop(error):\n    raise SystemExit(error)\n\n\ntry:\n    load~(1, 2)\nexcept TypeError as error:\n    stop(error)\n",
    "a handler that returns what a function raises": f"{FROM_CORE}def stop(error):\n    raise SystemExit(error)\n\n\ndef f():\n    try:\n        load~(1, 2)\n    except TypeError as error:\n        return stop(error)\n",
    "a handler that raises in a loop": f"{FROM_CORE}try:\n    load~(1, 2)\nexcept TypeError:\n    for _ in (1, 2):\n        raise\n",
    "a function whose name a comprehension binds": f"{FROM_CORE}print([load~ for load~ in '1'], lambda: (load~ := 1))\nload~(1, 2)\n",
    "every alternative": "import os\n\nif os.name:\n\n    def f(a):\n        return a\nelse:\n\n    def f(a, b):\n        return a, b\n\n\nprint(f())\n",
}

METHODS = f"{FROM_CORE}\n\nclass A:\n    def f(self, a):\n        return a\n\n    def __init__(self, b):\n        self.b = b\n\n\n"
ADDED_METHODS: Mapping[str, str] = {
    "a method of an object": f"{METHODS}def g():\n    a = A(1)\n    return a.f()\n",
    "a method of an annotated object": f"{METHODS}def g():\n    a: A = A(1)\n    return a.f()\n",
    "a method of what a call makes": f"{METHODS}print(A(1).f())\n",
    "a method of a base": f"{METHODS}class B(A):\n    def f(self):\n        return super().f()\n",
    "the constructor of a base": f"{METHODS}class B(A):\n    def __init__(self):\n        super().__init__()\n",
    "a method of a base, in the older form": f"{METHODS}class B(A):\n    def f(self):\n        return super(B, self).f()\n",
    "a method of an object of the module": f"{METHODS}a = A(1)\n\n\ndef g():\n    return a.f()\n",
    "a method of an object of the function around": f"{METHODS}def g():\n    a = A(1)\n\n    def h():\n        return a.f()\n\n    return h\n",
    "a method by its class": f"{METHODS}a = A(1)\nprint(A.f(a))\n",
    "a method by its class without an object": f"{METHODS}print(A.f(1))\n",
    "the constructor of a base by its name": f"{METHODS}class B(A):\n    def __init__(self):\n        A.__init__(self)\n",
    "a constructor of fields by its name": "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    b: int\n\n\nclass B(A):\n    def __init__(self):\n        A.__init__(self)\n",
    "a thread of a method": f"from threading import Thread\n\n{METHODS}class B(A):\n    def g(self):\n        Thread(target=self.f).start()\n",
    "a thread of a method of an object": f"import threading\n\n{METHODS}a = A(1)\nthreading.Thread(target=a.f, args=(1, 2)).start()\n",
    "a process that makes an object": f"from multiprocessing import Process\n\n{METHODS}Process(target=A).start()\n",
    "a class without a constructor": "class A:\n    b = 1\n\n\nclass B(A):\n    pass\n\n\nprint(B(1))\n",
    "a constructor that is only annotated": "class A:\n    __init__: object\n\n\nprint(A(1))\n",
    "a constructor that is never defined": "class A:\n    if False:\n\n        def __init__(self, a):\n            self.a = a\n\n\nprint(A(1))\n",
    "a method of an object that a function only reads": f"{METHODS}a = A(1)\n\n\ndef g():\n    global a\n    return a.f()\n",
    "a constructor that does nothing": "class A:\n    def __init__(self, a):\n        pass\n\n\nprint(A())\n",
    "a class with a metaclass": "from abc import ABCMeta\n\n\nclass A(metaclass=ABCMeta):\n    def __init__(self, a):\n        self.a = a\n\n\nprint(A())\n",
    "a class that is final": "from typing import final\n\n\n@final\nclass A:\n    def __init__(self, a):\n        self.a = a\n\n\nprint(A())\n",
    "a class that its decorator returns": "def keep(kind):\n    return kind\n\n\n@keep\nclass A:\n    def __init__(self, a):\n        self.a = a\n\n\nprint(A())\n",
    "a handler that raises it again": f"{FROM_CORE}try:\n    load~(1, 2)\nexcept Exception as error:\n    raise error\n",
    "a context that is none": f"{FROM_CORE}class A:\n    def raises(self, error):\n        return open(error)\n\n\nwith A().raises(TypeError):\n    load~(1, 2)\n",
    "a decorator that skips nothing": f"{FROM_CORE}def skip(f):\n    return f\n\n\n@skip\ndef g():\n    return load~(1, 2)\n",
}

SOUND_CALLS: Mapping[str, str] = {
    "a thread of its own": f"class Thread:\n    def __init__(self, target, args):\n        self.target = target\n\n\n{FROM_CORE}Thread(target=load~, args=())\n",
    "a thread that gets what is not known": f"from threading import Thread\n\n{FROM_CORE}def f(x):\n    Thread(target=load~, args=x)\n    Thread(target=load~, kwargs=x)\n    Thread(**x)\n",
    "a thread that is given what fits": f"from threading import Thread\n\n{FROM_CORE}Thread(target=load~, kwargs={{'path': 1}})\nThread(None, load~)\n",
    "a thread of what a parameter holds": f"import asyncio\n\n{FROM_CORE}async def f(load~):\n    await asyncio.to_thread(load~)\n",
    "a thread of what may be another": f"import asyncio\nfrom somewhere import *\n\n{FROM_CORE}async def f():\n    await asyncio.to_thread(load~)\n",
    "an executor that is given what fits": f"{FROM_CORE}async def f(loop):\n    await loop.run_in_executor(None, load~, 1)\n",
    "a method of an object that a decorator makes of a class": "def single(kind):\n    return kind()\n\n\n@single\nclass A:\n    def f(self, a):\n        return a\n\n\nprint(A.f(1))\n",
    "methods of a class without a decorator": "class A:\n    def __new__(cls, a):\n        return super().__new__(cls)\n\n    def __class_getitem__(cls, key):\n        return key\n\n    def __init_subclass__(cls, size=1):\n        super().__init_subclass__()\n\n\nclass B(A):\n    def __new__(cls, a):\n        return super().__new__(cls, a), A.__new__(cls, a)\n\n    def __init_subclass__(cls):\n        super().__init_subclass__(size=2)\n\n\nprint(A.__class_getitem__(1))\n",
    "a method by its class that fits": f"{METHODS}a = A(1)\nprint(A.f(a, 2), A.f(self=a, a=2), A.f(*[a, 2]))\n",
    "a function in a class for names": "class A:\n    def f(query, key=1):\n        return query, key\n\n    def g(*all):\n        return all\n\n\nprint(A.f(1), A.f(query=1), A.f(1, 2), A.g(), A.g(1))\n",
    "the constructor of a base by its name that fits": f"{METHODS}class B(A):\n    def __init__(self):\n        A.__init__(self, 1)\n",
    "a constructor of fields by its name that fits": "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    b: int\n\n\nclass B(A):\n    def __init__(self):\n        A.__init__(self, 1)\n",
    "a class method of a class by its name": "class A:\n    @classmethod\n    def f(cls, a):\n        return cls, a\n\n    @classmethod\n    def g(cls):\n        return cls.f(1), A.f(2)\n",
    "a pool that gets what fits": f"from concurrent.futures import ThreadPoolExecutor as Pool\n\n{FROM_CORE}with Pool() as pool:\n    pool.submit(load~, 1)\n",
    "a pool that is none": f"{FROM_CORE}def f(pool):\n    pool.submit(load~)\n    pool.submit(load~, 1, key=2)\n",
    "a pool that may be another": f"from concurrent.futures import ThreadPoolExecutor as Pool\nfrom somewhere import Jobs\n\n{FROM_CORE}def f(x):\n    pool = Pool() if x else Jobs()\n    pool.submit(load~)\n\n\ndef g():\n    pool = Pool()\n    return pool\n",
    "a partial that leaves the rest to its caller": f"from functools import partial\n\n{FROM_CORE}HANDLERS = [partial(load~), partial(load~, path=1)]\n",
    "a thread of a method that fits": f"from threading import Thread\n\n{METHODS}class B(A):\n    def g(self):\n        Thread(target=self.f, args=(1,)).start()\n",
    "a thread of a method that a class below gives": f"from threading import Thread\n\n{METHODS}class B(A):\n    def g(self):\n        Thread(target=self.f).start()\n\n\nclass C(B):\n    def f(self):\n        return 1\n",
    "what a comprehension binds": f"{FROM_CORE}print([load~(1, 2) for load~ in (print,)])\n",
    "a star import beside it": "try:\n    from somewhere import *\nexcept ImportError:\n\n    def f(a):\n        return a\n\n\nprint(f(1, 2))\n",
    "a method that the base may have": "import os\n\n\nclass A:\n    def f(self, *a):\n        return a\n\n\nclass B(A):\n    if os.name:\n        def f(self, a):\n            return a\n\n\nprint(B().f(1, 2))\n",
    "overloads with bodies": "from somewhere import overload\n\n\n@overload\ndef f(a):\n    return a\n\n\n@overload\ndef f(a, b):\n    return a, b\n\n\nprint(f(1, 2))\n",
    "a decorator of classes that does more": "def other(kind):\n    return print\n\n\n@other\nclass A:\n    def __init__(self, a):\n        self.a = a\n\n\nprint(A(1, 2))\n",
    "a method of one of two": f"{METHODS}class B:\n    def f(self, *a):\n        return a\n\n\ndef g(x):\n    a = A(1)\n    if x:\n        a = B()\n    return a.f()\n",
    "an import that may be another": "try:\n    from pkg~.core import load~\nexcept ImportError:\n    load~ = print\n\nload~(1, 2)\n",
    "a handler that goes on": f"{FROM_CORE}try:\n    load~(1, 2)\nexcept TypeError:\n    load~(1)\n",
    "a handler whose function may go on": f"{FROM_CORE}def stop(error):\n    if not error.args:\n        raise error\n\n\ntry:\n    load~(1, 2)\nexcept TypeError as error:\n    stop(error)\n",
    "a handler whose function is a generator": f"{FROM_CORE}def stop(error):\n    yield 1\n    raise error\n\n\ntry:\n    load~(1, 2)\nexcept TypeError as error:\n    stop(error)\n",
    "arguments that may be none": f"{FROM_CORE}x = [1]\nload~(*(*x, *''))\n",
    "a method of an object that a function sets": f"{METHODS}class B:\n    def f(self):\n        return 1\n\n\na = A(1)\n\n\ndef g():\n    global a\n    a = B()\n\n\ng()\na.f()\n",
    "a method of a parameter of its name": f"{METHODS}a = A(1)\n\n\ndef g(a):\n    return a.f()\n",
    "a class whose constructor is a name": "def make(self, x):\n    self.x = x\n\n\nclass A:\n    __init__ = make\n\n\nprint(A(1))\n",
    "a class whose constructor a condition chooses": "import os\n\n\nclass A:\n    if os.name:\n\n        def __init__(self, a):\n            self.a = a\n    else:\n\n        def __init__(self, a, b):\n            self.a = a, b\n\n\nprint(A(1))\n",
    "a class with an unknown base": "import somewhere\n\n\nclass A(somewhere.B):\n    pass\n\n\nprint(A(1))\n",
    "a class that makes its own objects": "class A:\n    def __new__(cls, a):\n        return super().__new__(cls)\n\n\nprint(A(1))\n",
    "a class with an unknown decorator": "import somewhere\n\n\n@somewhere.wrap\nclass A:\n    a: int\n\n\nprint(A(1))\n",
    "an alias that fits": f"{FROM_CORE}go = load~\nprint(go(1))\n",
    "an alias that changes": f"{FROM_CORE}go = load~\ngo = print\nprint(go(1, 2))\n",
    "an alias by global": f"{FROM_CORE}go = load~\n\n\ndef f():\n    global go\n    go = print\n\n\nprint(go(1, 2))\n",
    "an alias under a condition": f"import os\n\n{FROM_CORE}if os.name:\n    go = load~\nelse:\n    go = print\nprint(go(1, 2))\n",
    "a parameter of its name": f"{FROM_CORE}go = load~\n\n\ndef f(go):\n    return go(1, 2)\n",
    "a partial that fits": f"from functools import partial\n\n{FROM_CORE}go = partial(load~, 1)\nprint(go())\n",
    "a keyword that is given again": f"from functools import partial\n\n{FROM_CORE}go = partial(load~, path=1)\nprint(go(path=2))\n",
    "another partial": f"from torch import partial\n\n{FROM_CORE}go = partial(load~, 1)\nprint(go(2))\n",
    "a partial of what is not known": f"import functools\n\n{FROM_CORE}x = [1]\ngo = functools.partial(load~, *x)\nprint(go(2))\n",
    "a decorator that adds": "def add(f):\n    def run(*args, **kwargs):\n        return f(1, *args, **kwargs)\n\n    return run\n\n\n@add\ndef f(a, b):\n    return a, b\n\n\nprint(f(2))\n",
    "a decorator that changes keywords": "def add(f):\n    def run(*args, **kwargs):\n        kwargs['b'] = 1\n        return f(*args, **kwargs)\n\n    return run\n\n\n@add\ndef f(a, b):\n    return a, b\n\n\nprint(f(2))\n",
    "a decorator that catches": "def safe(f):\n    def run(*args, **kwargs):\n        try:\n            return f(*args, **kwargs)\n        except TypeError:\n            return None\n\n    return run\n\n\n@safe\ndef f(a):\n    return a\n\n\nprint(f())\n",
    "a decorator that returns another": "def other(f):\n    return print\n\n\n@other\ndef f(a):\n    return a\n\n\nprint(f(1, 2))\n",
    "an unknown decorator": "import somewhere\n\n\n@somewhere.wrap\ndef f(a):\n    return a\n\n\nprint(f(1, 2))\n",
    "one alternative": "import os\n\nif os.name:\n\n    def f(a):\n        return a\nelse:\n\n    def f(a, b):\n        return a, b\n\n\nprint(f(1, 2))\n",
    "an imported alternative": "try:\n    from somewhere import f\nexcept ImportError:\n\n    def f(a):\n        return a\n\n\nprint(f(1, 2))\n",
    "an expected error": f"import pytest\n\n{FROM_CORE}go = load~\nwith pytest.raises(TypeError):\n    go(1, 2)\n",
    "a lambda that fits": "go = lambda x, *y: x\nprint(go(1, 2))\n",
}


CONFIG = "from dataclasses import MISSING, dataclass, field\nfrom typing import Annotated, final\n\n\n@dataclass\nclass Config~:\n    size: int\n"
CHILD = "from dataclasses import dataclass\n\nfrom pkg~.core import Config~\n\n\n@dataclass\nclass Child~(Config~):\n    name: str = ''\n"
MAKES = "from pkg~.core import Config~\n\n\ndef make():\n    return Config~(size=1)\n"
HEADS = f"{CONFIG}    heads: int\n"


def made(after: str, makes: str = MAKES, **more: str) -> Case:
    """Return a change of the file with ``Config~``, and a file that makes one."""
    files = {f"pkg~/{name}.py": f'"""More."""\n\n{text}' for name, text in {"use": makes, **more}.items()}
    return Case({**INIT, "pkg~/core.py": CONFIG, **files}, {"pkg~/core.py": after})


CONSTRUCTORS: Mapping[str, Case] = {
    "a field": made(HEADS),
    "a class that is final": made(HEADS.replace("@data", "@final\n@data")),
    "an import in the class": made(f"{HEADS}    import os\n"),
    "a block in the class": made(f"{HEADS}    if size := 0:\n        pass\n".replace("size :=", "other :=")),
    "a field in a block": made(f"{CONFIG}    if True:\n        heads: int\n"),
    "an annotation about ClassVar": made(f"{CONFIG}    heads: Annotated[int, 'ClassVar']\n"),
    "a default that is none": made(f"{CONFIG}    heads: int = MISSING\n"),
    "a field with such a default": made(f"{CONFIG}    heads: int = field(default=MISSING)\n"),
    "a default that is deleted": made(f"{CONFIG}    heads: int = 1\n    del heads\n"),
    "a base without fields": made(HEADS.replace("Config~:", "Config~(object):")),
    "a generic class": made(
        "from typing import Generic, TypeVar\n" + HEADS.replace("Config~:", "Config~(Generic[TypeVar('T')]):")
    ),
    "a new base": made(
        HEADS.replace(
            "Config~:\n    size: int", "Base~:\n    size: int\n\n\n@dataclass\nclass Config~(Base~):\n    pass"
        )
    ),
    "a method in place of fields": made(
        f"{CONFIG}\n    def __init__(self, size, heads):\n        self.size = size, heads\n"
    ),
    "a class below it": made(HEADS, "from pkg~.child import Child~\n\nprint(Child~(1))\n", child=CHILD),
    "a field that a class below it passes": made(
        CONFIG.replace("size", "width"), "from pkg~.child import Child~\n\nprint(Child~(size=1))\n", child=CHILD
    ),
    "no fields any more": made("class Config~:\n    size = 1\n"),
    "a class below it without fields": made(
        HEADS, "from pkg~.core import Config~\n\n\nclass A(Config~):\n    pass\n\n\nprint(A(1))\n"
    ),
}

SOUND_CONSTRUCTORS: Mapping[str, Case] = {
    "a field with a default": made(f"{CONFIG}    heads: int = 1\n"),
    "a field that is made": made(f"{CONFIG}    heads: list = field(default_factory=list)\n"),
    "a default that a function makes": made(f"{CONFIG}    heads: int = print()\n"),
    "a field under a condition": made(f"import os\n{CONFIG}    if os.name:\n        heads: int\n"),
    "a method that needs no more": made(f"{CONFIG}\n    def double(self):\n        return self.size * 2\n"),
    "another order of keywords": made(CONFIG.replace("size: int", "heads: int = 1\n    size: int = 2")),
    "a call that passes all": made(
        HEADS, MAKES.replace("size=1", "**OPTIONS").replace("\n\n\ndef", "\n\nOPTIONS = {}\n\n\ndef", 1)
    ),
    "a class below it with its own": made(
        HEADS,
        "from pkg~.core import Config~\n\n\nclass A(Config~):\n    def __init__(self, size):\n        self.size = size\n\n\nprint(A(1))\n",
    ),
    "a class that makes others": made(f"{HEADS}\n    def __new__(cls, *args, **options):\n        return object()\n"),
}


def of_calls(texts: Mapping[str, str]) -> Mapping[str, Case]:
    """Return a case for each text of a file that a change adds."""
    base = {
        "pkg~/__init__.py": '"""A package."""\n\nfrom pkg~.core import load~\n',
        "pkg~/core.py": LOAD,
        "pkg~/wrap.py": WRAPPER,
    }
    return {name: Case(base, {"pkg~/use.py": f'"""Uses."""\n\n{text}'}) for name, text in texts.items()}


MISSING = "from pkg~.outputs import StepOutput\n"
INNER = f"    {MISSING}"

HELPER = 'def has_outputs():\n    """Whether there are outputs."""\n    return True\n\n\n'
SKIP = 'pytest.importorskip("pkg~.outputs")\n'
FAKE = 'sys.modules["pkg~.outputs"] = sys\n'
TABLE = """from typing import TYPE_CHECKING

from torch.utils import _LazyModule

_import_structure = {
    "core": [
        "LIMIT~",
    ],
}
_LazyModule(__name__, _import_structure)
"""

GUARDED: Mapping[str, str] = {
    "a call": 'import importlib\n\nimportlib.import_module("pkg~.outputs")\n',
    "a call under another name": 'from importlib import import_module as load\n\nload("pkg~.outputs")\n',
    "a relative call": 'import importlib\n\nimportlib.import_module(".outputs", __package__)\n',
    "a call by package": 'import importlib\n\nimportlib.import_module(".outputs", package=__package__)\n',
    "a call by the name of the package": 'import importlib\n\nimportlib.import_module(".outputs", "pkg~")\n',
    "a plain call": '__import__("pkg~.outputs")\n',
    "a call in a decorator": '@__import__("pkg~.outputs")\ndef f():\n    pass\n',
    "a handler whose function raises": f"def stop():\n    raise SystemExit\n\n\ntry:\n{INNER}except ImportError:\n    stop()\n",
    "a handler that raises in each case": f"try:\n{INNER}except ImportError as error:\n    match error:\n        case _:\n            raise\n",
    "where it is not found": f"from importlib.util import find_spec\n\nif None is find_spec('pkg~.outputs'):\n{INNER}",
    "a call in a condition": 'import importlib\n\nif importlib.import_module("pkg~.outputs"):\n    pass\n',
    "a call in a function": 'import importlib\n\n\ndef f():\n    return importlib.import_module("pkg~.outputs")\n',
    "a helper that is always true": f"{HELPER}if has_outputs():\n{INNER}",
    "a helper and more": f"import os\n\n{HELPER}if has_outputs() and os.name:\n{INNER}",
    "a helper of another module": f"from pkg~.helpers import has_outputs\n\nif has_outputs():\n{INNER}",
    "not a Python to come": f"import sys\n\nif sys.version_info >= (3, 20):\n    pass\nelse:\n{INNER}",
    "a Python of today": f"import sys\n\nif sys.version_info >= (3, 11):\n{INNER}",
    "importorskip that comes too late": f"import pytest\n\n{MISSING}{SKIP}",
    "importorskip of another test": f"import pytest\n\n\ndef test_a():\n    {SKIP}\n\ndef test_b():\n{INNER}",
    "importorskip that never runs": f"import pytest\n\nif False:\n    {SKIP}{MISSING}",
    "importorskip in an unused function": f"import pytest\n\n\ndef _unused~():\n    {SKIP}\n\n{MISSING}",
    "an entry that is never set": f"import sys\n\nif False:\n    {FAKE}{MISSING}",
    "an entry in an unused function": f"import sys\n\n\ndef _unused~():\n    {FAKE}\n\n{MISSING}",
    "above the top": "from ..pkg~.core import LIMIT~\n",
    "two above the top": "from ...core import LIMIT~\n",
    "the folder above the top": "from .. import core\n",
}

SOUND_GUARDS: Mapping[str, str] = {
    "a caught call": 'import importlib\n\ntry:\n    importlib.import_module("pkg~.outputs")\nexcept ImportError:\n    pass\n',
    "an expected error": 'import importlib\n\nimport pytest\n\nwith pytest.raises(ImportError):\n    importlib.import_module("pkg~.outputs")\n',
    "a call that finds it": 'import importlib\n\nimportlib.import_module("pkg~.core")\nimportlib.import_module(".core", __package__)\n',
    "a call that is asked for": 'import importlib\nfrom importlib.util import find_spec\n\nif find_spec("pkg~.outputs"):\n    importlib.import_module("pkg~.outputs")\n',
    "a function of its own": 'def import_module(name):\n    return name\n\n\nimport_module("pkg~.outputs")\n',
    "another package": 'import importlib\n\nimportlib.import_module("somewhere.outputs")\n',
    "relative to another": 'import importlib\n\nimportlib.import_module(".outputs", "somewhere")\n',
    "a handler that raises in one case": f"try:\n{INNER}except ImportError as error:\n    match error.name:\n        case 'os':\n            raise\n",
    "where it is found": f"from importlib.util import find_spec\n\nif None is not find_spec('pkg~.outputs'):\n{INNER}",
    "a helper that asks": f"import os\n\n\ndef has_outputs():\n    return os.path.exists('outputs')\n\n\nif has_outputs():\n{INNER}",
    "a helper that is never true": f"{HELPER.replace('True', 'False')}if has_outputs():\n{INNER}",
    "an old Python": f"import sys\n\nif sys.version_info < (3, 10):\n{INNER}",
    "importorskip before it": f"import pytest\n\n{SKIP}{MISSING}",
    "importorskip in the test": f"import pytest\n\n\ndef test_a():\n    {SKIP}{INNER}",
    "importorskip of a fixture": f"import pytest\n\n\n@pytest.fixture(autouse=True)\ndef skip():\n    {SKIP}\n\ndef test_a():\n{INNER}",
    "importorskip after the function": f"import pytest\n\n\ndef test_a():\n{INNER}\n\n{SKIP}",
    "an entry": f"import sys\n\n{FAKE}{MISSING}",
    "an entry in a used function": f"import sys\n\n\ndef _used~():\n    {FAKE}\n\n_used~()\n{MISSING}",
    "dots of another package": "from . import helpers\n",
    "in the package": "from .core import LIMIT~\nfrom . import core\n",
}

FUNCTION = "\n\ndef _set~():\n    global LIMIT~\n    LIMIT~ = 8\n"
UNBOUND: Mapping[str, str] = {
    "by a function that nothing calls": f'"""Core."""{FUNCTION}',
    "in a case that never comes": '"""Core."""\n\nmatch 1:\n    case 2:\n        LIMIT~ = 8\n',
    "behind and": '"""Core."""\n\nFalse and (LIMIT~ := 8)\n',
    "behind or": '"""Core."""\n\nTrue or (LIMIT~ := 8)\n',
    "behind if": '"""Core."""\n\n0 if True else (LIMIT~ := 8)\n',
}
BOUND: Mapping[str, str] = {
    "by a function that is called": f'"""Core."""{FUNCTION}\n\n_set~()\n',
    "by a method": '"""Core."""\n\n\nclass A:\n    def f(self):\n        global LIMIT~\n        LIMIT~ = 8\n',
    "by a public function": f'"""Core."""{FUNCTION.replace("_set", "set_up")}',
    "in a case that comes": '"""Core."""\n\nmatch 2:\n    case 2:\n        LIMIT~ = 8\n',
    "in a case of a name": '"""Core."""\n\nmatch 1:\n    case LIMIT~:\n        pass\n',
    "after and": '"""Core."""\n\nTrue and (LIMIT~ := 8)\n',
}
LAZY: Mapping[str, Case] = {
    "a name in a lazy table": Case({**PAIR, "pkg~/__init__.py": TABLE}, RENAMED),
    "a module in a lazy table": Case({**PAIR, "pkg~/__init__.py": TABLE}, GONE),
    "an entry that is added": Case(
        {**PAIR, "pkg~/__init__.py": TABLE}, {"pkg~/__init__.py": TABLE.replace('"LIMIT~"', '"NONE~"')}
    ),
    "a call that is left": Case(
        {**PAIR, "pkg~/use.py": 'import importlib\n\nimportlib.import_module("pkg~.core")\n'}, GONE
    ),
}


def of_files(texts: Mapping[str, str]) -> Mapping[str, Case]:
    """Return a case for each text of a file that a change adds beside ``core.py``."""
    base = {**PAIR, "run~.py": IMPORT, "pkg~/helpers.py": f'"""Helpers."""\n\n\n{HELPER}'}
    return {name: Case(base, {"pkg~/use.py": f'"""Uses."""\n\n{text}'}) for name, text in texts.items()}


def of_modules(texts: Mapping[str, str]) -> Mapping[str, Case]:
    """Return a case for each text that replaces ``core.py``, of which a file imports ``LIMIT~``."""
    base = {**PAIR, "pkg~/use.py": f'"""Uses."""\n\n{IMPORT}'}
    return {name: Case(base, {"pkg~/core.py": text}) for name, text in texts.items()}


MATH = "import math\n\n"
STANDARD: Mapping[str, str] = {
    "a submodule by its package": "from os import path\n\nprint(path.exist('a'))\n",
    "a module under another name": "from importlib import metadata as m\n\nprint(m.get_version('a'))\n",
    "a decorator": "import functools\n\n\n@functools.cached\ndef f():\n    return 1\n",
    "a base class": "from __future__ import annotations\n\nimport enum\n\n\nclass A(enum.StringEnum):\n    B = 1\n",
    "a default": f"{MATH}def f(x=math.infinity):\n    return x\n",
    "an annotation": f"{MATH}def f(x: math.Infinity):\n    return x\n",
    "a lambda": f"{MATH}print((lambda: math.infinity)())\n",
    "an import of a class": "class A:\n    import math\n\n    B = math.infinity\n",
    "a name that a comprehension binds": f"{MATH}print([math for math in '1'], math.infinity)\n",
    "a name that is deleted": f"{MATH}print(math.infinity)\ndel math\n",
    "a handler of another error": f"{MATH}try:\n    print(math.infinity)\nexcept (ImportError, TypeError):\n    pass\n",
    "a handler that raises": f"{MATH}try:\n    print(math.infinity)\nexcept AttributeError:\n    raise\n",
    "behind a handler": f"{MATH}try:\n    pass\nexcept AttributeError:\n    pass\nelse:\n    print(math.infinity)\n",
    "in a handler": f"{MATH}try:\n    1 / 0\nexcept (AttributeError, ZeroDivisionError):\n    print(math.infinity)\n",
    "an import in a handler": "try:\n    import pkg~.outputs\nexcept ImportError:\n    from math import infinity\n",
    "an import whose other error is handled": "try:\n    from math import infinity\nexcept AttributeError:\n    infinity = 1\n",
    "a string about a version": f"{MATH}if 'version':\n    print(math.infinity)\n",
    "a constant": f"{MATH}ON = True\nif ON:\n    print(math.infinity)\n",
    "a condition of another name": f"{MATH}is_available = True\nif is_available and hasattr(math, 'pi'):\n    print(math.infinity)\n",
    "every Python": f"import sys\n{MATH}if sys.version_info >= (3, 8):\n    print(math.infinity)\n",
    "another error that is expected": f"import contextlib\n{MATH}with contextlib.suppress(ValueError):\n    print(math.infinity)\n",
    "a submodule": "import logging.handler\n",
    "a name of a submodule": "from os.nothing import a\n",
    "a call that imports": "import importlib\n\nimportlib.import_module('logging.handler')\n",
}
SOUND_STANDARD: Mapping[str, str] = {
    "asked for": f"{MATH}print(math.infinity if hasattr(math, 'infinity') else 1)\n",
    "a handler": f"{MATH}try:\n    print(math.infinity)\nexcept AttributeError:\n    pass\n",
    "a fallback": "try:\n    from collections.abc import Mapping\nexcept ImportError:\n    from collections import Mappings as Mapping\n",
    "a Python of long ago": f"import sys\n{MATH}if sys.version_info[0] < 3:\n    print(math.infinity)\n",
    "a Python to come": f"import sys\n{MATH}if sys.version_info >= (3, 20):\n    print(math.infinity)\nelse:\n    print(1)\n",
    "an import for a Python to come": "import sys\n\nif sys.version_info >= (3, 20):\n    from math import infinity\n",
    "a parameter": f"{MATH}def f(math):\n    return math.infinity\n",
    "what a comprehension binds": f"{MATH}print([math.infinity for math in '1'])\n",
    "another module in a function": f"{MATH}def f():\n    from somewhere import math\n\n    return math.infinity\n\n\nprint(math.pi)\n",
    "an annotation that is not evaluated": f"from __future__ import annotations\n\n{MATH}def f(x: math.Infinity):\n    return x\n",
    "a submodule": "import os.path\nimport concurrent.futures.thread\nimport unittest.mock\n",
}


def numbered(files: Mapping[str, str | None], number: int) -> dict[str, str | None]:
    """Return the files of one case."""
    return {
        path.replace("~", f"_{number}"): None if text is None else text.replace("~", f"_{number}")
        for path, text in files.items()
    }


def red(action: Action, table: Mapping[str, Case]) -> set[str]:
    """Return the cases with an error in one pull request that makes the changes of all."""
    base: dict[str, str | None] = {}
    change: dict[str, str | None] = {}
    owner: dict[str, str] = {}
    for number, (name, case) in enumerate(table.items()):
        base |= numbered(case.base, number)
        here = numbered(case.change, number)
        change |= here
        owner |= dict.fromkeys([*here, *numbered(case.base, number)], name)
    action.repository.commit({path: text for path, text in base.items() if text is not None})
    result = action.run(action.open(change))
    report = result.report()
    assert result.code == (1 if int(result.outputs["errors"]) else 0), result.log
    assert not report["unreviewed"], report["unreviewed"]
    return {owner[each["path"]] for each in report["findings"] if each["severity"] == "error"}


def test_notebooks_and_stubs_that_a_change_breaks_are_errors(action: Action):
    assert set(NOTEBOOKS) - red(action, NOTEBOOKS) == set()


def test_notebooks_and_stubs_that_go_on_working_are_no_errors(action: Action):
    assert red(action, SOUND_NOTEBOOKS) == set()


def test_a_finding_about_a_notebook_names_the_line_that_holds_the_code(action: Action):
    text = notebook("x = 1\n", "y = 2\nfrom halcyon.cache import lookup\n")
    action.repository.commit({"docs/a.ipynb": text})
    result = action.run(action.open({"halcyon/cache.py": '"""Nothing."""\n'}))
    lines = [place["line"] for each in result.report()["findings"] for place in each["related"]]
    expected = next(n for n, line in enumerate(text.split("\n"), 1) if "lookup" in line)
    assert expected in lines


def test_calls_that_a_change_leaves_behind_are_errors_whatever_leads_to_them(action: Action):
    assert set(CALLS) - red(action, CALLS) == set()


def test_added_calls_that_fail_are_errors_whatever_leads_to_them(action: Action):
    cases = of_calls({**ADDED_CALLS, **ADDED_METHODS})
    assert set(cases) - red(action, cases) == set()


def test_calls_of_classes_that_a_change_makes_in_another_way_are_errors(action: Action):
    assert set(CONSTRUCTORS) - red(action, CONSTRUCTORS) == set()


def test_calls_of_what_moves_and_takes_other_arguments_are_errors(action: Action):
    assert set(MOVED) - red(action, MOVED) == set()


def test_calls_of_what_moves_and_still_takes_them_are_no_errors(action: Action):
    assert red(action, SOUND_MOVED) == set()


def test_what_still_reads_a_property_and_calls_a_method_is_no_error(action: Action):
    assert red(action, SOUND_PROPERTIES) == set()


IMPL = "def load(path):\n    return path\n\n\ndef store(path):\n    return path\n"


@pytest.mark.parametrize(
    ("target", "core", "rules"),
    [
        ("impl.py", IMPL, set()),
        ("impl.py", "from pkg.impl import load, store\n\n__all__ = ['load', 'store']\n", set()),
        ("impl.py", IMPL.replace("(path)", "(path, device=None)"), set()),
        ("impl.py", IMPL.replace("load(path)", "load(path, device)"), {"api/caller-left-behind"}),
        ("../lib/impl.py", IMPL.replace("load(path)", "load(path, device)"), {"api/caller-left-behind"}),
        ("impl.py", IMPL.replace("def store", "def keep"), {"api/removed-name"}),
        ("../lib/impl.py", "def load(path):\n    return path\n", {"api/removed-name"}),
        ("../lib/more.py", "SIZE = 1\n", {"api/removed-name"}),
        ("../lib/none.py", "SIZE = 1\n", set()),
        ("notes.txt", IMPL.replace("load(path)", "load(path, device)"), set()),
    ],
)
def test_a_file_in_place_of_a_link_is_compared_with_what_the_link_led_to(
    action: Action, target: str, core: str, rules: set[str]
):
    caller = "from pkg.core import load, store\n\nprint(load(1), store(2))\n"
    base: dict[str, str | Link] = {"pkg/__init__.py": "", "pkg/use.py": caller, "pkg/core.py": Link(target)}
    base |= {"pkg/impl.py": IMPL, "lib/impl.py": IMPL, "lib/more.py": f"SIZE = 1\n\n\n{IMPL}", "pkg/notes.txt": IMPL}
    action.repository.commit({**base})
    found = action.run(action.open({"pkg/core.py": core})).report()["findings"]
    assert {each["rule"] for each in found if each["severity"] == "error"} == rules


def test_classes_that_a_change_adds_do_not_hide_one_of_the_base(action: Action):
    case = CONSTRUCTORS["a class below it"]
    decoys = {f"pkg~/a{number}.py": CHILD.replace("Child~", f"A{number}") for number in range(401)}
    assert red(action, {"decoys": Case(case.base, {**case.change, **decoys})}) == {"decoys"}


MANY = 230
SIZE = (
    '"""Sizes."""\n\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Size~:\n    height: int\n    width: int\n'
)
DEEP = "from dataclasses import dataclass\n\nfrom pkg~.core import Size~\n\n\n@dataclass\nclass Deep~(Size~):\n    depth: int\n"
OF_SIZE = "from pkg~.core import Size~\n\n\ndef f():\n    size = Size~(1, 2)\n    {}\n    return size\n"
PAIR_OF = '"""Core."""\n\n\ndef pair~(size):\n    return size, 1\n'
UNPACKS = "from pkg~.core import pair~\n\n\ndef f():\n    {} = pair~(1)\n    return a\n"
HIDDEN: Mapping[str, tuple[Case, str]] = {
    "an attribute that no class has": (
        Case({**INIT, "pkg~/core.py": SIZE}, {"pkg~/z.py": OF_SIZE.format("print(size.none)")}),
        OF_SIZE.format("print(size.width)"),
    ),
    "a field without a default": (
        Case({**INIT, "pkg~/core.py": SIZE, "pkg~/z.py": DEEP}, {"pkg~/core.py": SIZE.replace("width: int", "width: int = 1")}),
        "from pkg~.core import Size~\n\n\nclass Deep~(Size~):\n    pass\n",
    ),
    "a field that is set": (
        Case(
            {**INIT, "pkg~/core.py": SIZE, "pkg~/z.py": OF_SIZE.format("size.width = 3")},
            {"pkg~/core.py": SIZE.replace("@dataclass", "@dataclass(frozen=True)")},
        ),
        OF_SIZE.format("print(size.width)"),
    ),
    "a tuple that is unpacked": (
        Case(
            {**INIT, "pkg~/core.py": PAIR_OF, "pkg~/z.py": UNPACKS.format("a, b")},
            {"pkg~/core.py": PAIR_OF.replace("size, 1", "size, 1, 2")},
        ),
        UNPACKS.format("a, b, c"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN)
def test_files_that_a_change_adds_do_not_hide_what_it_breaks(action: Action, name: str):
    case, sound = HIDDEN[name]
    added = {f"pkg~/a{number:03}.py": sound for number in range(MANY)}
    assert red(action, {name: Case(case.base, {**case.change, **added})}) == {name}


@pytest.mark.parametrize(
    ("fits", "fails"), [("load~(1, 2)", "load~(1)"), ("Cache~(1, 2).get(1, 2)", "Cache~(1, 2).get(1)")]
)
def test_files_whose_calls_still_fit_do_not_hide_one_that_fails(action: Action, fits: str, fails: str):
    core = "def load~(path, device=0):\n    return path, device\n\n\nclass Cache~:\n    def __init__(self, a, b):\n        self.a = a, b\n\n    def get(self, key, block=0):\n        return key, block\n"
    users = {f"pkg~/a{number}.py": f"from pkg~.core import Cache~, load~\n\n{fits}\n" for number in range(420)}
    last = {"pkg~/z.py": f"from pkg~.core import Cache~, load~\n\n{fails}\n"}
    change = {"pkg~/core.py": core.replace("device=0", "device").replace("block=0", "block")}
    assert red(action, {"z": Case({**INIT, **users, **last, "pkg~/core.py": core}, change)}) == {"z"}


def test_calls_of_classes_that_still_fit_are_no_errors(action: Action):
    assert red(action, SOUND_CONSTRUCTORS) == set()


def test_a_test_that_is_skipped_calls_nothing(action: Action):
    text = "import pytest\n\nfrom halcyon.cache import lookup\n\n\n@pytest.mark.skip\ndef test_lookup():\n    lookup(1, 2)\n"
    assert red(action, {"a test": Case({}, {"tests/test_skipped.py": text})}) == set()


def test_calls_that_may_fit_are_no_errors(action: Action):
    assert red(action, of_calls(SOUND_CALLS)) == set()


def test_added_imports_that_fail_are_errors_whatever_seems_to_guard_them(action: Action):
    cases = of_files(GUARDED)
    assert set(cases) - red(action, cases) == set()


def test_added_imports_that_code_prepares_for_are_no_errors(action: Action):
    assert red(action, of_files(SOUND_GUARDS)) == set()


def test_names_that_the_standard_library_lacks_are_errors_whatever_seems_to_guard_them(action: Action):
    cases = {
        **of_files(STANDARD),
        "a module beside it that the change adds": Case(
            PAIR,
            {"pkg~/json.py": "def load_all~(x):\n    return x\n", "pkg~/use.py": "import json\n\njson.load_all~('')\n"},
        ),
        "a notebook": Case(PAIR, {"docs~/a.ipynb": notebook("import math\n", "math.infinity\n")}),
        "a guard that is gone": Case(
            {**PAIR, "pkg~/use.py": "try:\n    from math import endless\nexcept ImportError:\n    endless = 1\n"},
            {"pkg~/use.py": "if True:\n    from math import endless\n"},
        ),
    }
    assert set(cases) - red(action, cases) == set()


def test_names_of_the_standard_library_that_code_asks_for_are_no_errors(action: Action):
    cases = {
        **of_files(SOUND_STANDARD),
        "a module beside it at the base": Case(
            {**PAIR, "pkg~/json.py": "def load_all~(x):\n    return x\n"},
            {"pkg~/use.py": "import json\n\njson.load_all~('')\n"},
        ),
    }
    assert red(action, cases) == set()


def test_a_name_that_only_code_without_a_way_to_it_binds_is_removed(action: Action):
    cases = of_modules(UNBOUND)
    assert set(cases) - red(action, cases) == set()


def test_a_name_that_code_may_still_bind_is_not_removed(action: Action):
    assert red(action, of_modules(BOUND)) == set()


def test_lazy_tables_and_calls_that_import_what_a_change_removes_are_errors(action: Action):
    assert set(LAZY) - red(action, LAZY) == set()


def test_a_lazy_table_that_is_right_is_no_error(action: Action):
    case = Case({**PAIR, "pkg~/__init__.py": INIT["pkg~/__init__.py"]}, {"pkg~/__init__.py": TABLE})
    assert red(action, {"a table": case}) == set()


def test_what_moves_together_with_the_script_that_finds_it_still_finds_it(action: Action):
    leads = "import os\nimport sys\n\nsys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))\n"
    log = "def say(x):\n    print(x)\n\n\ndef tell(x):\n    print('told', x)\n"
    trainer = "from log~ import say\n\n\ndef fit():\n    say('fit')\n\n\ndef stop():\n    say('stop')\n"
    base = {
        "log~/__init__.py": log,
        "src~/train.py": f"{leads}from log~ import say\n\nsay('train')\n",
        "src~/trainer.py": trainer,
    }
    moved = dict.fromkeys(base) | {f"all~/{path}": text for path, text in base.items()}
    without = {path: text for path, text in moved.items() if not path.endswith("train.py")}
    alone = {path: text for path, text in moved.items() if "log~/" in path}
    assert red(action, {"moved together": Case(base, moved)}) == set()
    cases = {"moved without the script": Case(base, without), "moved alone": Case(base, alone)}
    assert red(action, cases) == set(cases)


def test_a_new_folder_of_sources_excuses_no_file_that_was_there(action: Action):
    core, run = "LIMIT~ = 8\n", "from src.core~ import LIMIT~\n\nprint(LIMIT~)\n"
    base = {"src/__init__.py": "", "src/core~.py": core, "src/deep~/tools/run.py": run}
    places = {"beside": "src/deep~/tools/src/core~.py", "above": "src/deep~/src/core~.py"}
    cases = {name: Case(base, {"src/core~.py": None, place: core}) for name, place in places.items()}
    assert red(action, cases) == set(cases)
