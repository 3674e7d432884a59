"""A cache that a class makes by hand, fills by key and never empties."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import is_function, last_name, targets_of
from review_bot.analysis.python.syntax import attribute_of_self, classes, hit_at
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_MAPPINGS = {"dict", "OrderedDict", "defaultdict"}
_CLOSED = LazyRegex(r"layer|dtype|type|device|\bdev_|name|cls|class|kind|shape|size|stage|rank|config", re.IGNORECASE)
"""Words in a key that say there are only so many of them."""

_LIMITED = LazyRegex(r"Dataset|Kernel|Graph|Autotune", re.IGNORECASE)
"""Words in the name or a base of a class whose keys are as many as its samples, or as the shapes it is compiled for."""

_NUMBERS = frozenset({"int", "float", "bool", "len", "hash", "id"})
"""Functions that return a number."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the assignment that makes such a cache. Raises CannotParse."""
    if not any(True for _ in _made(source.tree)):
        return
    for node in classes(source.tree):
        made = dict(_made(node))
        if not made or _LIMITED.search(" ".join([node.name, *map(ast.unparse, node.bases)])):
            continue
        written: dict[str, list[_Entry]] = {}
        for name, entry in _written(node):
            if name in made:
                written.setdefault(name, []).append(entry)
        for name, entries in written.items():
            if all(_is_small(entry.value) for entry in entries):
                continue
            if not _CLOSED.search(ast.unparse(entries[-1].key)) and not _is_emptied(node, name, made[name], source):
                yield hit_at(source, made[name], values={"cache": name})


def _made(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """Yield (attribute, statement) for each empty mapping that ``self`` gets under a cache's name."""
    plain = [(part, part.targets[0], part.value) for part in nodes_of(tree, ast.Assign) if len(part.targets) == 1]
    typed = [(part, part.target, part.value) for part in nodes_of(tree, ast.AnnAssign)]
    for part, target, value in [*plain, *typed]:
        empty = (isinstance(value, ast.Dict) and not value.keys) or (
            isinstance(value, ast.Call) and last_name(value) in _MAPPINGS and not value.keywords
        )
        if empty and attribute_of_self(target) and "cache" in last_name(target).lower():
            yield last_name(target), part


class _Entry(NamedTuple):
    """What is put into a cache, and under which key."""

    key: ast.expr
    value: ast.expr


def _is_small(value: ast.expr, *, in_record: bool = False) -> bool:
    """Return whether a value is a number, or a record of numbers and words that describes what is kept elsewhere."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return all(_is_small(each, in_record=True) for each in value.elts)
    if isinstance(value, ast.Dict):
        return all(_is_small(each, in_record=True) for each in value.values)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _NUMBERS or (in_record and value.func.id == "str")
    return isinstance(value, (ast.Constant, ast.Compare))


def _written(node: ast.ClassDef) -> Iterator[tuple[str, _Entry]]:
    """Yield (attribute, entry) for each ``self.attribute[key] = ...`` outside ``__init__``."""
    for method in node.body:
        if not is_function(method) or method.name == "__init__":
            continue
        for part in walk(method):
            if isinstance(part, ast.Assign):
                for target in part.targets:
                    if isinstance(target, ast.Subscript) and attribute_of_self(target.value):
                        yield last_name(target.value), _Entry(target.slice, part.value)


def _is_emptied(node: ast.ClassDef, name: str, made: ast.stmt, source: SourceFile) -> bool:
    """Return whether a class deletes from the cache, measures it, rebinds it, or hands it to someone else.

    It may inherit what deletes, so any class of the file counts for that.
    """
    if any(part is not made and _lets_go(part, name) for part in walk(node)):
        return True
    if any(text.value == name for text in nodes_of(node, ast.Constant)):
        return True  # ``getattr(self, "prefix_cache").clear()``
    deleted = (target for each in source.nodes(ast.Delete) for target in each.targets)
    if any(isinstance(each, ast.Subscript) and last_name(each.value) == name for each in deleted):
        return True
    called = (each.func for each in source.nodes(ast.Call) if last_name(each) in {"pop", "popitem", "clear"})
    return any(isinstance(each, ast.Attribute) and last_name(each.value) == name for each in called)


def _lets_go(part: ast.AST, name: str) -> bool:
    if isinstance(part, ast.Delete):
        return any(last_name(target) == name for target in part.targets)
    if isinstance(part, ast.Call):
        emptied = isinstance(part.func, ast.Attribute) and last_name(part.func.value) == name
        if emptied and last_name(part) in {"pop", "popitem", "clear", "move_to_end"}:
            return True
        return any(_is_attribute(each, name) for each in part.args)
    if isinstance(part, (ast.Assign, ast.AnnAssign)):
        targets = targets_of(part)
        return any(_is_attribute(each, name) for each in [*targets, part.value])
    return isinstance(part, ast.Return) and _is_attribute(part.value, name)


def _is_attribute(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name


CHECK = file_check(examine, CheckTraits(literals=("cache", "Cache")))
