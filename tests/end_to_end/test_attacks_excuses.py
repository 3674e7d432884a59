"""Excuses: code that a change adds so that a rule takes its error for something that another place provides or asks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.action import BAD_LINE, CLEAN, Action

DOC = '"""Steps."""\n'
CACHE = CLEAN["halcyon/cache.py"]
USER = f"{DOC}import halcyon.cache as cache\n\nX = cache.lookup(1)\n"
USES = {"halcyon/use.py": USER}
STARRED = f"{DOC}from halcyon.cache import *\n\nX = lookup(1)\n"
REMOVED = {"halcyon/cache.py": f"{DOC}X = 1\n", "tests/test_cache.py": None}

Case = tuple[str, Mapping[str, str], Mapping[str, str | None]]


def without_lookup(rest: str) -> dict[str, str | None]:
    """Return a change that removes ``lookup`` and leaves other code in its place."""
    return {"halcyon/cache.py": f"{DOC}import os\n\nTABLE = {{}}\n{rest}", "tests/test_cache.py": None}


NAMES: Mapping[str, Case] = {
    "a module that another one fills": (
        "api/removed-name",
        USES,
        {
            **REMOVED,
            "halcyon/one.py": f"{DOC}X = 1\n",
            "halcyon/two.py": f"{DOC}lookup = 1\n",
            "halcyon/three.py": f"{DOC}from halcyon import one, two\n\none.__dict__.update(two.__dict__)\n",
        },
    ),
    "a folder in the place of the module": (
        "api/removed-name",
        USES,
        {"halcyon/cache.py": None, "halcyon/cache/core.py": CACHE, "tests/test_cache.py": None},
    ),
    "a package that loses its file by a new name": (
        "api/removed-name",
        {"halcyon/kv/__init__.py": CACHE, "halcyon/use.py": USER.replace("halcyon.cache", "halcyon.kv")},
        {"halcyon/kv/__init__.py": None, "halcyon/kv/core.py": CACHE},
    ),
    "an attribute of the name": (
        "api/removed-name",
        USES,
        without_lookup("if os.environ.get('X'):\n    lookup.size = 1\n"),
    ),
    "an entry under the name": (
        "api/removed-name",
        USES,
        without_lookup("if os.environ.get('X'):\n    TABLE[lookup] = 1\n"),
    ),
    **{
        f"the name bound from what nothing has bound: {line}": (
            "api/removed-name",
            USES,
            without_lookup(f"\n\n{line}\n"),
        )
        for line in (
            "lookup = lookup",
            "lookup = lookup or 1",
            "@lookup\ndef lookup():\n    return 1",
            "def lookup(key=lookup):\n    return key",
            "class lookup(lookup):\n    X = 1",
            "for lookup in lookup:\n    X = 1",
            "lookup = later\nlater = 1",
        )
    },
    "a class that deletes the name": (
        "api/removed-name",
        USES,
        {"halcyon/cache.py": f"{CACHE}\n\nclass Owner:\n    global lookup\n    del lookup\n"},
    ),
    "a sum with the name": ("api/removed-name", USES, without_lookup("if os.environ.get('X'):\n    lookup += 1\n")),
    "a question about something else": (
        "api/removed-name",
        USES,
        {**REMOVED, "halcyon/use.py": f"{USER}Y = hasattr(print, 'lookup')\n"},
    ),
    "a string that is given away": (
        "api/removed-name",
        USES,
        {**REMOVED, "halcyon/use.py": f"{USER}print('lookup')\n"},
    ),
    "an attribute of something else": (
        "api/removed-name",
        USES,
        {**REMOVED, "halcyon/use.py": f"{USER}print.lookup = 1\n"},
    ),
    "a parameter of the name": (
        "api/removed-name",
        {"halcyon/use.py": STARRED},
        {**REMOVED, "halcyon/use.py": f"{STARRED}\n\ndef count(lookup: int) -> int:\n    return lookup\n"},
    ),
}


def calling(before: str, call: str = "X = lookup(1, 2, 3)\n") -> dict[str, str | None]:
    """Return a change that calls ``lookup`` with too many arguments."""
    return {"halcyon/use.py": f"{DOC}from halcyon.cache import lookup\n{before}\n{call}"}


CALLS: Mapping[str, Mapping[str, str | None]] = {
    "a text that is replaced": calling("\nY = 'a'.replace('lookup', 'b')\n"),
    "a text in a text that is replaced": calling("\nY = 'a'.replace(str(1), 'lookup', 1)\n"),
    "a text that is wrapped": calling("import textwrap\n\nY = textwrap.wrap('lookup')\n"),
    "an attribute of another module": calling("import os\n\nos.lookup = 1\n"),
    "an attribute of a module without the name": {
        **calling("import halcyon.other as other\n\nother.lookup = 1\n"),
        "halcyon/other.py": f"{DOC}X = 1\n",
    },
    "a function that nothing calls": calling("\n\ndef _set() -> None:\n    global lookup\n    lookup = print\n\n"),
    "a condition that always holds": calling("", "if 1 or legacy_version:\n    X = lookup(1, 2, 3)\n"),
    "a string as condition": calling("", "if 'version':\n    X = lookup(1, 2, 3)\n"),
    "a star import before": {
        "halcyon/use.py": f"{DOC}from os.path import *\n\nfrom halcyon.cache import lookup\n\nX = lookup(1, 2, 3)\n"
    },
    "a star import of a module without the name": {
        **calling("from halcyon.other import *\n"),
        "halcyon/other.py": f"{DOC}X = 1\n",
    },
    "a block for a text that is replaced": calling(
        "import contextlib\n", "with contextlib.nullcontext('x'.replace('lookup', '')):\n    X = lookup(1, 2, 3)\n"
    ),
    "a block of the file's own": calling(
        "\n\ndef raises(kind: type) -> object:\n    return open(kind)\n\n",
        "with raises(TypeError):\n    lookup(1, 2, 3)\n",
    ),
    "arguments in a tuple": calling("", "X = lookup(*(1, 2, 3))\n"),
    "an annotation": calling("lookup: object\n"),
    "a definition that never runs": {
        **calling(""),
        "halcyon/cache.py": f"{CACHE}\n\nif False:\n    def lookup(*blocks: int) -> int:\n        return 1\n",
    },
}


BAD = DOC + BAD_LINE
GUARD = f"{DOC}import sys\nfrom importlib.util import find_spec\n\nif {{}}:\n    {BAD_LINE}"


def notebook(metadata: Mapping[str, Any], source: str | list[str] = "import halcyon.outputs") -> str:
    """Return a notebook with one cell, which imports a missing module."""
    cell: dict[str, Any] = {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
    return json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


OLD_CELL = {"cell_type": "code", "input": "import halcyon.outputs", "source": "", "outputs": []}
OLD_NOTEBOOK = {"worksheets": [{"cells": [OLD_CELL]}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}

MODULES: Mapping[str, Mapping[str, str | None]] = {
    "a notebook of an old version": {"n.ipynb": json.dumps(OLD_NOTEBOOK, indent=1)},
    "a cell whose letters are apart": {"n.ipynb": notebook({}, list("import halcyon.outputs"))},
    "a file without a suffix": {"halcyon/a.py": BAD, "halcyon/outputs": "text\n"},
    "a template of something else": {
        "halcyon/a.py": BAD,
        "docs/outputs.j2": "text\n",
        "pyproject.toml": '[project]\nname = "halcyon"\ndescription = "./outputs"\n',
    },
    "a folder next to a script": {"examples/a.py": BAD, "examples/halcyon/outputs.py": f"{DOC}StepOutput = 1\n"},
    "an entry of sys.modules that comes too late": {
        "halcyon/a.py": f'{BAD}import sys\n\nsys.modules["halcyon.outputs"] = sys\n'
    },
    "a method that has the name of suppress": {
        "halcyon/a.py": f"{DOC}class A:\n    def f(self) -> None:\n        with self.suppress(ImportError):\n            {BAD_LINE}"
    },
    "a notebook of another language": {
        "n.ipynb": notebook({"kernelspec": {"name": "python3", "language": "text"}, "language_info": {"name": "text"}})
    },
    **{
        f"the condition {condition}": {"halcyon/a.py": GUARD.format(condition)}
        for condition in (
            "find_spec('halcyon.outputs') in (None,)",
            "find_spec('halcyon.outputs') == find_spec('halcyon.outputs')",
            "f\"-{find_spec('halcyon.outputs')}\"",
            "lambda: find_spec('halcyon.outputs')",
            "(find_spec('halcyon.outputs') for _ in ())",
            "(not find_spec('halcyon.outputs')) == True",
            "(3, 0) <= sys.version_info",
        )
    },
}


def errors_of(action: Action, case: Case) -> tuple[int, list[str]]:
    """Run the Action on a change; return its exit code and the rules of its errors."""
    _, base, change = case
    if base:
        action.repository.commit(dict(base))
    result = action.run(action.open(dict(change)))
    return result.code, [each["rule"] for each in result.report()["findings"] if each["severity"] == "error"]


@pytest.mark.parametrize("name", NAMES)
def test_no_code_that_seems_to_bind_a_removed_name_excuses_its_removal(action: Action, name: str) -> None:
    code, found = errors_of(action, NAMES[name])
    assert (code, {*found} - {"errors/undefined-name"}) == (1, {NAMES[name][0]})


@pytest.mark.parametrize("name", MODULES)
def test_nothing_that_only_looks_like_a_module_or_a_question_excuses_an_import(action: Action, name: str) -> None:
    assert errors_of(action, ("api/missing-module-import", {}, MODULES[name])) == (1, ["api/missing-module-import"])


@pytest.mark.parametrize(
    "text",
    [
        '{"cells": [{"cell_type": "code", "source": "import halcyon.outputs"}]\n',
        '[{"cells": [{"cell_type": "code", "source": "import halcyon.outputs"}]}]\n',
        '{"nbformat": 4, "sheets": [{"cell_type": "code", "source": "import halcyon.outputs"}]}\n',
    ],
)
def test_a_notebook_that_cannot_be_read_is_named(action: Action, text: str) -> None:
    result = action.run(action.open({"n.ipynb": text}))
    assert result.code == 3
    assert {each["path"] for each in result.report()["unreviewed"]} == {"n.ipynb"}


def test_an_empty_notebook_has_nothing_to_read(action: Action) -> None:
    assert errors_of(action, ("", {}, {"n.ipynb": "\n"})) == (0, [])


@pytest.mark.parametrize(
    "condition",
    [
        "find_spec('halcyon.outputs') is not None",
        "(find_spec('halcyon.outputs') is None) == False",
        "'outputs' in available_modules()",
    ],
)
def test_a_question_about_a_module_excuses_its_import(action: Action, condition: str) -> None:
    guard = GUARD.format(condition).replace("\n\nif", "\nfrom os import listdir as available_modules\n\nif")
    assert errors_of(action, ("", {}, {"halcyon/a.py": guard})) == (0, [])


def test_a_file_without_a_suffix_does_not_stand_for_a_removed_module(action: Action) -> None:
    change = {"halcyon/cache.py": None, "tests/test_cache.py": None, "halcyon/cache": "text\n"}
    assert errors_of(action, ("", USES, change)) == (1, ["api/removed-module"])


@pytest.mark.parametrize("name", CALLS)
def test_no_code_that_seems_to_replace_a_function_excuses_a_call(action: Action, name: str) -> None:
    assert errors_of(action, ("api/call-misfit", {}, CALLS[name])) == (1, ["api/call-misfit"])


@pytest.mark.parametrize(
    "replaced", ["core.lookup = print\n", "setattr(core, 'lookup', print)\n", "patch('halcyon.cache.lookup', print)\n"]
)
def test_a_call_of_what_its_file_replaces_is_a_warning(action: Action, replaced: str) -> None:
    change = calling(f"import halcyon.cache as core\nfrom unittest.mock import patch\n\n{replaced}")
    report = action.run(action.open(change)).report()
    found = [each for each in report["findings"] if each["severity"] != "hint"]
    assert [(each["rule"], each["severity"]) for each in found] == [("api/call-misfit", "warning")]


def test_a_use_in_code_that_asks_for_the_name_is_not_reported(action: Action) -> None:
    action.repository.commit(USES)
    use = USER.replace("X = cache.lookup(1)", 'if hasattr(cache, "lookup"):\n    X = cache.lookup(1)')
    report = action.run(action.open({**REMOVED, "halcyon/use.py": use})).report()
    assert [each for each in report["findings"] if each["rule"] == "api/removed-name"] == []


@pytest.mark.parametrize(("at_base", "severities"), [(True, []), (False, ["warning"])])
def test_only_the_base_can_fill_a_module_from_another_one(action: Action, at_base: bool, severities: list[str]) -> None:
    other = {"halcyon/two.py": f"{DOC}lookup = 1\n"}
    fill = {"halcyon/three.py": f"{DOC}from halcyon import cache, two\n\ncache.__dict__.update(two.__dict__)\n"}
    action.repository.commit({**USES, **other, **(fill if at_base else {})})
    report: dict[str, Any] = action.run(action.open({**REMOVED, **({} if at_base else fill)})).report()
    assert [each["severity"] for each in report["findings"] if each["rule"] == "api/removed-name"] == severities


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("setup.py", f"{DOC}from setuptools import setup\n\n# package_dir={{'halcyon': 'other'}}\nsetup()\n"),
        ("setup.py", f"{DOC}from setuptools import setup\n\nsetup(package_dir={{'halcyon': 'other'}})\n"),
        ("setup.cfg", "[options]\npackage_dir =\n    halcyon = other\n"),
        ("pyproject.toml", '[tool.setuptools.package-dir]\nhalcyon = "other"\n'),
    ],
)
def test_a_change_gives_a_package_no_folder_for_its_modules(action: Action, manifest: str, text: str) -> None:
    base = {"other/__init__.py": DOC, **USES}
    change = {"halcyon/cache.py": None, "tests/test_cache.py": None, "other/cache.py": CACHE, manifest: text}
    assert errors_of(action, ("api/removed-module", base, change)) == (1, ["api/removed-module"])


def test_no_docstring_makes_a_package_a_part_of_an_installed_one(action: Action) -> None:
    action.repository.commit({f"src/{path}": text for path, text in CLEAN.items() if path.startswith("halcyon")})
    lines = "".join(f"from .gone_{number} import step\n" for number in range(5))
    text = f'"""Steps.\n\nfrom halcyon.elsewhere import step\n"""\n{lines}'
    result = action.run(action.open({"src/halcyon/use.py": text}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    manifest = '[project]\nname = "halcyon"\nversion = "1"\n'
    action.repository.commit({"pyproject.toml": manifest, "src/halcyon/notes.py": text.partition("from .")[0]})
    result = action.run(action.open({"src/halcyon/use.py": lines}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_what_a_change_says_of_writing_a_module_leaves_a_warning_in_a_notebook(action: Action) -> None:
    cell = {"cell_type": "code", "source": ["from halcyon.outputs import step\n"], "metadata": {}, "outputs": []}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    notes = {"halcyon/notes.py": '"""Never write \'outputs\'."""\n'}
    findings = action.run(action.open({"n.ipynb": f"{notebook}\n", **notes})).report()["findings"]
    assert ("api/missing-module-import", "warning") in {(each["rule"], each["severity"]) for each in findings}
