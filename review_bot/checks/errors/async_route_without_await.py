"""Handlers of requests that are ``async`` although they await nothing: their work runs on the event loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_on, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_METHODS = frozenset({"get", "post", "put", "delete", "patch"})
_WORK = LazyRegex(
    r"^_?(create|update|delete|remove|insert|search|load|save|store|write|generate|infer|predict|run|process|convert"
    r"|download|upload|install|uninstall|scan|build|import|export|merge|wake_?up|sleep|execute|query|tokenize|extract"
    r"|transcribe|synthesize|commit|fetch|apply_chat_template)(_|$)"
)
_NO_WORK = LazyRegex(
    r"^(update|remove|insert|build|store|merge|process|load|loads)$|_(response|error|id|task|name|key)s?$|error"
)
"""Methods of dicts and lists, and what builds an answer."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such handler that the change adds to a file, with the others listed. Raises CannotParse."""
    if not any(name.partition(".")[0] == "fastapi" for name in imported_names(source.tree).values()):
        return
    found: list[tuple[ast.AsyncFunctionDef, str]] = []
    for function in source.nodes(ast.AsyncFunctionDef):
        if function.lineno in source.added and _is_route(function):
            work = _work(function)
            if work is not None:
                found.append((function, ast.unparse(work.func)))
    if not found:
        return
    (first, called), *others = found
    more = f" (and {len(others)} more in this file)" if others else ""
    related = tuple(Related(source.path, each.lineno, f"`{each.name}` calls `{name}`") for each, name in others)
    yield hit_on(source, first, values={"name": first.name, "called": called, "more": more}, related=related)


def _is_route(function: ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _METHODS and each.args
        for each in function.decorator_list
    )


def _work(function: ast.AsyncFunctionDef) -> ast.Call | None:
    """Return a call of a function that awaits nothing, by a method whose name says that it works."""
    found: ast.Call | None = None
    for node in own_nodes(function.body):
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.Return)) and _hands_on(node):
            return None
        if isinstance(node, ast.Name) and node.id == "asyncio":
            return None  # a plain function would run where there is no event loop
        if found is None and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = last_name(node)
            if _WORK.match(name) and not _NO_WORK.search(name):
                found = node
    return found


def _hands_on(node: ast.AST) -> bool:
    """Return whether a function awaits, or hands a stream to who awaits it."""
    if not isinstance(node, ast.Return):
        return True
    return isinstance(node.value, ast.Call) and "Streaming" in last_name(node.value)


CHECK = file_check(examine, CheckTraits(literals=("async def fastapi",)))
