"""Decoys: files and lines that a change adds so that a rule about the whole tree gives up on an error of the change."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.action import BAD_LINE, CLEAN, Action

DOC = '"""Steps."""\n'
BAD = DOC + BAD_LINE
CACHE = CLEAN["halcyon/cache.py"]
SECOND = {"python/halcyon/__init__.py": DOC, "python/halcyon/outputs.py": f"{DOC}StepOutput = 1\n"}
PROJECT = {"pyproject.toml": '[project]\nname = "halcyon"\n', "halcyon/sub/x.py": DOC}
RELEASE = f'{DOC}# /// script\n# dependencies = ["halcyon"]\n# ///\n{BAD_LINE}'

CALLER = {"halcyon/use.py": f"{DOC}from halcyon.cache import lookup\n\nX = lookup(1)\n"}
CHANGED = {"halcyon/cache.py": CACHE.replace("block: int)", "block: int, size: int)")}

USER = f"{DOC}import halcyon.cache as cache\n\nX = cache.lookup(1)\n"
REMOVES = {"halcyon/cache.py": f"{DOC}X = 1\n", "tests/test_cache.py": None}

ENGINE = (
    f"{DOC}class Engine:\n    def step(self, a):\n        return a\n\n    def run(self):\n        return self.step(1)\n"
)
STEP = {"halcyon/engine.py": ENGINE.replace("step(self, a)", "step(self, a, b)")}
NAMESAKE = f"{DOC}class Engine:\n    pass\n\n\nclass Decoy(Engine):\n    def step(self, a):\n        return a\n"

DECOYS: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, str | None]]] = {
    "a second package of the name": ("api/missing-module-import", {}, {"halcyon/a.py": BAD, **SECOND}),
    "a project with a package of the name": (
        "api/missing-module-import",
        {},
        {
            "halcyon/a.py": BAD,
            "tools/pyproject.toml": "",
            **{path.replace("python", "tools"): text for path, text in SECOND.items()},
        },
    ),
    "a second project of the name": (
        "api/missing-module-import",
        {"pyproject.toml": PROJECT["pyproject.toml"]},
        {
            "halcyon/a.py": BAD,
            "decoy/pyproject.toml": PROJECT["pyproject.toml"],
            "decoy/halcyon/outputs.py": f"{DOC}StepOutput = 1\n",
        },
    ),
    "a stub with a name that a file elsewhere has": (
        "api/missing-module-import",
        {"docs/outputs.pyi": "X: int\n"},
        {"halcyon/a.py": BAD, "halcyon/outputs.pyi": "StepOutput: int\n"},
    ),
    "a second module with the name": (
        "api/missing-name-import",
        {},
        {
            "halcyon/a.py": f"{DOC}from halcyon.cache import nothing\n",
            "python/halcyon/__init__.py": DOC,
            "python/halcyon/cache.py": f"{DOC}nothing = 1\n",
        },
    ),
    "an import by a keyword": (
        "api/missing-module-import",
        {},
        {"halcyon/a.py": f'{DOC}import importlib\n\nX = importlib.import_module(name="halcyon.outputs")\n'},
    ),
    "an import in pieces": (
        "api/missing-module-import",
        {},
        {
            "halcyon/a.py": f'{DOC}import importlib.util\n\nN = "halcyon.outputs"\n'
            'X = [importlib.import_module(N), lambda: __import__("halcyon." f"outputs" + "")]\n'
        },
    ),
    "a string with the name of what is called": (
        "api/call-misfit",
        {},
        {"halcyon/use.py": CALLER["halcyon/use.py"].replace("(1)", '(1, 2, 3, "lookup")')},
    ),
    "another import in a function": (
        "api/call-misfit",
        {"halcyon/other.py": f"{DOC}def lookup(a, b, c):\n    return a\n"},
        {
            "halcyon/use.py": CALLER["halcyon/use.py"].replace("(1)", "(1, 2, 3)")
            + "\n\ndef use():\n    from halcyon.other import lookup\n\n    return lookup\n"
        },
    ),
    "a header that asks for a release": ("api/missing-module-import", PROJECT, {"tests/test_run.py": RELEASE}),
    "a script in a package": ("api/missing-module-import", PROJECT, {"halcyon/sub/x.py": RELEASE}),
    "a script in what was a package": (
        "api/missing-module-import",
        {**PROJECT, "halcyon/sub/__init__.py": DOC},
        {"halcyon/sub/__init__.py": None, "halcyon/sub/x.py": RELEASE},
    ),
    "messages that nothing compiles": (
        "api/missing-module-import",
        {},
        {"halcyon/out.proto": "x\n", "halcyon/a.py": f"{DOC}from halcyon.out_pb2 import X\n"},
    ),
    "messages that a build file names in a comment and in other words": (
        "api/missing-module-import",
        {},
        {
            "docs/out.proto": "x\n",
            "Makefile": "# Of the protocol buffers.\nall:\n\tmake prototype\n",
            "halcyon/a.py": f"{DOC}from halcyon.out_pb2 import X\n",
        },
    ),
    "a project of the same name next to a test": (
        "api/missing-module-import",
        {},
        {
            "tests/demo/pyproject.toml": '[project]\nname = "halcyon"\n',
            "tests/demo/halcyon/outputs.py": f"{DOC}StepOutput = 1\n",
            "tests/test_a.py": BAD_LINE,
        },
    ),
    "the stub of another package": (
        "api/missing-module-import",
        {"stubs/other/__init__.pyi": "StepOutput: int\n"},
        {
            "stubs/other/__init__.pyi": None,
            "halcyon/outputs/__init__.pyi": "StepOutput: int\n",
            "halcyon/a.py": BAD,
        },
    ),
    "a second package next to a changed function": (
        "api/caller-left-behind",
        CALLER,
        {**CHANGED, "python/halcyon/__init__.py": DOC},
    ),
    "a second package next to a call": (
        "api/call-misfit",
        {},
        {
            "halcyon/use.py": CALLER["halcyon/use.py"].replace("(1)", "(1, 2, 3)"),
            "python/halcyon/__init__.py": DOC,
        },
    ),
    "files that name a changed function": (
        "api/caller-left-behind",
        CALLER,
        {**CHANGED, **{f"aaa/decoy_{number:03}.py": f"{DOC}# lookup\n" for number in range(401)}},
    ),
    **{
        f"{rule} with its user renamed to {name}": (
            rule,
            {"halcyon/old.py": USER},
            {"halcyon/old.py": None, f"halcyon/{name}": USER, **change},
        )
        for name in ("USER.py", "use_orig.py")
        for rule, change in (("api/caller-left-behind", CHANGED), ("api/removed-name", REMOVES))
    },
    "an import of the user's new name": (
        "api/caller-left-behind",
        {"halcyon/USER.py": USER},
        {"halcyon/run.py": f"{DOC}from halcyon import USER\n\nprint(USER.X)\n", **CHANGED},
    ),
    **{
        f"a decorator that {what}": (
            "api/caller-left-behind",
            CALLER,
            {
                "halcyon/cache.py": f"{decorator}\n\n{CHANGED['halcyon/cache.py']}".replace(
                    "def lookup", "@keep\ndef lookup"
                )
            },
        )
        for what, decorator in (
            ("returns the function", "def keep(f):\n    return f\n"),
            ("notes the function", "TABLE = {}\n\n\ndef keep(f):\n    TABLE[f.__name__] = f\n    return f\n"),
            (
                "hands all arguments on",
                "def keep(f):\n    def run(*a, **k):\n        return f(*a, **k)\n\n    return run\n",
            ),
        )
    },
    "a changed function whose name is in many files": (
        "api/caller-left-behind",
        {
            **CALLER,
            "halcyon/tool.py": f"{DOC}\n\ndef main(a: int) -> int:\n    return a\n",
            **{f"aaa/tool_{number:03}.py": f"{DOC}# main\n" for number in range(410)},
        },
        {**CHANGED, "halcyon/tool.py": f"{DOC}\n\ndef main(b: int, c: int) -> int:\n    return b\n"},
    ),
    "a lesser finding in front of it": (
        "api/missing-name-import",
        {},
        {
            "halcyon/dyn.py": f"{DOC}import os\n\nglobals().update(os.environ)\n",
            "halcyon/a.py": f"{DOC}from halcyon.dyn import maybe; from halcyon.cache import gone\n",
        },
    ),
    "a lesser call in front of it": (
        "api/call-misfit",
        {},
        {
            "halcyon/dyn.py": f"{DOC}\n\ndef read(path: str) -> str:\n    return path\n",
            "halcyon/a.py": f"{DOC}from halcyon import dyn\nfrom halcyon.cache import lookup\n\n"
            "dyn.read = print\nX = dyn.read(1, 2), lookup(1, 2, 3)\n",
        },
    ),
    "a string with the removed name": (
        "api/removed-name",
        {"halcyon/use.py": USER},
        {**REMOVES, "halcyon/use.py": f'{USER}Y = "lookup"\n'},
    ),
    "a subclass of a namesake": (
        "api/caller-left-behind",
        {"halcyon/engine.py": ENGINE},
        {**STEP, "tools/decoy.py": NAMESAKE},
    ),
}


@pytest.mark.parametrize("name", DECOYS)
def test_no_decoy_of_a_change_hides_its_error(action: Action, name: str) -> None:
    rule, base, change = DECOYS[name]
    if base:
        action.repository.commit(dict(base))
    result = action.run(action.open(dict(change)))
    assert (result.code, [each["rule"] for each in result.report()["findings"] if each["severity"] == "error"]) == (
        1,
        [rule],
    )


def test_a_star_import_of_a_library_that_a_change_adds_to_a_module_leaves_a_warning(action: Action) -> None:
    action.repository.commit({"pyproject.toml": '[project]\nname = "halcyon"\ndependencies = ["torch"]\n'})
    use = f"{DOC}from halcyon.cache import nothing\n"
    change = {"halcyon/a.py": use, "halcyon/cache.py": f"{CACHE}\n\nfrom torch import *\n"}
    found = {(each["rule"], each["severity"]) for each in action.run(action.open(change)).report()["findings"]}
    assert ("api/missing-name-import", "warning") in found


SOURCES = {"README.md": "Text.\n", "src/halcyon/__init__.py": DOC, "src/halcyon/cache.py": CACHE}


def test_a_folder_that_a_change_adds_at_the_root_holds_no_module_of_a_package_below_src(action: Action) -> None:
    action.repository.commit({**SOURCES, **dict.fromkeys(CLEAN)})
    result = action.run(action.open({"src/halcyon/a.py": BAD, "halcyon/outputs.py": f"{DOC}StepOutput = 1\n"}))
    assert [each["rule"] for each in result.report()["findings"]] == ["api/missing-module-import"]


def test_a_real_subclass_that_a_change_adds_makes_an_error_a_warning_and_does_not_hide_it(action: Action) -> None:
    action.repository.commit({"halcyon/engine.py": ENGINE})
    real = NAMESAKE.replace("class Engine:\n    pass", "from halcyon.engine import Engine")
    report = action.run(action.open({**STEP, "tools/decoy.py": real})).report()
    found = {(each["rule"], each["severity"]) for each in report["findings"]}
    assert ("api/caller-left-behind", "warning") in found
    assert "error" not in {severity for _, severity in found}


HONEST: Mapping[str, tuple[Mapping[str, str], Mapping[str, str | None]]] = {
    **{
        f"a decorator with {body[0]}": (
            CALLER,
            {
                "halcyon/cache.py": "\n".join(["import functools\n\n", "def keep(f):", *body, "\n"])
                + CHANGED["halcyon/cache.py"].replace("def lookup", "@keep\ndef lookup")
            },
        )
        for body in (
            ["    return functools.partial(f, size=1)"],
            ["    f.__defaults__ = (1,)", "    return f"],
            ["    if f.__doc__:", "        return functools.partial(f, size=1)", "    return f"],
            ["    f = functools.partial(f, size=1)", "    return f"],
        )
    },
    "a new project imports its own module": (
        {},
        {**SECOND, "python/halcyon/a.py": BAD},
    ),
    "a package that moves below src": (
        {},
        {
            **dict.fromkeys(CLEAN),
            "src/halcyon/__init__.py": CLEAN["halcyon/__init__.py"],
            "src/halcyon/cache.py": CACHE,
            "src/halcyon/outputs.py": f"{DOC}StepOutput = 1\n",
            "tests/test_cache.py": f"{CLEAN['tests/test_cache.py']}\n\n{BAD_LINE}",
        },
    ),
    "a script that asks for a release": (
        {"pyproject.toml": PROJECT["pyproject.toml"], "examples/run.py": RELEASE.replace(BAD_LINE, "")},
        {"examples/run.py": RELEASE},
    ),
    "messages that the change compiles": (
        {},
        {
            "halcyon/out.proto": "x\n",
            "Makefile": "all:\n\tprotoc --python_out=. halcyon/out.proto\n",
            "halcyon/a.py": f"{DOC}from halcyon.out_pb2 import X\n",
        },
    ),
    "a new project tests its own part of a package": (
        {},
        {
            "plug/pyproject.toml": '[project]\nname = "halcyon"\n',
            "plug/halcyon/outputs.py": f"{DOC}StepOutput = 1\n",
            "plug/tests/test_a.py": BAD_LINE,
        },
    ),
    "a use that asks first": (
        {"halcyon/use.py": USER},
        {
            **REMOVES,
            "halcyon/use.py": USER.replace(
                "X = cache.lookup(1)", 'X = cache.lookup(1) if hasattr(cache, "lookup") else 1'
            ),
        },
    ),
    "a subclass of the base": (
        {
            "halcyon/engine.py": ENGINE,
            "halcyon/own.py": NAMESAKE.replace("class Engine:\n    pass", "from halcyon.engine import Engine"),
        },
        STEP,
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_looks_like_a_decoy_and_is_none_makes_no_error(action: Action, name: str) -> None:
    base, change = HONEST[name]
    if base:
        action.repository.commit(dict(base))
    report = action.run(action.open(dict(change))).report()
    assert [each for each in report["findings"] if each["severity"] == "error"] == []
