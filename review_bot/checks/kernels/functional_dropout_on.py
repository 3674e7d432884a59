"""``F.dropout`` without ``training``: its default is true, so that values are dropped at inference too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, is_function, last_name, leaves, parameter_names
from review_bot.analysis.python.syntax import (
    full_name,
    hit_at,
    imported_names,
    keyword,
    own_nodes,
    replacing,
    source_text,
    unpacks,
)
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FUNCTIONS = {f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d")}
"""Those whose ``training`` is true by default; that of ``alpha_dropout`` is false."""

_MODES = re.compile(r"^(?:\w+_)?(?:train|training|requires_grad|is_grad_enabled|deterministic|inference|eval)$")
"""Names of what differs between training and inference."""
_MONTE_CARLO = re.compile(r"(?:^|_)mc_?dropout|monte_?carlo")
"""Functions that drop values to see how sure a model is."""
_PRENET = re.compile(r"(?i)pre_?net")
"""The part of a Tacotron that drops values at inference too (section 2.1 of its second paper)."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    names = imported_names(source.tree)
    if any(_is_always_on(call, names) for call in source.nodes(ast.Call)):
        yield from _inside(source, source.tree, names, in_module=False)


def _inside(source: SourceFile, parent: ast.AST, names: Mapping[str, str], *, in_module: bool) -> Iterator[Hit]:
    """Look below a node, but not into what runs in training only, nor into classes that are not modules."""
    for node in ast.iter_child_nodes(parent):
        if (is_function(node) and (_is_for_training(node) or _is_given_rate(node))) or _is_about_training(node):
            continue
        if isinstance(node, ast.ClassDef):
            if any(last_name(base).endswith("Module") for base in node.bases) and not _PRENET.search(node.name):
                yield from _inside(source, node, names, in_module=True)
            continue
        if isinstance(node, ast.Call) and _is_always_on(node, names):
            yield hit_at(source, node, suggestion=_fix(source, node) if in_module else None)
        yield from _inside(source, node, names, in_module=in_module and not _has_no_self(node))


def _is_given_rate(function: Function) -> bool:
    """Return whether a function that is no method asks whether the rate that it is given is above 0.

    Its callers pass 0 at inference.
    """
    rates = {each for each in parameter_names(function) if "drop" in each}
    tests = (each.test for each in nodes_of(function, ast.If))
    return _has_no_self(function) and any(
        isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Gt) and last_name(each.left) in rates
        for each in tests
    )


def _is_for_training(function: Function) -> bool:
    """Return whether a function runs in training alone, by its name, or asks for it before it goes on."""
    if function.name.startswith("train") or _MONTE_CARLO.search(function.name):
        return True
    for node in own_nodes(function.body):
        leaving = isinstance(node, ast.Assert) or (isinstance(node, ast.If) and leaves(node.body))
        if leaving and _is_about_training(node):
            return True
        if isinstance(node, ast.Assign) and any(map(_is_about_training, nodes_of(node.value, ast.IfExp))):
            return True  # such as a rate that is zero at inference
    return False


def _is_about_training(node: ast.AST) -> bool:
    """Return whether a condition separates training from inference."""
    if not isinstance(node, (ast.If, ast.IfExp, ast.Assert)):
        return False
    return any(_MODES.search(last_name(part)) for part in ast.walk(node.test))


def _has_no_self(node: ast.AST) -> bool:
    """Return whether a node is a function in which ``self`` may be someone else."""
    if not is_function(node):
        return False
    return not node.args.args or node.args.args[0].arg != "self"


def _is_always_on(call: ast.Call, names: Mapping[str, str]) -> bool:
    if full_name(call.func, names) not in _FUNCTIONS:
        return False
    if len(call.args) > 2 or keyword(call, "training") or unpacks(call):
        return False
    rate = call.args[1] if len(call.args) > 1 else keyword(call, "p")
    depends = rate is not None and any(_MODES.search(last_name(part)) for part in ast.walk(rate))
    return not depends and not (isinstance(rate, ast.Constant) and rate.value == 0)


def _fix(source: SourceFile, call: ast.Call) -> Suggestion | None:
    text = source_text(source, call)
    inside = text[:-1].rstrip()
    if "\n" in text or "#" in text or inside.endswith(","):
        return None
    return replacing(source, call, f"{inside}, training=self.training)")


CHECK = file_check(examine, CheckTraits(literals=("dropout",)))
