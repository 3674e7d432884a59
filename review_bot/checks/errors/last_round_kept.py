"""A collection that is empty when a round of a loop begins, and that only code after the loop reads.

::

    for prompt in prompts:
        found = []
        for token in prompt:
            found.append(token)
    return found                    of the last prompt alone

A loop that goes over the same work again, such as the epochs of a training, keeps its last round on purpose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.collection_methods import FILLING
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import Function, blocks, last_name
from review_bot.analysis.python.syntax import hit_at, names_in, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_EMPTY = frozenset({"dict", "list", "OrderedDict", "set"})
_LEAVING = (ast.Break, ast.Return, ast.Yield, ast.YieldFrom)
_AGAIN = frozenset({
    "attempt", "epoch", "iter", "iteration", "repeat", "repetition", "retry", "round", "run", "step", "trial", "warmup",
})  # fmt: skip
"""Words of a loop that does the same again: the last round is the one that counts."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such collection, where a round begins it. Raises CannotParse."""
    for function in source.functions:
        for block in blocks(function.body, into_definitions=False):
            for loop in block:
                if isinstance(loop, (ast.For, ast.AsyncFor)) and _is_over_items(loop):
                    yield from _in_loop(source, function, loop)


def _is_over_items(loop: ast.For | ast.AsyncFor) -> bool:
    """Return whether each round is about another item, and none ends the loop."""
    items = names_in(loop.target)
    said = {word.removesuffix("s") for name in names_in(loop.target) | names_in(loop.iter) for word in words_in(name)}
    if not said.isdisjoint(_AGAIN) or any(isinstance(each, _LEAVING) for each in own_nodes(loop.body)):
        return False
    return any(isinstance(each, ast.Name) and each.id in items for each in own_nodes(loop.body))


def _in_loop(source: SourceFile, function: Function, loop: ast.For | ast.AsyncFor) -> Iterator[Hit]:
    begun = {
        each.targets[0].id: each
        for each in loop.body
        if isinstance(each, ast.Assign)
        and len(each.targets) == 1
        and isinstance(each.targets[0], ast.Name)
        and _is_empty(each.value)
    }
    if not begun:
        return
    filled = {id(place): place.id for each in own_nodes(loop.body) for place in _filled_by(each)}
    mentions = [each for each in walk(function) if isinstance(each, ast.Name) and each.id in begun]
    for name, start in begun.items():
        own = [each for each in mentions if each.id == name]
        inside = [each for each in own if loop.lineno <= each.lineno <= last_line(loop)]
        later = [each for each in own if each.lineno > last_line(loop)]
        is_kept = all(id(each) in filled or each is start.targets[0] for each in inside)
        if is_kept and name in filled.values() and later and all(isinstance(each.ctx, ast.Load) for each in later):
            line = min(each.lineno for each in later)
            related = (Related(source.path, line, "reads what the last iteration left"),)
            yield hit_at(source, start, values={"name": name, "loop": loop.lineno, "line": line}, related=related)


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        made = last_name(value.func)
        return made == "defaultdict" or (made in _EMPTY and not value.args and not value.keywords)
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)


def _filled_by(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the names whose collection a node fills: ``name.append(x)``, ``name[key] = x``, ``name += [x]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
        if isinstance(node.func.value, ast.Name):
            yield node.func.value
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
        yield node.value
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target


CHECK = file_check(examine, CheckTraits(literals=("for def",)))
