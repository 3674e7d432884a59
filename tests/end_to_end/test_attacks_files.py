"""Attempts to get a bad change past the gate by names, kinds and moves of files, by what it deletes, and by line ends."""

from __future__ import annotations

from typing import Any

import pytest

from fake_github.git_store import Executable, Link, Submodule
from tests.action import BAD_LINE, CLEAN, Action

OUTPUTS = '"""Outputs."""\n\n\nclass StepOutput:\n    """One."""\n\n    size = 1\n'
USER = f'"""Uses."""\n\n{BAD_LINE}\nX = StepOutput\n'
RELATIVE = '"""Runs."""\n\nfrom .outputs import StepOutput\n\nX = StepOutput\n'
STEPS = f'"""Steps."""\n\n{BAD_LINE}\n\ndef run(step: StepOutput) -> int:\n    """Return one."""\n    return 1\n'
MODULE: dict[str, Any] = {"halcyon/outputs.py": OUTPUTS, "halcyon/user.py": USER}
PACKAGE: dict[str, Any] = {
    "halcyon/outputs/__init__.py": '"""Outputs."""\n\nfrom halcyon.outputs.core import StepOutput\n\n__all__ = ["StepOutput"]\n',
    "halcyon/outputs/core.py": OUTPUTS,
    "halcyon/user.py": USER,
}
ENGINE: dict[str, Any] = {
    "halcyon/engine/__init__.py": '"""Engine."""\n',
    "halcyon/engine/outputs.py": OUTPUTS,
    "halcyon/engine/run.py": RELATIVE,
}
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12\n"


def verdict(action: Action, base: dict[str, Any], change: dict[str, Any]) -> tuple[int, int]:
    """Return the exit code and the number of errors of a change on top of some files."""
    if base:
        action.repository.commit(base)
    result = action.run(action.open(change))
    return result.code, int(result.outputs["errors"])


def renamed(name: str) -> dict[str, Any]:
    """Return the change that renames the module."""
    return {"halcyon/outputs.py": None, f"halcyon/{name}": OUTPUTS}


LOST_MODULES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    **{
        f"renamed to {name!r}": (MODULE, renamed(name))
        for name in (
            "outputs.txt", "outputs.PY", "outputs.py.", "outputs.py ", "outputs.pyw", "outputs.pyx", "outputs.pyc",
            "outputs.so", "outputs.pyi", "Outputs.py", "outputs/notes.txt", "outputs.py/notes.txt",
        )
    },
    "now a link to nothing": (MODULE, {"halcyon/outputs.py": Link("nowhere.py")}),
    "now a link out of the repository": (MODULE, {"halcyon/outputs.py": Link("/dev/null")}),
    "now a link to another module": (MODULE, {"halcyon/outputs.py": Link("cache.py")}),
    "now a submodule": (MODULE, {"halcyon/outputs.py": Submodule("a" * 40)}),
    "a link to another module than before": (
        MODULE | {"halcyon/outputs.py": Link("one.py"), "halcyon/one.py": OUTPUTS},
        {"halcyon/outputs.py": Link("cache.py")},
    ),
    "hidden behind a package of its name": (MODULE, {"halcyon/outputs/__init__.py": '"""Nothing."""\n'}),
    "a package whose __init__.py becomes a stub": (
        PACKAGE,
        {"halcyon/outputs/__init__.py": None, "halcyon/outputs/__init__.pyi": PACKAGE["halcyon/outputs/__init__.py"]},
    ),
    "renamed into an ignored folder": (
        MODULE | {".github/review-bot.yml": 'paths:\n  ignore: ["vendored/**"]\n'},
        {"halcyon/outputs.py": None, "vendored/outputs.py": OUTPUTS},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOST_MODULES)
def test_a_module_that_is_lost_in_any_way_is_missed(action: Action, name):
    assert verdict(action, *LOST_MODULES[name]) == (1, 1)


NAMESAKES: dict[str, dict[str, Any]] = {
    "a program of the name of the package": {"bin/halcyon": Executable("#!/bin/sh\n")},
    "a text of the name of the module": {"halcyon/outputs": "Words.\n"},
    "a folder of documents": {"docs/halcyon/outputs/index.md": "# Outputs\n"},
    "a folder of tests": {
        "tests/halcyon/outputs/__init__.py": "",
        "tests/halcyon/outputs/test_step.py": "def test_step():\n    assert True\n",
    },
}


@pytest.mark.parametrize("name", NAMESAKES)
def test_what_only_has_the_name_of_a_module_provides_none(action: Action, name):
    assert verdict(action, NAMESAKES[name], {"halcyon/steps.py": STEPS}) == (1, 1)
    assert verdict(action, MODULE, {"halcyon/outputs.py": None}) == (1, 1)


def test_a_copy_of_a_module_elsewhere_does_not_stand_for_it(action: Action):
    assert verdict(action, MODULE | {"examples/halcyon/outputs.py": OUTPUTS}, {"halcyon/outputs.py": None}) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [{"vendored/halcyon/outputs.py": OUTPUTS}, {"lib/halcyon": Link("/usr/lib/halcyon")}, {"lib": Link("/lib")}],
)
def test_what_may_be_the_module_provides_it(action: Action, other):
    base = {**other, "tools/run.py": "X = 1\n"}
    code = 1 if "lib" in other else 0
    assert verdict(action, base, {"tools/run.py": BAD_LINE}) == (code, code)


@pytest.mark.parametrize(
    "name", ["outputs.pyi", "outputs.pxd", "outputs.proto", "outputs.j2", "outputs.md.in", "outputs.go"]
)
def test_what_lay_next_to_a_module_does_not_stand_for_it(action: Action, name):
    assert verdict(action, MODULE | {f"halcyon/{name}": "\n"}, {"halcyon/outputs.py": None}) == (1, 1)


@pytest.mark.parametrize("name", ["outputs.pyx", "outputs.py.in", "outputs.cpython-312-x86_64-linux-gnu.so"])
def test_what_a_build_makes_the_module_of_stands_for_it(action: Action, name):
    assert verdict(action, MODULE | {f"halcyon/{name}": "\n"}, {"halcyon/outputs.py": None}) == (0, 0)


DECOYS: dict[str, Any] = {
    "outputs.py": Link("nowhere.py"),
    "outputs.py ": OUTPUTS,
    "outputs.PY": OUTPUTS,
    "Outputs.py": OUTPUTS,
    "outputs.so": "not compiled\n",
    "outputs.pyc": "not compiled\n",
    "outputs/__init__.pyi": OUTPUTS,
    "outputs": Link("../tests"),
}


@pytest.mark.parametrize("name", DECOYS)
def test_a_file_that_is_no_module_provides_none(action: Action, name):
    assert verdict(action, {}, {"halcyon/steps.py": STEPS, f"halcyon/{name}": DECOYS[name]}) == (1, 1)


@pytest.mark.parametrize("target", ["outputs.py", "../halcyon/outputs.py", "README.md", "/dev/null", "cache.py"])
def test_a_link_under_the_name_of_a_module_provides_what_it_points_to(action: Action, target):
    change = {"halcyon/steps.py": STEPS, "halcyon/outputs.py": Link(target)}
    assert verdict(action, {}, change) == (1, 1)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("outputs.py", "../logo.png"),
        ("outputs.py", "../AGENTS.md"),
        ("outputs.py", "../README.md/outputs.py"),
        ("outputs", "."),
        ("outputs", "cache.py"),
        ("outputs", "../AGENTS.md"),
        ("outputs", "../LICENSE"),
        ("outputs", "../LICENSE/outputs"),
    ],
)
def test_a_link_to_what_holds_no_such_module_provides_none(action: Action, name, target):
    base = {
        "README.md": "# Halcyon\n",
        "LICENSE": "All.\n",
        "AGENTS.md": Link("README.md"),
        "logo.png": b"\x89PNG\0\xff",
    }
    assert verdict(action, base, {"halcyon/steps.py": STEPS, f"halcyon/{name}": Link(target)}) == (1, 1)


def test_many_links_to_folders_provide_no_module(action: Action):
    base = {f"lib/{number}.txt": "x\n" for number in range(150)}
    links = {f"halcyon/{name}": Link("../lib") for name in ("outputs", *(f"x{number}" for number in range(140)))}
    assert verdict(action, base, {"halcyon/steps.py": STEPS} | links) == (1, 1)


def test_a_link_into_a_link_of_the_base_may_provide_anything(action: Action):
    base = {"shared": Link("/usr/share/halcyon")}
    links = {"halcyon/outputs.py": Link("../shared/outputs.py")}
    assert verdict(action, base, {"halcyon/steps.py": STEPS} | links) == (0, 0)


@pytest.mark.parametrize(
    "links",
    [
        {"halcyon/outputs.py": Link("../lib/outputs.py")},
        {"halcyon/outputs.py": Link("more.py"), "halcyon/more.py": Link("../lib/outputs.py")},
        {"halcyon/outputs": Link("../lib/package")},
    ],
)
def test_a_link_to_the_module_is_the_module(action: Action, links):
    base = {"lib/outputs.py": OUTPUTS, "lib/package/__init__.py": OUTPUTS}
    assert verdict(action, base, {"halcyon/steps.py": STEPS} | links) == (0, 0)


MOVES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "to the folder above": (ENGINE, {"halcyon/engine/run.py": None, "halcyon/run.py": RELATIVE}),
    "to a folder below": (
        ENGINE,
        {"halcyon/engine/run.py": None, "halcyon/engine/sub/run.py": RELATIVE, "halcyon/engine/sub/__init__.py": ""},
    ),
    "of a package that becomes a file": (
        {"halcyon/engine/__init__.py": RELATIVE, "halcyon/engine/outputs.py": OUTPUTS},
        {"halcyon/engine/__init__.py": None, "halcyon/engine.py": RELATIVE},
    ),
    "of a submodule's importer": (
        ENGINE | {"halcyon/engine/all.py": '"""All."""\n\nfrom . import outputs\n\nX = outputs\n'},
        {"halcyon/engine/all.py": None, "halcyon/all.py": '"""All."""\n\nfrom . import outputs\n\nX = outputs\n'},
    ),
    "to a folder that is no package": (ENGINE, {"halcyon/engine/run.py": None, "tools/run.py": RELATIVE}),
    "of a submodule's importer to a folder that is no package": (
        ENGINE | {"halcyon/engine/all.py": '"""All."""\n\nfrom . import outputs\n\nX = outputs\n'},
        {"halcyon/engine/all.py": None, "tools/all.py": '"""All."""\n\nfrom . import outputs\n\nX = outputs\n'},
    ),
    "to a script at the root": (ENGINE, {"halcyon/engine/run.py": None, "run.py": RELATIVE}),
    "of what is imported": (ENGINE, {"halcyon/engine/outputs.py": None, "halcyon/outputs.py": OUTPUTS}),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_relative_import_that_a_rename_breaks_is_red(action: Action, name):
    assert verdict(action, *MOVES[name]) == (1, 1)


@pytest.mark.parametrize("folder", ["halcyon/core", "tools"])
def test_a_relative_import_that_moves_with_its_module_is_fine(action: Action, folder: str):
    moved = {path.replace("halcyon/engine", folder): text for path, text in ENGINE.items()}
    moved.pop("tools/__init__.py", None)
    assert verdict(action, ENGINE, dict.fromkeys(ENGINE) | moved) == (0, 0)


GUARDED = f'"""D."""\n\ntry:\n    {BAD_LINE}except (\n    ImportError,\n    ValueError,\n):\n    StepOutput = None\n'
LOAD = (
    '"""F."""\n\n\ndef load(\n    path: str,\n    device: str,\n) -> str:\n    """Load."""\n    return path + device\n'
)
CALL = '"""G."""\n\nfrom halcyon.f import load\n\nX = load(\n    "a",\n    "cuda",\n)\n'
EDITS: dict[str, tuple[str, str]] = {
    "a handler goes": (GUARDED, GUARDED.replace("    ImportError,\n", "")),
    "the quotes of a string go": (f'"""D."""\n\n"""\n{BAD_LINE}"""\n', f'"""D."""\n\n{BAD_LINE}'),
    "a condition becomes true": (f'"""D."""\n\nif 0:\n    {BAD_LINE}', f'"""D."""\n\nif 1:\n    {BAD_LINE}'),
    "an argument goes": (CALL, CALL.replace('    "cuda",\n', "")),
    "an argument comes": (CALL, CALL.replace('    "cuda",\n', '    "cuda",\n    1,\n')),
    "a bracket goes": (CALL, CALL.replace("\n)\n", "\n")),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_old_line_that_another_line_makes_wrong_is_red(action: Action, name):
    before, after = EDITS[name]
    assert verdict(action, {"halcyon/f.py": LOAD, "halcyon/d.py": before}, {"halcyon/d.py": after}) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "return 1\n",
        "break\n",
        "yield 1\n",
        "for x in ():\n    pass\ncontinue\n",
        "def f():\n    await f()\n",
        "import os\nfrom __future__ import annotations\n\nX = os\n",
        "*a, *b = ()\n",
        "__debug__ = 1\n",
        "print(sep='', sep='')\n",
    ],
)
def test_what_only_the_compiler_refuses_is_a_syntax_error(action: Action, text):
    assert verdict(action, {}, {"halcyon/new.py": text}) == (1, 1)


OWN_RULE = """id: no-debugger
severity: error
message: A debugger is left.
text:
  regex: '^import pdb$'
metadata: {confidence: high, scope: any, show: line}
"""


@pytest.mark.parametrize(
    "text", ["import pdb\n", "import pdb\r\n", "import pdb", "\ufeffimport pdb\r\n", "x\r\nimport pdb\r"]
)
def test_no_line_end_hides_a_line_from_a_rule_of_ones_own(action: Action, text):
    base = {".github/review-bot/rules/debugger.yml": OWN_RULE}
    assert verdict(action, base, {"notes.txt": text}) == (1, 1)


GUARD = '"""G."""\n\n\ndef drop(user: object) -> None:\n    """Drop."""\n    if not user.ok:\n        raise PermissionError(user)\n'
GUARD_RULE = """id: guard-removed
language: python
severity: error
message: A check of rights is gone.
removed:
  language: python
  rule: {pattern: 'raise PermissionError($$$A)'}
metadata: {confidence: high, scope: library, show: line}
"""


@pytest.mark.parametrize(
    "instead", ["pass", "pass  # raise PermissionError(user)", "# raise PermissionError(user)\n        pass"]
)
def test_a_guard_in_a_comment_guards_nothing(action: Action, instead):
    base = {".github/review-bot/rules/guard.yml": GUARD_RULE, "halcyon/guard.py": GUARD}
    change = {"halcyon/guard.py": GUARD.replace("raise PermissionError(user)", instead)}
    assert verdict(action, base, change) == (1, 1)


TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
HELD: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "an executable": ({}, {"halcyon/steps.py": Executable(STEPS)}, 1),
    "a folder with a suffix": ({}, {"halcyon/a.py/steps.py": STEPS}, 1),
    "a hidden folder": ({}, {".hidden/steps.py": STEPS}, 1),
    "a folder of others' code": ({}, {"third_party/steps.py": STEPS}, 1),
    "a generated header": ({}, {"halcyon/steps.py": f"# @generated. DO NOT EDIT!\n{STEPS}"}, 1),
    "attributes": ({}, {".gitattributes": "*.py -diff binary linguist-generated\n", "halcyon/steps.py": STEPS}, 1),
    "attributes that keep importers out of archives": (
        MODULE | {".gitattributes": "* export-ignore\n"},
        {"halcyon/outputs.py": None},
        1,
    ),
    "two files that swap names": (
        ENGINE | {"halcyon/run.py": '"""Other."""\n\nY = 1\n'},
        {"halcyon/engine/run.py": '"""Other."""\n\nY = 1\n', "halcyon/run.py": RELATIVE},
        1,
    ),
    "a module that becomes a pointer": (MODULE, {"halcyon/outputs.py": LFS}, 3),
    "a module that becomes empty": (MODULE, {"halcyon/outputs.py": ""}, 1),
    "a link that becomes a file": ({"a": Link(TOKEN)}, {"a": TOKEN}, 1),
    "a submodule that becomes a file": ({"a": Submodule("a" * 40)}, {"a": f"{TOKEN}\n"}, 1),
    "a pointer that becomes a file": ({"a.bin": LFS}, {"a.bin": f"{TOKEN}\n"}, 1),
    "a token far to the right": ({}, {"a.txt": "x " * 60_000 + TOKEN + "\n"}, 1),
    "a token in an output of a notebook": ({}, {"n.ipynb": f'{{"cells": [{{"outputs": ["{TOKEN}"]}}]}}\n'}, 1),
    "a marker behind a mark": ({}, {"a.txt": "\ufeff<<<<<<< HEAD\nx\n"}, 1),
    "a marker of the base alone": ({}, {"a.md": "x\n||||||| base\r\ny\n"}, 1),
}


@pytest.mark.parametrize("name", HELD)
def test_what_held(action: Action, name):
    base, change, code = HELD[name]
    assert verdict(action, base, change)[0] == code


def test_all_of_a_copy_is_new(action: Action) -> None:
    """GitHub's interface has a status for copies, and shows of one only what differs from the other file."""
    action.repository.commit({"halcyon/old.py": STEPS})
    pr = action.open({"halcyon/new.py": f"{STEPS}\n\nX = 1\n"})

    def copied(rows: list[dict[str, Any]]) -> None:
        rows[0] |= {"status": "copied", "previous_filename": "halcyon/old.py", "additions": 3, "changes": 3}
        rows[0]["patch"] = '@@ -8,2 +8,5 @@ def run\n     """Return one."""\n     return 1\n+\n+\n+X = 1'

    action.github.tamper(("GET", "/pulls/*/files"), copied)
    result = action.run(pr)
    assert (result.code, result.outputs["errors"]) == (1, "1")


LONG = "".join(f"\nSIZE_{number} = {number}\n" for number in range(30))
"""Text by which a file is recognised where it moves."""


@pytest.mark.parametrize("by_change", [True, False])
def test_a_search_path_in_a_file_that_moves_along_finds_no_module_by_its_old_name(
    action: Action, *, by_change: bool
) -> None:
    """The package that imported the module is no part of where it is now."""
    use = f'"""Use."""\nfrom halcyon.cache import lookup\n\nX = lookup(1)\n{LONG}'
    tool = f'"""Tool."""\nimport sys\n\nsys.path.append("..")\n{LONG}'
    cache = f"{CLEAN['halcyon/cache.py']}{LONG}"
    before = f'"""Tool."""\n{LONG}' if by_change else tool
    action.repository.commit({"halcyon/cache.py": cache, "halcyon/use.py": use, "halcyon/tool.py": before})
    gone = dict.fromkeys(("halcyon/cache.py", "halcyon/use.py", "halcyon/tool.py", "tests/test_cache.py"))
    moved = {"lib/cache.py": cache, "lib/use.py": use, "lib/tool.py": tool}
    result = action.run(action.open({**gone, **moved}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
