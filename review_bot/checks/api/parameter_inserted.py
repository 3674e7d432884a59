"""A parameter with a default that a public function gets before others that callers may pass by position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from review_bot.analysis.facts.changed_signatures import changed_signatures
from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.public_face import is_public
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_BY_PLACE = frozenset({"positional", "either"})
_OF_MODELS = frozenset({"models", "layers", "ops", "kernels"})
"""Folders of code that its own pipeline calls, with the parameters that upstream sets."""


class Inserted(NamedTuple):
    """New parameters of a function or method, by name, before the old one ``before``; ``line`` is in its header."""

    function: str
    names: tuple[str, ...]
    before: str
    line: int


def gather(source: SourceFile) -> tuple[Inserted, ...] | None:
    """Return the functions of a file that got a parameter in front of an old one. Raises CannotParse."""
    if not _OF_MODELS.isdisjoint(source.path.split("/")[:-1]):
        return None
    found: list[Inserted] = []
    for each in changed_signatures(source):
        private = any(part.startswith("_") and part != "__init__" for part in each.name.split("."))
        if private or not each.plain or each.line not in source.added:
            continue
        for old, new in zip(each.before[:1], each.after[:1], strict=True):
            names, before = _inserted(old, new)
            if names:
                found.append(Inserted(each.name, names, before, each.line))
    return tuple(found) or None


def _inserted(old: tuple[Parameter, ...], new: tuple[Parameter, ...]) -> tuple[tuple[str, ...], str]:
    """Return the parameters with defaults that come before an old one, and that one, if nothing else changed."""
    known = {each.name for each in old}
    before = [each.name for each in old if each.kind in _BY_PLACE]
    after = [each for each in new if each.kind in _BY_PLACE]
    if [each.name for each in after if each.name in known] != before:
        return (), ""
    rest = after[next((i for i, each in enumerate(after) if each.name not in known), len(after)) :]
    names = tuple(each.name for each in takewhile(lambda each: each.name not in known, rest))
    optional = not any(each.required for each in rest)
    return (names, rest[len(names)].name) if optional and len(names) < len(rest) else ((), "")


def relate(facts: Mapping[str, tuple[Inserted, ...]], pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each public function."""
    places = {file.path: file.base_path for file in pull_request.files}
    for path, found in sorted(facts.items()):
        for each in found:
            if is_public(each.function, places[path], codebase):
                names = ", ".join(f"`{name}`" for name in each.names)
                comes = "comes" if len(each.names) == 1 else "come"
                takes = each.names[0]
                values = {"names": names, "comes": comes, "before": each.before, "takes": takes, "name": each.function}
                yield Hit(each.line, values=values, path=path, statement=f"{each.function} {names}")


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("def",), reads_old=True))
