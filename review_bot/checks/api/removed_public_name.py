"""Public names that a change removes. ``removed_name`` reports those that the tree still imports."""

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.interface import both_interfaces
from review_bot.analysis.facts.public_face import is_public
from review_bot.analysis.project.module_names import is_open
from review_bot.analysis.project.module_tree import ModuleTree, module_tree, place_of, relative_name
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DEFINITION = LazyRegex(r"(?:(?:async[ ]+)?def|class)[ ]+([A-Za-z]\w*)")
_MOST_NAMES = 10


class Removed(NamedTuple):
    """A name that is gone, and the line at the base that made it public. ``exported``: it was in ``__all__``."""

    name: str
    line: int
    exported: bool


class Facts(NamedTuple):
    """What one file gives: the names that are gone, and the definitions that are new."""

    removed: tuple[Removed, ...]
    new: tuple[str, ...]


def gather(source: SourceFile) -> Facts | None:
    """Compare what a module offered with what it offers."""
    new = tuple(match[1] for text in source.added_code.values() if (match := _DEFINITION.match(text)))
    removed = tuple(_removed(source))
    return Facts(removed, new) if removed or new else None


def _removed(source: SourceFile) -> Iterator[Removed]:
    both = both_interfaces(source)
    if both is None or is_open(source.tree, source.path):
        return
    old, new = both
    if "*" in new.names:
        return
    for name in sorted({*old.exported, *(name for name in old.definitions if "." not in name)}):
        lines = [old.exported.get(name), old.definitions[name].line if name in old.definitions else None]
        line = next((each for each in lines if each in source.removed), None)
        if line is not None and name not in new.names:
            yield Removed(name, line, name in old.exported)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit on the old side for the names of a module that the project documents or exports."""
    tree = module_tree(codebase.head)
    places = {file.path: file.base_path for file in codebase.change.files}
    modules = {path: _module(place, tree) for path, place in places.items()}
    removed = [(path, each) for path, fact in sorted(facts.items()) for each in fact.removed]
    found: dict[tuple[str, bool], list[tuple[Removed, str]]] = {}
    for path, each in removed:
        if is_public(each.name, places[path], codebase):
            moved = next((o for o, fact in sorted(facts.items()) if o != path and each.name in fact.new), "")
            found.setdefault((path, each.exported), []).append((each, moved))
    for (path, _), group in found.items():
        homes = sorted({_module(moved, tree) for _, moved in group if moved})
        what = f"; see {', '.join(f'`{home}`' for home in homes)}" if homes else ""
        yield _hit(path, [each for each, _ in group], what, modules[path])


def _hit(path: str, removed: list[Removed], what: str, module: str) -> Hit:
    names = listed((each.name for each in removed), _MOST_NAMES)
    return Hit(
        min(each.line for each in removed),
        side="LEFT",
        values={"names": f"{names} {'is' if len(removed) == 1 else 'are'}", "module": module, "what": what},
        path=path,
    )


def _module(path: str, tree: ModuleTree) -> str:
    return relative_name(place_of(path), tree.roots)


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
