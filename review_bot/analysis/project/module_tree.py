"""Which Python modules a tree of paths offers, and where an import would look for them.

::

    pkg/sub/mod.py          module   pkg.sub.mod
    pkg/sub/__init__.py     module   pkg.sub
    pkg/data/table.json     folder   pkg.data        (a namespace package, as Python sees it)
    pkg/_C.pyi, pkg/link    opaque   pkg._C, pkg.link and all below   (compiled, a stub, a symlink, a submodule)
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from review_bot.analysis.project.package_folders import package_folders
from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.changes.codebase import Snapshot, query
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

Kind = Literal["module", "folder", "opaque", "missing"]

_OLD_NAMES = (
    "asynchat asyncore distutils imp smtpd aifc audioop cgi cgitb chunk crypt imghdr mailcap msilib nis nntplib "
    "ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib lib2to3 binhex formatter parser symbol macpath "
    "annotationlib compression tomllib zoneinfo graphlib"
)
_OLD_STANDARD = frozenset(_OLD_NAMES.split())
MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_NEVER_INSTALLED = frozenset({"code", "data", "lib", "models", "modules", "scripts", "source", "src"})
"""Folders of sources, whose names no package that people use installs."""
_OPAQUE = LazyRegex(
    r"\.(?:so|pyd|dylib|pyi|pyx|pxd|pyc|c|cc|cpp|cxx|cu|rs|go|in|j2|jinja2?|tmpl|template|mako|proto|fbs)\b"
)


class Place(NamedTuple):
    """What is at a path without suffix, such as ``pkg/sub/mod``; ``files`` holds the Python file of a module."""

    kind: Kind
    files: tuple[str, ...] = ()


class ModuleTree:
    """The modules of one tree. Paths are relative to the root, with ``/``.

    ``before`` are the paths at the base, for the tree of a head: what was a package or a project there still is one as
    long as its folder exists, so that a change cannot hide its imports by deleting an ``__init__.py``. ``links`` are
    the paths behind which anything may be; None: all may be such. ``given`` are the folders of packages whose name is
    not their path, by that name; a folder counts if it was a package at the base too.
    """

    def __init__(
        self,
        paths: frozenset[str],
        before: frozenset[str] = frozenset(),
        links: frozenset[str] | None = None,
        given: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.paths = paths
        self._given = {top: place for top, place in given.items() if f"{place}/__init__.py" in (before or paths)}
        self._before = before
        self._links = paths if links is None else links & paths
        self.folders: set[str] = {""}
        self._opaque: set[str] = set()
        manifests: dict[str, set[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            if name in MANIFESTS:
                manifests.setdefault(folder, set()).add(name)
            elif not name.endswith(".py") and _OPAQUE.search(name):
                self._opaque.add(_join(folder, name.partition(".")[0]))
            while folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]
        self._packages = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
        for path in before - paths:
            folder, _, name = path.rpartition("/")
            if folder in self.folders and name in MANIFESTS:
                manifests.setdefault(folder, set()).add(name)
            elif folder in self.folders and name == "__init__.py":
                self._packages.add(folder)
        projects = [each for each, names in manifests.items() if not (each and self._is_module(each, names))]
        parents = sorted({"", *projects})
        inner = [_join(parent, name) for parent in parents for name in ("src", "python")]
        self.roots = tuple(dict.fromkeys([*parents, *(each for each in inner if each in self.folders)]))
        self.projects = tuple(sorted(projects))

    def _is_module(self, folder: str, manifests: set[str]) -> bool:
        """Return whether the manifest of a folder is a module of that name, in what is a package at the base."""
        return manifests == {"setup.py"} and f"{folder}/__init__.py" in (self._before or self.paths)

    def at(self, place: str) -> Place:
        """Return what is at a path without suffix."""
        if self._is_below_module(place):
            return Place("missing")
        for path in (f"{place}/__init__.py", f"{place}.py"):  # Python prefers the package
            if path in self.paths:
                return Place("module", (path,))
        if place in self._opaque or f"{place}/__init__" in self._opaque:
            return Place("opaque")
        if place in self.folders:
            return Place("folder")
        while place:
            if place in self._links:
                return Place("opaque")
            place = place.rpartition("/")[0]
        return Place("missing")

    def _is_below_module(self, place: str) -> bool:
        """Return whether a file such as ``pkg/sub.py`` hides the folder ``pkg/sub``, in which the place is.

        It hides no package in a folder that is none itself: scripts there import it by its own name.
        """
        folder, in_package = place.rpartition("/")[0], False
        while folder and folder not in self.roots:
            is_package = folder in self._packages or f"{folder}/__init__" in self._opaque
            above = folder.rpartition("/")[0]
            if f"{folder}.py" in self.paths and not is_package:
                return above in self._packages or not in_package
            in_package = in_package or is_package
            folder = above
        return False

    def package_places(self, top: str, path: str = "") -> list[str]:
        """Return where a top-level package with an ``__init__.py`` of its own is: below a root of the sources.

        That of the project that holds a file (``path``) is first. Next to one of the base, one that the change adds
        counts only for the files in it: it could hold what the other lacks.
        """
        roots = sorted(self.roots, key=lambda root: -len(root) if path.startswith(f"{root}/") else 0)
        places = [place for place in (_join(root, top) for root in roots) if place in self._packages]
        if self._given.get(top) in self._packages - {*places}:
            places.append(self._given[top])
        kept = [place for place in places if f"{place}/__init__.py" in self._before]
        return [place for place in places if not kept or place in kept or path.startswith(f"{place}/")]

    def is_meant(self, package_file: str, path: str) -> bool:
        """Return whether a file can only mean the package of another file: no other has its name, or that is nearer."""
        for top in package_file.split("/")[:-1]:
            places = self.package_places(top, path)
            if len(places) > 1:
                root = places[0].rpartition("/")[0]
                return package_file.startswith(f"{places[0]}/") and (not root or path.startswith(f"{root}/"))
        return True

    def is_twice(self, path: str) -> bool:
        """Return whether the tree has two packages of the name of one that holds a file."""
        return any(len(self.package_places(part)) > 1 for part in path.split("/")[:-1])

    def beside(self, path: str, top: str) -> str | None:
        """Return the place of a module in the folder of a script or a test, where Python looks first; None: no such.

        One that the change took away counts if no other module of its name is left. A package that the change adds
        counts only for files that it adds as well: it could hold what another package of its name lacks.
        """
        folder = path.rpartition("/")[0]
        place = _join(folder, top)
        file = f"{place}.py"
        if self._is_one_of_many(top) or top == folder.rpartition("/")[2] or top in WELL_KNOWN or is_standard(top):
            return None  # a folder of that name may be the package, although it has no ``__init__.py``
        if file == path or self._is_in_package(folder):
            return None
        if (package := f"{place}/__init__.py") in self.paths:
            return place if not self._before or package in self._before or path not in self._before else None
        if self._before.isdisjoint({file, package}) and file not in self.paths:
            return None
        return place if file in self.paths or not self.anywhere(top) else None

    def _is_one_of_many(self, top: str) -> bool:
        """Return whether a name is ``conftest``, unless the base has one such file: pytest may load any of several."""
        return top == "conftest" and self._conftests != 1

    @cached_property
    def _conftests(self) -> int:
        return sum(f"/{path}".endswith("/conftest.py") for path in self._before or self.paths)

    def folder_beside(self, path: str, module: str) -> str | None:
        """Return the place of a folder without an ``__init__.py`` next to a script, if it holds a module; or None.

        ``module`` is the path of the module, from that folder's name on: ``src/trainer``. A folder that the change adds
        counts only for a file that it adds too, and under a name that no installed package has: else it could excuse
        what the package of its name lacks.
        """
        folder, top = path.rpartition("/")[0], module.partition("/")[0]
        if not folder or top == module or top in WELL_KNOWN or is_standard(top) or self._is_in_package(folder):
            return None
        place = _join(folder, top)
        if self.at(_join(folder, module)).kind != "module" or (
            self._is_new(place) and (top not in _NEVER_INSTALLED or path in self._before)
        ):
            return None
        return place

    def folder_above(self, path: str, module: str) -> str | None:
        """Return the place of a folder that holds a module, in a folder above a file from which it may be run; or None.

        That is so for folders under a name that no installed package has: a project within another one has its own. One
        that the change adds counts for files that it adds too.
        """
        top = module.partition("/")[0]
        folder = path.rpartition("/")[0] if top in _NEVER_INSTALLED and top != module else ""
        while folder := folder.rpartition("/")[0]:
            place = _join(folder, top)
            if self.at(_join(folder, module)).kind == "module" and not (self._is_new(place) and path in self._before):
                return place
        return None

    def _is_new(self, folder: str) -> bool:
        return bool(self._before) and not any(each.startswith(f"{folder}/") for each in self._before)

    def is_at_root(self, place: str) -> bool:
        """Return whether the base has a module at a path below the root whose folders are no packages.

        One of the standard library, or of a well-known distribution, is what another module of its name is taken for;
        so may be an installed one, where nothing of that name is left.
        """
        top, before = place.partition("/")[0], self._before or self.paths
        if top in WELL_KNOWN or is_standard(top) or top == "setup" or f"{top}/__init__.py" in before:
            return False
        if self._is_one_of_many(top):
            return False
        is_left = f"{top}.py" in self.paths or top in self.folders
        return is_left and not before.isdisjoint({f"{place}.py", f"{place}/__init__.py"})

    def _is_in_package(self, folder: str) -> bool:
        return "__init__.py" in self.paths or self.package_above(f"{folder}/_", 1) is not None

    def package_above(self, path: str, level: int) -> str | None:
        """Return the folder that the dots of a relative import in a file mean; None if it is not a known package.

        It is one if it, or a folder above it, has an ``__init__.py``.
        """
        folder = path.rpartition("/")[0]
        for _ in range(level - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        above = folder
        while above:
            if above in self._packages:
                return folder
            above = above.rpartition("/")[0]
        return None

    def top_below(self, path: str, level: int) -> str | None:
        """Return the top-level package that the dots of a relative import in a file go above, or None.

        The folder above it is a root of the sources and, like all above that, no package.
        """
        folders = path.split("/")[:-1]
        packages = ["/".join(folders[:count]) in self._packages for count in range(len(folders) + 1)]
        first = next((count for count, is_package in enumerate(packages) if is_package), 0)
        if not first or not all(packages[first:]) or level <= len(folders) - first + 1:
            return None
        return folders[first - 1] if "/".join(folders[: first - 1]) in self.roots else None

    def anywhere(self, dotted: str, besides: Collection[str] = ()) -> bool:
        """Return whether a module of this name is below any folder, or may hide behind a symlink or submodule.

        A folder is one if it holds modules besides tests. ``besides``: places that do not count.
        """
        tail = f"/{dotted.replace('.', '/')}"
        links = tuple(tail.rsplit("/", count)[0] for count in range(tail.count("/")))
        if any(f"/{path}".endswith(f"{tail}.py") for path in self.paths):
            return True
        if any(f"/{path}".endswith(links) for path in self._links) or any(
            f"/{each}".endswith(tail) and each not in besides for each in self._opaque
        ):
            return True
        return any(f"/{each}".endswith(tail) and self._holds_modules(each) for each in self.folders)

    def _holds_modules(self, folder: str) -> bool:
        """Return whether a folder holds what may be imported, and not only tests."""
        inner = [path for path in self.paths if path.startswith(f"{folder}/")]
        modules = [path for path in inner if path.endswith(".py") or path in self._links or _OPAQUE.search(path)]
        tests = [path for path in modules if is_test(path.rpartition("/")[2])]
        return len(modules) > len(tests) and not (
            tests and all(path in tests or path.endswith("/__init__.py") for path in modules)
        )

    def python_files(self) -> list[str]:
        """Return every Python file, sorted."""
        return sorted(path for path in self.paths if path.endswith(".py"))

    def importers(self) -> list[str]:
        """Return every file whose imports are read: Python, stubs and notebooks, sorted."""
        return sorted(path for path in self.paths if path.endswith((".py", ".pyi", ".ipynb")))


@query
def module_tree(side: Snapshot) -> ModuleTree:
    """Return the modules of one side of a change."""
    before = side.earlier.paths if side.earlier else frozenset[str]()
    return ModuleTree(side.paths, before, side.opaque, package_folders(side))


def is_standard(top: str) -> bool:
    """Return whether a top-level name is a module of the standard library, of this Python or of an older one."""
    return top in sys.stdlib_module_names or top in _OLD_STANDARD


def relative_name(place: str, roots: Iterable[str]) -> str:
    """Return the dotted name of a path without suffix, seen from the deepest root that holds it."""
    best = max((root for root in roots if not root or place.startswith(f"{root}/")), key=len, default="")
    return place[len(best) :].strip("/").replace("/", ".")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def place_of(path: str) -> str:
    """Return the place of a module: its file's path without suffix."""
    return path.removesuffix(".py").removesuffix("/__init__")


def places_of(module: str, level: int, path: str, tree: ModuleTree) -> list[str]:
    """Return where in the tree an import in a file may look for a module; empty: it is not of this tree.

    A script looks in its own folder before it looks for a package. Without either, a module or a folder of modules at
    the root may be meant, which the base has.
    """
    inner = module.replace(".", "/")
    if level:
        folder = tree.package_above(path, level)
        if folder is None:
            return []
        return [f"{folder}/{inner}".strip("/") if inner else folder]
    top, _, rest = module.partition(".")
    beside = tree.beside(path, top) or tree.folder_beside(path, inner) or tree.folder_above(path, inner)
    found = dict.fromkeys([*([] if beside is None else [beside]), *tree.package_places(top, path)])
    if not found:
        return [inner] if tree.is_at_root(inner) else []
    return [f"{place}/{rest.replace('.', '/')}" if rest else place for place in found]
