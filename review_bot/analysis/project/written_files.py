"""Which Python files the code of a file writes when it runs: what it puts next to itself, and then imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import functions_of, last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed

_SUFFIX = ".py"


def written_files(text: str) -> frozenset[str]:
    """Return the names of the Python files, without folders, that a file opens for writing in code that it runs itself.

    Followed is one variable or attribute, bound to a path with the name; the function around the call must be named
    elsewhere in the file.
    """
    if _SUFFIX not in text or "open(" not in text:
        return frozenset()
    tree = parsed(text)
    if tree is None:
        return frozenset()
    paths: dict[str, set[str]] = {}
    for assign in nodes_of(tree, ast.Assign):
        names = {each.rpartition("/")[2] for each in _texts(assign.value) if each.endswith(_SUFFIX)}
        for target in assign.targets if names else ():
            paths.setdefault(ast.unparse(target), set()).update(names)
    if not paths:
        return frozenset()
    used = {each.id for each in nodes_of(tree, ast.Name)} | {each.attr for each in nodes_of(tree, ast.Attribute)}
    unused = [each for each in functions_of(tree) if each.name not in used and each.name != "__init__"]
    aside = {id(call) for function in unused for call in nodes_of(function, ast.Call)}
    return frozenset(
        name
        for call in nodes_of(tree, ast.Call)
        if _writes(call) and id(call) not in aside
        for name in paths.get(ast.unparse(call.args[0]), ())
    )


def _writes(call: ast.Call) -> bool:
    """Return whether a call is ``open(path, "w")``, or with another mode that makes a file."""
    if last_name(call.func) != "open" or len(call.args) < 2:
        return False
    return (text_of(call.args[1]) or "").startswith(("w", "x"))


def _texts(value: ast.expr) -> Iterator[str]:
    return (each.value for each in nodes_of(value, ast.Constant) if isinstance(each.value, str))
