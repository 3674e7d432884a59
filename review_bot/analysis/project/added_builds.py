"""Modules that a build makes once the change is merged: extensions and versions that it adds itself.

A change could excuse its own broken imports so, and nothing is built here. So a build file must make the module where
the module is wanted, in code that runs, and from a source of the tree that defines a module of that name: a word in a
description, a comment or a file of another folder does not.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from review_bot.analysis.project.native_modules import OF_C, defines_module, is_in_source, rust_modules
from review_bot.analysis.project.native_targets import (
    defines_by_macro,
    expanded,
    installs,
    is_beside,
    is_rule_of_make,
    makes_module,
    names_extension,
    puts_there,
)
from review_bot.analysis.project.uncalled_functions import unreached
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_name, keyword, text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.changes.python_parsing import parsed
from review_bot.text.lazy_regex import LazyRegex

_BUILD_FILES = LazyRegex(
    r"(?:^|/)(?=[^/]*$)(?:setup\.py|setup\.cfg|pyproject\.toml|CMakeLists\.txt|Cargo\.toml|meson\.build|[Mm]akefile"
    r"|(?=\w+\.py$)\w*build\w*\.py"
    r"|BUILD(?:\.bazel)?|MANIFEST\.in|justfile|tox\.ini|noxfile\.py|[^/]*Dockerfile[^/]*|[^/]*\.cmake)$"
)
NATIVE_BUILD = LazyRegex(r"(?:^|/)(?:CMakeLists\.txt|Cargo\.toml|meson\.build|BUILD(?:\.bazel)?|[^/]*\.cmake)$")
VERSION_NAME = LazyRegex(
    r"_?version|__version__|_?version_info|_?build_(?:info|config)|_build|_?git_version|_?commit_(?:id|hash)"
    r"|_?generated\w*|\w+_generated|parsetab|lextab|__about__|_metadata"
)
OF_PYTHON = LazyRegex(r"\.pyx$|\.py\.(?:in|j2|jinja2?|tmpl|template|mako)$")
_VERSION_FILE = LazyRegex(r"""(?:version[_-]file|write[_-]to)["']?\s*[=:]\s*["']?([\w./-]+)\.py""")
_CMAKE_SOURCE = LazyRegex(r"(?<![\w./-])[\w./-]{1,200}\.(?:c|cc|cpp|cxx|cu|hip)(?![\w.])")
_FINDS_CYTHON = LazyRegex(r"""["'][*/]{0,8}\.pyx["']""")
_MAKES_EXTENSIONS = LazyRegex(r"(?i)extension|cythonize|mypycify|_ext(?:_|\b)")
_OF_EXTENSIONS = frozenset({"ext_modules", "rust_extensions", "cffi_modules", "cmdclass", None})
"""The arguments of ``setup`` that make modules; None: of a dictionary."""
_ABOUT_EXTENSIONS = LazyRegex(r"(?i)extension|ext[_-]modules|cython|mypyc|maturin|rust|pybind|nanobind|cffi")
_BUILD_TOOLS = LazyRegex(r"setuptools|maturin|hatch|scikit-build|pdm|poetry|cython|versioningit")
_MAKING = (
    r"(?:add_library|add_module|extension_module|configure_file|cc_binary|cc_library|py_extension|pybind_extension"
    r"|add_target)\w{0,40}\s{0,20}\([^()]{0,4000}"
)
"""A command of CMake, Meson or Bazel that makes what its arguments name, up to one of these."""

_COMMENT = LazyRegex(r"(?m)(?:^|(?<=\s))#.*$")
MOST_BUILD_FILES = 60
_LONGEST_KEY = 200


@query
def build_files(side: Snapshot) -> tuple[str, ...]:
    """Return the build files nearest to the root."""
    found = sorted((path for path in side.paths if _BUILD_FILES.search(path)), key=lambda path: (path.count("/"), path))
    return tuple(found[:MOST_BUILD_FILES])


@lru_cache(maxsize=8)
def without_comments(text: str) -> str:
    """Return the text of a build file without its comments."""
    return _COMMENT.sub("", text)


def is_built_by_change(place: str, stem: str, codebase: Codebase) -> bool:
    """Return whether a build file of the head makes a module whose source is in the tree, or writes a version there.

    ``place`` is the path of the module without suffix, ``stem`` its last name.
    """
    for path in build_files(codebase.head):
        text = codebase.head.text(path) or ""
        if stem not in text and place.rpartition("/")[2] not in text:
            continue
        if NATIVE_BUILD.search(path):
            if _is_built_natively(path, text, place, stem, codebase.head):
                return True
            continue
        if is_rule_of_make(path, text, place, codebase.head):
            return True
        if not _is_of_project(path, place):
            continue
        if _has_source(codebase.head, place, stem) and _declares(path, text, stem):
            return True
        if VERSION_NAME.fullmatch(stem) and any(
            f"/{place}".endswith(f"/{each.lstrip('./')}") for each in _VERSION_FILE.findall(_of_tools(path, text))
        ):
            return True
    return (
        _is_binding(place, stem, codebase.head)
        or _is_target(place, stem, codebase.head)
        or _is_extension(place, stem, codebase.head)
        or _is_compiled_on_import(place, stem, codebase.head)
        or _is_found_by_setup(place, codebase)
    )


def _is_built_natively(path: str, text: str, place: str, stem: str, side: Snapshot) -> bool:
    """Return whether the file of a native build makes a module of this name from a source that defines it."""
    plain = expanded(without_comments(text))
    if _has_source(side, place, stem) and _makes(path, plain, stem):
        return True
    there = is_beside(path, plain, place) or puts_there(plain, place) or installs(plain, place)
    if (there or makes_module(plain, stem)) and is_in_source(side, stem):
        return True
    return names_extension(plain, stem) and defines_by_macro(path, side)


def _is_found_by_setup(place: str, codebase: Codebase) -> bool:
    """Return whether ``setup.py`` takes all sources in Cython that it finds, at the base already, and one is there.

    ::

        files = [each for each in walk("engine") if each.endswith(".pyx")]
    """
    if f"{place}.pyx" not in codebase.head.paths:
        return False
    setups = (each for each in build_files(codebase.base) if posixpath.basename(each) == "setup.py")
    texts = (without_comments(codebase.base.text(each) or "") for each in setups if _is_of_project(each, place))
    return any(_FINDS_CYTHON.search(text) and _MAKES_EXTENSIONS.search(text) for text in texts)


def _is_of_project(path: str, place: str) -> bool:
    """Return whether a manifest is in a folder above a module."""
    folder, _, name = path.rpartition("/")
    return name in {"setup.py", "pyproject.toml"} and (not folder or place.startswith(f"{folder}/"))


def _makes(path: str, text: str, stem: str) -> bool:
    """Return whether the file of a native build makes something of this name: the word alone may be in a description.

    ::

        add_library(fast fast.cpp)            configure_file(fast.py.in fast.py)
    """
    name = re.escape(stem)
    if path.endswith("Cargo.toml"):
        return re.search(rf"\[lib\][^\[]*\bname\s*=\s*[\"']{name}[\"']", text) is not None
    return re.search(rf"{_MAKING}(?<![\w.]){name}(?!\w)", text) is not None


def _declares(path: str, text: str, stem: str) -> bool:
    """Return whether a manifest declares an extension of this name.

    ::

        Extension("pkg.fast", ["fast.c"])     fast = {path = "fast.pyx"}     in a table of a tool that builds
    """
    if path.endswith("setup.py"):
        tree = parsed(text)
        return tree is not None and stem in _named_extensions(tree)
    name = re.escape(stem)
    named = rf"[\"'](?:[\w./-]{{0,200}}[./])?{name}(?:[\"']|\.\w+[\"'])|[./]{name}(?:\.\w+)?\s*[=\]]"
    lines = _of_tools(path, text).splitlines()
    return any(_ABOUT_EXTENSIONS.search(each) and re.search(named, each) for each in lines)


@kept_on_node
def _named_extensions(tree: ast.Module) -> frozenset[str]:
    """Return the last names that the strings of a ``setup.py`` hold, if it makes extensions; not of what describes it.

    ::

        "pkg.fast"   "pkg/fast.pyx"
    """
    dead, calls = unreached(tree), nodes_of(tree, ast.Call)
    if not _gives_extensions(tree) or not any(
        _MAKES_EXTENSIONS.search(last_name(each.func)) and id(each) not in dead for each in calls
    ):
        return frozenset()
    described = {
        id(node)
        for call in calls
        if last_name(call.func) == "setup"
        for each in (*call.args, *(one.value for one in call.keywords if one.arg not in _OF_EXTENSIONS))
        for node in walk(each)
    }
    described.update(id(node) for each in nodes_of(tree, ast.Expr) if _does_nothing(each) for node in walk(each))
    texts = (each.value for each in nodes_of(tree, ast.Constant) if id(each) not in described and id(each) not in dead)
    return frozenset(
        name
        for text in texts
        if isinstance(text, str)
        for name in (posixpath.basename(text).rpartition(".")[2], posixpath.basename(text).partition(".")[0])
    )


def _gives_extensions(tree: ast.Module) -> bool:
    """Return whether a ``setup.py`` gives ``setup`` modules to make."""
    return any(
        last_name(call.func) == "setup" and any(each.arg in _OF_EXTENSIONS for each in call.keywords)
        for call in nodes_of(tree, ast.Call)
    )


def _does_nothing(statement: ast.Expr) -> bool:
    """Return whether a statement is a string, or makes an extension that nothing keeps."""
    value = statement.value
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and last_name(value.func)[:1].isupper())


@lru_cache(maxsize=8)
def _of_tools(path: str, text: str) -> str:
    """Return what ``pyproject.toml`` gives to tools that build, as lines ``key.key = "text"``; all of another file."""
    if not path.endswith("pyproject.toml"):
        return without_comments(text)
    tools = _table(text).get("tool")
    waiting = [(name, of) for name, of in tools.items() if _BUILD_TOOLS.match(name)] if isinstance(tools, dict) else []
    lines: list[str] = []
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{key}.{name}" if len(key) < _LONGEST_KEY else name, of) for name, of in value.items()]
        elif isinstance(value, list):
            waiting += [(key, each) for each in value]
        elif isinstance(value, str):
            lines.append(f'{key} = "{value}"')
    return "\n".join(lines)


def _table(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _is_binding(place: str, stem: str, side: Snapshot) -> bool:
    """Return whether Bazel builds the module from a source in its folder that defines it for Python.

    Its rule has the name of the file without ``lib``.
    """
    folder = place.rpartition("/")[0]
    builds = [side.text(f"{folder}/{name}") for name in ("BUILD", "BUILD.bazel")]
    if not any(builds):
        return False
    target = re.compile(rf"\b\w+\(\s*name\s*=\s*[\"'](?:lib)?{re.escape(stem.removeprefix('lib'))}(?:\.so)?[\"']")
    if not any(target.search(without_comments(text)) for text in builds if text is not None):
        return False
    beside = [each for each in side.paths if each.rpartition("/")[0] == folder and OF_C.search(each)]
    return any(defines_module(side.text(each) or "", stem) for each in sorted(beside)[:MOST_BUILD_FILES])


def _is_compiled_on_import(place: str, stem: str, side: Snapshot) -> bool:
    """Return whether a source next to where the module is wanted asks ``cppimport`` to compile it.

    Source: https://github.com/tbenthompson/cppimport
    """
    texts = (side.text(f"{place}.{ending}") or "" for ending in ("c", "cpp"))
    return any("cppimport" in text.partition("\n")[0] and defines_module(text, stem) for text in texts)


def _is_target(place: str, stem: str, side: Snapshot) -> bool:
    """Return whether ``setup.py`` declares an extension in full, and a CMake file builds it from sources of the tree.

    They seldom have the name of the module.
    """
    if not any(True for _ in _extensions(place, stem, side)):
        return False
    target = re.compile(rf"(?<![\w.]){re.escape(stem)}(?!\w)")
    texts = ((path, side.text(path) or "") for path in build_files(side) if NATIVE_BUILD.search(path))
    return any(
        f"{path.rpartition('/')[0]}/{each}".lstrip("/") in side.paths
        for path, text in texts
        if stem in text and target.search(without_comments(text))
        for each in _CMAKE_SOURCE.findall(without_comments(text))
    )


def _is_extension(place: str, stem: str, side: Snapshot) -> bool:
    """Return whether a ``setup.py`` makes the module from a source in the tree that defines one for Python.

    ::

        CUDAExtension(name="pkg.moe_ops", sources=["csrc/moe.cpp", "csrc/moe_kernels.cu"])
        sources = ["csrc/moe.cpp"]; CUDAExtension("pkg.moe_ops", sources)
    """
    for folder, call, tree in _extensions(place, stem, side):
        listed = keyword(call, "sources") or (call.args[1] if len(call.args) > 1 else None)
        places = (posixpath.join(folder, each) for each in _listed_sources(listed, tree))
        sources = (one for each in places for one in _matching(each, side) if OF_C.search(one))
        if any(defines_module(side.text(each) or "", stem) for each in sources):
            return True
    return False


def _extensions(place: str, stem: str, side: Snapshot) -> Iterator[tuple[str, ast.Call, ast.Module]]:
    """Yield each extension with a module's full name: the folder of its ``setup.py``, the call, the tree."""
    for path in build_files(side):
        dotted = place.removeprefix(f"{path.rpartition('/')[0]}/").replace("/", ".")
        names = {dotted.removeprefix(prefix) for prefix in ("", "src.", "python.")}
        text = (side.text(path) or "") if path.endswith("setup.py") and _is_of_project(path, place) else ""
        tree = parsed(text) if stem in text and "Extension" in text else None
        if tree is None or not _gives_extensions(tree):
            continue
        dead = unreached(tree).union(id(each.value) for each in nodes_of(tree, ast.Expr))
        for call in nodes_of(tree, ast.Call):
            name = keyword(call, "name") or (call.args[0] if call.args else None)
            if last_name(call.func).endswith("Extension") and text_of(name) in names and id(call) not in dead:
                yield path.rpartition("/")[0], call, tree


def _listed_sources(listed: ast.expr | None, tree: ast.Module) -> list[str]:
    """Return the sources that lists and ``glob("csrc/*.cu")`` name, at their place or assigned to one variable."""
    if isinstance(listed, ast.Name):
        values = [each.value for each in nodes_of(tree, ast.Assign) if is_name(each.targets[0], listed.id)]
        listed = values[0] if len(values) == 1 else None
    waiting, elements = [listed], list[ast.expr]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp):
            waiting += [each.right, each.left]
        elif isinstance(each, (ast.List, ast.Tuple)):
            elements += each.elts
        elif isinstance(each, ast.Call) and last_name(each.func) == "glob":
            elements += each.args[:1]
    return [text for each in elements if (text := text_of(each))]


def _matching(place: str, side: Snapshot) -> list[str]:
    """Return the files of a path, or of a pattern with stars."""
    return sorted(fnmatch.filter(side.paths, place)) if "*" in place else [place]


@query
def _has_source(side: Snapshot, place: str, stem: str) -> bool:
    """Return whether a source makes a module of a name: C and C++ must say so, others have its place and name."""
    for path in _sources(side).get(stem, ()):
        text = side.text(path) or ""
        if OF_C.search(path):
            if defines_module(text, stem):
                return True
        elif path.rpartition("/")[0] == place.rpartition("/")[0] and text.strip():
            return True
    return stem in _rust_modules(side)


@query
def _sources(side: Snapshot) -> dict[str, list[str]]:
    """Return the sources that compilers read, and the templates, by their names up to the first dot."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in side.paths if OF_C.search(path) or OF_PYTHON.search(path)):
        found.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
    return found


@query
def _rust_modules(side: Snapshot) -> frozenset[str]:
    """Return the modules that crates define for Python, in the file that PyO3's guide puts them in: ``src/lib.rs``."""
    crates = sorted(path for path in side.paths if path.endswith("src/lib.rs"))[:MOST_BUILD_FILES]
    return frozenset(name for path in crates for name in rust_modules(side.text(path) or ""))
