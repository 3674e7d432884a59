"""Imports and reads of what a change removes, on lines that it touches without a need: some rule has to look at each."""

from __future__ import annotations

import json

import pytest

from tests.action import CLEAN, Action

DOC = '"""Steps."""\n'
REST = CLEAN["halcyon/cache.py"].replace("def lookup", "def find")
GONE: dict[str, str | None] = {"halcyon/cache.py": None, "tests/test_cache.py": None}
CHANGED: dict[str, str | None] = {"halcyon/cache.py": REST, "tests/test_cache.py": None}


def notebook(*lines: str) -> str:
    """Return a notebook with one cell, each line of it on a line of its own."""
    cell = {"cell_type": "code", "source": [f"{line}\n" for line in lines], "metadata": {}, "outputs": []}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def errors_of(action: Action, path: str, before: str, after: str, change: dict[str, str | None]) -> tuple[int, int]:
    """Return the exit code for a change that touches a file, and how many errors it has."""
    action.repository.commit({path: before})
    result = action.run(action.open({**change, path: after}))
    return result.code, sum(each["severity"] == "error" for each in result.report()["findings"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from halcyon import (\n    cache,\n)\n", "from halcyon import (  # here\n    cache,\n)\n"),
        ("from . import (\n    cache,\n)\n", "from . import (  # here\n    cache,\n)\n"),
        ("from halcyon import \\\n    cache\n", "from  halcyon import \\\n    cache\n"),
        ("from halcyon.cache import (\n    lookup,\n)\n", "from halcyon.cache import (  # here\n    lookup,\n)\n"),
        ("from halcyon.cache import (\n    lookup,\n)\n", "from halcyon.cache import (\n    lookup,  # here\n)\n"),
        ("from halcyon.cache import lookup\n", "from halcyon.cache import lookup  # here\n"),
        ("import halcyon.cache\n", "import  halcyon.cache\n"),
    ],
)
def test_an_import_of_a_removed_module_is_an_error_whichever_line_of_it_is_touched(
    action: Action, before: str, after: str
) -> None:
    assert errors_of(action, "halcyon/use.py", DOC + before, DOC + after, GONE) == (1, 1)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("import halcyon.cache", GONE),
        ("from halcyon import cache", GONE),
        ("from halcyon.cache import lookup", GONE),
        ("from halcyon.cache import lookup", CHANGED),
    ],
)
def test_what_a_notebook_imported_before_is_not_added_by_a_touch(
    action: Action, line: str, change: dict[str, str | None]
) -> None:
    assert errors_of(action, "n.ipynb", notebook(line), notebook("", f"{line}  # here"), change) == (1, 1)


def test_what_a_notebook_read_before_is_not_added_by_a_touch(action: Action) -> None:
    before = notebook("import halcyon.cache", "X = halcyon.cache.lookup(1)")
    after = notebook("import halcyon.cache", "X = halcyon.cache.lookup(1)  # here")
    assert errors_of(action, "n.ipynb", before, after, CHANGED) == (1, 1)


def test_what_a_notebook_says_in_a_comment_was_not_read_before(action: Action) -> None:
    before = notebook("import halcyon.cache", "# halcyon.cache.search")
    after = notebook("import halcyon.cache", "halcyon.cache.search(1)")
    assert errors_of(action, "n.ipynb", before, after, {}) == (1, 1)


def test_a_new_notebook_with_a_removed_name_has_one_error(action: Action) -> None:
    after = notebook("from halcyon.cache import lookup", "import halcyon.cache", "X = halcyon.cache.find(1)")
    result = action.run(action.open({**CHANGED, "n.ipynb": after}))
    errors = [each["rule"] for each in result.report()["findings"] if each["severity"] == "error"]
    assert (result.code, errors) == (1, ["api/missing-name-import"])


@pytest.mark.parametrize(
    "before",
    [
        "import halcyon.cache\n\nX = halcyon.cache.lookup(1)\n",
        "import sys\n\nsys.path.insert(0, '.')\n\nimport halcyon.cache\n\nX = halcyon.cache.lookup(1)\n",
        "cache = None\n\n\ndef load():\n    global cache\n    from halcyon import cache\n\n\nX = cache.lookup(1)\n",
    ],
)
def test_a_touched_read_of_a_removed_name_is_one_error(action: Action, before: str) -> None:
    assert errors_of(action, "run.py", DOC + before, DOC + before.replace("(1)", "(1 )"), CHANGED) == (1, 1)


OWNER = (
    f"{DOC}class Block:\n    def __init__(self, size):\n        self.size = size\n\n"
    "    @property\n    def width(self):\n        return self.size\n"
)
READ = f"{DOC}from halcyon.block import Block\n\nblock = Block(1)\nX = block.width + 1\n"


@pytest.mark.parametrize(
    "line",
    ["X = block.width + 1  # here", "X = block.width + 2", "X = block.width < 2", "other = block\nX = block.width + 1"],
)
def test_a_touched_read_of_what_was_a_property_is_an_error(action: Action, line: str) -> None:
    action.repository.commit({"halcyon/block.py": OWNER})
    change: dict[str, str | None] = {"halcyon/block.py": OWNER.replace("    @property\n", "")}
    after = READ.replace("X = block.width + 1", line)
    assert errors_of(action, "run.py", READ, after, change) == (1, 1)


def test_an_added_read_may_want_the_method(action: Action) -> None:
    action.repository.commit({"halcyon/block.py": OWNER})
    change: dict[str, str | None] = {"halcyon/block.py": OWNER.replace("    @property\n", "")}
    after = READ.replace("X = block.width + 1", "WAYS = [block.width]")
    assert errors_of(action, "run.py", READ, after, change) == (0, 0)


def test_a_touched_star_import_of_what_is_a_mere_folder_now_is_an_error(action: Action) -> None:
    before = f"{DOC}from halcyon.cache import *\n\nX = lookup(1)\n"
    change = {**GONE, "halcyon/cache/main.py": CLEAN["halcyon/cache.py"]}
    assert errors_of(action, "halcyon/run.py", before, before.replace("*\n", "*  # here\n"), change) == (1, 1)


LATE = f"{DOC}\n\ndef run():\n    from halcyon.cache import lookup\n\n    return lookup(1)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LATE, LATE.replace("import lookup\n", "import lookup  # type: ignore\n")),
        (LATE, f"{LATE.replace('import lookup', 'import  lookup')}\n\nNAME = 'cache'\n"),
        (LATE, f"{LATE.replace('import lookup', 'import  lookup')}\n\nopen('x').write('cache')\n"),
        (
            f"{DOC}from halcyon.cache import lookup\n",
            f"{DOC}from halcyon.cache import lookup  # type: ignore\n",
        ),
    ],
)
def test_nothing_excuses_the_import_of_a_module_that_the_change_removes(
    action: Action, before: str, after: str
) -> None:
    assert errors_of(action, "run.py", before, after, GONE) == (1, 1)


FULL = {f"halcyon/step_{n}.py": f"{DOC}from halcyon import cache\n\nX = cache.nope_{n}\n" for n in range(3)}
USE = f"{DOC}from halcyon import cache\n\nX = cache.{{}}(1)\n"


def test_a_base_that_lacks_names_raises_no_doubt_of_one_that_the_change_removes(action: Action) -> None:
    action.repository.commit({**FULL})
    after = USE.format("lookup") + "# here\n"
    assert errors_of(action, "halcyon/use.py", USE.format("lookup"), after.replace("(1)", "(1 )"), CHANGED) == (1, 1)


@pytest.mark.parametrize(("severity", "code"), [("", 0), ("rules: {api/missing-module-attribute: error}\n", 1)])
def test_no_doubt_lowers_a_severity_that_the_repository_chose(action: Action, severity: str, code: int) -> None:
    action.repository.commit({**FULL, ".github/review-bot.yml": f"fail-on: error\n{severity}"})
    assert action.run(action.open({"halcyon/use.py": USE.format("gone")})).code == code


LOOKUP = CLEAN["halcyon/cache.py"]
GROWN = LOOKUP.replace("block: int)", "block: int, size: int)")
CALL = "from {}.cache import {}\n\nX = lookup(1)\n"


@pytest.mark.parametrize(("package", "names"), [("halcyon", "*"), ("transformers", "lookup"), ("platform", "lookup")])
def test_a_touched_call_is_compared_however_its_file_gets_the_name(action: Action, package: str, names: str) -> None:
    action.repository.commit({f"{package}/__init__.py": DOC, f"{package}/cache.py": LOOKUP})
    change: dict[str, str | None] = {f"{package}/cache.py": GROWN, "tests/test_cache.py": None}
    before = DOC + CALL.format(package, names)
    assert errors_of(action, f"{package}/run.py", before, before.replace("(1)", "(1 )"), change) == (1, 1)


OTHER_MEANING = "\n\ndef other():\n    {}\n\n    return {}\n"
OF_FUNCTION = "def run():\n    from halcyon.cache import lookup\n\n    return lookup(1)\n"
OF_MODULE = "def run():\n    from halcyon import cache\n\n    return cache.lookup(1)\n"


@pytest.mark.parametrize("touched", [True, False])
@pytest.mark.parametrize(
    ("before", "added", "used"),
    [
        ("from halcyon.cache import lookup\n\nX = lookup(1)\n", "from json import loads as lookup", "lookup('1')"),
        ("from halcyon.cache import lookup\n\nX = lookup(1)\n", "import json as lookup", "lookup.loads('1')"),
        (OF_FUNCTION, "from json import loads as lookup", "lookup('1')"),
        (OF_FUNCTION, "from halcyon.other import lookup", "lookup('1')"),
        (OF_MODULE, "import json as cache", "cache.loads('1')"),
    ],
)
def test_a_call_is_compared_whatever_another_function_gives_that_name_to(
    action: Action, before: str, added: str, used: str, *, touched: bool
) -> None:
    action.repository.commit({"halcyon/other.py": LOOKUP})
    change: dict[str, str | None] = {"halcyon/cache.py": GROWN, "tests/test_cache.py": None}
    after = (before.replace("(1)", "(1 )") if touched else before) + OTHER_MEANING.format(added, used)
    assert errors_of(action, "run.py", DOC + before, DOC + after, change) == (1, 1)


def test_a_use_of_what_is_no_function_is_found_whatever_another_function_gives_that_name_to(action: Action) -> None:
    change: dict[str, str | None] = {"halcyon/cache.py": f"{DOC}\nlookup = 3\n", "tests/test_cache.py": None}
    after = OF_FUNCTION + OTHER_MEANING.format("from json import loads as lookup", "lookup('1')")
    assert errors_of(action, "run.py", DOC + OF_FUNCTION, DOC + after, change) == (1, 1)


def test_an_import_in_an_inner_function_is_none_of_the_outer_one(action: Action) -> None:
    before = (
        f"{DOC}from json import loads as lookup\n\n\ndef run():\n    def inner():\n"
        "        from halcyon.cache import lookup\n\n        return lookup\n\n    return inner, lookup('1')\n"
    )
    change: dict[str, str | None] = {"halcyon/cache.py": GROWN, "tests/test_cache.py": None}
    assert errors_of(action, "run.py", before, before.replace("('1')", "('1' )"), change) == (0, 0)


def test_a_function_that_tries_two_imports_may_call_either(action: Action) -> None:
    before = f"{DOC}def run():\n    try:\n        from swift import lookup\n    except ImportError:\n"
    before += "        from halcyon.cache import lookup\n\n    return lookup(1)\n"
    change: dict[str, str | None] = {"halcyon/cache.py": GROWN, "tests/test_cache.py": None}
    assert errors_of(action, "run.py", before, before.replace("(1)", "(1 )"), change) == (0, 0)


def test_no_decorator_that_does_nothing_makes_a_kernel_of_a_function(action: Action) -> None:
    before = (
        f"{DOC}from halcyon.cache import lookup\n\n\ndef func(step):\n    return step\n\n\n"
        "@func\ndef run():\n    return lookup(1)\n"
    )
    change: dict[str, str | None] = {"halcyon/cache.py": GROWN, "tests/test_cache.py": None}
    assert errors_of(action, "halcyon/run.py", before, before.replace("(1)", "(1 )"), change) == (1, 1)


def test_a_touched_import_of_a_package_that_the_change_renames_is_an_error(action: Action) -> None:
    action.repository.commit({"tern/__init__.py": DOC, "tern/cache.py": LOOKUP})
    change = {"tern/__init__.py": None, "tern/cache.py": None, "wader/__init__.py": DOC, "wader/cache.py": LOOKUP}
    before = f"{DOC}from tern.cache import lookup\n"
    assert errors_of(action, "halcyon/use.py", before, f"{before[:-1]}  # here\n", change) == (1, 1)


SETTER = f"{OWNER}\n    @width.setter\n    def width(self, width):\n        self.size = width\n\n\ndef make():\n    return Block(1)\n"


@pytest.mark.parametrize("touched", [True, False])
@pytest.mark.parametrize(
    "lines",
    [
        "from halcyon.block import make\n\nblock = make()\nblock.width = 1\n",
        "from halcyon import block\n\nmade = block.make()\nmade.width = 1\n",
        "from halcyon import block\n\nblock.Block(1).width = 1\n",
        (
            "from halcyon import block\n\n\nclass Run:\n    def __init__(self):\n        self.made = block.make()\n\n"
            "    def set(self):\n        self.made.width = 1\n"
        ),
    ],
)
def test_a_property_without_its_setter_is_an_error_where_it_is_set(
    action: Action, lines: str, *, touched: bool
) -> None:
    action.repository.commit({"halcyon/block.py": SETTER})
    change: dict[str, str | None] = {"halcyon/block.py": f"{OWNER}\n\ndef make():\n    return Block(1)\n"}
    after = lines.replace("width = 1", "width = 2") if touched else f"{lines}# here\n"
    assert errors_of(action, "run.py", DOC + lines, DOC + after, change) == (1, 1)


BORROWING = {
    "a call": "def lend(thing):\n    return Block.area(thing)\n",
    "a class": "def lend(thing):\n    thing.__class__ = Block\n",
    "a call of another class": "from torch import Block\n\n\ndef lend(thing):\n    return Block.area(thing)\n",
}


@pytest.mark.parametrize("lines", BORROWING.values(), ids=BORROWING)
def test_a_change_that_lends_methods_does_not_excuse_what_it_takes_from_their_class(action: Action, lines: str) -> None:
    text = OWNER.replace("        self.size = size\n", "        self.size = self.area_of_old = size\n")
    text += "\n    def area(self):\n        return self.area_of_old\n\n\ndef run():\n    return Block(1).area()\n"
    before = f"{DOC}from halcyon.block import Block\n"
    change: dict[str, str | None] = {"halcyon/block.py": text.replace(" = self.area_of_old = ", " = ")}
    action.repository.commit({"halcyon/block.py": text})
    assert errors_of(action, "halcyon/lend.py", before, f"{before}\n\n{lines}", change) == (1, 1)
    action.repository.commit({"halcyon/lend.py": f"{before}\n\n{lines}", "halcyon/block.py": text})
    assert errors_of(action, "halcyon/old.py", before, before, change) == (0, 0)
