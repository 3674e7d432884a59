"""Modules that a checkout lacks and a build makes: versions, protocol buffers, compiled extensions, copied folders.

A rule that says "this module does not exist" asks here first, and stays silent at any sign. Signs are read at the
base, so that a change cannot excuse its own imports by a line in a Makefile or an empty file. What the change itself
adds counts only as a whole: a source of the extension and the build file that names it, or a compiled module.

That a build file names a module says nothing where the base holds its source: an entry point does so too.
"""

from __future__ import annotations

import re

from review_bot.analysis.project.added_builds import (
    NATIVE_BUILD,
    OF_PYTHON,
    VERSION_NAME,
    build_files,
    is_built_by_change,
    without_comments,
)
from review_bot.analysis.project.ignored_modules import is_ignored
from review_bot.analysis.project.module_tree import Kind, ModuleTree, module_tree
from review_bot.analysis.project.native_modules import NATIVE_SOURCE, defines_module, is_in_source
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.text.lazy_regex import LazyRegex

_VERSION_TOOL = LazyRegex(
    r"scm|versioneer|vcs|version[_-]file|write[_-]to|build_py|version_path|version\.py|ply\b|yacc"
)
_MESSAGE_NAME = LazyRegex(r"(\w+)_pb2(?:_grpc)?")
_COMPILES_MESSAGES = LazyRegex(r"(?i)proto(?!typ|col)|_pb2")
_NATIVE_NAME = LazyRegex(r"_C\w*|_?\w+_(?:cuda|cpp|ext|extension|rs|rust)|_(?:rust|native|core|cuda|lib)\w*")
_OPERATION_NAME = LazyRegex(r"gen_\w*op\w*")
_WRAPS_OPERATIONS = LazyRegex(r"gen_op_wrapper")
"""TensorFlow's Bazel rules that write a Python module of functions for operations in C++."""
_WRITES = LazyRegex(r"""["']w[bt+]?["']|\bwrite_text\(""")
_COMPILED = LazyRegex(r"\.(?:so|pyd|dylib|pyc)$")


def _is_built_inside(place: str, side: Snapshot) -> bool:
    """Return whether a ``setup.py`` inside a package builds a module of it, which in place lies one folder deeper.

    ::

        align/__init__.py      from .align.core import run
        align/setup.py         setup(ext_modules=cythonize("core.pyx"))      makes align/align/core.so
        align/core.pyx

    Cython names the module after the packages around its source, and the build starts from the folder of ``setup.py``.
    """
    inner, _, name = place.rpartition("/")
    folder, _, package = inner.rpartition("/")
    if folder.rpartition("/")[2] != package or f"{folder}/{name}.pyx" not in side.paths:
        return False
    return "cythonize" in (side.text(f"{folder}/setup.py") or "")


@query
def kept_tree(codebase: Codebase) -> ModuleTree:
    """Return the modules of the files that both sides of a change have."""
    return ModuleTree(codebase.head.paths & codebase.base.paths, links=codebase.head.opaque)


def kind_of(place: str, codebase: Codebase) -> Kind:
    """Return what is at a path without suffix; a stub or source that only the change adds does not count.

    Where the base has a Python file, what lies next to it counts only if it is a module by itself, or makes one.
    """
    kind = module_tree(codebase.head).at(place).kind
    if kind == "missing" and _is_built_inside(place, codebase.head):
        return "opaque"
    if kind != "opaque" or codebase.head.paths == codebase.base.paths:
        return kind
    kept = kept_tree(codebase).at(place).kind
    if kept == "opaque" and (not _was_source(place, codebase) or _is_left_to_build(place, codebase)):
        return kind
    if _is_there_once_built(place, codebase):
        return kind
    return "missing" if kept == "opaque" else kept


def _is_there_once_built(place: str, codebase: Codebase) -> bool:
    """Return whether what the change puts at a place is a module: compiled, a link, moved, or built from a source."""
    paths = codebase.head.paths
    above = place
    while above:
        if above in paths and above in codebase.links:
            return True
        above = above.rpartition("/")[0]
    stem = place.rpartition("/")[2]
    found = [path for path in paths if path.startswith((f"{place}.", f"{place}/__init__."))]
    if any(_COMPILED.search(path) and codebase.head.text(path) is None for path in found):
        return True
    names = tuple(f"/{stem}{path.removeprefix(place)}" for path in found)
    if any(f"/{path}".endswith(names) for path in codebase.base.paths - paths):
        return True
    return is_built_by_change(place, stem, codebase)


def _is_left_to_build(place: str, codebase: Codebase) -> bool:
    """Return whether a file that both sides have provides the module at a place, or is what a build makes it of."""
    left = codebase.head.paths & codebase.base.paths
    if any(place == each or place.startswith(f"{each}/") for each in codebase.head.opaque or ()):
        return True
    beside = [path for path in left if path.startswith((f"{place}.", f"{place}/__init__."))]
    return any(_COMPILED.search(path) or OF_PYTHON.search(path) for path in beside)


def may_be_generated(place: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a module that no file holds may still exist once the project is built or installed.

    ``place`` is its path without suffix, ``dotted`` its full name.
    """
    if has_generated_name(place, dotted, codebase) or is_ignored(place, codebase):
        return True
    last = dotted.rpartition(".")[2]
    if not _was_source(place, codebase) and _is_built(codebase, place, dotted):
        return True
    if is_in_source(codebase.base, last) or is_built_by_change(place, last, codebase):
        return True
    return _is_below_native_module(place, dotted, codebase)


def _is_below_native_module(place: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a part of the full name of a module is a compiled one, whose initialization may make others.

    ::

        m.def_submodule("config")          pkg._fast.config, where PYBIND11_MODULE defines _fast
    """
    tree, above, names = module_tree(codebase.head), place, dotted.split(".")
    for name in reversed(names[1:-1]):
        above = above.rpartition("/")[0]
        kind = tree.at(above).kind
        if kind in {"module", "folder"} or above in tree.folders:
            return False
        if kind == "opaque" and kind_of(above, codebase) == "opaque":
            return True
        if is_in_source(codebase.base, name) or is_built_by_change(above, name, codebase):
            return True
    return False


def has_generated_name(place: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a part of the full name of a module is one that builds give to theirs, where such a build is."""
    names = dotted.split(".")[1:]
    return any(
        _is_generated_name(name, place.rsplit("/", above)[0] if above else place, codebase)
        for above, name in enumerate(reversed(names))
    )


def _was_source(place: str, codebase: Codebase) -> bool:
    """Return whether a module is a Python file of the base."""
    return module_tree(codebase.base).at(place).kind == "module"


def _is_generated_name(name: str, place: str, codebase: Codebase) -> bool:
    """Return whether a name is one that builds give to their modules, and the tree has what such a build needs.

    It says less of a module of the base (``place``): a build must write that one again.
    """
    was_source = _was_source(place, codebase)
    message = _MESSAGE_NAME.fullmatch(name)
    if message is not None:
        protocol = f"{message[1]}.proto"
        return any(path.rpartition("/")[2] == protocol for path in codebase.head.paths) and (
            _names_messages(codebase.head) or (not was_source and _has_messages(codebase.base))
        )
    if _OPERATION_NAME.fullmatch(name) and not was_source and _wraps_operations(codebase.base, place):
        return True
    if _NATIVE_NAME.fullmatch(name) and not was_source and _has_native_source(codebase.base):
        return True
    if VERSION_NAME.fullmatch(name) is None:
        return False
    if was_source:
        return _is_written(codebase.base, f"{name}.py") or is_built_by_change(place, name, codebase)
    texts = (codebase.base.text(path) or "" for path in build_files(codebase.base))
    return any(_VERSION_TOOL.search(text) or name in text for text in texts)


def _wraps_operations(side: Snapshot, place: str) -> bool:
    """Return whether Bazel writes modules for operations into the folder of a module."""
    folder = place.rpartition("/")[0]
    return any(_WRAPS_OPERATIONS.search(side.text(f"{folder}/{name}") or "") for name in ("BUILD", "BUILD.bazel"))


@query
def _has_messages(side: Snapshot) -> bool:
    return any(path.endswith(".proto") for path in side.paths)


@query
def _has_native_source(side: Snapshot) -> bool:
    return any(NATIVE_SOURCE.search(path) for path in side.paths)


@query
def _names_messages(side: Snapshot) -> bool:
    """Return whether a build file names protocol buffers outside of its comments."""
    return any(_COMPILES_MESSAGES.search(without_comments(side.text(path) or "")) for path in build_files(side))


@query
def _is_written(side: Snapshot, name: str) -> bool:
    """Return whether the code of a build writes files, and names one of this name."""
    texts = (side.text(path) or "" for path in build_files(side) if path.endswith(".py"))
    return any(name in text and _WRITES.search(text) for text in texts)


@query
def holds_extension(side: Snapshot, folder: str) -> bool:
    """Return whether a folder that is no package has a source that defines a module of its name for Python."""
    if module_tree(side).at(folder).kind != "folder":
        return False
    sources = [each for each in side.paths if each.startswith(f"{folder}/") and NATIVE_SOURCE.search(each)]
    return any(defines_module(side.text(each) or "", folder.rpartition("/")[2]) for each in sources)


@query
def _is_built(codebase: Codebase, place: str, dotted: str) -> bool:
    """Return whether a build file of the base names the module: in full, by its path, or by its last name.

    A bare word counts in the files of C, C++ and Rust builds, a quoted one in ``setup.py``.
    """
    folder = _lacking_folder(place, codebase.base)
    if folder and any(
        folder in without_comments(codebase.base.text(each) or "") for each in build_files(codebase.base)
    ):
        return True
    inner = dotted.partition(".")[2].replace(".", "/")
    last = dotted.rpartition(".")[2]
    words = [dotted, place, dotted.replace(".", "/"), *([inner] if "/" in inner else [])]
    full = LazyRegex(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words))})(?!\w)")
    bare = LazyRegex(rf"(?<![\w.]){re.escape(last)}(?!\w)")
    for path in build_files(codebase.base):
        text = codebase.base.text(path) or ""
        if last not in text and place.rpartition("/")[2] not in text:  # each of the words ends with one of them
            continue
        text = without_comments(text)
        if full.search(text) or ((last.startswith("_") or NATIVE_BUILD.search(path)) and bare.search(text)):
            return True
        if path.endswith(".py") and (f'"{last}"' in text or f"'{last}'" in text):
            return True
    return False


def _lacking_folder(place: str, side: Snapshot) -> str:
    """Return the folder of a module, by its path, that the tree lacks inside of one that it has; empty: none."""
    folder = place.rpartition("/")[0]
    above = folder.rpartition("/")[0]
    folders = module_tree(side).folders
    return folder if "/" in above and above in folders and folder not in folders else ""
