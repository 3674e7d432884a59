"""What a call means otherwise, although it still fits a function whose parameters changed.

::

    def load(path, device)  ->  def load(device, path)        load(p, d) gives `p` to `device`
    def load(path, device)  ->  def load(path, **kwargs)      load(p, device=d): it is lost in an unread `**kwargs`
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import CallForm
from review_bot.analysis.python.statements import assigned_values, last_name, parameter_names
from review_bot.analysis.python.unread_parameters import is_decorated, is_on_purpose, read
from review_bot.changes.codebase import Snapshot
from review_bot.changes.node_index import nodes_of, walk

_BY_PLACE = frozenset({"positional", "either"})


def shift(form: CallForm, changed: ChangedSignature, call: ast.Call, symbol: Symbol, side: Snapshot) -> str:
    """Return in words which argument a call gives by place to another parameter than before; empty if none.

    An argument that names the parameter which it is given to now was always meant for that: the change may repair it.
    Nor does a call change its meaning where the function takes the old name for another spelling of the new one.
    """
    if len(changed.before) != 1 or len(changed.after) != 1:
        return ""
    before, after = ([each for each in side[0] if each.kind in _BY_PLACE] for side in (changed.before, changed.after))
    names = {each.name for each in changed.after[0]}
    for position, (old, new) in enumerate(list(zip(before, after, strict=False))[: form.positional]):
        if old.name != new.name:
            at = position + len(call.args) - form.positional
            given = words_in(call.args[at]) if 0 <= at < len(call.args) else ()
            if old.name not in names or new.name in given or _is_spelling_of(old.name, new.name, symbol, side):
                return ""
            return f"now gives to `{new.name}` by position what went to `{old.name}` before"
    return ""


def _is_spelling_of(old: str, new: str, symbol: Symbol, side: Snapshot) -> bool:
    """Return whether a function binds its parameter ``new`` to what it was given for ``old``."""
    function = call_targets(side).function_of(symbol)
    return function is not None and any(
        isinstance(target, ast.Name) and target.id == new and any(n.id == old for n in nodes_of(value, ast.Name))
        for target, value in assigned_values(function)
        if value is not None
    )


def swallowed(form: CallForm, changed: ChangedSignature, symbol: Symbol, side: Snapshot) -> str:
    """Return in words which keyword of a call was a parameter and is lost in an unread ``**kwargs``; empty if none."""
    if len(changed.before) != 1 or len(changed.after) != 1:
        return ""
    before, after = ({each.name for each in parameters[0]} for parameters in (changed.before, changed.after))
    lost = [name for name in form.keywords if name in before - after]
    function = call_targets(side).function_of(symbol) if lost else None
    rest = None if function is None else function.args.kwarg
    if function is None or rest is None or rest.arg in read(function) or is_decorated(function):
        return ""
    reads_some = bool((parameter_names(function) - {"self", "cls"}) & read(function))
    if not reads_some or is_on_purpose(function, (side.text(symbol.path) or "").split("\n")):
        return ""
    names = ", ".join(f"`{name}`" for name in lost)
    return f"passes {names}, now only taken by `**{rest.arg}`, which nothing reads"


def words_in(expression: ast.expr) -> Iterator[str]:
    """Yield the names that an expression reads, and the words of its strings."""
    for node in walk(expression):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield last_name(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value)
