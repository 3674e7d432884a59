"""A custom autograd function whose ``backward`` does not return one gradient for each argument of ``forward``.

::

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, group): ...
        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.scale, None       three are needed: None for what needs no gradient

PyTorch counts what ``apply`` is called with, so a default counts only where all calls of the file pass it, or where
``setup_context`` binds it. Further gradients are ignored if they are None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.parameters import positional_parameters
from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, own_nodes, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_FUNCTION = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})


class _Inputs(NamedTuple):
    """How many arguments of ``forward`` get a gradient at least and at most; ``why``: a clause in Markdown."""

    least: int
    most: int
    why: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``return`` with another number of gradients. Raises CannotParse."""
    names = imported_names(source.tree)
    for owner in source.nodes(ast.ClassDef):
        if not any(full_name(base, names) in _FUNCTION for base in owner.bases):
            continue
        methods = {each.name: each for each in owner.body if is_function(each)}
        forward, backward = methods.get("forward"), methods.get("backward")
        if forward is None or backward is None or not _is_plain(forward):
            continue
        inputs = _inputs(source, owner.name, forward, binds_defaults="setup_context" in methods)
        for given, node in _gradients(backward):
            surplus = [each for each in given[inputs.most :] if not _is_none(each)]
            if len(given) >= inputs.least and not surplus:
                continue
            values = {"name": owner.name, "given": str(len(given)), "why": inputs.why}
            related = (Related(source.path, forward.lineno, "the arguments that need a gradient or None"),)
            yield hit_at(source, node, values=values, related=related)


def _is_plain(forward: Function) -> bool:
    """Return whether a signature shows how many arguments there are."""
    arguments = forward.args
    return arguments.vararg is None and arguments.kwarg is None and not arguments.kwonlyargs


def _inputs(source: SourceFile, name: str, forward: Function, *, binds_defaults: bool) -> _Inputs:
    most = len(positional_parameters(forward)) - (0 if binds_defaults else 1)
    required = most - len(forward.args.defaults)
    least = most if binds_defaults else required
    why = f"`forward` takes {most} argument{'s' * (most > 1)}"
    if least < most:
        passed = _passed(source, name)
        if passed is not None:
            return _Inputs(max(least, passed), most, f"`{name}.apply` is called with {passed} arguments")
        why = f"`forward` takes at least {required}"
    return _Inputs(least, most, why)


def _passed(source: SourceFile, name: str) -> int | None:
    """Return how many arguments every call of ``apply`` in a file passes; None if that is not known."""
    applied = [each for each in source.nodes(ast.Attribute) if each.attr == "apply" and dotted(each.value) == name]
    calls = [each for each in source.nodes(ast.Call) if any(each.func is one for one in applied)]
    if len(calls) < len(applied) or any(unpacks(each) for each in calls):
        return None  # the method has another name too
    counts = {len(each.args) for each in calls}
    return min(counts) if counts else None


def _gradients(backward: Function) -> Iterator[tuple[list[ast.expr], ast.Return]]:
    """Yield what each ``return`` of a tuple gives back."""
    for each in own_nodes(backward.body):
        value = each.value if isinstance(each, ast.Return) else None
        if isinstance(each, ast.Return) and isinstance(value, ast.Tuple):
            if any(isinstance(one, ast.Starred) for one in value.elts):
                continue
            yield value.elts, each


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("autograd backward forward",)))
