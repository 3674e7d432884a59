"""A parameter of ``__init__`` that is never read, while the attribute of that name gets a constant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_WHOLE = frozenset({"locals", "vars", "eval", "exec"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the assignment of such an attribute. Raises CannotParse."""
    for function in source.functions:
        if function.name != "__init__":
            continue
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        parameters = {each.arg: each for each in given[1:]}
        fixed = [each for each in _fixed(function) if each[0] in parameters]
        if not fixed:
            continue
        read = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
        if read & _WHOLE:
            continue
        for name, assigned in fixed:
            if name not in read:
                related = (Related(source.path, parameters[name].lineno, f"the parameter `{name}`"),)
                yield hit_at(
                    source,
                    assigned,
                    values={
                        "name": name,
                        "attribute": ast.unparse(_target(assigned)),
                        "value": ast.unparse(_value(assigned)),
                    },
                    related=related,
                )


def _fixed(function: Function) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Yield the attributes of ``self`` that get the same value in every object, by the name of a parameter."""
    for node in own_nodes(function.body):
        if isinstance(node, ast.Assign) and len(node.targets) != 1:
            continue
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        target = _target(node)
        if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name) or target.value.id != "self":
            continue
        if _is_the_same_always(node.value):
            yield target.attr.lstrip("_"), node


def _is_the_same_always(value: ast.expr) -> bool:
    """Return whether it is a constant, or a call with nothing but constants, such as ``torch.device("cuda")``."""
    if isinstance(value, ast.Constant):
        return value.value is not None
    return (
        isinstance(value, ast.Call)
        and bool(value.args)
        and not value.keywords
        and all(isinstance(each, ast.Constant) for each in value.args)
    )


def _target(node: ast.Assign | ast.AnnAssign) -> ast.expr:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


def _value(node: ast.Assign | ast.AnnAssign) -> ast.expr:
    assert node.value is not None  # noqa: S101  # by _fixed
    return node.value


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("__init__",)))
