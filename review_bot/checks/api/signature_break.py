"""Public functions, methods and classes that can no longer be called, or extended, as before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from review_bot.analysis.facts.interface import Definition, Interface, Parameter, both_interfaces
from review_bot.analysis.facts.lost_bases import lost_bases
from review_bot.analysis.facts.public_face import is_public
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.wording import all_listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_OF_MODELS = frozenset({"models", "layers"})
"""Folders of model code: what is there is called by its own pipeline, in the form that upstream sets."""
_BY_PLACE = frozenset({"positional", "either"})
_BY_NAME = frozenset({"either", "keyword"})


class Break(NamedTuple):
    """One definition that changed in a way which its users may notice; ``line`` is at the head.

    ``what``: what is known of it without the tree, in words. ``former``: the bases that a class had, as written, of
    which those in ``gone`` are not written any more; it may still inherit from them.
    """

    name: str
    line: int
    what: tuple[str, ...]
    former: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def gather(source: SourceFile) -> tuple[Break, ...] | None:
    """Compare the definitions that a module had before with those that it has now."""
    both = None if _OF_MODELS.intersection(source.path.split("/")[:-1]) else both_interfaces(source)
    if both is None:
        return None
    old, new = both
    found = []
    for name, before in old.definitions.items():
        after = new.definitions.get(name)
        if after is not None:
            lost = before.kind == "class" and _lost_constructor(before, old, new)
            what = ("its `__init__` was removed",) if lost else tuple(parameter_breaks(before, after))
            gone = _unwritten(before, after)
            line = next((n for n in range(after.line, after.body_line + 1) if n in source.added), None)
            if (what or gone) and line is not None:
                line = after.line if after.line in source.added else line
                found.append(Break(name, line, what, before.bases, gone))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each public definition that changed."""
    places = {file.path: file.base_path for file in codebase.change.files}
    for path, each in each_fact(facts):
        if not is_public(each.name, places[path], codebase):
            continue
        if what := breaks_in_words(each, path, places[path], codebase):
            yield Hit(each.line, values={"name": each.name, "what": what}, path=path)


def breaks_in_words(found: Break, path: str, old_path: str, codebase: Codebase) -> str:
    """Return what users of a definition notice; nothing if it still inherits what it did.

    ``path``: its file at the head; ``old_path``: that at the base.
    """
    owner = Symbol(path, found.name)
    lost = lost_bases(codebase, owner, old_path, found.former, found.gone) if found.gone else ()
    bases = _plural(lost, "is no longer a base class", "are no longer base classes")
    return "; ".join([f"{all_listed(lost)} {bases}", *found.what] if lost else found.what)


def parameter_breaks(before: Definition, after: Definition) -> Iterator[str]:
    """Yield in words what a caller of the old form would stumble over."""
    if before.kind == "class" or after.kind == "class" or not (before.plain and after.plain):
        return
    old, new = ({p.name: p for p in each.parameters if p.kind not in {"*", "**"}} for each in (before, after))
    takes_any = {parameter.kind for parameter in after.parameters}
    gone = [name for name, parameter in old.items() if name not in new and not _is_taken(parameter, takes_any)]
    if gone:
        yield f"parameter{_plural(gone, '', 's')} {all_listed(gone)} {_plural(gone, 'was', 'were')} removed"
    required = [name for name, parameter in new.items() if parameter.required and not _was_given(name, old)]
    if required:
        yield f"{all_listed(required)} {_plural(required, 'is', 'are')} now required"
    places = [[name for name, each in side.items() if each.kind in _BY_PLACE] for side in (old, new)]
    common = [[name for name in side if name in places[0] and name in places[1]] for side in places]
    if common[0] != common[1]:
        yield "the parameters were reordered"
    by_name_now = [n for n, p in old.items() if p.kind in _BY_PLACE and n in new and new[n].kind == "keyword"]
    if by_name_now:
        yield f"{all_listed(by_name_now)} {_plural(by_name_now, 'is', 'are')} now keyword-only"


def _is_taken(parameter: Parameter, takes_any: set[str]) -> bool:
    """Return whether ``*args`` or ``**kwargs`` still takes what was given for a parameter that is gone."""
    return ("**" in takes_any and parameter.kind in _BY_NAME) or ("*" in takes_any and parameter.kind == "positional")


def _was_given(name: str, old: Mapping[str, Parameter]) -> bool:
    return name in old and old[name].required


def _unwritten(before: Definition, after: Definition) -> tuple[str, ...]:
    """Return the bases of a class that are not among those of its new form."""
    if before.kind != "class" or after.kind != "class":
        return ()
    return tuple(base for base in before.bases if base not in after.bases and base != "object")


def _lost_constructor(before: Definition, old: Interface, new: Interface) -> bool:
    """Return whether a class has lost a constructor with parameters, and no base that it has now may give one."""
    after = new.definitions[before.name]
    inherits = set(after.bases) - set(before.bases) - {"object"}
    constructor = old.definitions.get(f"{before.name}.__init__")
    return (
        constructor is not None
        and bool(constructor.parameters)
        and f"{before.name}.__init__" not in new.definitions
        and after.plain
        and not inherits
    )


def _plural(names: Sequence[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
