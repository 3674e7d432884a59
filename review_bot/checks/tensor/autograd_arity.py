"""A custom autograd function whose ``forward``, ``backward`` and ``apply`` disagree on the number of arguments.

::

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, group): ...
        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.scale, None       three are needed: None for what needs no gradient

    Scale.apply(x, scale)                       and three here

PyTorch counts the gradients against what ``apply`` is called with, so a default counts only where all calls of the file
pass it, or where ``setup_context`` binds it. Further gradients are ignored if they are None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, blocks, is_function, positional_parameters
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, is_literal, own_nodes, unpacks
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import count

_FUNCTION = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})


class _Inputs(NamedTuple):
    """How many arguments ``forward`` takes at least and at most, and how many gradients that makes at least.

    ``why`` says the latter, as a clause in Markdown.
    """

    least: int
    most: int
    gradients: int
    why: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``return`` with another number of gradients, and each call that does not fit. Raises CannotParse."""
    names = imported_names(source.tree)
    for owner in source.nodes(ast.ClassDef):
        if not any(full_name(base, names) in _FUNCTION for base in owner.bases):
            continue
        methods = {each.name: each for each in owner.body if is_function(each)}
        forward, backward = methods.get("forward"), methods.get("backward")
        if forward is None or not _is_plain(forward):
            continue
        calls = _calls(source, owner.name)
        inputs = _inputs(owner.name, forward, calls, binds_defaults="setup_context" in methods)
        related = (Related(source.path, forward.lineno, "the arguments of `forward`"),)
        unused = _never_true(owner)
        for given, node in _gradients(backward, unused) if backward is not None else ():
            surplus = [each for each in given[inputs.most :] if not is_literal(each, None)]
            if len(given) < inputs.gradients or surplus:
                what = f"`{owner.name}.backward` returns {count(len(given), 'gradient')} here, but {inputs.why}"
                values = {"what": what, "when": "the backward pass", "error": "RuntimeError"}
                yield hit_at(source, node, values=values, related=related)
        for call in calls or ():
            if not inputs.least <= len(call.args) <= inputs.most:
                takes = f"{inputs.least} to {inputs.most}" if inputs.least < inputs.most else str(inputs.most)
                what = f"`{owner.name}.apply` passes {count(len(call.args), 'argument')}, but `forward` takes {takes}"
                yield hit_at(
                    source, call, values={"what": what, "when": "this call", "error": "TypeError"}, related=related
                )


def _is_plain(forward: Function) -> bool:
    """Return whether a signature shows how many arguments there are."""
    arguments = forward.args
    return arguments.vararg is None and arguments.kwarg is None and not arguments.kwonlyargs


def _inputs(name: str, forward: Function, calls: list[ast.Call] | None, *, binds_defaults: bool) -> _Inputs:
    most = len(positional_parameters(forward)) - (0 if binds_defaults else 1)
    least = most - len(forward.args.defaults)
    if least == most or binds_defaults:
        return _Inputs(least, most, most, f"`forward` takes {count(most, 'argument')}")
    passed = min((len(each.args) for each in calls or ()), default=least)
    if least < passed <= most:
        return _Inputs(least, most, passed, f"`{name}.apply` is called with {count(passed, 'argument')}")
    return _Inputs(least, most, least, f"`forward` takes at least {count(least, 'argument')}")


def _calls(source: SourceFile, name: str) -> list[ast.Call] | None:
    """Return the calls of ``apply`` in a file; None if it may be called in other ways too."""
    applied = [each for each in source.nodes(ast.Attribute) if each.attr == "apply" and dotted(each.value) == name]
    calls = [each for each in source.nodes(ast.Call) if any(each.func is one for one in applied)]
    if len(calls) < len(applied) or any(unpacks(each) or each.keywords for each in calls):
        return None
    return calls


def _gradients(backward: Function, unused: set[str | None]) -> Iterator[tuple[list[ast.expr], ast.Return]]:
    """Yield what each ``return`` that can run gives back as a tuple; none runs under a condition that is ``unused``."""
    unreached = [
        each.body for each in own_nodes(backward.body) if isinstance(each, ast.If) and dotted(each.test) in unused
    ]
    for block in blocks(backward.body, into_definitions=False):
        left = next((at for at, each in enumerate(block) if isinstance(each, (ast.Raise, ast.Return))), len(block))
        unreached.append(block[left + 1 :])
    dead = {id(inner) for block in unreached for inner in own_nodes(block)}
    for each in own_nodes(backward.body):
        value = each.value if isinstance(each, ast.Return) and id(each) not in dead else None
        if isinstance(each, ast.Return) and isinstance(value, ast.Tuple):
            if any(isinstance(one, ast.Starred) for one in value.elts):
                continue
            yield value.elts, each


def _never_true(owner: ast.ClassDef) -> set[str | None]:
    """Return the attributes that a class sets to False alone."""
    found: dict[str | None, bool] = {}
    for each in nodes_of(owner, ast.Assign):
        name = dotted(each.targets[0])
        found[name] = found.get(name, True) and is_literal(each.value, False)
    return {name for name, never in found.items() if never and name and "." in name}


CHECK = file_check(examine, CheckTraits(literals=("autograd backward forward",)))
