"""``F.dropout`` without ``training``: its default is true, so that values are dropped at inference too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import (
    full_name,
    hit_at,
    imported_names,
    keyword,
    replacing,
    source_text,
    unpacks,
)
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_FUNCTIONS = {
    f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")
}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    names = imported_names(source.tree)
    if any(_is_always_on(call, names) for call in source.nodes(ast.Call)):
        yield from _inside(source, source.tree, names, in_module=False)


def _inside(source: SourceFile, parent: ast.AST, names: Mapping[str, str], *, in_module: bool) -> Iterator[Hit]:
    """Look below a node, but not into what runs in training only, nor into classes that are not modules."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, (ast.If, ast.IfExp)) and _is_about_training(node.test):
            continue
        if isinstance(node, ast.ClassDef):
            if any(last_name(base).endswith("Module") for base in node.bases):
                yield from _inside(source, node, names, in_module=True)
            continue
        if isinstance(node, ast.Call) and _is_always_on(node, names):
            yield hit_at(source, node, suggestion=_fix(source, node) if in_module else None)
        yield from _inside(source, node, names, in_module=in_module and not _has_no_self(node))


def _is_about_training(test: ast.expr) -> bool:
    return any(last_name(part) in {"training", "requires_grad", "is_grad_enabled"} for part in ast.walk(test))


def _has_no_self(node: ast.AST) -> bool:
    """Return whether a node is a function in which ``self`` may be someone else."""
    if not is_function(node):
        return False
    return not node.args.args or node.args.args[0].arg != "self"


def _is_always_on(call: ast.Call, names: Mapping[str, str]) -> bool:
    if full_name(call.func, names) not in _FUNCTIONS:
        return False
    return not (len(call.args) > 2 or keyword(call, "training") or unpacks(call) or _drops_nothing(call))


def _drops_nothing(call: ast.Call) -> bool:
    rate = call.args[1] if len(call.args) > 1 else keyword(call, "p")
    return isinstance(rate, ast.Constant) and rate.value == 0


def _fix(source: SourceFile, call: ast.Call) -> Suggestion | None:
    text = source_text(source, call)
    inside = text[:-1].rstrip()
    if "\n" in text or "#" in text or inside.endswith(","):
        return None
    return replacing(source, call, f"{inside}, training=self.training)")


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("dropout",)))
