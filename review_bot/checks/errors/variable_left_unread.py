"""A local variable that a function still sets although the change removes the last line that reads it.

::

    repo = os.environ["REPO"]             still there
    if not repo:                          whether it is there is no use of it
        raise RuntimeError("no repository")
    run(f"git clone {repo}")              removed: the script no longer uses the repository that it is given

What only fills a list, set or dictionary does not read it.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements
from review_bot.analysis.python.statements import Function, targets_of
from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.python.unread_collections import unread_collections
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_UNREAD, _UPDATED, _REQUIRED = (
    "nothing reads it",
    "nothing but its own update reads it",
    "only a check that it is set reads it",
)
_OF_SEVERAL = {
    _UNREAD: "nothing reads them",
    _UPDATED: "nothing but their own updates reads them",
    _REQUIRED: "only a check that they are set reads them",
}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit, on the old side, where such a variable was read for the last time. Raises CannotParse."""
    comments = "\n".join(text.partition("#")[2] for text in source.added.values())
    imported = imported_names(source.tree)
    for pair in function_pairs(source):
        filled = {each.name for each in unread_collections(pair.new, imported)}
        used = _used(pair.new, source) - filled
        unread = {name: each for name, each in _set(pair, source).items() if name not in used}
        if not unread or any(map(reads_by_text, nodes_of(pair.new, ast.Call))):
            continue
        lost: dict[str, int] = {}
        for each in _uses(pair.old, ()):
            if each.lineno in source.removed:
                lost.setdefault(each.id, each.lineno)
        required = {each.id for each in nodes_of(pair.new, ast.Name) if not isinstance(each.ctx, ast.Store)}
        updated = {each.target.id for each in nodes_of(pair.new, ast.AugAssign) if isinstance(each.target, ast.Name)}
        still_set: dict[str, list[tuple[str, int]]] = {}
        for name, setting in sorted(unread.items()):
            if name in lost and name not in comments:  # else the code is only switched off
                reading = _UNREAD if name not in updated else _UPDATED
                reading = _REQUIRED if name in required - filled else reading
                still_set.setdefault(reading, []).append((name, setting.lineno))
        for reading, found in sorted(still_set.items()):
            yield _hit(source, pair, reading, found, min(lost[name] for name, _ in found))


def _hit(source: SourceFile, pair: FunctionPair, reading: str, found: list[tuple[str, int]], lost: int) -> Hit:
    (name, line), *others = found
    values = {"name": name, "function": pair.new.name, "line": str(line), "reading": reading}
    reads = _OF_SEVERAL[reading]
    more = f"{len(others)} more variables" if len(others) > 1 else f"`{others[0][0]}`" if others else ""
    message = (
        f"`{pair.new.name}` still sets `{name}` (line {line}) and {more}, but {reads} now that these lines are gone."
    )
    return Hit(
        lost,
        side="LEFT",
        values=values,
        message=message if others else None,
        related=tuple(
            Related(source.path, line, f"`{name}` is still set here" if others else "is still set here")
            for name, line in found
        ),
        statement=f"{pair.name} {' '.join(name for name, _ in found)}",
    )


def _set(pair: FunctionPair, source: SourceFile) -> dict[str, ast.Assign | ast.AnnAssign]:
    """Return the variables that a function sets on lines that the change leaves alone, with the first of them."""
    found: dict[str, ast.Assign | ast.AnnAssign] = {}
    for each in own_statements(pair.new):
        if not isinstance(each, (ast.Assign, ast.AnnAssign)) or each.value is None:
            continue
        targets = targets_of(each)
        lines = lines_of(each)
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and source.added.keys().isdisjoint(lines):
            found.setdefault(targets[0].id, each)
    return {name: each for name, each in found.items() if not name.startswith("_")}


def _used(function: Function, source: SourceFile) -> frozenset[str]:
    """Return the names that a function uses, or shares with the code around it."""
    return shared_names(function) | {each.id for each in _uses(function, source.added)}


def _uses(function: Function, added: Container[int]) -> Iterator[ast.Name]:
    """Yield the names that a function reads or deletes, but for those of which it only requires that they are there.

    A new requirement is a use.
    """
    required: set[int] = set()
    for each in nodes_of(function, ast.If):
        if len(each.body) == 1 and isinstance(each.body[0], ast.Raise) and not each.orelse and each.lineno not in added:
            required.update(map(id, _required(each.test)))
    for name in nodes_of(function, ast.Name):
        if not isinstance(name.ctx, ast.Store) and id(name) not in required:
            yield name


def _required(test: ast.expr) -> Iterator[ast.expr]:
    """Yield what is missing where a condition holds: ``x`` of ``not x``, ``x is None``, and of several such tests."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            for each in values:
                yield from _required(each)
        case ast.UnaryOp(op=ast.Not(), operand=value):
            yield value
        case ast.Compare(left=value, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            yield value


CHECK = file_check(examine, CheckTraits(literals=("def",), reads_old=True, on_lines=False))
