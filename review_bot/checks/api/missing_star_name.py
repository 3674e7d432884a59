"""Added uses of a name that neither the file nor one of its star imports, all of modules of this repository, defines.

Files without a star import are for ``errors/undefined_name``, names that the change removes for ``removed_name``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.outside_stores import OutsideStores, modules_open_from_outside
from review_bot.analysis.facts.word_search import unused_copies
from review_bot.analysis.project.manifests import runs_a_release
from review_bot.analysis.project.missing_modules import is_own, sets_path
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of, relative_name
from review_bot.analysis.project.prepared_modules import is_stubbed, prepares
from review_bot.analysis.project.unbound_names import all_unbound_uses, has_star
from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.module_body import star_imports
from review_bot.analysis.python.syntax import span_at
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.undefined_name import first_added
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Span, hit_over


class Use(NamedTuple):
    """An added use of a name that the file itself does not bind."""

    name: str
    span: Span


class Facts(NamedTuple):
    """Such uses in one file, and its star imports as (module, level)."""

    uses: tuple[Use, ...]
    stars: tuple[tuple[str, int], ...]


def gather(source: SourceFile) -> Facts | None:
    """Return the uses of names that only a star import can bring. Raises CannotParse."""
    if not source.added or not has_star(source):
        return None
    uses = tuple(Use(node.id, span_at(source, node)) for node in first_added(source, all_unbound_uses(source)))
    stars = tuple(sorted({(each.module or "", each.level) for each in star_imports(source.tree)}))
    return Facts(uses, stars) if uses and stars else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each use of a name that all the modules lack."""
    tree, definitions, unused = module_tree(codebase.head), ModuleDefinitions(codebase), unused_copies(codebase.head)
    found: list[tuple[str, Use, list[str], bool]] = []
    for path, fact in sorted(facts.items()):
        places = [] if path in unused else _places(path, fact, codebase)
        lacks = {name: definitions.lack([place_of(path)], name) for name in {use.name for use in fact.uses if places}}
        found += [
            (path, use, places, lacks[use.name] == "surely")
            for use in fact.uses
            if lacks.get(use.name, "no") != "no" and not tree.anywhere(use.name)
        ]
    outside = OutsideStores(frozenset(use.name for _, use, _, _ in found), codebase, on_modules=True)
    for path, use, places, sure in found:
        if use.name not in outside.names(path) and modules_open_from_outside(codebase.head).isdisjoint(places):
            yield _hit(path, use, names_in_words(relative_name(place, tree.roots) for place in places), sure=sure)


def _places(path: str, fact: Facts, codebase: Codebase) -> list[str]:
    """Return the places of the modules that a file imports by a star; none if one may mean something else."""
    tree, found = module_tree(codebase.head), list[str]()
    sets = sets_path(codebase.head.text(path) or "")
    for module, level in fact.stars:
        places = places_of(module, level, path, tree)
        own = level or (is_own(module, path, codebase, sets_path=sets) and not runs_a_release(codebase, path))
        if len(places) != 1 or tree.at(places[0]).kind != "module" or not own:
            return []
        dotted = relative_name(places[0], tree.roots)
        if prepares(path, dotted, codebase) or is_stubbed(dotted, path, codebase):
            return []
        found += places
    return found


def _hit(path: str, use: Use, starred: str, *, sure: bool) -> Hit:
    doubtful = (
        f"`{use.name}` is neither defined in this file nor brought by its star imports of {starred}; "
        "only an assignment at run time could provide it."
    )
    values = {"name": use.name, "modules": starred}
    return hit_over(use.span, values=values, path=path, subject=starred, message=None if sure else doubtful)


CHECK = change_check(gather, relate, CheckTraits(literals=("import *",), doubted=True))
