"""An attribute that ``__init__`` reads before anything can have set it.

::

    def __init__(self, log_file):
        if log_file:
            remove_old_logs(log_file, len(self.stages))      AttributeError
        self.start()                                         sets ``self.stages``

Only classes without a base in the tree or a class below them, and only where nothing before the line may set it: no
method that sets it has been called, and no other code has got ``self``. Attributes that nothing sets are those of
``unset_attribute``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.class_family import has_known_bases
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, attribute_of_self, classes, is_name, own_nodes, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line, start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_HIDING = frozenset({"__getattr__", "__getattribute__", "__new__"})
_BY_NAME = frozenset({"delattr", "getattr", "hasattr", "setattr", "vars"})


class ReadBefore(NamedTuple):
    """A read in ``__init__`` of a class, and the first line and method that set the attribute."""

    owner: str
    name: str
    line: int
    set_at: int
    setter: str


def gather(source: SourceFile) -> tuple[ReadBefore, ...] | None:
    """Return such reads on added lines of one file. Raises CannotParse."""
    return tuple(each for owner in classes(source.tree) for each in _of_class(owner, source)) or None


def _of_class(owner: ast.ClassDef, source: SourceFile) -> Iterator[ReadBefore]:
    methods = {each.name: each for each in owner.body if is_function(each)}
    init = methods.get("__init__")
    if init is None or not source.any_added(init.lineno, last_line(init)):
        return
    if owner.decorator_list or owner.keywords or not has_known_bases(owner) or not _HIDING.isdisjoint(methods):
        return
    stores: dict[str, list[tuple[int, str]]] = {}
    for name, method in methods.items():
        for each in nodes_of(method, ast.Attribute):
            if not isinstance(each.ctx, ast.Load) and is_name(each.value, "self"):
                stores.setdefault(each.attr, []).append((each.lineno, name))
    plain = (each for each in owner.body if not is_function(each))
    known = {each.id for node in plain for each in walk(node) if isinstance(each, ast.Name)} | methods.keys()
    seen: set[str] = set()
    for read in _reads(init):
        name = read.attr
        if name not in stores or name in known or name in seen or read.lineno not in source.added:
            continue
        if _may_be_set(name, read, init, methods, stores[name]):
            continue
        seen.add(name)
        yield ReadBefore(owner.name, name, read.lineno, *min(stores[name], key=lambda each: _order(each, init)))


def _order(store: tuple[int, str], init: Function) -> tuple[bool, int]:
    return store[1] != init.name, store[0]


def _reads(init: Function) -> list[ast.Attribute]:
    """Return what ``__init__`` itself reads of ``self``, in the order of the text, but for what a handler waits for."""
    tried = {id(each) for node in nodes_of(init, ast.Try) for part in node.body for each in walk(part)}
    own = (each for each in own_nodes(init.body) if isinstance(each, ast.Attribute) and id(each) not in tried)
    reads = [each for each in own if isinstance(each.ctx, ast.Load) and is_name(each.value, "self")]
    return sorted(reads, key=start_of)


def _may_be_set(
    name: str, read: ast.Attribute, init: Function, methods: Mapping[str, Function], stores: list[tuple[int, str]]
) -> bool:
    """Return whether something before a read in ``__init__``, or in a loop around it, may set the attribute."""
    loops = [each for kind in LOOPS for each in nodes_of(init, kind) if each.lineno <= read.lineno <= last_line(each)]
    end = max([read.lineno, *map(last_line, loops)])
    if any(method == "__init__" and line <= end for line, method in stores):
        return True
    setters = {method for _, method in stores}
    called = {id(call.func) for call in nodes_of(init, ast.Call)}
    for each in nodes_of(init, ast.Attribute):  # handed to a thread, say, which runs it at any time
        method = attribute_of_self(each)
        if id(each) not in called and each.lineno <= end and method in methods and setters & _reached(method, methods):
            return True
    for call in nodes_of(init, ast.Call):
        if call.lineno > end:
            continue
        method = attribute_of_self(call.func)
        if any(
            is_name(value, "self") for each in argument_values(call) for value in walk(each) if _is_whole(value, each)
        ):
            return True
        if last_name(call.func) in _BY_NAME and any(text_of(each) in {name, None} for each in call.args[1:2]):
            return True
        if method in methods and setters & _reached(method, methods):
            return True
    texts = (each.attr for each in nodes_of(init, ast.Attribute))
    return "__dict__" in texts or any(text_of(each) == name for each in nodes_of(init, ast.Constant))


def _is_whole(value: ast.AST, argument: ast.expr) -> bool:
    """Return whether a name in an argument is passed as it is, not an attribute of it."""
    owners = {id(each.value) for each in nodes_of(argument, ast.Attribute)}
    return isinstance(value, ast.Name) and id(value) not in owners


def _reached(method: str, methods: Mapping[str, Function]) -> set[str]:
    """Return the methods that a call of one may run, and all of them where it passes ``self`` on."""
    found, waiting = {method}, [method]
    for name in waiting:
        for attribute in nodes_of(methods[name], ast.Attribute):
            called = attribute.attr
            if called in methods and called not in found and is_name(attribute.value, "self"):
                found.add(called)
                waiting.append(called)
        owners = {id(each.value) for each in nodes_of(methods[name], ast.Attribute)}
        if any(each.id == "self" and id(each) not in owners for each in nodes_of(methods[name], ast.Name)):
            return set(methods)
    return found


def relate(facts: Mapping[str, tuple[ReadBefore, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield each read in a class that no other class of the tree extends."""
    for path, each in each_fact(facts):
        if subclasses(codebase.head, each.owner):
            continue
        where = "later" if each.setter == "__init__" else f"in `{each.setter}`, which has not run yet"
        values = {"name": each.name, "line": str(each.set_at), "where": where}
        related = (Related(path, each.set_at, "sets it first"),)
        yield Hit(each.line, path=path, values=values, related=related, statement=f"{each.owner}.{each.name}")


CHECK = change_check(gather, relate, CheckTraits(literals=("__init__",)))
