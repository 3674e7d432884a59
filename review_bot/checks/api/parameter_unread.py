"""A parameter that a function still takes and, after the change, does not read any more.

Silent about stubs, about what is said to be ignored, and about functions whose parameters a decorator may decide, or an
interface: those that left another parameter unread before the change already or may override a method, unless this
file still passes this one, and those of which the file has several with names of one ending and this parameter.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs
from review_bot.analysis.python.statements import (
    Function,
    assignments_of,
    is_function,
    is_stub,
    last_name,
    replaces_method,
    targets_of,
)
from review_bot.analysis.python.syntax import argument_values, attribute_of_self
from review_bot.analysis.python.unread_parameters import is_decorated, is_on_purpose, is_registered, parameters, read
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NO_INTERFACE = frozenset({"ABC", "Module", "object"})
_FEWEST_OTHERS = 2


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit, on the old side, where a parameter was read for the last time. Raises CannotParse.

    A value that the file still passes for it is lost.
    """
    for pair in function_pairs(source):
        if is_stub(pair.new) or is_decorated(pair.new) or is_on_purpose(pair.new, source.lines_of_authors):
            continue
        stored = _only_stored(pair.new, source)
        unread = parameters(pair.new) - read(pair.new) | stored.keys()
        if not unread:
            continue
        passed = _passed_by_name(pair.new.name, source)
        if parameters(pair.old) - read(pair.old) or _may_override(pair, source):
            unread &= passed
        unread -= _of_series(pair.new, source) | _of_overrides(pair, source)
        for name in sorted(unread):
            kept = (
                f"this file only stores it in `self.{stored[name]}`" if name in stored else "nothing reads it any more"
            )
            place = _lost(pair, name, kept, _last_reads(pair, name, stored.get(name, ""), source), source)
            if place is not None and not _is_missed(pair, name, source):
                yield place if name in passed else place._replace(severity="info")


def _is_missed(pair: FunctionPair, name: str, source: SourceFile) -> bool:
    """Return whether the file still reads an attribute that only the parameter gave a value: then reading it fails."""
    stores = ((each, each.value) for each in assignments_of(pair.old))
    taking = [each for each, value in stores if value and name in {one.id for one in nodes_of(value, ast.Name)}]
    stored = {attribute_of_self(target) for each in taking for target in targets_of(each)} - {""}
    if not stored:
        return False
    used = [each for each in source.nodes(ast.Attribute) if each.attr in stored]
    read = {each.attr for each in used if isinstance(each.ctx, ast.Load)}
    return not read <= {each.attr for each in used if isinstance(each.ctx, ast.Store)}


def _only_stored(function: Function, source: SourceFile) -> dict[str, str]:
    """Return the parameters that a function only stores in an attribute which its file never reads, with that."""
    stores = {
        each.value.id: attribute
        for each in function.body
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.value, ast.Name)
        if (attribute := attribute_of_self(each.targets[0])) and attribute.startswith("_")  # others may read the rest
    }
    names = Counter(each.id for each in nodes_of(function, ast.Name)) if stores else Counter[str]()
    once = {name: attribute for name, attribute in stores.items() if names[name] == 1}
    if not once:
        return {}
    used = {each.attr for each in source.nodes(ast.Attribute) if isinstance(each.ctx, ast.Load)}
    used |= {each.value for each in source.nodes(ast.Constant) if isinstance(each.value, str)}
    return {name: attribute for name, attribute in once.items() if attribute not in used}


def _may_override(pair: FunctionPair, source: SourceFile) -> bool:
    """Return whether something else decides the parameters: a base, a protocol of Python, a registry.

    ``setup_context`` of a ``torch.autograd.Function`` reads what its ``forward`` gets.
    """
    owner, _, name = pair.name.rpartition(".")
    if _is_of_protocol(name) or (not owner and replaces_method(pair.new)) or _is_handed_on(name, source):
        return True
    classes = [each for each in source.nodes(ast.ClassDef) if each.name == owner]
    if any(map(is_registered, classes)):
        return True  # such as the one that registers a node of trees of JAX
    bases = {last_name(base) for each in classes for base in each.bases}
    return (name not in {"__init__", "forward"} and not bases <= _NO_INTERFACE) or "Function" in bases


def _is_of_protocol(name: str) -> bool:
    """Return whether Python itself calls a method, and decides what it passes: ``__exit__``, ``__getattr__``."""
    return name.startswith("__") and name.endswith("__") and name != "__init__"


def _is_handed_on(name: str, source: SourceFile) -> bool:
    """Return whether the file gives a function of its own to another, or keeps it in a table of functions.

    ::

        register_forward_hook(self._trace)          HANDLERS = {"trace": trace}
    """
    given: list[ast.expr] = [each for call in source.nodes(ast.Call) for each in argument_values(call)]
    given += [each for table in source.nodes(ast.Dict) for each in table.values]
    given += [each for table in source.nodes(ast.List) for each in table.elts]
    return any(
        (isinstance(each, ast.Name) and each.id == name)
        or (isinstance(each, ast.Attribute) and each.attr == name and last_name(each.value) in {"self", "cls"})
        for each in given
    )


def _of_series(function: Function, source: SourceFile) -> set[str]:
    """Return the parameters that at least two other functions of the file take whose names end in the same words."""
    ending = function.name.split("_")[-2:]
    others = [each for each in source.functions if each is not function and each.name.split("_")[-2:] == ending]
    named = Counter(name for each in others if len(ending) > 1 for name in parameters(each))
    return {name for name, times in named.items() if times >= _FEWEST_OTHERS}


def _of_overrides(pair: FunctionPair, source: SourceFile) -> set[str]:
    """Return what the methods read that override a method in classes of the file: their base takes it for them."""
    owner, _, name = pair.name.rpartition(".")
    below = [each for each in source.nodes(ast.ClassDef) if owner and owner in map(last_name, each.bases)]
    overrides = (each for one in below for each in one.body if is_function(each) and each.name == name)
    return {read_name for each in overrides for read_name in parameters(each) & read(each)}


def _passed_by_name(function: str, source: SourceFile) -> set[str]:
    """Return the keywords in calls of a function; a module's ``forward`` is called under any name."""
    under_any_name = function in {"forward", "__call__"}
    calls = (each for each in source.nodes(ast.Call) if under_any_name or last_name(each.func) == function)
    return {keyword.arg for call in calls for keyword in call.keywords if keyword.arg}


def _last_reads(pair: FunctionPair, name: str, attribute: str, source: SourceFile) -> list[int]:
    """Return the lines of the base on which a parameter, or the attribute that it is stored in, was used."""
    stores = [
        each
        for each in pair.old.body
        if isinstance(each, ast.Assign) and attribute and attribute_of_self(each.targets[0]) == attribute
    ]
    kept = {id(node) for each in stores for node in nodes_of(each, ast.Name)}
    names = (each for each in nodes_of(pair.old, ast.Name) if each.id == name and id(each) not in kept)
    found = [each.lineno for each in names if isinstance(each.ctx, ast.Load)]
    old = source.known_old_tree if attribute else None
    attributes = [] if old is None else [each for each in nodes_of(old, ast.Attribute) if each.attr == attribute]
    return sorted([*found, *(each.lineno for each in attributes if isinstance(each.ctx, ast.Load))])


def _lost(pair: FunctionPair, name: str, reading: str, reads: list[int], source: SourceFile) -> Hit | None:
    """Return the hit for a parameter that is not read, if that is what the change did. ``reads``: lines of the base."""
    values = {"name": name, "function": pair.new.name, "reading": reading}
    if name not in parameters(pair.old):
        return None
    removed = [line for line in reads if line in source.removed]
    if not removed or is_stub(pair.old):
        return None
    if _is_replaced(name, pair.old):
        return None  # it was not read before the change either
    taken = next(each.lineno for each in nodes_of(pair.new.args, ast.arg) if each.arg == name)
    related = (Related(source.path, taken, "still takes it"),)
    return Hit(removed[0], side="LEFT", values=values, related=related, statement=f"{pair.name} {name}")


def _is_replaced(name: str, function: Function) -> bool:
    """Return whether a function gives a parameter another value before anything reads what was passed."""
    for statement in function.body:
        used = [each.ctx for each in nodes_of(statement, ast.Name) if each.id == name]
        if any(isinstance(each, ast.Load) for each in used):
            return False
        if used and isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("def",), reads_old=True, on_lines=False))
