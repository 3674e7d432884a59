"""A new field that a method of its class leaves out, although the method handled every field until now.

::

    class Resource:
        cpu: int
        memory: int
        gpu: int
        tags: dict                                       new

        def copy(self):
            return Resource(self.cpu, self.memory, self.gpu)      loses ``tags``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.statements import Function, all_parameters, is_function, last_name, named_parameters
from review_bot.analysis.python.syntax import argument_values, classes, is_literal, keyword
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FEWEST = 3
"""Fields that the method handled."""
_OF_ALL = LazyRegex(
    r"_{0,2}(?:copy|clone|deepcopy|eq|i?add|merge|getstate|setstate|reduce|"
    r"(?:de)?serialize|(?:to|as|from)_?(?:dict|json|tuple|list|proto|pb|state))_{0,2}"
)
"""Names of methods that stand for the whole object."""
_HARMLESS = frozenset({"hash", "id", "isinstance", "type"})
"""Functions that take an object and do not look at its fields."""
_SWITCHES = ("init", "repr", "compare", "hash")
"""Arguments of ``field`` with which the author says what a field takes no part in."""


class _Field(NamedTuple):
    """A field: its line, and whether every method is meant to handle it."""

    line: int
    takes_part: bool


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on the first new field that each such method leaves out. Raises CannotParse."""
    before = _before(source)
    for owner in classes(source.tree) if before else ():
        old = before.get(owner.name)
        if old is None:
            continue
        had, has = _fields(old), _fields(owner)
        kept = had.keys() & has.keys()
        new = {name: each.line for name, each in has.items() if name not in had and each.takes_part}
        if len(kept) < _FEWEST or not new:
            continue
        methods = {each.name: each for each in old.body if is_function(each)}
        for method in owner.body:
            if not is_function(method) or method.name not in methods or not _OF_ALL.fullmatch(method.name):
                continue
            handled = _named(method)
            if not kept <= handled or not kept <= _named(methods[method.name]) or _is_by_code(method):
                continue
            lost = sorted(set(new) - handled, key=lambda name: new[name])
            if lost:
                values = {
                    "method": f"{owner.name}.{method.name}",
                    "count": str(len(kept)),
                    "names": names_in_words(lost),
                }
                related = (Related(source.path, method.lineno, "leaves it out"),)
                yield Hit(new[lost[0]], values=values, related=related, statement=f"{method.name} {' '.join(lost)}")


def _before(source: SourceFile) -> dict[str, ast.ClassDef]:
    """Return the classes of the base that have one definition."""
    old = source.known_old_tree
    found = [] if old is None else list(classes(old))
    names = [each.name for each in found]
    return {each.name: each for each in found if names.count(each.name) == 1}


def _fields(owner: ast.ClassDef) -> dict[str, _Field]:
    """Return the public fields that a class annotates, or that its ``__init__`` takes and stores as they are."""
    found: dict[str, _Field] = {}
    for each in owner.body:
        name = each.target.id if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) else "_"
        if isinstance(each, ast.AnnAssign) and name[0] != "_" and "ClassVar" not in ast.unparse(each.annotation):
            found[name] = _Field(each.lineno, takes_part=not _is_switched_off(each.value))
    init = next((each for each in owner.body if is_function(each) and each.name == "__init__"), None)
    if found or init is None:
        return found
    taken = {each.arg for each in all_parameters(init)}
    for statement in init.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Attribute) and target.attr[0] != "_":
            stored = isinstance(statement.value, ast.Name) and statement.value.id == target.attr in taken
            if stored and isinstance(target.value, ast.Name) and target.value.id == "self":
                found[target.attr] = _Field(statement.lineno, takes_part=True)
    return found


def _is_switched_off(value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call) or last_name(value.func).lower() != "field":
        return False
    return any(is_literal(keyword(value, name), False) for name in _SWITCHES)


def _named(method: Function) -> set[str]:
    """Return the names of attributes, keyword arguments, variables and strings in a method."""
    found = {each.attr for each in nodes_of(method, ast.Attribute)}
    found |= {each.arg for each in nodes_of(method, ast.keyword) if each.arg}
    found |= {each.id for each in nodes_of(method, ast.Name)}
    return found | {each.value for each in nodes_of(method, ast.Constant) if isinstance(each.value, str)}


def _is_by_code(method: Function) -> bool:
    """Return whether a method may handle fields without naming them: it passes its object on, or calls its base."""
    if any(each.attr == "__dict__" for each in nodes_of(method, ast.Attribute)):
        return True
    first = next((each.arg for each in named_parameters(method)), "self")
    for call in nodes_of(method, ast.Call):
        name = last_name(call.func)
        passed = any(isinstance(each, ast.Name) and each.id in {first, "self"} for each in argument_values(call))
        if name in {"super", "locals"} or (passed and name not in _HARMLESS):
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("class def",), reads_old=True))
