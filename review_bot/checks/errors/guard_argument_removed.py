"""An argument that kept a call safe, which a change removes while the call stays."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import function_pairs, plain
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import keyword, unpacks
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NEEDED: dict[str, frozenset[str] | None] = {
    "timeout": None,
    "weights_only": frozenset({"torch.load"}),
    "check": frozenset({"subprocess.run"}),
    "strict": frozenset({"zip"}),
}
"""Argument → the calls in which it guards; None: any."""
_HAS_A_TIMEOUT = frozenset({"init_process_group", "new_group"})
"""Calls that have a finite timeout by default."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each call that lost such an argument and is otherwise what it was."""
    if not source.removed:
        return
    for pair in function_pairs(source):
        guarded = [call for call in nodes_of(pair.old, ast.Call) if any(each.arg in _NEEDED for each in call.keywords)]
        if not guarded:
            continue
        calls = nodes_of(pair.old, ast.Call)
        bare = Counter(plain(call) for call in calls for name in _NEEDED if keyword(call, name) is None)
        kept = {plain(call) for call in nodes_of(pair.new, ast.Call)}
        for call in guarded:
            if plain(call) in kept:
                continue
            for name, functions in _NEEDED.items():
                guard = next((each for each in call.keywords if each.arg == name), None)
                if (
                    guard is None
                    or last_name(call.func) in _HAS_A_TIMEOUT
                    or (functions is not None and plain(call.func) not in functions)
                ):
                    continue
                if isinstance(guard.value, ast.Constant) and guard.value.value in {None, False}:
                    continue
                wanted = plain(_without(call, name))
                if bare[wanted]:
                    continue  # such a call was there before
                values = {"call": plain(call.func), "argument": f"{name}={plain(guard.value)}"}
                for new in nodes_of(pair.new, ast.Call):
                    if unpacks(new) or plain(new) != wanted:
                        continue
                    span = lines_of(new)
                    line = next((each for each in span if each in source.added), None)
                    if line is not None:
                        yield Hit(line, values=values)
                        break
                    if guard.value.lineno in source.removed:  # it had a line of its own
                        yield Hit(guard.value.lineno, side="LEFT", values=values)
                        break


def _without(call: ast.Call, name: str) -> ast.Call:
    if keyword(call, name) is None:
        return call
    return ast.Call(call.func, call.args, [each for each in call.keywords if each.arg != name])


CHECK = file_check(examine, CheckTraits(literals=("timeout", "weights_only", "check", "strict"), reads_old=True))
