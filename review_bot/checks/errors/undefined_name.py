"""Names that are read and that nothing binds: neither the module, nor the function, nor Python.

It is an error where Python surely raises NameError once it reaches the line, see ``certain_uses``; elsewhere it is a
warning, whose message says why.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, splitext

from review_bot.analysis.project.certain_uses import at_import, certain_errors, certain_uses, doubts
from review_bot.analysis.project.early_calls import EarlyRead, early_calls
from review_bot.analysis.project.early_in_classes import certain_in_classes, early_in_classes
from review_bot.analysis.project.early_uses import EarlyUse, early_uses
from review_bot.analysis.project.module_names import is_open
from review_bot.analysis.project.unbound_names import has_star, is_given, unbound_uses
from review_bot.analysis.python.bindings import binding_counts, bound_names
from review_bot.analysis.python.statements import Function, decorator_names, last_name, parameter_names
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, text_of
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.read_before_assignment import deleted_in_module
from review_bot.findings import Severity
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_DATABRICKS = "# Databricks notebook source"
"""The first line of a notebook that Databricks keeps as Python (https://docs.databricks.com/aws/en/notebooks/)."""
_OF_PYTHON_2 = frozenset({
    "basestring", "cmp", "execfile", "file", "long", "raw_input", "reduce", "reload", "unichr", "unicode", "xrange",
})  # fmt: skip
"""Built-ins that Python 3 no longer has."""
_OF_JUPYTER = frozenset({"get_config", "load_subconfig"})
"""The functions that Jupyter and IPython give their configuration, such as ``jupyter_server_config.py``."""
_OF_SNAKEMAKE = frozenset({"snakemake"})
"""The object that Snakemake gives the scripts of its rules."""
_OF_SPHINX = frozenset({"tags"})
"""The name that Sphinx gives its configuration (https://www.sphinx-doc.org/en/master/usage/configuration.html)."""
_OF_DATABRICKS = frozenset({"dbutils", "display", "displayHTML", "sc", "spark", "sqlContext", "table"})
"""The names that Databricks gives its notebooks."""
_NOT_LATER = "newer versions do not evaluate it there"
"""Why an annotation above what binds its name may not fail."""
_OBJECTS: Mapping[str, str] = {"self": "cls", "cls": "self"}
"""What methods and class methods get first, each with the other one."""
_INSTEAD: Mapping[str, str] = {
    "self": "Use `cls` for what the class has, and pass what only an object has as a parameter.",
    "cls": "Use `type(self)`, or make it a class method.",
}
"""What to do where the other one exists."""
_MESSAGE = "`{}` is not defined in this scope, at the top of this module or as a built-in."
"""The message of the rule, to which a finding that is only a warning adds why."""
_ADVICE = "Import it, define it, or fix the spelling"


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added use, in each function, of a name that nothing binds. Raises CannotParse.

    The subject is the name. There is none in a file that needs such a name when it is imported: another program gives
    it and its neighbours their names.
    """
    uses = unbound_uses(source)
    in_functions = not at_import(source, uses)
    why = doubts(source, [each for each in uses if each.lineno in source.added])
    for node in first_added(source, uses):
        message, advice = _of_object(node, source) if node.id in _OBJECTS else _of_name(node, source)
        doubt = why.get(id(node))
        yield hit_at(
            source,
            node,
            values={"name": node.id},
            subject=node.id if in_functions else None,
            message=message if doubt is None else _doubted(message or _MESSAGE.format(node.id), doubt),
            instead=advice,
            severity=None if doubt is None else "warning",
        )
    yield from _too_early(source, {id(node) for node in uses})
    yield from _too_early_in_class(source)
    if not has_star(source) and not is_open(source.tree, source.path):
        yield from _no_longer(source)


def _doubted(message: str, doubt: str) -> str:
    return f"{message} It is a warning and not an error because {doubt}."


def _no_longer(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added read of each name at the top level below what unbinds it: a ``del``, or its handler."""
    gone = [(read, f"line {line} deletes it") for read, line in deleted_in_module(source)]
    gone += [(read, f"its handler on line {line} deletes it at its end") for read, line in _outside_handlers(source)]
    seen: set[str] = set()
    for read, why in sorted(gone, key=lambda each: each[0].lineno):
        is_known = read.id in seen or is_given(read.id, source)
        if read.lineno in source.added and not is_known and certain_errors(source, [read]):
            seen.add(read.id)
            message = f"`{read.id}` is not defined any more here: {why}, and nothing assigns it again."
            yield hit_at(
                source, read, values={"name": read.id}, message=message, instead="Keep the name, or read it above."
            )


def _outside_handlers(source: SourceFile) -> Iterator[tuple[ast.Name, int]]:
    """Yield the reads at the top level, outside of handlers, of names that these alone bind, and the line of one."""
    handlers = [each for each in own_nodes(source.tree.body) if isinstance(each, ast.ExceptHandler) and each.name]
    if not handlers:
        return
    counts, own = binding_counts(source.tree), Counter(each.name for each in handlers)
    alone = {each.name: each for each in reversed(handlers) if counts[each.name or ""] == own[each.name]}
    inside = {id(one) for each in handlers for part in each.body for one in walk(part)}
    for read in own_nodes(source.tree.body):
        if isinstance(read, ast.Name) and read.id in alone and id(read) not in inside:
            yield read, alone[read.id].lineno


def _too_early(source: SourceFile, others: set[int]) -> Iterator[Hit]:
    """Yield the first added use of each name that runs above what binds it, in a call too, or what binds it there."""
    uses = {id(each.node): each for each in early_uses(source) if id(each.node) not in others}
    why = {id(each.node): _NOT_LATER for each in uses.values() if each.in_annotation}
    why |= doubts(source, [each.node for each in uses.values() if not each.in_annotation])
    for node in first_added(source, (each.node for each in uses.values())):
        each = uses[id(node)]
        doubt = why.get(id(node))
        severity: Severity | None = None if doubt is None else "warning"
        when = "before Python 3.14, this annotation is evaluated" if each.in_annotation else "this runs"
        bound = f"the first statement that binds the name, on line {each.bound_at}, is complete"
        message = f"`{node.id}` is not defined yet here: {when} before {bound}."
        message = message if doubt is None else _doubted(message, doubt)
        advice = "Quote the annotation, or define the name above." if each.in_annotation else "Define the name above."
        yield hit_at(source, node, values={"name": node.id}, message=message, instead=advice, severity=severity)
    reads = [EarlyRead(each.node, each.node, each.bound_at) for each in uses.values() if id(each.node) not in why]
    calls = [each for each in early_calls(source) if len(certain_uses(source, [each.node, each.by])) == 2]
    yield from _bound_too_late(source, reads, calls)


def _too_early_in_class(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added use of each name in a body, and what binds one there below its first reader."""
    uses = {id(each.node): each for each in certain_in_classes(source)}
    reported: set[str] = set()
    for node in first_added(source, (each.node for each in uses.values())):
        line = uses[id(node)].bound_at
        bound = f"the body of the class binds the name on line {line} for the first time"
        message = f"`{node.id}` is not defined yet here: {bound}, and the module does not define it."
        reported.add(node.id)
        yield hit_at(source, node, values={"name": node.id}, message=message, instead="Define the name above.")
    moved = [each for each in uses.values() if each.bound_at in source.added and each.node.id not in reported]
    moved = [each for each in moved if each.node.lineno not in source.added]
    before = source.at_base() if moved else None
    known = set[str]() if before is None else {each.node.id for each in early_in_classes(before)}
    late = {each.node.id: each for each in reversed(moved) if each.node.id not in known}
    yield from () if before is None else (_late(each) for each in late.values())


def _late(use: EarlyUse) -> Hit:
    reader = f"line {use.node.lineno} reads it, which runs before"
    message = f"`{use.node.id}` is bound for the first time here, but {reader}."
    return Hit(use.bound_at, values={"name": use.node.id}, message=message, instead="Define it above.")


def _bound_too_late(source: SourceFile, reads: list[EarlyRead], calls: list[EarlyRead]) -> Iterator[Hit]:
    """Yield a hit on each added call that reads a name too early, and on what binds a name below its first reader."""
    late: dict[str, EarlyRead] = {}
    for each in (*calls, *reads):
        if each.by is not each.node and not source.added.keys().isdisjoint({each.by.lineno, each.node.lineno}):
            message = (
                f"The call of `{each.by.id}()` on line {each.by.lineno} reads `{each.node.id}` on line "
                f"{each.node.lineno}, before line {each.bound_at} binds the name for the first time."
            )
            advice = "Move the call below."
            place = each.by if each.by.lineno in source.added else each.node
            yield hit_at(source, place, values={"name": each.node.id}, message=message, instead=advice)
        elif each.bound_at in source.added and each.node.lineno not in source.added:
            late.setdefault(each.node.id, each)
    before = source.at_base() if late else None
    known = set[str]() if before is None else {each.node.id for each in early_uses(before)}
    known |= set[str]() if before is None else {each.node.id for each in early_calls(before)}
    for name, each in late.items():
        if before is not None and name not in known:
            reader = f"the call of `{each.by.id}()` on line {each.by.lineno} reads it on line {each.node.lineno}"
            reader = f"line {each.node.lineno} reads it" if each.by is each.node else reader
            message = f"`{name}` is bound for the first time here, but {reader}, which runs before."
            yield Hit(each.bound_at, values={"name": name}, message=message, instead="Define it above.")


def _runs_in(function: Function, node: ast.Name) -> bool:
    return function.body[0].lineno <= node.lineno <= last_line(function)


def _functions_with(node: ast.Name, source: SourceFile) -> list[Function]:
    """Return the functions whose bodies hold a name, the outermost first."""
    return [each for each in source.functions_around(node.lineno) if _runs_in(each, node)]


def _of_name(node: ast.Name, source: SourceFile) -> tuple[str | None, str | None]:
    """Return the message on a name, and what to do; None: what the rule says."""
    if node.id in _OF_PYTHON_2:
        old = f"`{node.id}` is a built-in of Python 2 alone: Python 3 lacks it, and this module does not define it."
        return old, "Use what replaces it in Python 3, or define it."
    if any("self" in parameter_names(each) for each in _functions_with(node, source)):
        return None, f"{_ADVICE}; an attribute or a method needs its object, as in `self.{node.id}`."
    return None, None


def _of_object(node: ast.Name, source: SourceFile) -> tuple[str, str]:
    """Return the message on a ``self`` or ``cls`` that no function around it has as a parameter, and what to do."""
    around = _functions_with(node, source)
    own_classes = {id(each): owner for owner in source.nodes(ast.ClassDef) for each in owner.body}
    if not around:
        return (
            f"`{node.id}` is not defined here, outside every method.",
            "Move it into a method, or use a name that exists here.",
        )
    other = _OBJECTS[node.id]
    name = around[-1].name
    if any(other in parameter_names(each) for each in around):
        return f"`{node.id}` is not defined in `{name}()`, which has `{other}` instead.", _INSTEAD[node.id]
    advice = "Pass what this needs as a parameter."
    if id(around[0]) in own_classes and "staticmethod" not in decorator_names(around[0]):
        advice = f"Add `{node.id}` as the first parameter of the method, or pass what this needs as another."
    return f"`{node.id}` is not defined in `{name}()`, which does not have it as a parameter.", advice


def first_added(source: SourceFile, uses: Iterable[ast.Name]) -> Iterator[ast.Name]:
    """Yield the first added use of each name in each function; none where code comes from elsewhere."""
    if "template" in splitext(basename(source.path))[0] or _bound_elsewhere(source):
        return  # a program writes the rest of it
    seen: set[tuple[str, int]] = set()
    filled: frozenset[str] | None = None
    given = _OF_DATABRICKS if source.lines[:1] == [_DATABRICKS] else _OF_SNAKEMAKE
    if basename(source.path).endswith("_config.py"):
        given = _OF_JUPYTER
    if basename(source.path) == "conf.py" and "extensions" in bound_names(source.tree.body):
        given = _OF_SPHINX
    for node in uses:
        if node.lineno not in source.added or node.id in given:
            continue
        around = source.functions_around(node.lineno)
        place = (node.id, max((each.lineno for each in around), default=0))
        if place not in seen:
            seen.add(place)
            filled = _filled_in(source) if filled is None else filled
            if node.id not in filled or not _is_kernel(around, source):
                yield node


def _filled_in(source: SourceFile) -> frozenset[str]:
    """Return the names that a file replaces in the text of a kernel before Triton compiles it.

    ::

        kernel.src = kernel.src.replace("MIDDLE_ROW", f"row{width // 2}")
    """
    if not any(node.attr == "src" and isinstance(node.ctx, ast.Store) for node in source.nodes(ast.Attribute)):
        return frozenset()
    calls = (call for call in source.nodes(ast.Call) if call.args and last_name(call.func) == "replace")
    return frozenset((text_of(call.args[0]) or "").strip() for call in calls)


def _is_kernel(around: Iterable[Function], source: SourceFile) -> bool:
    imported = imported_names(source.tree)
    return any(full_name(each, imported) == "triton.jit" for function in around for each in function.decorator_list)


def _bound_elsewhere(source: SourceFile) -> bool:
    """Return whether a file makes functions of the code of its own and the names of another module."""
    return any(
        last_name(call.func) == "FunctionType" and len(call.args) > 1 and last_name(call.args[0]) == "__code__"
        for call in source.nodes(ast.Call)
    )


CHECK = file_check(examine, CheckTraits(literals=None, doubted=True))
