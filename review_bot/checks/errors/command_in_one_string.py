"""A command with its arguments in one string, which no shell takes apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.stored_values import held_value
from review_bot.analysis.python.syntax import full_name, hit_on, imported_names, is_literal, text_of, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_STARTS = frozenset({
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
})  # fmt: skip
_COMMAND = LazyRegex(r"([\w.+-]+) +(?:\S|$)")
"""A program, and the begin of what is behind it; a path with spaces in it does not begin so."""
_WINDOWS = LazyRegex(r"win32|Windows|['\"]nt['\"]|\.exe\b|\.bat\b")
"""What shows that a file has a way of its own for Windows, which takes a string apart."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that starts such a command. Raises CannotParse."""
    if _WINDOWS.search(source.text or ""):
        return
    names = imported_names(source.tree)
    for call in source.nodes(ast.Call):
        if full_name(call.func, names) not in _STARTS or not call.args or unpacks(call):
            continue
        if any(word.arg in {"shell", "executable"} and not is_literal(word.value, False) for word in call.keywords):
            continue
        command: ast.expr | None = call.args[0]
        if isinstance(command, ast.Name):
            around = source.functions_around(call.lineno)
            command = held_value(around[-1], command.id) if around else None
        written = _COMMAND.match(_beginning(command))
        if written:
            yield hit_on(source, call, values={"program": written[1]})


def _beginning(command: ast.expr | None) -> str:
    """Return the text with which a string begins, as far as it is written; empty for what is no string."""
    while isinstance(command, ast.BinOp) and isinstance(command.op, ast.Add | ast.Mod):
        command = command.left
    if isinstance(command, ast.Call) and isinstance(command.func, ast.Attribute) and command.func.attr == "format":
        command = command.func.value
    if isinstance(command, ast.JoinedStr) and command.values:
        command = command.values[0]
    return text_of(command) or ""


CHECK = file_check(examine, CheckTraits(literals=("subprocess",)))
