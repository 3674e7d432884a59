"""Modules that a checkout lacks and a build makes: versions, protocol buffers, compiled extensions, copied folders.

A rule that says "this module does not exist" asks here first, and stays silent at any sign. Signs are read at the
base, so that a change cannot excuse its own imports by a line in a Makefile or an empty file. What the change itself
adds counts only as a whole: a source of the extension and the build file that names it, or a compiled module.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
import re
from functools import lru_cache

from review_bot.analysis.project.ignored_modules import is_ignored
from review_bot.analysis.project.module_tree import Kind, ModuleTree, module_tree
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_name, keyword, text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.text.lazy_regex import LazyRegex

_BUILD_FILES = LazyRegex(
    r"(?:^|/)(?=[^/]*$)(?:setup\.py|setup\.cfg|pyproject\.toml|CMakeLists\.txt|Cargo\.toml|meson\.build|[Mm]akefile"
    r"|(?=\w+\.py$)\w*build\w*\.py"
    r"|BUILD(?:\.bazel)?|MANIFEST\.in|justfile|tox\.ini|noxfile\.py|[^/]*Dockerfile[^/]*|[^/]*\.cmake)$"
)
_NATIVE_BUILD = LazyRegex(r"(?:^|/)(?:CMakeLists\.txt|Cargo\.toml|meson\.build|BUILD(?:\.bazel)?|[^/]*\.cmake)$")
_DECLARING_BUILD = LazyRegex(r"(?:^|/)(?:setup\.py|setup\.cfg|pyproject\.toml)$")
_VERSION_NAME = LazyRegex(
    r"_?version|__version__|_?version_info|_?build_(?:info|config)|_build|_?git_version|_?commit_(?:id|hash)"
    r"|_?generated\w*|\w+_generated|parsetab|lextab|__about__|_metadata"
)
_VERSION_TOOL = LazyRegex(
    r"scm|versioneer|vcs|version[_-]file|write[_-]to|build_py|version_path|version\.py|ply\b|yacc"
)
_MESSAGE_NAME = LazyRegex(r"(\w+)_pb2(?:_grpc)?")
_NATIVE_NAME = LazyRegex(r"_C\w*|_?\w+_(?:cuda|cpp|ext|extension|rs|rust)|_(?:rust|native|core|cuda|lib)\w*")
_NATIVE_SOURCE = LazyRegex(r"\.(?:pyx|pxd|c|cc|cpp|cxx|cu|rs|go|mm|hip)$")
_OF_C = LazyRegex(r"\.(?:c|cc|cpp|cxx|cu|mm|hip)$")
_TEMPLATE = LazyRegex(r"\.py\.(?:in|j2|jinja2?|tmpl|template|mako)$")
_DEFINES_MODULE = LazyRegex(r"\b(?:PYBIND11_MODULE|NB_MODULE|TORCH_LIBRARY|PyInit_\w+|BOOST_PYTHON_MODULE)\b")
_RUST_MODULE = LazyRegex(r"#\[pymodule\b[^\]]{0,200}\]\s*(?:pub\s+)?(?:fn|mod)\s+(\w+)")
_COMPILED = LazyRegex(r"\.(?:so|pyd|dylib|pyc)$")
_VERSION_FILE = LazyRegex(r"""(?:version[_-]file|write[_-]to)["']?\s*[=:]\s*["']?([\w./-]+)\.py""")
_CMAKE_SOURCE = LazyRegex(r"(?<![\w./-])[\w./-]{1,200}\.(?:c|cc|cpp|cxx|cu|hip)(?![\w.])")
_ABOUT_EXTENSIONS = LazyRegex(
    r"(?i)extension|ext[_-]modules|cython|mypyc|maturin|scikit-build|pyo3|pybind|nanobind|cffi"
)
_MAKING = (
    r"(?:add_library|add_module|extension_module|configure_file|cc_binary|cc_library|py_extension|pybind_extension"
    r"|add_target)\w{0,40}\s{0,20}\([^()]{0,4000}"
)
"""A command of CMake, Meson or Bazel that makes what its arguments name, up to one of these."""

_COMMENT = LazyRegex(r"(?m)(?:^|(?<=\s))#.*$")
_MOST_BUILD_FILES = 60


@query
def kept_tree(codebase: Codebase) -> ModuleTree:
    """Return the modules of the files that both sides of a change have."""
    return ModuleTree(codebase.head.paths & codebase.base.paths)


def kind_of(place: str, codebase: Codebase) -> Kind:
    """Return what is at a path without suffix; a stub or source that only the change adds does not count."""
    kind = module_tree(codebase.head).at(place).kind
    if kind != "opaque" or codebase.head.paths == codebase.base.paths:
        return kind
    kept = kept_tree(codebase).at(place).kind
    return kind if kept == "opaque" or _is_there_once_built(place, codebase) else kept


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
    names = {f"/{path.rpartition('/')[2]}" for path in found}
    if any(f"/{path}".endswith(tuple(names)) for path in codebase.base.paths - paths):
        return True
    return _is_built_by_change(place, stem, codebase)


def may_be_generated(place: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a module that no file holds may still exist once the project is built or installed.

    ``place`` is its path without suffix, ``dotted`` its full name.
    """
    if has_generated_name(dotted, codebase):
        return True
    if is_ignored(place, codebase) or _is_built(codebase, place, dotted):
        return True
    return _is_built_by_change(place, dotted.rpartition(".")[2], codebase)


def has_generated_name(dotted: str, codebase: Codebase) -> bool:
    """Return whether a part of the full name of a module is one that builds give to theirs, where such a build is."""
    return any(_is_generated_name(part, codebase) for part in dotted.split(".")[1:])


def _is_generated_name(name: str, codebase: Codebase) -> bool:
    """Return whether a name is one that builds give to their modules, and the tree has what such a build needs."""
    message = _MESSAGE_NAME.fullmatch(name)
    if message is not None:
        return _compiles_messages(codebase) and any(
            path.rpartition("/")[2] == f"{message[1]}.proto" for path in codebase.head.paths
        )
    if _NATIVE_NAME.fullmatch(name) and any(_NATIVE_SOURCE.search(path) for path in codebase.base.paths):
        return True
    if _VERSION_NAME.fullmatch(name) is None:
        return False
    texts = (codebase.base.text(path) or "" for path in _build_files(codebase.base))
    return any(_VERSION_TOOL.search(text) or name in text for text in texts)


@query
def _compiles_messages(codebase: Codebase) -> bool:
    """Return whether the base has protocol buffers, or a build file of the head names them."""
    if any(path.endswith(".proto") for path in codebase.base.paths):
        return True
    return any("proto" in (codebase.head.text(path) or "") for path in _build_files(codebase.head))


def _is_built_by_change(place: str, stem: str, codebase: Codebase) -> bool:
    """Return whether a build file of the head makes a module whose source is in the tree, or writes a version there."""
    for path in _build_files(codebase.head):
        declares = _DECLARING_BUILD.search(path)
        if not declares and not _NATIVE_BUILD.search(path):
            continue
        if declares and not place.startswith(path.rpartition("/")[0]):
            continue  # of another project
        text = codebase.head.text(path) or ""
        if stem not in text and place.rpartition("/")[2] not in text:
            continue
        text = _without_comments(text)
        if _has_source(codebase.head, stem) and _makes(path, text, stem):
            return True
        if (
            declares
            and _VERSION_NAME.fullmatch(stem)
            and any(f"/{place}".endswith(f"/{each.lstrip('./')}") for each in _VERSION_FILE.findall(text))
        ):
            return True
    return (
        _is_binding_of_change(place, stem, codebase)
        or _is_target_of_change(place, stem, codebase)
        or _is_extension_of_change(place, stem, codebase)
    )


def _makes(path: str, text: str, stem: str) -> bool:
    """Return whether a build file makes something of this name: the word alone may be in a description.

    ::

        Extension("pkg.fast", ["fast.c"])     fast = {path = "fast.pyx"}     in a file about extensions
        add_library(fast fast.cpp)            configure_file(fast.py.in fast.py)
    """
    name = re.escape(stem)
    if _DECLARING_BUILD.search(path):
        named = rf"[\"'](?:[\w./-]{{0,200}}[./])?{name}(?:[\"']|\.\w+[\"'])|[./]{name}(?:\.\w+)?\s*[=\]]"
        return _ABOUT_EXTENSIONS.search(text) is not None and re.search(named, text) is not None
    if path.endswith("Cargo.toml"):
        return re.search(rf"\[lib\][^\[]*\bname\s*=\s*[\"']{name}[\"']", text) is not None
    return re.search(rf"{_MAKING}(?<![\w.]){name}(?!\w)", text) is not None


def _is_binding_of_change(place: str, stem: str, codebase: Codebase) -> bool:
    """Return whether Bazel builds the module from a source in its folder that defines it for Python.

    Its rule has the name of the file without ``lib``.
    """
    folder = place.rpartition("/")[0]
    builds = [codebase.head.text(f"{folder}/{name}") for name in ("BUILD", "BUILD.bazel")]
    if not any(builds):
        return False
    target = re.compile(rf"\bname\s*=\s*[\"'](?:lib)?{re.escape(stem.removeprefix('lib'))}(?:\.so)?[\"']")
    if not any(target.search(_without_comments(text)) for text in builds if text is not None):
        return False
    defines = re.compile(rf"PYBIND11_MODULE\(\s*{re.escape(stem)}\s*,")
    beside = [each for each in codebase.head.paths if each.rpartition("/")[0] == folder and _NATIVE_SOURCE.search(each)]
    return any(defines.search(codebase.head.text(each) or "") for each in sorted(beside)[:_MOST_BUILD_FILES])


def _is_target_of_change(place: str, stem: str, codebase: Codebase) -> bool:
    """Return whether ``setup.py`` of the head declares an extension in full, and a CMake file builds it from sources.

    The sources must be in the tree; they seldom have the name of the module.
    """
    texts = {
        path: _without_comments(text)
        for path in _build_files(codebase.head)
        if stem in (text := codebase.head.text(path) or "")
    }
    if not any(path.endswith("setup.py") and "Extension" in text for path, text in texts.items()):
        return False
    named = [
        f"[\"']{re.escape(place.replace('/', '.').removeprefix(prefix))}[\"']" for prefix in ("", "src.", "python.")
    ]
    declared = re.compile(rf"Extension\(\s*(?:name\s*=\s*)?(?:{'|'.join(named)})")
    if not any(path.endswith("setup.py") and declared.search(text) for path, text in texts.items()):
        return False
    target = re.compile(rf"(?<![\w.]){re.escape(stem)}(?!\w)")
    return any(
        _NATIVE_BUILD.search(path)
        and target.search(text)
        and any(
            f"{path.rpartition('/')[0]}/{each}".lstrip("/") in codebase.head.paths
            for each in _CMAKE_SOURCE.findall(text)
        )
        for path, text in texts.items()
    )


def _is_extension_of_change(place: str, stem: str, codebase: Codebase) -> bool:
    """Return whether a ``setup.py`` of the head makes the module from a source in the tree that defines one for Python.

    ::

        CUDAExtension(name="pkg.moe_ops", sources=["csrc/moe.cpp", "csrc/moe_kernels.cu"])
        sources = ["csrc/moe.cpp"]; CUDAExtension("pkg.moe_ops", sources)
    """
    names = {place.replace("/", ".").removeprefix(prefix) for prefix in ("", "src.", "python.")}
    for path in _build_files(codebase.head):
        text = (codebase.head.text(path) or "") if path.endswith("setup.py") else ""
        tree = parsed(text) if stem in text and "Extension" in text else None
        if tree is None:
            continue
        for call in nodes_of(tree, ast.Call):
            first, second = [*call.args, None, None][:2]
            name, listed = keyword(call, "name") or first, keyword(call, "sources") or second
            if last_name(call.func).endswith("Extension") and text_of(name) in names:
                places = (posixpath.join(path.rpartition("/")[0], each) for each in _listed_sources(listed, tree))
                sources = (one for each in places for one in _matching(each, codebase.head))
                if any(_DEFINES_MODULE.search(codebase.head.text(each) or "") for each in sources):
                    return True
    return False


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


@query
def holds_extension(side: Snapshot, folder: str) -> bool:
    """Return whether a folder has a source of an extension module, which may be built as the folder's own module."""
    sources = [each for each in side.paths if each.startswith(f"{folder}/") and _NATIVE_SOURCE.search(each)]
    return any(_DEFINES_MODULE.search(side.text(each) or "") for each in sources)


def _matching(place: str, side: Snapshot) -> list[str]:
    """Return the files of a path, or of a pattern with stars."""
    return sorted(fnmatch.filter(side.paths, place)) if "*" in place else [place]


@query
def _has_source(side: Snapshot, stem: str) -> bool:
    """Return whether a source or a template of a name, up to its first dot, makes a module: C and C++ must say so."""
    for path in _sources(side).get(stem, ()):
        text = side.text(path) or ""
        if _DEFINES_MODULE.search(text) if _OF_C.search(path) else text.strip():
            return True
    return stem in _rust_modules(side)


@query
def _sources(side: Snapshot) -> dict[str, list[str]]:
    """Return the sources that compilers read, and the templates, by their names up to the first dot."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in side.paths if _NATIVE_SOURCE.search(path) or _TEMPLATE.search(path)):
        found.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
    return found


@query
def _rust_modules(side: Snapshot) -> frozenset[str]:
    """Return the modules that crates define for Python, in the file that PyO3's guide puts them in: ``src/lib.rs``."""
    crates = sorted(path for path in side.paths if path.endswith("src/lib.rs"))[:_MOST_BUILD_FILES]
    return frozenset(name for path in crates for name in _RUST_MODULE.findall(side.text(path) or ""))


@lru_cache(maxsize=8)
def _without_comments(text: str) -> str:
    return _COMMENT.sub("", text)


@query
def _is_built(codebase: Codebase, place: str, dotted: str) -> bool:
    """Return whether a build file of the base names the module: in full, by its path, or by its last name.

    A bare word counts in the files of C, C++ and Rust builds, a quoted one in ``setup.py``.
    """
    folder = _lacking_folder(place, codebase.base)
    if folder and any(
        folder in _without_comments(codebase.base.text(each) or "") for each in _build_files(codebase.base)
    ):
        return True
    inner = dotted.partition(".")[2].replace(".", "/")
    last = dotted.rpartition(".")[2]
    words = [dotted, place, dotted.replace(".", "/"), *([inner] if "/" in inner else [])]
    full = LazyRegex(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words))})(?!\w)")
    bare = LazyRegex(rf"(?<![\w.]){re.escape(last)}(?!\w)")
    for path in _build_files(codebase.base):
        text = codebase.base.text(path) or ""
        if last not in text and place.rpartition("/")[2] not in text:  # each of the words ends with one of them
            continue
        text = _without_comments(text)
        if full.search(text) or ((last.startswith("_") or _NATIVE_BUILD.search(path)) and bare.search(text)):
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


@query
def _build_files(side: Snapshot) -> tuple[str, ...]:
    """Return the build files nearest to the root."""
    found = sorted((path for path in side.paths if _BUILD_FILES.search(path)), key=lambda path: (path.count("/"), path))
    return tuple(found[:_MOST_BUILD_FILES])
