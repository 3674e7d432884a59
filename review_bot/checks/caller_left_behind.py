"""Calls in the tree that no longer fit a function whose parameters this change alters.

::

    def load(path, device): ...        the change makes ``device`` necessary
    pkg/run.py:31: load(path)          was right before, and raises TypeError now

Only calls whose target the text tells count (see ``call_targets``), which fitted the old form and surely fail now.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.call_certainty import CallCertainty
from review_bot.checks.project.call_targets import IMPLICIT, CallTargets, Symbol
from review_bot.checks.project.changed_signatures import ChangedSignature, changed_signatures
from review_bot.checks.project.code_file import CodeFile
from review_bot.checks.project.module_tree import ModuleTree, head_tree
from review_bot.checks.project.signatures import form_of, misfit
from review_bot.findings import Related
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_set_aside

LITERALS: tuple[str, ...] | None = None
READS_OLD = True

_MOST_RELATED = 10
_MOST_FILES = 400
"""Files of the tree that are parsed for the sake of one change, the nearest by name first."""


def gather(source: SourceFile, _options: Options) -> tuple[ChangedSignature, ...] | None:
    """Return what changed in a way that some call might not fit any more."""
    return changed_signatures(source) or None


def relate(
    facts: Mapping[str, Any], _pull_request: PullRequest, repository: Repository, _options: Options
) -> Iterator[Hit]:
    """Yield a hit on each changed header with calls that no longer fit it; the calls are its related places."""
    tree = head_tree(repository)
    changed = {Symbol(path, each.name): each for path, found in facts.items() for each in found}
    targets = CallTargets(tree, repository)
    certainty = CallCertainty(targets, tree, repository)
    calls: dict[Symbol, dict[Related, bool]] = {}
    for path in _candidates(changed, tree, repository):
        for symbol, line, why, sure in _broken(path, changed, targets, certainty):
            calls.setdefault(symbol, {})[Related(path, line, why)] = sure
    for symbol in sorted(calls):
        found = calls[symbol]
        places = sorted(found, key=lambda place: (not found[place], place))
        yield Hit(
            changed[symbol].line,
            values={"name": symbol.name, "calls": _summed_up(places)},
            path=symbol.path,
            related=tuple(places[:_MOST_RELATED]),
            statement=f"def {symbol.name}",
            severity=None if any(found.values()) else "warning",
        )


def _summed_up(places: list[Related]) -> str:
    first = places[0]
    what = f"the call at `{first.path}:{first.line}` {first.note}"
    if len(places) == 1:
        return what
    more = "1 more call does" if len(places) == 2 else f"{len(places) - 1} more calls do"
    return f"{what}; {more} not fit either"


def _candidates(changed: Mapping[Symbol, ChangedSignature], tree: ModuleTree, repository: Repository) -> list[str]:
    """Return the files that may call what changed: those with its name, for a class with that of a class below it."""
    texts = {path: repository.head_text(path) or "" for path in tree.python_files() if not is_set_aside(path)}
    wanted: set[str] = set()
    for symbol in changed:
        owner, _, method = symbol.name.rpartition(".")
        names = _with_subclasses(owner, texts) if owner else {symbol.name}
        needed = "" if method in IMPLICIT or not owner else f".{method}("
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        wanted.update(path for path, text in texts.items() if needed in text and word.search(text))
    return sorted(wanted)[:_MOST_FILES]


def _with_subclasses(name: str, texts: Mapping[str, str]) -> set[str]:
    names, fresh = {name}, {name}
    while fresh:
        below = re.compile(rf"^class[ ]+(\w+)\([^)]*\b(?:{'|'.join(map(re.escape, sorted(fresh)))})\b", re.MULTILINE)
        found = {each for text in texts.values() if any(n in text for n in fresh) for each in below.findall(text)}
        fresh = found - names
        names |= fresh
    return names


def _broken(
    path: str, changed: Mapping[Symbol, ChangedSignature], targets: CallTargets, certainty: CallCertainty
) -> Iterator[tuple[Symbol, int, str, bool]]:
    """Yield the calls in a file that fitted a changed function and no longer do, and whether they certainly run it."""
    file = targets.file(path)
    if file is None:
        return
    for call in file.calls(_called_names(changed, file)):
        symbol = targets.target(file, call)
        each = None if symbol is None else changed.get(symbol)
        if symbol is None or each is None or (each.hollow and isinstance(call.node.func, ast.Attribute)):
            continue
        form = form_of(call.node)
        if misfit(form, each.before) is None and (why := misfit(form, each.after)) is not None:
            yield symbol, call.node.lineno, why, certainty.of(file, call, symbol)


def _called_names(changed: Mapping[Symbol, ChangedSignature], file: CodeFile) -> frozenset[str] | None:
    """Return the last names under which a file may call what changed; None: any (an object that is called)."""
    last = {symbol.name.rpartition(".")[2] for symbol in changed}
    if not last.isdisjoint(IMPLICIT):
        return None
    return frozenset(last).union(local for local, imported in file.imports.items() if imported.name in last)
