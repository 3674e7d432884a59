"""Methods of subclasses that took what their parent's method took, and do not take what it takes now."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature, changed_signatures
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.wording import MOST_RELATED, first_note, places_in_words
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


def gather(source: SourceFile) -> tuple[ChangedSignature, ...] | None:
    """Return the methods whose parameters changed; constructors do not count as overrides."""
    found = (each for each in changed_signatures(source) if "." in each.name and each.plain and not each.freed)
    return tuple(each for each in found if not each.name.rpartition(".")[2].startswith("__")) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each changed header with overrides that no longer fit; they are its related places."""
    targets = call_targets(codebase.head)
    changed = {Symbol(path, each.name): each for path, found in facts.items() for each in found}
    owners = sorted({symbol.name.partition(".")[0] for symbol in changed})
    left: dict[Symbol, list[Related]] = {}
    for path in sorted({each.path for owner in owners for each in subclasses(codebase.head, owner)}):
        file = targets.file(path)
        for name in () if file is None else sorted(file.classes):
            for parent in targets.bases(Symbol(path, name)):
                for symbol, line, why in _unfit(Symbol(path, name), parent, changed, targets):
                    left.setdefault(symbol, []).append(Related(path, line, why))
    for symbol in sorted(left):
        places = sorted(set(left[symbol]))
        first, _ = places_in_words(places[:1])
        values = {"name": symbol.name, "override": first, "why": first_note(places, "override")}
        line, statement = changed[symbol].line, f"def {symbol.name}"
        yield Hit(line, values=values, path=symbol.path, related=tuple(places[:MOST_RELATED]), statement=statement)


def _unfit(
    owner: Symbol, parent: Symbol | None, changed: Mapping[Symbol, ChangedSignature], targets: CallTargets
) -> Iterator[tuple[Symbol, int, str]]:
    for symbol, each in changed.items():
        if parent is None or (symbol.path, symbol.name.partition(".")[0]) != parent:
            continue
        own = Symbol(owner.path, f"{owner.name}.{symbol.name.partition('.')[2]}")
        override = targets.signature(own)
        if override is None or _lacks(each.before[0], override.parameters):
            continue
        decided = _decided(own, each.after[0], targets) - {parameter.name for parameter in each.before[0]}
        decided -= {parameter.name for parameter in override.parameters}
        asked = tuple(parameter for parameter in each.after[0] if parameter.name not in decided)
        if (why := _lacks(asked, override.parameters)) is not None:
            yield symbol, override.line, why


def _decided(override: Symbol, parameters: tuple[Parameter, ...], targets: CallTargets) -> set[str]:
    """Return the parent's parameters that an override passes to it by itself: its callers cannot choose them."""
    owner, _, name = override.name.rpartition(".")
    node = targets.class_of(Symbol(override.path, owner))
    methods = [] if node is None else [each for each in node.body if is_function(each) and each.name == name]
    decided: set[str] = set()
    for call in (call for method in methods for call in nodes_of(method, ast.Call)):
        asked = call.func
        if not (isinstance(asked, ast.Attribute) and asked.attr == name):
            continue
        if isinstance(asked.value, ast.Call) and last_name(asked.value.func) == "super":
            decided |= {keyword.arg for keyword in call.keywords if keyword.arg is not None}
            places = [each.name for each in parameters if each.kind in {"positional", "either"}]
            decided |= {name for name, _ in zip(places, call.args, strict=False)}
    return decided


def _lacks(parent: tuple[Parameter, ...], override: tuple[Parameter, ...]) -> str | None:
    """Return in words what a caller of the parent's form may pass, or leave out, that the override does not allow."""
    kinds = {each.kind for each in override}
    places, mine = ([p for p in side if p.kind in {"positional", "either"}] for side in (parent, override))
    names = {each.name for each in override}
    if "*" not in kinds and len(places) > len(mine):
        rest = [each.name for each in places[len(mine) :] if each.name not in names or each.kind == "positional"]
        if rest and "**" not in kinds:
            return f"does not accept `{rest[0]}`"
    lacking = [each.name for each in parent if each.kind == "keyword" and each.name not in names]
    if lacking and "**" not in kinds:
        return f"does not accept `{lacking[0]}`"
    open_ended = next((each.name for each in parent if each.kind == "**"), None)
    if open_ended is not None and "**" not in kinds:
        return f"does not accept `**{open_ended}`"
    known = {each.name for each in parent}
    extra = [each for each in mine[len(places) :] if each.required and "*" not in {p.kind for p in parent}]
    extra += [each for each in override if each.kind == "keyword" and each.required]
    needed = [each.name for each in extra if each.name not in known]
    return f"requires `{needed[0]}`" if needed and "**" not in {p.kind for p in parent} else None


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
