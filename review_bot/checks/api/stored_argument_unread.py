"""An argument that ``__init__`` only keeps in an attribute, which nothing in the tree reads.

::

    def __init__(self, url, timeout=30):
        self.url = url
        self.timeout = timeout      no code has ``.timeout``: the limit that callers set never applies

Silent where attributes may be reached without their names: through ``__dict__``, reflection, a base outside the tree.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.class_family import has_known_bases, names_in_family, shows_all
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.members import NAMES_OF_MODULES
from review_bot.analysis.facts.uses import read_anywhere
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import all_listed
from review_bot.analysis.python.bindings import reads_by_text
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import (
    Function,
    assigned_values,
    blocks,
    is_function,
    last_name,
    named_parameters,
)
from review_bot.analysis.python.syntax import attribute_of_self, classes
from review_bot.analysis.python.unread_parameters import SAID
from review_bot.analysis.python.working_classes import does_work
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_CONVERTS = frozenset({"bool", "dict", "float", "frozenset", "int", "list", "max", "min", "set", "str", "tuple"})
_TELLS_APART = frozenset(
    {"description", "id", "idx", "index", "label", "name", "number", "tag", "title", "uid", "uuid", "version"}
)
"""Words of names that identify an object, in a debugger for example."""
_REFLECTS = LazyRegex(r"\b(?:vars|dir|getmembers|asdict)\(|__dict__|__getstate__|\b(?:get|has)attr\(\w+, *[a-z]\w*[,)]")


_TEMPLATES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".mako", ".mustache", ".tmpl", ".tpl")


class Stored(NamedTuple):
    """An assignment of an argument to an attribute, and nothing else that ``__init__`` does with it."""

    owner: str
    alone: bool
    name: str
    attribute: str
    line: int


def gather(source: SourceFile) -> tuple[Stored, ...] | None:
    """Return such assignments on added lines, where the file itself reads no such attribute. Raises CannotParse."""
    if _REFLECTS.search(source.text or ""):
        return None
    read = {each.attr for each in source.nodes(ast.Attribute) if isinstance(each.ctx, ast.Load)}
    found = (
        each
        for owner in classes(source.tree)
        if source.any_added(*span_of(owner)) and does_work(owner)
        for method in owner.body
        if is_function(method) and method.name == "__init__"
        for each in _stored(owner, method, source)
        if each.attribute not in read
    )
    return tuple(found) or None


def _stored(owner: ast.ClassDef, method: Function, source: SourceFile) -> Iterator[Stored]:
    if any(map(reads_by_text, nodes_of(method, ast.Call))) or SAID.search(ast.get_docstring(method, clean=False) or ""):
        return
    taken = {each.arg: each.lineno for each in named_parameters(method)[1:]}
    reads = Counter(each.id for each in nodes_of(method, ast.Name) if isinstance(each.ctx, ast.Load))
    replaced = {each for block in blocks(method.body, into_definitions=False) for each in _replaced(block)}
    for target, value in assigned_values(method):
        attribute = attribute_of_self(target)
        if not attribute or value is None or attribute in NAMES_OF_MODULES or target in replaced:
            continue
        inside = Counter(each.id for each in nodes_of(value, ast.Name))
        kept = [name for name in inside if name in taken and reads[name] == inside[name]]
        plain = all(last_name(each.func) in _CONVERTS for each in nodes_of(value, ast.Call))
        if len(kept) != 1 or not plain or target.lineno not in source.added or _TELLS_APART & {*words_in(kept[0])}:
            continue
        if not any(SAID.search(source.lines[line - 1]) for line in (target.lineno, taken[kept[0]])):
            alone = has_known_bases(owner) and shows_all(owner, ast.unparse(owner))
            yield Stored(owner.name, alone, kept[0], attribute, target.lineno)


def _replaced(block: list[ast.stmt]) -> Iterator[ast.expr]:
    """Yield the attributes that a block sets and sets again further down, so that they do not keep the first value."""
    last: dict[str, ast.expr] = {}
    for statement in block:
        for target, value in assigned_values(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ():
            attribute = attribute_of_self(target)
            if attribute and value is not None:
                if attribute in last:
                    yield last[attribute]
                last[attribute] = target


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each class that keeps arguments in attributes which no code reads, of whatever object."""
    read = read_anywhere(codebase.head, {each.attribute for found in facts.values() for each in found})
    unread: dict[tuple[str, str], list[Stored]] = {}
    for path, each in each_fact(facts):
        if each.attribute not in read and _is_shown(codebase, path, each):
            unread.setdefault((path, each.owner), []).append(each)
    for (path, owner), found in unread.items():
        first, *others = found
        values = {"owner": owner, "name": first.name, "attribute": first.attribute}
        message = (
            f"`{owner}` keeps the arguments {all_listed(each.name for each in found)} in attributes that nothing in "
            "this repository reads, so they have no effect here."
        )
        yield Hit(
            first.line,
            values=values,
            path=path,
            message=message if others else None,
            related=tuple(Related(path, each.line, f"keeps `{each.name}`") for each in others),
            statement=" ".join(f"{owner}.{each.attribute}" for each in found),
        )


def _is_shown(codebase: Codebase, path: str, stored: Stored) -> bool:
    """Return whether nothing reaches the attributes of a class without their names."""
    side = codebase.head
    templates = (side.text(path) or "" for path in sorted(side.paths) if path.endswith(_TEMPLATES))
    if any(stored.attribute in text for text in templates):
        return False
    below = subclasses(side, stored.owner)
    if (not stored.alone or below) and names_in_family(side, path, stored.owner) is None:
        return False
    around = {*files_with(side, [stored.owner]), *(each.path for each in below)} - {path}
    return not any(_REFLECTS.search(side.text(each) or "") for each in around)


CHECK = change_check(gather, relate, CheckTraits(literals=("__init__",)))
