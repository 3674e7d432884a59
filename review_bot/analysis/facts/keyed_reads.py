"""Where code names a member of an enumeration or a field of an object by a string or a keyword.

::

    Kind["SOUND"]                               the member ``SOUND`` of Kind
    dataclasses.replace(point, x=1)             the field ``x`` of the class of ``point``
    point._replace(x=1)                         the same of a named tuple

Sources: https://docs.python.org/3/library/enum.html#enum.EnumType.__getitem__ and
https://docs.python.org/3/library/dataclasses.html#dataclasses.replace
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.dataclass_init import is_dataclass
from review_bot.analysis.facts.made_objects import MadeObjects
from review_bot.analysis.facts.members import is_of_family_alone, members
from review_bot.analysis.facts.named_tuple_init import is_named_tuple
from review_bot.analysis.facts.running_code import RunningCode
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.syntax import full_name, imported_names, text_of
from review_bot.changes.codebase import Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_REPLACE = frozenset({"copy.replace", "dataclasses.replace"})
_EXPECTED = frozenset(
    {"AttributeError", "KeyError", "LookupError", "TypeError", "ValueError", "Exception", "BaseException"}
)


class KeyedRead(NamedTuple):
    """A name that code gives for one of a class. ``sure``: the object is of this class or one below it."""

    owner: Symbol
    name: str
    node: ast.expr
    sure: bool


def keyed_reads(
    file: CodeFile, names: Collection[str], objects: MadeObjects, targets: CallTargets, side: Snapshot
) -> Iterator[KeyedRead]:
    """Yield where a file names one of some names so, except where an error is expected."""
    running = RunningCode(file.tree, constants_of(file.tree))
    entries = [each for each in nodes_of(file.tree, ast.Subscript) if text_of(each.slice) in names]
    for entry, scopes in running.of([each.value for each in entries], _EXPECTED) if entries else ():
        owner = targets.class_named_by(file, entry, scopes)
        name = next(text_of(each.slice) for each in entries if each.value is entry)
        if owner is not None and name is not None and "__members__" in members(side, owner).names:
            yield KeyedRead(owner, name, entry, sure=True)
    changed = {
        call: value for call in nodes_of(file.tree, ast.Call) if (value := _changed(call, names, file)) is not None
    }
    for call, scopes in running.of(list(changed), _EXPECTED) if changed else ():
        for name in sorted({each.arg for each in call.keywords if each.arg} & set(names)):
            takes = _refuses(
                targets, name, of_tuple=isinstance(call.func, ast.Attribute) and call.func.attr == "_replace"
            )
            made = objects.class_of(file, changed[call], scopes, takes)
            owner = made or targets.type_of(file, changed[call], scopes)
            if owner is not None and takes(owner):
                yield KeyedRead(owner, name, call, sure=made is not None or is_of_family_alone(side, owner, name))


def _changed(call: ast.Call, names: Collection[str], file: CodeFile) -> ast.expr | None:
    """Return the object of which a call makes a changed copy, if it names one of some names."""
    if not any(each.arg in names for each in call.keywords):
        return None
    if isinstance(call.func, ast.Attribute) and call.func.attr == "_replace":
        return call.func.value
    is_replace = bool(call.args) and full_name(call.func, imported_names(file.tree)) in _REPLACE
    return call.args[0] if is_replace else None


def _refuses(targets: CallTargets, name: str, *, of_tuple: bool) -> Callable[[Symbol], bool]:
    """Return what says whether a class makes its objects without a field of this name."""

    def refuses(owner: Symbol) -> bool:
        node, own = targets.class_of(owner), targets.file(owner.path)
        made = targets.signature(Symbol(owner.path, f"{owner.name}.__init__"))
        if node is None or own is None or made is None:
            return False
        is_kind = is_named_tuple(node, own.tree) if of_tuple else is_dataclass(node, own.tree)
        return is_kind and not any(each.kind == "**" or each.name == name for each in made.parameters)

    return refuses
