"""The settings that Python code offers to its users: command-line flags, environment variables, fields of settings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import dotted, keyword, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_SETTINGS_CLASS = LazyRegex(r"[A-Za-z]\w*(?:Config|Args|Settings|Options)")
_HIDDEN_OR_DEPRECATED = LazyRegex(r"SUPPRESS$|(?i:deprecat)")


class Setting(NamedTuple):
    """``kind`` is ``flag``, ``env`` or ``field``; ``group`` is the prefix of a variable, or the class of a field."""

    kind: str
    group: str
    name: str
    line: int


def flags(tree: ast.Module) -> Iterator[Setting]:
    """Yield each ``add_argument("--x")`` whose help is shown and does not call it deprecated."""
    for call in nodes_of(tree, ast.Call):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"):
            continue
        name = next((text for each in call.args if (text := text_of(each) or "").startswith("--")), "")
        if name and "=" not in name:  # that is a switch of another program
            shown = keyword(call, "help")
            if shown is None or not _HIDDEN_OR_DEPRECATED.search(ast.unparse(shown)):
                yield Setting("flag", "", name, call.args[0].lineno)


def variables(tree: ast.Module) -> Iterator[Setting]:
    """Yield each ``os.environ.get("PKG_X")`` and ``os.getenv("PKG_X")``."""
    for call in nodes_of(tree, ast.Call):
        name = _first(call)
        if "_" in name and name.isupper() and (dotted(call.func) or "").endswith(("environ.get", "getenv")):
            yield Setting("env", name.partition("_")[0], name, call.args[0].lineno)


def fields(tree: ast.Module) -> Iterator[Setting]:
    """Yield each public annotated field of two words or more of a class called ``...Config``, ``...Args`` or alike."""
    for node in nodes_of(tree, ast.ClassDef):
        if not _SETTINGS_CLASS.fullmatch(node.name):
            continue
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                name = each.target.id
                if "_" in name and not name.startswith("_"):
                    yield Setting("field", node.name, name, each.lineno)


def _first(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return text_of(first) or ""
