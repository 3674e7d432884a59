"""Messages whose braces hold names of the function, in a string without its ``f``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, all_parameters
from review_bot.analysis.python.syntax import dotted, hit_at, own_nodes, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.flow.effects import LOG_LEVELS
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PLACE = LazyRegex(r"\{\s*([A-Za-z_]\w*)(?:\.\w+|\[[^\]{}'\"]*\]|\([^(){}'\"]*\))*\s*(?:![rsa])?(?::[^{}\s]*)?\}")
_TEXT_OF_ERROR = frozenset({"detail", "message", "msg", "reason"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each message that names locals in braces and is not an f-string. Raises CannotParse."""
    text = source.text or ""
    shown = (each for kind in (ast.Raise, ast.Assert, ast.Return, ast.Call) for each in source.nodes(kind))
    for statement in shown:
        given = _given(statement)
        for message in _messages(statement):
            for node, string in _plain_strings(message):
                places = [
                    each
                    for each in (_PLACE.finditer(string) if "{" in string else ())
                    if each[1] not in given and string[each.start() - 1 : each.start()] != "{"
                ]
                found = [match[1] for match in places]
                if found and _names_around(source, node.lineno).issuperset(found) and not _is_template(found, text):
                    yield hit_at(source, node, values={"place": places[0][0]})


def _given(node: ast.AST) -> set[str]:
    """Return the names of what a call gets besides its message: it may fill the places from them by itself."""
    call = node.exc if isinstance(node, ast.Raise) else node
    if not isinstance(call, ast.Call):
        return set()
    mappings = [key for each in call.args if isinstance(each, ast.Dict) for key in each.keys]
    return {each.arg or "" for each in call.keywords} | {text_of(key) or "" for key in mappings}


def _names_around(source: SourceFile, line: int) -> set[str]:
    """Return what the innermost function around a line binds; nothing outside functions."""
    around = source.functions_around(line)
    return _names_of(around[-1]) if around else set()


def _messages(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a ``raise``, an ``assert``, a log call or a print shows, and a text that is returned."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from node.exc.args[:1]
        yield from (each.value for each in node.exc.keywords if each.arg in _TEXT_OF_ERROR)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Assert) and node.msg is not None:
        yield node.msg
    elif isinstance(node, ast.Call) and len(node.args) == 1:
        called = dotted(node.func) or ""
        owner, _, name = called.rpartition(".")
        logger = owner.rpartition(".")[2].lstrip("_").lower()
        if called in {"print", "warnings.warn"} or (name in LOG_LEVELS and logger in {"log", "logger", "logging"}):
            yield node.args[0]


def _plain_strings(message: ast.expr) -> Iterator[tuple[ast.Constant, str]]:
    """Yield the plain strings that a message is made of; an f-string may hold doubled braces on purpose."""
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        yield message, message.value
    elif isinstance(message, ast.BinOp) and isinstance(message.op, ast.Add):
        yield from _plain_strings(message.left)
        yield from _plain_strings(message.right)


def _names_of(function: Function) -> set[str]:
    names = {each.arg for each in all_parameters(function)}
    for node in own_nodes(function.body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def _is_template(names: list[str], text: str) -> bool:
    """Return whether the file fills in one of the names itself: ``.format(name=...)``, ``replace("{name}", ...)``."""
    return any(f"{name}=" in text and ".format(" in text for name in names) or '.replace("{' in text


CHECK = file_check(examine, CheckTraits(literals=("{",)))
