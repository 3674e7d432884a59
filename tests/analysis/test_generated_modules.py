"""Modules that a build makes: what ``.gitignore`` and build files of the base name."""

from __future__ import annotations

import pytest

from review_bot.analysis.project.generated_modules import may_be_generated
from review_bot.analysis.project.native_modules import defines_module
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import closed


def generated(dotted: str, **texts: str) -> bool:
    """Return whether a module may be generated, by the texts of files; ``__`` in a name stands for a dot."""
    files = {name.replace("__", "."): text for name, text in texts.items()} | {"pkg/__init__.py": ""}
    codebase = Codebase(closed(files, files, files, files), PullRequest(()))
    return may_be_generated(dotted.replace(".", "/"), dotted, codebase)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", False),
        ("# pkg/made.py\n", False),
        ("pkg/made.py\n", True),
        ("/pkg/made.py\n", True),
        ("made.py\n", True),
        ("**/made.py\n", True),
        ("pkg/**/made.py\n", True),
        ("pkg/*.py\n", True),
        ("pkg/ma?e.py\n", True),
        ("pkg/[a-n]ade.py\n", True),
        ("pkg/[!m]ade.py\n", False),
        ("pkg/**\n", True),
        ("pkg/\n", False),
        ("/pkg/other.py\n", False),
        ("data/\n", False),
        ("made\n", False),
        ("pkg/made.py\n!pkg/made.py\n", False),
        ("pkg/[z-a].py\n", False),
        ("pkg/*a*d*\n", True),
    ],
)
def test_a_line_of_gitignore(lines: str, expected: bool) -> None:
    assert generated("pkg.made", __gitignore=lines) is expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("setup__py", "Extension('pkg.made', [])\n", True),
        ("setup__py", "names = ['made']\n", True),
        ("setup__py", "names = [made]\n", False),
        ("setup__py", "# 'made'\n", False),
        ("CMakeLists__txt", "add_library(made made.cpp)\n", True),
        ("CMakeLists__txt", "add_library(maderight)\n", False),
        ("Makefile", "python make.py > pkg/made.py\n", True),
        ("README", "pkg.made\n", False),
    ],
)
def test_a_build_file(name: str, text: str, expected: bool) -> None:
    assert generated("pkg.made", **{name: text}) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('write_parser("pkg/grammar/gen/")\n', True),
        ('# write_parser("pkg/grammar/gen/")\n', False),
        ('read("pkg/grammar/")\n', False),
    ],
)
def test_a_folder_that_a_build_file_fills(text: str, expected: bool) -> None:
    files = {"pkg/__init__.py": "", "pkg/grammar/__init__.py": "", "build_helpers.py": text}
    codebase = Codebase(closed(files, files, files, files), PullRequest(()))
    assert may_be_generated("pkg/grammar/gen/Lexer", "pkg.grammar.gen.Lexer", codebase) is expected


CMAKE = "set(SOURCES kernels/rocm/attention.cu)\nadd_target(_made DESTINATION pkg SOURCES ${SOURCES})\n"
SETUP = "if is_hip():\n    ext_modules.append(CMakeExtension(name='pkg._made'))\nsetup(ext_modules=ext_modules)\n"
SOURCE = {"kernels/rocm/attention.cu": "int run();\n"}


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ({"CMakeLists.txt": CMAKE, "setup.py": SETUP, **SOURCE}, True),
        ({"CMakeLists.txt": CMAKE, "setup.py": SETUP}, False),  # no source
        ({"CMakeLists.txt": CMAKE.replace("_made", "_other"), "setup.py": SETUP, **SOURCE}, False),
        ({"CMakeLists.txt": CMAKE, "setup.py": SETUP.replace("pkg._made", "_made"), **SOURCE}, False),
        ({"CMakeLists.txt": CMAKE, **SOURCE}, False),
    ],
)
@pytest.mark.parametrize("project", ["", "store/"])
def test_a_cmake_target_that_the_change_adds(project: str, added: dict[str, str], expected: bool) -> None:
    base = {"pkg/__init__.py": "", "pkg/run.py": ""}
    base, head = ({f"{project}{path}": text for path, text in side.items()} for side in (base, base | added))
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated(f"{project}pkg/_made", "pkg._made", codebase) is expected


INSTALLED = """
Python_add_library(_made MODULE WITH_SOABI ${SOURCES})
install(TARGETS _made LIBRARY DESTINATION pkg)
"""
EXTENSION = {"csrc/extension.cc": "TORCH_LIBRARY_FRAGMENT(pkg, m) {}\nREGISTER_EXTENSION(_made)\n"}


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ({"CMakeLists.txt": INSTALLED, **EXTENSION}, True),
        ({"CMakeLists.txt": INSTALLED, "csrc/extension.cc": "REGISTER_EXTENSION(_other)\n"}, False),
        ({"CMakeLists.txt": INSTALLED.replace("DESTINATION pkg", "DESTINATION other"), **EXTENSION}, False),
        ({"CMakeLists.txt": INSTALLED.replace("Python_add", "# Python_add"), **EXTENSION}, False),
        ({"CMakeLists.txt": INSTALLED}, False),
    ],
)
def test_a_cmake_target_that_is_installed_into_the_package(added: dict[str, str], expected: bool) -> None:
    base = {"python/pkg/__init__.py": "", "python/pkg/run.py": ""}
    head = base | added
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated("python/pkg/_made", "pkg._made", codebase) is expected


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ({"setup.py": "setup(ext_modules=[Extension('pkg.made', ['made.c'])])\n"}, True),
        ({"setup.py": "setup(ext_modules=[CUDAExtension('made', ['csrc/made.c'])])\n"}, True),
        ({"setup.py": "setup(ext_modules=cythonize('pkg/made.c'))\n"}, True),
        ({"pyproject.toml": "[[tool.setuptools.ext-modules]]\nname = 'pkg.made'\n"}, True),
        ({"CMakeLists.txt": "pybind11_add_module(made made.c)\n"}, True),
        ({"CMakeLists.txt": "set(NAME x)\nPython_add_library(${NAME} MODULE\n  csrc/made.c)\n"}, True),
        ({"meson.build": "py.extension_module('made', 'made.c')\n"}, True),
        ({"Cargo.toml": "[package]\nname = 'x'\n\n[lib]\nname = 'made'\n"}, True),
        ({"setup.py": "setup(description='made')\n"}, False),
        ({"setup.cfg": "[metadata]\ndescription = made by an extension\n"}, False),
        ({"pyproject.toml": "[project]\nkeywords = ['made']\n"}, False),
        ({"CMakeLists.txt": "project(made)\n"}, False),
        ({"Cargo.toml": "[package]\nname = 'made'\n"}, False),
        ({"pyproject.toml": "[tool.setuptools_scm]\nwrite_to = 'pkg/made.py'\n"}, False),
        ({"other/setup.py": "setup(ext_modules=[Extension('pkg.made', ['made.c'])])\n"}, False),  # of another project
        (
            {"setup.py": "setup(ext_modules=[Extension('pkg.made', ['made.c'])])\n", "csrc/made.c": "int run();\n"},
            False,
        ),
        ({"setup.py": "setup(ext_modules=[Extension('pkg.made', ['made.pyx'])])\n", "csrc/made.c": ""}, False),
        ({"setup.py": "names = ['pkg/made.c']\nsetup(ext_modules=cythonize(names))\n"}, True),
        ({"setup.py": "setup(keywords=['made'], ext_modules=cythonize('pkg/other.c'))\n"}, False),
        ({"setup.py": "'made'\nsetup(ext_modules=cythonize('pkg/other.c'))\n"}, False),
        ({"setup.py": "names = ['made']\nsetup(description='an extension')\n"}, False),
        ({"pyproject.toml": "[project]\nkeywords = ['cython', 'made']\n"}, False),
        ({"pyproject.toml": "[project]\ndescription = '''\n[tool.maturin]\nx = \"made\"\n'''\n"}, False),
        ({"pyproject.toml": "[tool.notes]\nextension = 'made'\n"}, False),
        ({"pyproject.toml": "[tool.maturin\n"}, False),
        ({"docs/setup.py": "setup(ext_modules=[Extension('pkg.made', ['../csrc/made.c'])])\n"}, False),
        ({"setup.py": "setup(ext_modules=cythonize('*.pyx'), **made('made'))\n", "csrc/made.c": ""}, False),
        (
            {
                "setup.py": "setup(ext_modules=cythonize('pkg/made.pyx'))\n",
                "csrc/made.c": "",
                "pkg/made.pyx": "x = 1\n",
            },
            True,
        ),
        (
            {
                "setup.py": "setup(ext_modules=cythonize('pkg/made.pyx'))\n",
                "csrc/made.c": "",
                "docs/made.pyx": "x = 1\n",
            },
            False,
        ),
        ({"CMakeLists.txt": "add_library(made)\n", "csrc/made.c": "", "docs/made.go": "package made\n"}, False),
    ],
)
def test_an_extension_that_the_change_adds(added: dict[str, str], expected: bool) -> None:
    base = {"pkg/__init__.py": "", "pkg/run.py": ""}
    head = base | {"csrc/made.c": "PyMODINIT_FUNC PyInit_made(void);\n"} | added
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated("pkg/made", "pkg.made", codebase) is expected


BOUND = "#include <torch/extension.h>\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n"
OPS = "ops = CUDAExtension(name='pkg.moe_ops', sources=['csrc/moe.cpp', 'csrc/moe_kernels.cu'])\nsetup(ext_modules=[ops])\n"
IN_VARIABLE = "def made():\n    sources = ['csrc/moe.cpp']\n    return [CUDAExtension('pkg.moe_ops', sources)]\nsetup(ext_modules=made())\n"


@pytest.mark.parametrize(
    ("setup", "source", "expected"),
    [
        (OPS, BOUND, True),
        (OPS.replace("name=", "").replace("sources=", ""), BOUND, True),
        (IN_VARIABLE, BOUND, True),
        (IN_VARIABLE, "int run();\n", False),
        (f"sources = []\n{IN_VARIABLE}", BOUND, False),  # which of the two?
        (IN_VARIABLE.replace("['csrc/moe.cpp']", "glob('csrc/*.cu') + glob('csrc/*.cpp')"), BOUND, True),
        (IN_VARIABLE.replace("['csrc/moe.cpp']", "glob('csrc/*.cu')"), BOUND, False),
        (OPS, "int run();\n", False),  # makes no module
        (OPS, None, False),
        (OPS.replace("pkg.moe_ops", "pkg.ops"), BOUND, False),
        (OPS.replace("ops = ", ""), BOUND, False),  # nothing takes it
        (OPS.replace("ext_modules=[ops]", "name='pkg'"), BOUND, False),
        (f"if False:\n    {OPS}", BOUND, False),
        (OPS, f"/* {BOUND} */\n// PYBIND11_MODULE(moe_ops, m) {{}}\n", False),
        (OPS, BOUND.replace("TORCH_EXTENSION_NAME", "other"), False),
        (OPS, BOUND.replace("TORCH_EXTENSION_NAME", "moe_ops"), True),
        (f"NAME = {OPS!r}\n", BOUND, False),
    ],
)
def test_an_extension_whose_source_has_another_name(setup: str, source: str | None, expected: bool) -> None:
    base = {"pkg/__init__.py": ""}
    head = base | {"setup.py": setup} | ({} if source is None else {"csrc/moe.cpp": source})
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated("pkg/moe_ops", "pkg.moe_ops", codebase) is expected


MATURIN = "[build-system]\nrequires = ['maturin']\n\n[tool.maturin]\nmodule-name = 'pkg.fast'\n"


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ({"pyproject.toml": MATURIN, "src/lib.rs": "#[pymodule]\nfn fast(m: &Bound<PyModule>) {}\n"}, True),
        ({"Cargo.toml": "[lib]\nname = 'fast'\n", "src/lib.rs": "#[pymodule]\npub mod fast {}\n"}, True),
        ({"pyproject.toml": MATURIN, "src/lib.rs": "fn fast() {}\n"}, False),
        ({"src/lib.rs": "#[pymodule]\nfn fast(m: &Bound<PyModule>) {}\n"}, False),
    ],
)
def test_a_crate_that_the_change_adds(added: dict[str, str], expected: bool) -> None:
    base = {"pkg/__init__.py": ""}
    head = base | added
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated("pkg/fast", "pkg.fast", codebase) is expected


def test_a_version_that_the_change_lets_a_build_write() -> None:
    base = {"pkg/__init__.py": ""}
    head = base | {"pyproject.toml": "[tool.setuptools_scm]\nwrite_to = 'pkg/_version.py'\n"}
    codebase = Codebase(closed(head, base, head, base), PullRequest(()))
    assert may_be_generated("pkg/_version", "pkg._version", codebase)


def test_a_string_of_c_without_an_end_takes_no_quadratic_time() -> None:
    assert not defines_module('"\\' * 60_000)
