"""A name left over from the function or statement that a twin of it was copied from.

::

    def allocate_gpu_cache(self):
        self.gpu_cache = self.allocate(self.num_gpu_blocks, "cuda")

    def allocate_cpu_cache(self):
        self.cpu_cache = self.allocate(self.num_gpu_blocks, "cpu")      num_cpu_blocks exists

Two functions of a class or module are twins if their names differ in one word and their bodies in that word and in
constants alone; of two assignments the same is true of their targets and values. In an assignment, the name must follow
the word in another place::

    self.a_rank = weights_a[0].size(1) if len(weights_a) > 0 else 1
    self.b_rank = weights_b[0].size(0) if len(weights_a) > 0 else 1
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, blocks, is_function, is_string, last_name
from review_bot.analysis.python.syntax import dotted, hit_at, reads_same
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NEAR = 3
"""Statements, or functions of such names, within which two count as twins."""
_OF_ANY = frozenset({"device", "dtype", "shape", "size", "sizes"})
"""What is the same for all tensors of a module, so that any of them may be asked, or what one may be brought to."""
_MASKED = frozenset({"where", "masked_fill", "masked_fill_", "masked_select"})
"""Calls whose first argument only says where something is done: one array may decide it for several."""
_NUMBERS = frozenset({"zero", "one", "two", "three"})
_ENOUGH = 2
"""How many names of a function must follow the word, if one never does."""


class _Token(NamedTuple):
    """A part of a syntax tree: the kind of a node, or what a field of it holds. ``is_name``: it is an identifier."""

    text: str
    node: ast.AST
    is_name: bool = False


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such name in the later of the twins. Raises CannotParse."""
    known: _Names | None = None
    for first, second, name, twin in _twins(source):
        words = _differing_word(twin, name)
        found = None if words is None else _left_over(first, second, *words)
        if words is None or found is None:
            continue
        known = known or _names(source)
        meant = _with_word(found.text, *words)
        is_called = any(each.func is found.node for one in second for each in nodes_of(one, ast.Call))
        exists = meant in (known.called if is_called else known.read)
        if exists and not _takes(first, meant) and not _is_explained(found, source):  # a formula may take both
            line = first[0].lineno
            values = {"left": found.text, "meant": meant, "name": name, "twin": twin, "line": str(line)}
            yield hit_at(source, found.node, values=values, related=(Related(source.path, line, "the twin"),))


def _is_explained(left: _Token, source: SourceFile) -> bool:
    """Return whether a comment on the line of a name, or above it, mentions the name."""
    line = getattr(left.node, "lineno", 0)
    comments = (source.lines[line - 1].partition("#")[2], source.lines[line - 2].strip() if line > 1 else "")
    return left.text in comments[0] or (comments[1].startswith("#") and left.text in comments[1])


def _takes(body: list[ast.stmt], name: str) -> bool:
    """Return whether code mentions a name or an attribute of it."""
    return any(name in (getattr(each, "id", ""), getattr(each, "attr", "")) for one in body for each in walk(one))


class _Names(NamedTuple):
    """The variables, parameters and attributes of a file: all of them, and those that are not only called."""

    called: frozenset[str]
    read: frozenset[str]


def _names(source: SourceFile) -> _Names:
    callees = {id(each.func) for each in source.nodes(ast.Call)}
    found: list[tuple[ast.expr, str]] = [(each, each.id) for each in source.nodes(ast.Name)]
    found += [(each, each.attr) for each in source.nodes(ast.Attribute)]
    read = {each.arg for each in source.nodes(ast.arg)}.union(name for each, name in found if id(each) not in callees)
    return _Names(frozenset(read.union(name for _, name in found)), frozenset(read))


def _twins(source: SourceFile) -> Iterator[tuple[list[ast.stmt], list[ast.stmt], str, str]]:
    """Yield the statements of two pieces of code that may be twins, the name of the second and that of the first."""
    for block in blocks(source.tree.body):
        yield from _twin_functions(source, [each for each in block if is_function(each)])
        assignments = [(place, each) for place, each in enumerate(block) if isinstance(each, ast.Assign)]
        for number, (place, later) in enumerate(assignments):
            target = _target(later)
            if target is None or later.lineno not in source.added:
                continue
            for before, earlier in assignments[max(0, number - _NEAR) : number]:
                twin = _target(earlier)
                if twin is not None and place - before <= _NEAR:
                    yield [earlier], [later], target, twin


def _twin_functions(
    source: SourceFile, functions: list[Function]
) -> Iterator[tuple[list[ast.stmt], list[ast.stmt], str, str]]:
    alike: dict[tuple[int, tuple[str, ...]], list[Function]] = {}
    for second in functions:
        words = _words(second.name)
        for place in range(len(words) if len(words) > 1 else 0):
            earlier = alike.setdefault((place, (*words[:place], *words[place + 1 :])), [])
            if source.touches(*span_of(second)):
                for first in earlier[-_NEAR:]:
                    one, other = _body(first), _body(second)
                    if len(one) == len(other) and one:
                        yield one, other, second.name, first.name
            earlier.append(second)


def _body(function: Function) -> list[ast.stmt]:
    return function.body[1:] if is_string(function.body[0]) else function.body


def _target(statement: ast.Assign) -> str | None:
    return dotted(statement.targets[0]) if len(statement.targets) == 1 else None


def _words(name: str) -> list[str]:
    return [each.lower() for each in _WORD.findall(name)]


def _differing_word(one: str, other: str) -> tuple[str, str] | None:
    """Return the word of each of two names in which alone they differ."""
    left, right = _words(one), _words(other)
    if len(left) != len(right) or len(left) < 2:
        return None
    found = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    return found[0] if len(found) == 1 and not any(word.isdigit() or word in _NUMBERS for word in found[0]) else None


def _with_word(name: str, one: str, other: str) -> str:
    """Return a name with one word in the place of another, in the same case."""

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word.lower() != one:
            return word
        return other.upper() if word.isupper() and len(word) > 1 else other.capitalize() if word[0].isupper() else other

    return _WORD.sub(replaced, name)


def _left_over(first: list[ast.stmt], second: list[ast.stmt], one: str, other: str) -> _Token | None:
    """Return the one name of the second piece of code that does not follow a word, where all others do."""
    followed: set[str] = set()
    read: set[str] = set()
    kept: dict[str, _Token] = {}
    keys = {id(each.slice) for one in second for each in nodes_of(one, ast.Subscript)}
    keys |= {id(each.args[0]) for one in second for each in nodes_of(one, ast.Call) if each.args and _looks_up(each)}
    masks: list[ast.expr] = [
        each.slice for one in second for each in nodes_of(one, ast.Subscript) if isinstance(each.slice, ast.Compare)
    ]
    masks += [each.args[0] for one in second for each in nodes_of(one, ast.Call) if each.args and _is_masked(each)]
    keys |= {id(name) for mask in masks for name in walk(mask)}
    askers = keys | {id(each.value) for one in second for each in nodes_of(one, ast.Attribute) if each.attr in _OF_ANY}
    left, right = list(_tokens(first)), list(_tokens(second))
    if len(left) != len(right):
        return None
    for a, b in zip(left, right, strict=True):
        if a.text != b.text:
            if not b.is_name or _with_word(a.text, one, other) != b.text:
                return None
            followed.add(b.text)
            if isinstance(getattr(b.node, "ctx", None), ast.Load):
                read.add(b.text)
        elif (
            isinstance(b.node, (ast.Name, ast.Attribute))
            and isinstance(b.node.ctx, ast.Load)
            and id(b.node) not in askers
        ):
            words = _words(b.text)
            if one in words and other not in words and len(words) > 1:
                kept.setdefault(b.text, b)
    cancels = any(reads_same(each.left, each.right) for statement in first for each in nodes_of(statement, ast.BinOp))
    if len(kept) != 1 or cancels:
        return None
    ((name, token),) = kept.items()
    if any(_has_on_both_sides(each, name) for one in first for each in walk(one)):
        return None  # each with each, and one with the other: ``a[:, None] == a[None]``, ``b[:, None] == a[None]``
    follows_elsewhere = _with_word(name, one, other) in read
    return token if follows_elsewhere or (len(second) > 1 and len(followed) >= _ENOUGH) else None


def _has_on_both_sides(node: ast.AST, name: str) -> bool:
    """Return whether an operation has a name, or an attribute of it, on both of its sides."""
    match node:
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return all(_takes([ast.Expr(side)], name) for side in (left, right))
    return False


def _is_masked(call: ast.Call) -> bool:
    return last_name(call.func) in _MASKED


def _looks_up(call: ast.Call) -> bool:
    """Return whether a call looks something up under a key, which several tables may share."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in {"get", "pop", "setdefault"}


def _tokens(body: list[ast.stmt]) -> Iterator[_Token]:
    """Yield the parts of some statements in a fixed order; of a constant the type alone."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Constant):
            yield _Token(f"constant {type(node.value).__name__}", node)
            continue
        yield _Token(type(node).__name__, node)
        for field, value in ast.iter_fields(node):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    pending.append(each)
                elif isinstance(each, str):
                    yield _Token(each, node, is_name=True)
                else:
                    yield _Token(f"{field} {each}", node)


CHECK = file_check(examine, CheckTraits(literals=("def", "=")))
