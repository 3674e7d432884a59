"""A child process that writes into a pipe while its parent waits for its end and reads nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``wait()`` for such a process. Raises CannotParse."""
    names = imported_names(source.tree)
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            call, name = node.value, node.targets[0].id
            if not isinstance(call, ast.Call) or full_name(call.func, names) != "subprocess.Popen":
                continue
            if call.args and not any(isinstance(each, (ast.Name, ast.Call)) for each in ast.walk(call.args[0])):
                continue  # a command that is written out, whose output its author knows
            pipes = [each for each in ("stdout", "stderr") if _is_pipe(keyword(call, each), names)]
            waits = _waits(name, nodes) if pipes else None
            if waits is not None:
                yield hit_at(source, waits, values={"name": name, "pipe": " and ".join(pipes)})


def _is_pipe(value: ast.expr | None, names: Mapping[str, str]) -> bool:
    return value is not None and full_name(value, names) == "subprocess.PIPE"


def _waits(name: str, nodes: list[ast.AST]) -> ast.Call | None:
    """Return the call of ``wait`` if the process is used for nothing else that could read its output."""
    found: ast.Call | None = None
    used = 0
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            used += 1
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            if node.attr not in {"wait", "returncode", "pid", "poll", "kill", "terminate"}:
                return None
            used -= 1
        elif isinstance(node, ast.Call) and found is None and dotted(node.func) == f"{name}.wait":
            found = node
    return found if used == 0 else None  # else it is handed on, or returned


CHECK = file_check(examine, CheckTraits(literals=("Popen",)))
