"""The rule that decides the gate: it must know every way in which a module can exist, and report the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.rule_cases import findings_of

RULE = "api/missing-module-import"
PACKAGE = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/mod.py": "X = 1\n", "pkg/mod.py": "Y = 1\n"}


def reported(line: str, path: str = "pkg/run.py", **files: str) -> list[str]:
    """Return what is said of one added line in a package; ``files`` joins the tree."""
    base = PACKAGE | {name.replace("__", "/"): text for name, text in files.items()}
    return [finding.message for finding in findings_of(RULE, {path: line}, base)]


def in_tree(line: str, tree: dict[str, str], path: str = "pkg/run.py") -> int:
    return len(findings_of(RULE, {path: line}, PACKAGE | tree))


@pytest.mark.parametrize(("folder", "shown"), [("src", ".emoji"), ("tools/text", "tools.text.emoji")])
def test_a_relative_import_keeps_its_dots_where_its_name_alone_shows_no_package(folder: str, shown: str) -> None:
    found = findings_of(RULE, {f"{folder}/clean.py": "from .emoji import strip\n"}, {f"{folder}/__init__.py": ""})
    assert [each.message for each in found] == [
        f"The module `{shown}` does not exist in this repository at the head of this change."
    ]


def test_a_module_that_hides_the_folder_of_its_name_is_named() -> None:
    head = {"pkg/run.py": "from pkg.mod.part import X\n", "pkg/mod/part.py": "X = 1\n"}
    assert [each.message for each in findings_of(RULE, head, PACKAGE)] == [
        "The module `pkg.mod.part` cannot be imported: `pkg/mod.py` hides its folder."
    ]


def test_an_entry_of_a_lazy_table_imports_when_its_names_are_accessed() -> None:
    text = '_import_structure = {"gone": ["Model"]}\nmodule = _LazyModule(__name__, __file__, _import_structure)\n'
    assert [each.message for each in findings_of(RULE, {"pkg/sub/__init__.py": text}, PACKAGE)] == [
        (
            "The module `pkg.sub.gone` does not exist in this repository at the head of this change; "
            "this entry imports it when one of its names is first accessed."
        )
    ]


@pytest.mark.parametrize(
    "line",
    [
        "import pkg.gone\n",
        "import os, pkg.gone\n",
        "import pkg.gone as gone\n",
        "from pkg.gone import X\n",
        "from pkg.gone import (\n    X,\n    Y,\n)\n",
        "from pkg.gone import *\n",
        "from .gone import X\n",
        "from .sub.gone import X\n",
        "from pkg.mod.deeper import X\n",
        "def run():\n    from pkg.gone import X\n    return X\n",
        "class A:\n    import pkg.gone\n",
        "if fast():\n    import pkg.gone\n",
        "try:\n    import pkg.gone\nexcept ValueError:\n    pass\n",
        "try:\n    pass\nexcept ImportError:\n    pass\nfinally:\n    import pkg.gone\n",
        "CAUGHT = (KeyError, ValueError)\ntry:\n    import pkg.gone\nexcept CAUGHT:\n    pass\n",
        "with open('x') as f:\n    import pkg.gone\n",
        "import os; import pkg.gone\n",
        "async def run():\n    async with lock:\n        import pkg.gone\n",
        "match x:\n    case 1:\n        import pkg.gone\n",
    ],
)
def test_every_form_of_import_is_seen(line: str) -> None:
    assert len(reported(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "import pkg.mod, pkg.sub.mod\n",
        "from pkg import mod, sub\n",
        "from pkg import gone\n",  # the rule about names looks at it
        "from . import mod\n",
        "from .sub import mod\n",
        "from .sub.mod import X\n",
        "import gone\n",
        "from gone.mod import X\n",
        "from ..mod import X\n",  # beyond the package: what Python makes of it depends on how it is run
        "try:\n    import pkg.gone\nexcept ImportError:\n    pass\n",
        "CAUGHT = (OSError, ImportError)\ntry:\n    import pkg.gone\nexcept CAUGHT:\n    pass\n",
        "CAUGHT = ImportError\ntry:\n    import pkg.gone\nexcept CAUGHT:\n    pass\n",
        "try:\n    import pkg.gone\nexcept (KeyError, ModuleNotFoundError):\n    pass\n",
        "try:\n    import pkg.gone\nexcept Exception:\n    pass\n",
        "try:\n    import pkg.gone\nexcept:\n    pass\n",
        "try:\n    import pkg.mod\nexcept ImportError:\n    import pkg.slow\n",
        "try:\n    import fast\nexcept ImportError:\n    import pkg.slow\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pkg.gone\n",
        "import typing\nif typing.TYPE_CHECKING:\n    import pkg.gone\n",
        "import importlib.util\nif importlib.util.find_spec('pkg.gone'):\n    import pkg.gone\n",
        "if is_gone_available():\n    import pkg.gone\n",
        "if not HAS_GONE:\n    pass\nelse:\n    import pkg.gone\n",
        "import sys\nif sys.version_info < (3, 12):\n    import pkg.gone\n",
        "import torch\nif torch.__version__ >= '2':\n    import pkg.gone\n",
        "from packaging import version\nif version.parse(FOUND) >= LEAST:\n    import pkg.gone\n",
        "if False:\n    import pkg.gone\n",
        "from contextlib import suppress\nwith suppress(ImportError):\n    import pkg.gone\n",
        "import pytest\ndef test():\n    with pytest.raises(ImportError):\n        import pkg.gone\n",
        "import pytest\npytest.importorskip('pkg.gone')\nimport pkg.gone\n",
        "import sys\nsys.modules['pkg.gone'] = object()\nimport pkg.gone\n",
        "'''\nimport pkg.gone\n'''\n# import pkg.gone\n",
    ],
)
def test_what_exists_or_may_fail_is_left_alone(line: str) -> None:
    assert reported(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "from builtins import print as importorskip\nimportorskip('pkg.gone')\n",
        "importorskip = print\nimportorskip('pkg.gone')\n",
        "Mock().importorskip('pkg.gone')\n",
        "import pytest\ntry:\n    pytest.importorskip('pkg.gone')\nexcept BaseException:\n    pass\n",
        "import pytest\ntry:\n    pytest.importorskip('pkg.gone')\nexcept pytest.skip.Exception:\n    pass\n",
        "import pytest\nwith suppress(BaseException):\n    pytest.importorskip('pkg.gone')\n",
        "class sys:\n    modules = {}\nsys.modules['pkg.gone'] = 1\n",
        "import types as sys\nsys.modules['pkg.gone'] = 1\n",
        "import sys\nfor sys.modules['pkg.gone'] in ():\n    pass\n",
        "import sys\nsys.modules['pkg.gone'], other = None, 1\n",
        "import sys\ntry:\n    sys.modules['pkg.gone'] += 1\nexcept KeyError:\n    pass\n",
        "import sys\nnothing = None\nsys.modules['pkg.gone'] = nothing\n",
        "import sys\nsys.modules['pkg.gone'] = None if sys else (other := None)\n",
        "import sys\nsys.modules['pkg.gone'] = sys.modules.get('pkg.gone')\n",
    ],
)
def test_what_prepares_nothing_excuses_no_import(line: str) -> None:
    assert len(reported(f"{line}import pkg.gone\n")) == 1


@pytest.mark.parametrize("condition", ["version >= 2", "self.config.api_version == 2"])
def test_a_version_that_a_parameter_holds_says_nothing_of_a_module(condition: str) -> None:
    assert len(reported(f"def run(self, version):\n    if {condition}:\n        import pkg.gone\n")) == 1


@pytest.mark.parametrize(
    "line",
    [
        "import pytest as p\np.importorskip('pkg.gone')\n",
        "from pytest import importorskip\nimportorskip('pkg.gone')\n",
        "from testing_tools import importorskip\nimportorskip('pkg.gone')\n",
        "import pytest\nwith suppress(ImportError):\n    pytest.importorskip('pkg.gone')\n",
        "import sys as system\nsystem.modules['pkg.gone'] = fake\n",
        "import os, sys\nother, sys.modules['pkg.gone'] = None, os\n",
        "import sys\nfirst = sys.modules['pkg.gone'] = fake\n",
        "import sys\nfirst, sys.modules['pkg.gone'] = fakes\n",
        "from sys import modules\nmodules['pkg.gone'] = fake\n",
    ],
)
def test_what_prepares_a_module_excuses_its_import(line: str) -> None:
    assert reported(f"{line}import pkg.gone\n") == []


@pytest.mark.parametrize(
    ("module", "tree"),
    [
        ("pkg.gone", {"pkg/gone/__init__.py": ""}),
        ("pkg.space.mod", {"pkg/space/mod.py": ""}),
        ("pkg.space", {"pkg/space/table.json": ""}),
        ("pkg.gone", {"pkg/gone.so": ""}),
        ("pkg.gone", {"pkg/gone.cpython-311-x86_64-linux-gnu.so": ""}),
        ("pkg.gone", {"pkg/gone.pyi": ""}),
        ("pkg.gone", {"pkg/gone.pyx": ""}),
        ("pkg.gone", {"pkg/gone.py.in": ""}),
        ("pkg.gone.deeper", {"pkg/gone": "../elsewhere"}),  # a symlink, or a submodule: a path without a suffix
        ("pkg.gone", {"other/pkg/gone.py": ""}),
        ("pkg.gone", {"other": "a submodule", "deep/pkg/gone": "a symlink"}),
        ("pkg._version", {"pyproject.toml": "[tool.setuptools_scm]\n"}),
        ("pkg.version", {"setup.py": "write('pkg/version.py')\n"}),
        ("pkg._C", {"csrc/ops.cu": ""}),
        ("pkg.service_pb2", {"proto/service.proto": ""}),
        ("pkg.service_pb2_grpc", {"proto/service.proto": ""}),
        ("pkg.gone", {".gitignore": "*.log\npkg/gone.py\n"}),
        ("pkg.gone", {".gitignore": "/pkg/gone/\n"}),
        ("pkg.gone.deeper", {".gitignore": "/pkg/gone/**\n"}),
        ("pkg.gone", {".gitignore": "gone.py\n"}),
        ("pkg.gone", {"pkg/.gitignore": "/g?ne.py\n"}),
        ("pkg.proto.gone", {".gitignore": "proto/\n"}),
        ("pkg.gone", {"setup.py": "setup(ext_modules=[Extension('pkg.gone', ['gone.c'])])\n"}),
        ("pkg.gone", {"pyproject.toml": "[tool.hatch.build.targets.wheel.force-include]\n'x' = 'pkg/gone'\n"}),
        ("pkg.gone.deeper", {"setup.py": "shutil.copytree('csrc', 'pkg/gone/deeper')\n"}),
        ("pkg.gone", {"csrc/CMakeLists.txt": "pybind11_add_module(gone gone.cpp)\n"}),
        ("pkg.gone", {"setup.py": "setup(ext_modules=[CUDAExtension('gone', sources)])\n"}),
        ("pkg._gone", {"CMakeLists.txt": "pybind11_add_module(_gone gone.cpp)\n"}),
        ("pkg.gone", {"pkg/__init__.py": "__path__ = extend_path(__path__, __name__)\n"}),
        ("pkg.gone", {"pkg/__init__.py": "import sys\nsys.modules['pkg.' + name] = other\n"}),
        ("pkg.mod.gone", {"pkg/mod.py": "import sys\nsys.modules[__name__ + '.gone'] = other\n"}),
        ("pkg.gone", {"pkg/stand_in.py": "import sys\nsys.modules['pkg.gone'] = other\n"}),
    ],
)
def test_a_module_that_something_in_the_tree_hints_at_is_left_alone(module: str, tree: dict[str, str]) -> None:
    assert in_tree(f"import {module}\n", tree) == 0


@pytest.mark.parametrize(
    ("module", "tree"),
    [
        ("pkg.gone", {"pkg/gone.md": "", "pkg/gone.json": "", "docs/gone.py": ""}),
        ("pkg.models.gone", {".gitignore": "models/\ndata/\n"}),  # swallowed by git: what the rule is for
        ("pkg.gone", {".gitignore": "gone\n!gone\n*.so\n*.py[cod]\n"}),
        ("pkg.gone", {".gitignore": "pkg/*.py\n!pkg/gone.py\n"}),
        ("pkg.gone", {"setup.py": "setup(name='pkg', description='long gone')\n"}),
        ("pkg.gone", {"pkg/__init__.py": "import sys\nsys.modules[__name__] = Lazy()\n"}),
        ("pkg.gone", {"tests/conftest.py": "import sys\nsys.modules['pkg.gone'] = other\n"}),
        ("pkg.gone", {"pkg/gone_too.so": "", "pkg/sub/gone.py": ""}),
    ],
)
def test_a_likeness_is_no_hint(module: str, tree: dict[str, str]) -> None:
    assert in_tree(f"import {module}\n", tree) == 1


def test_a_stub_of_the_tests_excuses_a_test() -> None:
    tree = {"tests/conftest.py": "import sys\nsys.modules['pkg.gone'] = other\n"}

    assert in_tree("import pkg.gone\n", tree, path="tests/test_run.py") == 0


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ({"pkg/mod.py": ""}, "pkg/run.py"),  # a namespace package: other distributions may add to it
        ({"logging/__init__.py": ""}, "run.py"),
        ({"datasets/__init__.py": ""}, "examples/run.py"),
        ({"utils/__init__.py": ""}, "examples/run.py"),
        ({"project/pkg/__init__.py": "", "project/setup.py": ""}, "elsewhere/run.py"),
        ({"deep/inside/pkg/__init__.py": ""}, "run.py"),
    ],
)
def test_a_package_that_may_be_another_one_is_left_alone(tree: dict[str, str], path: str) -> None:
    lines = "import sys\nsys.path.insert(0, '/elsewhere')\n" if "utils/__init__.py" in tree else ""
    for top in ("pkg", "logging", "datasets", "utils"):
        assert findings_of(RULE, {path: f"{lines}import {top}.gone\n"}, tree) == []


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ({"src/pkg/__init__.py": ""}, "tests/test_run.py"),
        ({"python/pkg/__init__.py": ""}, "benchmarks/run.py"),
        ({"project/pkg/__init__.py": "", "project/setup.py": ""}, "project/tests/test_run.py"),
        ({"project/src/pkg/__init__.py": "", "project/pyproject.toml": ""}, "project/tests/test_run.py"),
        ({"project/pkg/__init__.py": "", "project/setup.py": "setup(name='pkg')"}, "elsewhere/run.py"),
        ({"pkg/__init__.py": ""}, "examples/deep/run.py"),
    ],
)
def test_layouts(tree: dict[str, str], path: str) -> None:
    (finding,) = findings_of(RULE, {path: "import pkg.gone\n"}, tree)

    assert "`pkg.gone`" in finding.message
    assert findings_of(RULE, {path: "import pkg\n"}, tree) == []


def test_a_test_that_sets_the_path_still_means_the_project_of_that_name() -> None:
    text = "import sys\nsys.path.insert(0, '..')\nfrom pkg.gone import X\n"
    tree = PACKAGE | {"pyproject.toml": "[project]\nname = 'pkg'\n"}

    assert len(findings_of(RULE, {"tests/test_run.py": text}, tree)) == 1
    assert findings_of(RULE, {"tests/test_run.py": text}, PACKAGE) == []


@pytest.mark.parametrize("path", ["tests/test_run.py", "tests/conftest.py", "examples/run.py", "run.py"])
def test_a_change_cannot_ask_for_a_release_by_a_header_of_its_own(path):
    tree = PACKAGE | {"pyproject.toml": "[project]\nname = 'pkg'\n", path: "x = 1\n"}
    header = "# /// script\n# dependencies = ['pkg']\n# ///\n"

    assert len(findings_of(RULE, {path: f"{header}import pkg.gone\n"}, tree)) == 1
    assert len(findings_of(RULE, {path: f"TEXT = '''\n{header}'''\nimport pkg.gone\n"}, tree)) == 1


def test_an_example_with_its_own_release_of_the_project_is_left_alone() -> None:
    tree = PACKAGE | {"pyproject.toml": "[project]\nname = 'pkg'\n", "examples/old/requirements.txt": "pkg==0.1\n"}
    script = "# /// script\n# dependencies = ['pkg==0.1']\n# ///\nimport pkg.gone\n"

    assert findings_of(RULE, {"examples/old/run.py": "import pkg.gone\n"}, tree) == []
    assert findings_of(RULE, {"examples/run.py": script}, tree | {"examples/run.py": script[:-1]}) == []
    assert len(findings_of(RULE, {"examples/run.py": "import pkg.gone\n"}, tree)) == 1


def test_what_the_change_adds_exists_and_what_it_deletes_does_not() -> None:
    added = {"pkg/run.py": "import pkg.new\n", "pkg/new.py": "X = 1\n"}
    deleted = {"pkg/run.py": "import pkg.mod\n", "pkg/mod.py": None}

    assert findings_of(RULE, added, PACKAGE) == []
    assert len(findings_of(RULE, deleted, PACKAGE)) == 1


def test_a_line_that_was_there_before_is_not_ours() -> None:
    base = PACKAGE | {"pkg/run.py": "import pkg.mod\nfrom pkg.gone import (\n    A,\n)\n"}
    head = {"pkg/run.py": "import pkg.mod\nfrom pkg.gone import (\n    A,\n    B,\n)\n", "pkg/mod.py": None}

    assert findings_of(RULE, head, base) == []


def test_a_finding_points_at_the_import() -> None:
    (finding,) = findings_of(RULE, {"pkg/run.py": "import os\n\nimport sys, pkg.gone as g\n"}, PACKAGE)

    assert (finding.line, finding.column, finding.end_column) == (3, 13, 26)
    assert finding.placement == "inline"
    assert finding.severity == "error"


def test_an_import_that_type_checkers_ignore_is_less_than_an_error() -> None:
    (finding,) = findings_of(RULE, {"pkg/run.py": "from pkg.gone import run  # type: ignore\n"}, PACKAGE)

    assert finding.severity == "warning"


GUARDED = "try:\n    from pkg.fast import run\n\n    NAME = 'pkg.fast.run'\nexcept ImportError:\n    run = None\n"


@pytest.mark.parametrize(
    ("base", "head", "severity"),
    [
        ({}, {"pkg/use.py": GUARDED}, "hint"),
        ({"pkg/use.py": GUARDED}, {}, "hint"),
        ({}, {}, "error"),  # nothing imports it
        ({"pkg/fast.py": "run = 1\n"}, {"pkg/use.py": GUARDED}, "error"),  # the change breaks what worked
        ({}, {"pkg/use.py": GUARDED, "pkg/other.py": "from pkg.fast import run\n"}, "error"),
        ({}, {"pkg/use.py": GUARDED, "pkg/other.py": "def start():\n    from . import fast\n"}, "error"),
        ({}, {"pkg/use.py": GUARDED.replace("run = None", "raise")}, "error"),
        ({}, {"pkg/use.py": GUARDED, "pkg/other.py": "NAMES = ['pkg.fast']\n"}, "error"),
        ({}, {"pkg/use.py": GUARDED + "\nload('pkg.fast')\n"}, "error"),
        ({}, {"pkg/use.py": GUARDED, "run.sh": "python -m pkg.fast\n"}, "error"),
        ({"pkg/__init__.py": "import os\n\nNAMES = os.listdir('pkg')\n"}, {"pkg/use.py": GUARDED}, "error"),
    ],
)
def test_a_new_file_whose_importers_all_go_on_without_it_breaks_none_of_them(base, head, severity):
    new = {"pkg/fast.py": "from pkg.vendor import run\n"}
    found = findings_of(RULE, {**new, **head}, {**PACKAGE, **base})
    assert [(each.path, each.severity) for each in found] == [("pkg/fast.py", severity)]


@pytest.mark.parametrize(
    "text", ["def start():\n    import pkg.vendor\n", "import pkg.vendor\n\nif __name__ == '__main__':\n    run()\n"]
)
def test_an_import_that_runs_later_and_a_script_are_not_excused_by_guarded_imports(text):
    (finding,) = findings_of(RULE, {"pkg/fast.py": text, "pkg/use.py": GUARDED}, PACKAGE)
    assert finding.severity == "error"


def test_git_tells_of_symlinks_and_submodules(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path)
    os.makedirs(tmp_path / "pkg")
    os.symlink("../shared", tmp_path / "pkg" / "linked")
    base = repository.commit({"pkg/__init__.py": "", "shared/mod.py": ""})
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{base},pkg/module")
    repository.git("commit", "--quiet", "-m", "submodule")
    base = repository.git("rev-parse", "HEAD").decode().strip()
    repository.write({"pkg/run.py": "import pkg.linked.mod\nimport pkg.module.inner\nimport pkg.gone\n"})
    repository.git("add", "pkg/run.py")
    repository.git("commit", "--quiet", "-m", "run")

    command = [sys.executable, "-m", "review_bot", "review", "--base", base, "--head", "HEAD", "--format", "json"]
    answer = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": os.fspath(Path(__file__).parents[2])},
    )  # fmt: skip

    found = [(f["path"], f["line"]) for f in json.loads(answer.stdout)["findings"] if f["rule"] == RULE]
    assert found == [("pkg/run.py", 3)]
    assert answer.returncode == 1


EARLY = (
    "from {} import ir\n\n\ndef compiled(text):\n    return ir.parse(text)\n\n\ndef shown(text):\n    return text * 2\n"
)
LATE = "def compiled(text):\n    from {} import ir\n\n    return ir.parse(text)\n\n\ndef shown(text):\n    return text * 2\n"


@pytest.mark.parametrize(
    ("module", "before", "after", "found"),
    [
        ("._mlir", EARLY, EARLY, 0),
        (".made", EARLY, EARLY, 1),
        ("._mlir", LATE, EARLY, 1),
        ("._mlir", EARLY, LATE, 0),
    ],
)
def test_a_file_that_moves_lacks_only_what_it_had_at_its_old_place(
    tmp_path: Path, module: str, before: str, after: str, found: int
) -> None:
    repository = GitRepository(tmp_path)
    text = before.format(f".{module}")
    made = {"dsl/made.py": "ir = None\n"}
    repository.commit({"dsl/__init__.py": "", "dsl/base/__init__.py": "", "dsl/base/compiler.py": text, **made})
    repository.git("checkout", "--quiet", "-b", "work")
    repository.write({"dsl/core/__init__.py": "", "dsl/core/base/__init__.py": ""})
    repository.git("mv", "dsl/base/compiler.py", "dsl/core/base/compiler.py")
    repository.write({"dsl/core/base/compiler.py": after.format(f".{module}")})
    repository.git("add", "dsl")
    repository.git("commit", "--quiet", "-m", "move")

    done = run_command(
        ["review", "-C", repository.folder, "--format", "json"], text=True, env={**ENVIRONMENT, "CI": "1"}
    )

    assert [each["rule"] for each in json.loads(done.stdout)["findings"]].count(RULE) == found


NAMES = st.sampled_from(["one", "two", "three"])
MODULES = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TREES = st.lists(st.tuples(MODULES, st.booleans()), max_size=6)
IMPORTS = st.lists(NAMES, min_size=1, max_size=4).map(lambda parts: ".".join(["top", *parts]))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES, IMPORTS)
def test_python_agrees(modules: list[tuple[str, bool]], wanted: str) -> None:
    """What Python finds in a tree on disk is not reported, and what it does not find is.

    A folder in the shadow of a module of its name is the exception: there the rule stays silent.
    """
    tree = {"top/__init__.py": ""} | {
        f"top/{place}/__init__.py" if package else f"top/{place}.py": "" for place, package in modules
    }

    found = findings_of(RULE, {"run.py": f"import {wanted}\n"}, tree)

    with TemporaryDirectory() as folder:
        for name in tree:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", encoding="utf-8")
        finds = python_finds(wanted, folder)
    assert not (found and finds)
    shadowed = any(
        name.removesuffix(".py") in {str(parent) for other in tree for parent in Path(other).parents} for name in tree
    )
    assert found or finds or shadowed


def python_finds(wanted: str, folder: str) -> bool:
    """Return whether Python's own finder finds a module below a folder, without running anything."""
    PathFinder.invalidate_caches()
    where: list[str] | None = [folder]
    for part in wanted.split("."):
        if where is None:
            return False
        spec = PathFinder.find_spec(part, where)
        if spec is None:
            return False
        where = None if spec.submodule_search_locations is None else list(spec.submodule_search_locations)
    return True


def test_a_portion_of_a_namespace_package_in_a_project_of_its_name_is_one() -> None:
    base = {
        "pyproject.toml": '[project]\nname = "pkg-server"\n',
        "pkg_server/__init__.py": "",
        "backends/npu/README.md": "",
    }
    portion = {"backends/npu/server/pkg_server/env.py": "", "backends/npu/run.py": "import pkg_server.env\n"}
    named = {"backends/npu/server/pyproject.toml": '[project]\nname = "pkg-server"\n'}
    other = {"backends/npu/server/pyproject.toml": '[project]\nname = "other"\n'}

    assert not findings_of("api/missing-module-import", portion | named, base)
    assert findings_of("api/missing-module-import", portion | other, base)


@pytest.mark.parametrize(
    "shares",
    [
        "__import__('pkg_resources').declare_namespace(__name__)\n",
        "import pkg_resources\n\npkg_resources.declare_namespace(__name__)\n",
    ],
)
def test_other_projects_install_parts_of_a_namespace_package(shares: str) -> None:
    base = {"sound/__init__.py": shares, "sound/audio/__init__.py": "", "sound/old.py": ""}
    lines = "import sound.core.segment\nimport sound.audio.gone\nimport sound.old\n"
    head = {"sound/audio/run.py": lines, "sound/old.py": None}

    found = findings_of(RULE, head, base)
    assert [finding.line for finding in found] == [2, 3]
    found = findings_of(RULE, head | {"sound/__init__.py": shares}, base | {"sound/__init__.py": ""})
    assert [finding.line for finding in found] == [1, 2, 3]  # the change cannot excuse itself


COPY = {"old/setup.py": "setup(name='transformers')\n", "old/src/transformers/__init__.py": ""}


@pytest.mark.parametrize(
    ("path", "tree", "count"),
    [
        ("new/run.py", COPY, 0),
        ("old/run.py", COPY, 1),
        ("old/src/transformers/run.py", COPY, 1),
        ("new/run.py", {"python/setup.py": "setup(name='transformers')\n", "python/transformers/__init__.py": ""}, 1),
        ("new/run.py", {"old/setup.py": "setup(name='mine')\n", "old/transformers/__init__.py": ""}, 0),
    ],
)
def test_another_project_of_the_repository_may_be_a_copy_of_a_well_known_one(path, tree, count):
    assert in_tree("from transformers.gone import X\n", tree, path) == count


@pytest.mark.parametrize("manifest", [None, "[project]\nname = 'other'\n", "[project]\n", "name = ["])
@pytest.mark.parametrize("top", ["transformers", "engine"])
def test_a_change_cannot_take_the_name_of_the_project_away(top, manifest):
    base = {"pyproject.toml": f"[project]\nname = '{top}'\n", f"{top}/__init__.py": ""}
    head = {
        "pyproject.toml": manifest,
        "tests/test_run.py": f"import sys\nsys.path.insert(0, 'x')\nimport {top}.gone\n",
    }

    assert len(findings_of(RULE, head, base)) == 1


@pytest.mark.parametrize(("setup", "count"), [('setup(ext_modules=cythonize("core.pyx"))\n', 0), ("setup()\n", 1)])
def test_a_build_inside_a_package_puts_its_module_one_folder_deeper(setup: str, count: int) -> None:
    head = {"align/__init__.py": "from .align.core import run\n", "align/setup.py": setup, "align/core.pyx": "x = 1\n"}

    assert len(findings_of(RULE, head, {"pkg/__init__.py": ""})) == count
