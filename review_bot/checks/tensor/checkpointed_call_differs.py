"""A block that is called under gradient checkpointing with other arguments, or other results, than without it.

::

    if self.gradient_checkpointing:
        x = checkpoint(block, x, temb)
    else:
        x = block(x, temb, mask=mask)         the checkpointed call lacks `mask`
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, hit_on
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_OF_CHECKPOINT = frozenset({"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug"})
_OFF_ON_PURPOSE = frozenset(
    {"use_cache", "past_key_value", "past_key_values", "output_attentions", "output_hidden_states", "return_dict"}
)
"""Arguments that code leaves out when it trains, since a checkpointed block cannot fill a cache."""


class _Called(NamedTuple):
    """One ``targets = block(...)``: the name of the block, what it gets, and what its results are bound to."""

    block: str
    values: tuple[ast.expr, ...]
    named: tuple[tuple[str, ast.expr], ...]
    targets: tuple[str, ...]
    node: ast.Assign


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each checkpointed call that differs from the plain call in the other branch. Raises CannotParse."""
    for choice in source.nodes(ast.If):
        for one, other in ((choice.body, choice.orelse), (choice.orelse, choice.body)):
            plain = [each for each in map(_plain, other) if each is not None]
            for checkpointed in map(_checkpointed, one):
                if checkpointed is None or _adds_arguments(one):
                    continue
                twin = next((each for each in plain if each.block == checkpointed.block), None)
                what = _difference(checkpointed, twin) if twin is not None else ""
                if twin is None or not what:
                    continue
                where = checkpointed.node if source.any_added(*span_of(checkpointed.node)) else twin.node
                other_node = twin.node if where is checkpointed.node else checkpointed.node
                yield hit_on(
                    source,
                    where,
                    values={"block": checkpointed.block, "what": what, "line": str(twin.node.lineno)},
                    related=(Related(source.path, other_node.lineno, f"the other call of `{checkpointed.block}`"),),
                )


def _adds_arguments(statements: list[ast.stmt]) -> bool:
    """Return whether a function in them calls what it was given with more than it gets itself."""
    inner = (each for statement in statements for each in nodes_of(statement, ast.FunctionDef))
    wrapped = [each for each in inner if each.name == "custom_forward"]
    calls = (call for each in wrapped for call in nodes_of(each, ast.Call))
    return any(each.args.vararg is None for each in wrapped) or any(
        _spreads(call.args) and (len(call.args) > 1 or any(each.arg not in _OFF_ON_PURPOSE for each in call.keywords))
        for call in calls
    )


def _plain(statement: ast.stmt) -> _Called | None:
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    name = dotted(call.func)
    if name is None or any(each.arg is None for each in call.keywords) or _spreads(call.args):
        return None
    named = tuple((each.arg or "", each.value) for each in call.keywords)
    return _Called(name, tuple(call.args), named, _targets(statement), statement)


def _checkpointed(statement: ast.stmt) -> _Called | None:
    """Return the call that a checkpoint makes of its first argument; None if its text does not show it whole."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if "checkpoint" not in last_name(call.func) or not call.args or _spreads(call.args):
        return None
    if any(each.arg is None and not _is_of_checkpoint(each.value) for each in call.keywords):
        return None
    block = call.args[0]
    if isinstance(block, ast.Call) and last_name(block.func) == "create_custom_forward" and len(block.args) == 1:
        if block.keywords:
            return None
        block = block.args[0]
    if isinstance(block, ast.Attribute) and block.attr in {"__call__", "forward"}:
        block = block.value
    name = dotted(block)
    named = tuple((each.arg, each.value) for each in call.keywords if each.arg and each.arg not in _OF_CHECKPOINT)
    return None if name is None else _Called(name, tuple(call.args[1:]), named, _targets(statement), statement)


def _is_of_checkpoint(value: ast.expr) -> bool:
    name = last_name(value).lower()
    return "ckpt" in name or "checkpoint" in name


def _spreads(arguments: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in arguments)


def _targets(statement: ast.Assign) -> tuple[str, ...]:
    target = statement.targets[0]
    return tuple(map(ast.unparse, target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]))


def _difference(checkpointed: _Called, plain: _Called) -> str:
    """Return what the checkpointed call lacks, as a clause of the message; nothing if the two agree."""
    given = {*map(ast.unparse, checkpointed.values), *(ast.unparse(value) for _, value in checkpointed.named)}
    read = {
        name.id
        for value in (*checkpointed.values, *(value for _, value in checkpointed.named))
        for name in ast.walk(value)
        if isinstance(name, ast.Name)
    }
    wanted = [(ast.unparse(value), value) for value in plain.values] + [
        (name, value) for name, value in plain.named if name not in _OFF_ON_PURPOSE
    ]
    lacking = [
        name
        for name, value in wanted
        if isinstance(value, (ast.Name, ast.Attribute))
        and name not in _OFF_ON_PURPOSE
        and ast.unparse(value) not in given
        and ast.unparse(value).partition(".")[0] not in read - {"self"}
    ]
    if lacking and len(checkpointed.values) + len(checkpointed.named) < len(plain.values) + len(plain.named):
        return f"it does not get {' and '.join(f'`{name}`' for name in lacking)}"
    if len(checkpointed.targets) != len(plain.targets):
        return f"{_count(checkpointed.targets)} taken instead of {len(plain.targets)}"
    return ""


def _count(targets: tuple[str, ...]) -> str:
    return "one result is" if len(targets) == 1 else f"{len(targets)} results are"


CHECK = file_check(examine, CheckTraits(literals=("checkpoint",)))
