"""Public functions, methods and classes that can no longer be called, or extended, as before."""

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.interface import Definition, Interface, Parameter, both_interfaces
from review_bot.analysis.facts.public_face import is_public
from review_bot.analysis.project.wording import all_listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_OF_MODELS = frozenset({"models", "layers"})
"""Folders of model code: what is there is called by its own pipeline, in the form that upstream sets."""
_BY_PLACE = frozenset({"positional", "either"})
_BY_NAME = frozenset({"either", "keyword"})


class Break(NamedTuple):
    """One definition that changed in a way which its users notice; ``line`` is at the head."""

    name: str
    line: int
    what: str


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
            what = [*_class_breaks(before, old, new)] if before.kind == "class" else [*parameter_breaks(before, after)]
            line = next((n for n in range(after.line, after.body_line + 1) if n in source.added), None)
            if what and line is not None:
                found.append(Break(name, after.line if after.line in source.added else line, "; ".join(what)))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each public definition that changed."""
    places = {file.path: file.base_path for file in pull_request.files}
    for path, breaks in sorted(facts.items()):
        for each in breaks:
            if not is_public(each.name, places[path], codebase):
                continue
            yield Hit(each.line, values={"name": each.name, "what": each.what}, path=path)


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


def _class_breaks(before: Definition, old: Interface, new: Interface) -> Iterator[str]:
    after = new.definitions[before.name]
    gone = [base for base in before.bases if base not in after.bases and base != "object"]
    if gone and after.kind == "class":
        yield f"{all_listed(gone)} {_plural(gone, 'is no longer a base class', 'are no longer base classes')}"
    inherits = set(after.bases) - set(before.bases) - {"object"}  # what it lost, a new base may give
    constructor = old.definitions.get(f"{before.name}.__init__")
    if (
        constructor is not None
        and constructor.parameters
        and f"{before.name}.__init__" not in new.definitions
        and after.plain
        and not inherits
    ):
        yield "its `__init__` was removed"


def _plural(names: list[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=None, reads_old=True))
