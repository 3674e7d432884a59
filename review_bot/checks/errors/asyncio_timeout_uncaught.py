"""``except TimeoutError`` around ``await asyncio.wait_for(...)`` where the project still runs on Python 3.10 or older.

There ``wait_for`` raises ``asyncio.TimeoutError``, which is another class; the two are one from Python 3.11 on.
Source: https://docs.python.org/3/library/asyncio-exceptions.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.manifests import lowest_python
from review_bot.analysis.project.needed_python import names_own_python, needed_before
from review_bot.analysis.python.module_body import star_imports
from review_bot.analysis.python.statements import caught_names, last_name, tries_of
from review_bot.analysis.python.syntax import bound_name, full_name, imported_names, is_literal, keyword, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_ONE_CLASS_SINCE = 11
_RAISES = "asyncio.wait_for"
_NAME = "TimeoutError"
_BLOCKS = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
_BROAD = frozenset({"BaseException", "Exception"})


class Uncaught(NamedTuple):
    """The line of a call whose timeout a handler does not catch, and the one to report."""

    call: int
    line: int


def gather(source: SourceFile) -> tuple[Uncaught, ...] | None:
    """Return the handlers of a file that miss a timeout since the change. Raises CannotParse.

    It adds the handler or the call, or removes what gave another class the name ``TimeoutError``.
    """
    text = source.text or ""
    if "version_info" in text or names_own_python(text) or _is_rebound(source.tree):
        return None
    imported = imported_names(source.tree)
    old = source.known_old_tree
    renamed = old is not None and _is_rebound(old)
    found: list[Uncaught] = []
    for block in tries_of(source.tree):
        handler = _handler(block, imported)
        call = None if handler is None else next(_calls(block.body, imported), None)
        if handler is not None and call is not None:
            places = (handler.lineno, last_line(handler.type or handler)), (call.lineno, last_line(call))
            added = next((line for place in places if (line := source.first_added(*place)) is not None), None)
            if added is None and renamed:
                added = handler.lineno
            if added is not None:
                found.append(Uncaught(call.lineno, added))
    return tuple(found) or None


def _is_rebound(tree: ast.Module) -> bool:
    """Return whether ``TimeoutError`` may be another class in a module than the built-in one."""
    names = {each.id for each in nodes_of(tree, ast.Name) if isinstance(each.ctx, ast.Store)}
    names |= {each.name for each in nodes_of(tree, ast.ClassDef)}
    names |= {bound_name(alias) for each in nodes_of(tree, ast.ImportFrom) for alias in each.names}
    return _NAME in names or bool(star_imports(tree))


def _handler(block: ast.Try | ast.TryStar, imported: Mapping[str, str]) -> ast.ExceptHandler | None:
    """Return the handler of a block that names the built-in class; None if another may catch that of asyncio."""
    found: ast.ExceptHandler | None = None
    for each in block.handlers:
        types = each.type.elts if isinstance(each.type, ast.Tuple) else [] if each.type is None else [each.type]
        others = [part for part in types if full_name(part, imported) != _NAME]
        if any("timeout" in (last_name(part).lower() or "timeout") for part in others):
            return None  # that of asyncio, or what may stand for it
        if found is None and _BROAD & caught_names(each):
            return None
        if found is None and len(others) < len(types):
            found = each
    return found


def _calls(body: list[ast.stmt], imported: Mapping[str, str]) -> Iterator[ast.Call]:
    """Yield the calls that a block awaits and whose timeout leaves it."""
    caught = {
        id(each)
        for inner in own_nodes(body)
        if isinstance(inner, _BLOCKS) and _may_catch(inner)
        for each in own_nodes(inner.body)
    }
    for node in own_nodes(body):
        call = node.value if isinstance(node, ast.Await) and id(node) not in caught else None
        if isinstance(call, ast.Call) and full_name(call.func, imported) == _RAISES:
            timeout = call.args[1] if len(call.args) > 1 else keyword(call, "timeout")
            if timeout is not None and not is_literal(timeout, None):
                yield call


def _may_catch(block: ast.Try | ast.TryStar | ast.With | ast.AsyncWith) -> bool:
    """Return whether a block handles exceptions itself: a ``try`` with handlers, or ``suppress``."""
    if isinstance(block, (ast.Try, ast.TryStar)):
        return bool(block.handlers)
    return any(last_name(each.context_expr) == "suppress" for each in block.items)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such handler of a project that promises an older Python than 3.11.

    A project whose base needs 3.11 already is left out: then the promise is wrong, whatever the change does.
    """
    for path, found in sorted(facts.items()):
        lowest = lowest_python(path, codebase)
        if lowest is None or lowest.minor >= _ONE_CLASS_SINCE:
            continue
        if needed_before([path], [_ONE_CLASS_SINCE], codebase) >= _ONE_CLASS_SINCE:
            continue
        for each in found:
            promise = Related(lowest.path, lowest.line, f"declares Python 3.{lowest.minor}")
            call = Related(path, each.call, f"`{_RAISES}`")
            values = {"manifest": lowest.path, "promised": f"3.{lowest.minor}"}
            yield Hit(each.line, path=path, values=values, related=(call, promise))


CHECK = change_check(gather, relate, CheckTraits(literals=("except TimeoutError wait_for",), reads_old=True))
