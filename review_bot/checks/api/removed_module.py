"""A module that the change deletes, renames or replaces, and files of the tree that still import it.

A module is replaced by a link or a submodule under its path, or by a package of its name, which Python takes first,
and which it may have moved into::

    pkg/output.py + pkg/output/__init__.py      `import pkg.output` reads the package alone
    pkg/output/main.py, pkg/output/__init__.py  the same, renamed from pkg/output.py

Imports on added lines are the matter of ``missing_module_import``, unless nothing is left of a top-level package, which
that takes for an installed one; here are those that the change left as they were.
They are judged in the same way: whatever could still provide the module keeps this silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import AddedImport, file_imports
from review_bot.analysis.project.generated_modules import kept_tree, kind_of, may_be_generated
from review_bot.analysis.project.manifests import declared, project_folders, runs_a_release
from review_bot.analysis.project.missing_modules import is_excused, is_own, missing_module, sets_path
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of, relative_name
from review_bot.analysis.project.notebooks import Additions, code_of, line_in_file
from review_bot.analysis.project.prepared_modules import has_finder, is_stubbed, prepares
from review_bot.analysis.project.third_party import distributions_of, normalised
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import is_for_scripts
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import count

_MOST_COMMENTS = 3
"""Modules that get a comment each; where a change removes more of them, one comment covers all of them."""


def gather(source: SourceFile) -> str | None:
    """Return the path, at the base, of a module that the change may remove; empty: it adds a package."""
    change = source.change
    if change.status in {"deleted", "renamed"} or change.kind != "text":
        return change.base_path if change.base_path.endswith(".py") else None
    return "" if change.path.endswith("/__init__.py") and change.status in {"added", "copied"} else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit about each module that is gone and still imported; its importers are the related places."""
    gone: dict[str, str] = {}
    replaced: set[str] = set()
    for path, base in sorted(facts.items()):
        if base and kind_of(place_of(base), codebase) in {"missing", "folder"}:
            gone[place_of(base)] = path
        for place in _replaced(path, base, codebase):
            gone[place] = path
            replaced.add(place)
    if not gone:
        return
    places: dict[str, list[Related]] = {}
    for path, line, place in _importers(gone, codebase):
        places.setdefault(place, []).append(Related(path, line, f"imports `{place.rpartition('/')[2]}`"))
    roots = module_tree(codebase.base).roots
    if len(places) > _MOST_COMMENTS:
        yield _less_certain(_hit(gone, replaced, places, roots), places, codebase)
        return
    for place in sorted(places):
        yield _less_certain(_hit(gone, replaced, {place: places[place]}, roots), (place,), codebase)


def _less_certain(hit: Hit, places: Iterable[str], codebase: Codebase) -> Hit:
    """Return a hit as a warning if a finder in a package above the modules may still provide all of them."""
    if not all(has_finder(place, codebase) for place in places):
        return hit
    users, verb, modules, what = (hit.values[each] for each in ("users", "verb", "modules", "what"))
    message = (
        f"{users} still {verb} {modules}, which this change {what}; only a finder in `sys.meta_path` could provide it."
    )
    return hit._replace(severity="warning", message=message)


def _replaced(path: str, base: str, codebase: Codebase) -> Iterator[str]:
    """Yield the places at which another file than at the base is the module now."""
    if base == path and base in codebase.head.paths:
        yield place_of(base)
    if base and place_of(base) != place_of(path) and kind_of(place_of(base), codebase) == "module":
        yield place_of(base)
    beside = f"{path.removesuffix('/__init__.py')}.py"
    if path.endswith("/__init__.py") and path not in codebase.base.paths and beside in codebase.head.paths:
        yield place_of(beside)


def _hit(
    gone: Mapping[str, str], replaced: set[str], places: Mapping[str, list[Related]], roots: tuple[str, ...]
) -> Hit:
    """Return one hit about some modules, on the first that is imported by most files."""
    main = min(places, key=lambda place: (-len({each.path for each in places[place]}), place))
    users = sorted({each for found in places.values() for each in found})
    of_main = sorted(set(places[main]))
    users = [*of_main, *(each for each in users if each not in of_main)]
    where, alone = places_in_words(users, users[0])
    name = f"`{relative_name(main, roots)}`"
    others = len(places) - 1
    more = "" if not others else f" and at least {count(others, 'more module')}"
    return Hit(
        None,
        values={
            "users": where,
            "verb": "imports" if alone else "import",
            "modules": f"{name}{more}",
            "what": "replaces with one without the imported names" if replaced.issuperset(places) else "removes",
        },
        path=gone[main],
        related=tuple(users[:MOST_RELATED]),
        statement=f"module {main}",
    )


def _importers(gone: Mapping[str, str], codebase: Codebase) -> Iterator[tuple[str, int, str]]:
    """Yield (path, line, place of the module) of each import of a module that is gone and surely missing."""
    added = Additions(codebase.change, codebase)
    definitions = ModuleDefinitions(codebase)
    moves = {file.path: _move(file.base_path, file.path) for file in codebase.change.files if file.status == "renamed"}
    led = {move for path, move in moves.items() if sets_path(codebase.head.text(path) or "")}
    for path in files_with(codebase.head, {each.rpartition("/")[2] for each in gone}):
        text = code_of(path, codebase.head) or ""
        for statement in file_imports(path, text):
            place = _missing(statement, path, text, gone, codebase, definitions, added)
            if place is None:
                continue
            line = line_in_file(path, statement.line, codebase.head)
            along = path in moves and moves[path] == moves.get(gone[place]) and moves[path] in led
            if not along or not _keeps_name(place, gone[place], codebase):
                yield path, line, place


def _move(base: str, head: str) -> tuple[str, str]:
    """Return the folders below which a file has the same path at the base and at the head.

    Where a script that moves along puts its own folder on the search path, what moved together still finds each other.
    """
    before, after = base.split("/"), head.split("/")
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return "/".join(before), "/".join(after)


def _keeps_name(place: str, path: str, codebase: Codebase) -> bool:
    """Return whether some folder on the search path gives a module that moved (to ``path``) its old dotted name."""
    dotted = relative_name(place, module_tree(codebase.base).roots)
    return f"/{place_of(path)}".endswith(f"/{dotted.replace('.', '/')}")


def _missing(
    statement: AddedImport,
    path: str,
    text: str,
    gone: Mapping[str, str],
    codebase: Codebase,
    definitions: ModuleDefinitions,
    added: Additions,
) -> str | None:
    """Return the place of the module that an import lacks, by its own name or by one that the change did not add."""
    is_new = added.has_import(path, statement, "", statement.line)
    places = places_of(statement.module, statement.level, path, module_tree(codebase.head))
    sets = sets_path(text)
    if not places and not statement.level and statement.new and not statement.conditional and not sets:
        return _of_removed_package(statement.module, path, gone, codebase)
    if (
        statement.new
        and any(place in gone for place in places)
        and missing_module(statement, path, codebase, sets_path=sets)
    ):
        return None if is_new else next(place for place in places if place in gone)
    if not statement.level and not is_own(statement.module, path, codebase, sets_path=sets):
        return None
    left = [
        each
        for each in statement.names
        if not added.has_import(path, statement, each.name, each.line)
        or (each.name == "*" and added.had_import(path, statement, each.name))  # no rule on added imports looks at it
    ]
    for name in left:
        for place in places:
            inner = f"{place}/{name.name}"
            owner = inner if inner in gone else place if place in gone else None
            if owner is not None and definitions.lack(places, name.name, for_stub=path.endswith(".pyi")) == "surely":
                dotted = relative_name(inner, module_tree(codebase.head).roots)
                prepared = prepares(path, dotted, codebase, statement) or (
                    statement.conditional and is_excused(statement, dotted, path, codebase, sets_path=sets)
                )
                if not prepared and not runs_a_release(codebase, path):
                    return owner
    return None


def _of_removed_package(module: str, path: str, gone: Mapping[str, str], codebase: Codebase) -> str | None:
    """Return the place of a module whose top-level package the change removes from the tree as a whole.

    An installed package may have the same name. It is ruled out where no manifest requires one, and where the change
    renames the module, or the project itself has that name.
    """
    base, top = module_tree(codebase.base), module.partition(".")[0]
    place = next((each for each in places_of(module, 0, path, base) if each in gone), None)
    if (
        place is None
        or not base.package_places(top)
        or not is_own(module, path, codebase, sets_path=False, at_base=True)
    ):
        return None
    if place_of(gone[place]) == place and normalised(top) not in project_folders(codebase):
        return None
    required = declared(codebase.head) or frozenset()
    if not required.isdisjoint(normalised(each) for each in distributions_of(top)):
        return None
    dotted = relative_name(place, base.roots)
    provided = (
        _came_to_scripts(module, path, codebase)
        or kept_tree(codebase).anywhere(dotted)
        or may_be_generated(place, dotted, codebase)
        or prepares(path, dotted, codebase)
        or is_stubbed(dotted, path, codebase)
        or runs_a_release(codebase, path)
    )
    return None if provided else place


def _came_to_scripts(module: str, path: str, codebase: Codebase) -> bool:
    """Return whether the change puts a file and a module below one folder of scripts, where Python looks first then.

    No module of the tree may import from that folder by its name, as from a package: then its files are no scripts. One
    in the folder may do so where it is a script itself.
    """
    side, folder = codebase.head, path.rpartition("/")[0]
    if path in codebase.base.paths:
        return False
    while folder and f"{folder}/__init__.py" in side.paths:
        folder = folder.rpartition("/")[0]
    tree = module_tree(side)
    if not folder or tree.at(f"{folder}/{module.replace('.', '/')}").kind != "module":
        return False
    beside = (each for each in tree.python_files() if each.rpartition("/")[0] == folder)
    bodies = (found.body for each in beside if (found := side.tree(each)) is not None)
    if not any(is_for_scripts(node) for body in bodies for node in body):
        return False
    name = relative_name(folder, tree.roots)
    imports = (
        (each, statement)
        for each in files_with(side, [name.rpartition(".")[2]])
        for statement in file_imports(each, code_of(each, side) or "")
        if not statement.level and f"{statement.module}.".startswith(f"{name}.")
    )
    return not any(statement.always or not each.startswith(f"{folder}/") for each, statement in imports)


CHECK = change_check(
    gather, relate, CheckTraits(literals=None, reads_old=True, reads_text=False, new_names=True, on_lines=False)
)
