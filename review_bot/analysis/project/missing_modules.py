"""Whether an import means a module of this repository that its tree does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache

from review_bot.analysis.project.added_imports import AddedImport, Tried
from review_bot.analysis.project.generated_modules import kept_tree, kind_of, may_be_generated
from review_bot.analysis.project.manifests import holds_namespace, project_folders, required, runs_a_release
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import MANIFESTS, is_standard, module_tree, places_of, relative_name
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.project.prepared_modules import has_import_hooks, is_stubbed, prepares
from review_bot.analysis.project.standard_names import standard_names
from review_bot.analysis.project.third_party import WELL_KNOWN, normalised
from review_bot.analysis.python.conditions import constant_functions
from review_bot.changes.codebase import Codebase, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.text.lazy_regex import LazyRegex

_SHARES = LazyRegex(r"(?m)^[ \t]*(?:__import__\(['\"]pkg_resources['\"]\)|pkg_resources)\.declare_namespace\(")
"""What makes a package one of which each project holds a part."""
_WORD = LazyRegex(r"[a-z0-9]{3,}")


@lru_cache(maxsize=8)  # asked for each import of a file
def sets_path(text: str) -> bool:
    """Return whether code of a file changes where Python looks for modules."""
    if "path" not in text and "addsitedir" not in text:
        return False
    tree = parsed(text)
    return (
        tree is None
        or any(
            node.attr == "addsitedir"
            or (node.attr == "path" and isinstance(node.value, ast.Name) and node.value.id == "sys")
            for node in nodes_of(tree, ast.Attribute)
        )
        or any(
            node.module == "sys" and alias.name == "path"
            for node in nodes_of(tree, ast.ImportFrom)
            for alias in node.names
        )
    )


def missing_module(statement: AddedImport, path: str, codebase: Codebase, *, sets_path: bool) -> str | None:
    """Return the dotted name of the module that an import in a file lacks for certain, or None.

    ``sets_path``: the file's own code changes where Python looks.
    """
    tree = module_tree(codebase.head)
    places = places_of(statement.module, statement.level, path, tree)
    if not places and statement.level and not statement.conditional:
        return _above_top(statement, path, codebase)
    if (
        not places
        or any(_is_there(place, path, codebase) for place in places)
        or _is_at_top(statement, places, codebase)
    ):
        return None
    if not statement.level and (
        not is_own(statement.module, path, codebase, sets_path=sets_path) or runs_a_release(codebase, path)
    ):
        return None
    names = [relative_name(place, tree.roots) for place in places]
    if _may_exist(names, places, path, codebase, statement):
        return None
    if statement.conditional and is_excused(statement, names[0], path, codebase, sets_path=sets_path):
        return None
    return names[0]


def _is_at_top(statement: AddedImport, places: list[str], codebase: Codebase) -> bool:
    """Return whether a folder at the root, which may lack an ``__init__.py``, holds a module; not by the change.

    ``places`` were looked at before.
    """
    place = statement.module.replace(".", "/")
    return not statement.level and place not in places and kept_tree(codebase).at(place).kind != "missing"


def _is_there(place: str, path: str, codebase: Codebase) -> bool:
    """Return whether a file can import what is at a place; for a stub, a stub is enough, even one of the change."""
    is_stub = path.endswith(".pyi") and module_tree(codebase.head).at(place).kind == "opaque"
    return is_stub or kind_of(place, codebase) != "missing"


def _above_top(statement: AddedImport, path: str, codebase: Codebase) -> str | None:
    """Return the module of a relative import whose dots go above a package that surely is at the top, or None.

    It is if the project has its name, or if a file of the base imports it by that name alone.
    """
    tree = module_tree(codebase.head)
    top = tree.top_below(path, statement.level)
    if top is None:
        return None
    absolute = re.compile(rf"^[ \t]*(?:from|import)[ \t]+{re.escape(top)}\b", re.MULTILINE)
    is_top = normalised(top) in project_folders(codebase) or any(
        absolute.search(codebase.base.text(each) or "") for each in tree.python_files()
    )
    return f"{'.' * statement.level}{statement.module}" if is_top else None


def is_prepared(
    statement: AddedImport, name: str, place: str, path: str, codebase: Codebase, *, sets_path: bool
) -> bool:
    """Return whether the import of a name from the module at a place may mean something else, or expects to fail."""
    if not statement.level and not is_own(statement.module, path, codebase, sets_path=sets_path):
        return True
    dotted = relative_name(place, module_tree(codebase.head).roots)
    if any(prepares(path, each, codebase, statement) for each in (f"{dotted}.{name}", dotted)):
        return True
    return statement.conditional and is_excused(statement, f"{dotted}.{name}", path, codebase, sets_path=sets_path)


def is_excused(statement: AddedImport, dotted: str, path: str, codebase: Codebase, *, sets_path: bool) -> bool:
    """Return whether the code around an import prepares for the absence of exactly this module.

    A condition must name it, or compare versions. A handler of ImportError does not run if what was tried exists.
    """
    if statement.instead and all(
        _works(each, statement, path, codebase, sets_path=sets_path) for each in statement.instead
    ):
        return True
    return is_asked_for(dotted, statement.asked, path, codebase)


def _works(tried: Tried, statement: AddedImport, path: str, codebase: Codebase, *, sets_path: bool) -> bool:
    """Return whether an import whose handler holds a statement may succeed."""
    alone = statement._replace(module=tried.module, level=tried.level, asked=(), instead=())
    if missing_module(alone, path, codebase, sets_path=sets_path) is not None:
        return False
    known = None if tried.level else standard_names(tried.module)
    if known is not None:
        return all(name in known or name.startswith("_") for name in tried.names)
    if not tried.level and not is_own(tried.module, path, codebase, sets_path=sets_path):
        return True
    places = places_of(tried.module, tried.level, path, module_tree(codebase.head))
    definitions = ModuleDefinitions(codebase)
    return all(definitions.lack(places, name) != "surely" for name in tried.names)


def is_asked_for(dotted: str, asked_for: Iterable[str], path: str, codebase: Codebase) -> bool:
    """Return whether conditions of a file name what is missing, or compare versions; see ``Guards.asked``.

    ::

        if find_spec("pkg.fast"): import pkg.fast.core         the package that holds it, if that is missing too
        if os.path.exists(pkg.__file__): import pkg.fast       names what exists alone, and so says nothing
    """
    parts = dotted.split(".")
    there = _parts_there(parts, codebase)
    missing = {".".join(parts[: count + 1]) for count in range(there, len(parts))}
    words = {word for part in parts[there:] for word in _WORD.findall(part.lower())}
    for each in asked_for:
        asked = each.lower()
        if each.isidentifier() and _is_always_true(each, path, codebase):
            continue
        if "version" in asked or each in missing or not words.isdisjoint(_WORD.findall(asked)):
            return True
    return False


def _parts_there(parts: list[str], codebase: Codebase) -> int:
    """Return how many of the first parts of a dotted name are modules: one at least, as something is missing in it."""
    tree, count = module_tree(codebase.head), len(parts) - 1
    while count > 1:
        if is_standard(parts[0]):
            found = standard_names(".".join(parts[:count])) is not None
        else:
            found = any(
                tree.at(f"{root}/{'/'.join(parts[:count])}".lstrip("/")).kind != "missing" for root in tree.roots
            )
        if found:
            break
        count -= 1
    return count


def _is_always_true(name: str, path: str, codebase: Codebase) -> bool:
    """Return whether a name is a function that a file imports from the tree and that returns a true constant."""
    module, tree = parsed(code_of(path, codebase.head) or ""), module_tree(codebase.head)
    for node in () if module is None else nodes_of(module, ast.ImportFrom):
        original = next((alias.name for alias in node.names if (alias.asname or alias.name) == name), None)
        for place in () if original is None else places_of(node.module or "", node.level, path, tree):
            for file in tree.at(place).files:
                owner = codebase.head.tree(file)
                if owner is not None and constant_functions(owner).get(f"{original}()"):
                    return True
    return False


def is_own(module: str, path: str, codebase: Codebase, *, sets_path: bool, at_base: bool = False) -> bool:
    """Return whether an absolute import in a file can only mean the package of this repository."""
    tree = module_tree(codebase.base if at_base else codebase.head)
    top = module.partition(".")[0]
    if is_standard(top):
        return False
    places = [place for place in tree.package_places(top, path) if path.startswith(f"{place}/")]
    # `tensorflow/setup.py`: a project of its own in a folder called as a library that it needs.
    inside = any(
        top not in WELL_KNOWN or tree.paths.isdisjoint(f"{place}/{each}" for each in MANIFESTS) for place in places
    )
    named = project_folders(codebase).get(normalised(top), frozenset())
    if inside or (named and top not in WELL_KNOWN) or any(_is_around(folder, path) for folder in named):
        return True
    if top in WELL_KNOWN or sets_path or normalised(top) in required(codebase.base):
        return False
    if not tree.package_places(top) and tree.beside(path, top) is not None:
        return not _is_in_namespace(codebase, path.rpartition("/")[0])
    packages = tree.package_places(top)
    if not packages:
        return tree.is_at_root(module.replace(".", "/"))
    return any(_is_around(package.rpartition("/")[0], path) for package in packages)


def _is_around(root: str, path: str) -> bool:
    """Return whether a file is in the project whose code is below a folder; the project's own may be around that.

    Elsewhere in a repository of several projects, a copy of a well-known one is not what an import means.
    """
    project = root.rpartition("/")[0] if root.rpartition("/")[2] in {"src", "python"} else root
    return not project or path.startswith(f"{project}/")


@query
def _is_in_namespace(codebase: Codebase, folder: str) -> bool:
    """Return whether files of a folder, or at the root, import from it by its name at the base.

    They are modules then and no scripts, and Python does not look for other modules in the folder of a module.
    """
    tree = module_tree(codebase.base)
    name = relative_name(folder, tree.roots)
    imports = re.compile(rf"^[ \t]*(?:from|import)[ \t]+{re.escape(name)}\b", re.MULTILINE)
    near = [path for path in tree.python_files() if path.rpartition("/")[0] in {"", folder}] if name else []
    return any(imports.search(codebase.base.text(path) or "") for path in near)


def _may_exist(
    names: list[str],
    places: list[str],
    path: str,
    codebase: Codebase,
    statement: AddedImport,
) -> bool:
    """Return whether anything in the tree hints at the module. Slow, and asked only before something is reported."""
    if not statement.level and any(
        _stands_elsewhere(name, places, path, codebase) or _is_of_another_portion(name, codebase) for name in names
    ):
        return True
    pairs = list(zip(names, places, strict=True))
    if any(may_be_generated(place, name, codebase) for name, place in pairs):
        return True
    if any(has_import_hooks(place, name, codebase) for name, place in pairs):
        return True
    return any(prepares(path, name, codebase, statement) or is_stubbed(name, path, codebase) for name in names)


def _is_of_another_portion(dotted: str, codebase: Codebase) -> bool:
    """Return whether a module is in a package of which other projects install parts, as its text at the base says.

    Source: https://packaging.python.org/en/latest/guides/packaging-namespace-packages/
    """
    tree = module_tree(codebase.base)
    parts = dotted.split(".")
    for count in range(1, len(parts)):
        for place in tree.package_places("/".join(parts[:count])):
            shared = _SHARES.search(codebase.base.text(f"{place}/__init__.py") or "")
            if shared and tree.at(f"{place}/{parts[count]}").kind == "missing":
                return True
    return False


def _stands_elsewhere(dotted: str, places: list[str], path: str, codebase: Codebase) -> bool:
    """Return whether a module of this name is in another folder than its places, where the change did not put it.

    What the change adds counts if it is where Python looks first: in the folder of a script. A folder there without an
    ``__init__.py`` does not hide a package of its name. A file of the package means what the package had at the base.
    """
    tree, before = module_tree(codebase.head), module_tree(codebase.base)
    inside = any(path.startswith(f"{place}/") for place in tree.package_places(dotted.partition(".")[0]))
    if inside and any(before.at(place).kind == "module" for place in places):
        return False
    if kept_tree(codebase).anywhere(dotted, places) or holds_namespace(dotted, path, codebase):
        return True
    folder = path.rpartition("/")[0]
    while folder and f"{folder}/__init__.py" in tree.paths:
        folder = folder.rpartition("/")[0]
    top, _, rest = dotted.partition(".")
    if not folder or (rest and f"{folder}/{top}/__init__.py" not in tree.paths and tree.package_places(top)):
        return False
    return tree.at(f"{folder}/{dotted.replace('.', '/')}").kind != "missing"
