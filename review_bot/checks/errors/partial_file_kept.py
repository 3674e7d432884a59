"""A file or folder that counts as complete where it exists, although an interrupted download leaves half of it there.

::

    if not os.path.exists(path):
        urlretrieve(url, path)                  a hit: the next run finds half a file, and uses it
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_line, last_name, leaves
from review_bot.analysis.python.syntax import full_name, hit_on, imported_names, keyword, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_EXIST = frozenset({"os.path.exists", "os.path.isfile", "os.path.isdir"})
_EXIST_METHODS = frozenset({"exists", "is_file", "is_dir"})
_STREAMS = frozenset({"aiter_bytes", "aiter_raw", "iter_bytes", "iter_chunked", "iter_content", "iter_raw", "urlopen"})
"""Methods that give a reply piece by piece; where it is complete before the file is opened, little can go wrong."""
_RETRIEVES = frozenset({"urllib.request.urlretrieve", "wget.download"})
_SURE_BEGINNINGS = ("atomic", "check", "crc", "hexdigest", "md5", "sha", "temp", "tmp", "valid", "verify")
_SURE_ENDS = ("getsize", "lock", "move", "remove", "rename", "replace", "rmtree", "st_size", "unlink")
"""Beginnings of words, and ends of names, of what puts a file in its place at the end, deletes it, or looks at it."""


class _Test(NamedTuple):
    """``path``: what is looked for. ``line``: where. ``first``, ``last``: lines that run only if it is missing."""

    path: str
    line: int
    first: int
    last: int


class _Write(NamedTuple):
    """``path``: where it goes. ``work``: what may be interrupted."""

    path: ast.expr
    node: ast.AST
    work: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each write to a path that the function takes as complete where it exists. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        tests = list(_tests(function, imported))
        if not tests or _makes_sure(function):
            continue
        for write in _writes(function, imported):
            path, line = ast.dump(write.path), getattr(write.node, "lineno", 0)
            test = next((each for each in tests if each.path == path and each.first <= line <= each.last), None)
            if test is not None:
                values = {"path": ast.unparse(write.path), "line": str(test.line), "work": write.work}
                related = (Related(source.path, test.line, "takes it as complete"),)
                yield hit_on(source, write.node, values=values, related=related)


def _tests(function: Function, imported: Mapping[str, str]) -> Iterator[_Test]:
    """Yield the tests whether a path exists, with the lines that run only where it does not."""
    for statement in own_nodes(function.body):
        if not isinstance(statement, ast.If):
            continue
        test, missing = statement.test, statement.orelse
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, missing = test.operand, statement.body
        path = _tested(test, imported)
        if path is None:
            continue
        if missing:
            yield _Test(ast.dump(path), statement.lineno, missing[0].lineno, last_line(missing[-1]))
        elif leaves(statement.body):
            yield _Test(ast.dump(path), statement.lineno, last_line(statement) + 1, last_line(function))


def _tested(test: ast.expr, imported: Mapping[str, str]) -> ast.expr | None:
    """Return the path whose existence a condition is about."""
    if not isinstance(test, ast.Call):
        return None
    if full_name(test.func, imported) in _EXIST and len(test.args) == 1:
        return test.args[0]
    is_method = isinstance(test.func, ast.Attribute) and test.func.attr in _EXIST_METHODS and not test.args
    return test.func.value if is_method and isinstance(test.func, ast.Attribute) else None


def _makes_sure(function: Function) -> bool:
    named = [each.attr for each in nodes_of(function, ast.Attribute)]
    named += [last_name(each.func) for each in nodes_of(function, ast.Call)]
    named += [each.id for each in nodes_of(function, ast.Name)]
    names = {each.lower() for each in named}
    words = names | {each.rpartition("_")[2] for each in names}
    return any(each.endswith(_SURE_ENDS) for each in names) or any(each.startswith(_SURE_BEGINNINGS) for each in words)


def _writes(function: Function, imported: Mapping[str, str]) -> Iterator[_Write]:
    fetches = False
    for call in nodes_of(function, ast.Call):
        called = full_name(call.func, imported) or ""
        fetches = fetches or last_name(call.func) in _STREAMS
        if called in _RETRIEVES and len(call.args) > 1:
            yield _Write(call.args[1], call, "download")
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "extractall":
            folder = call.args[0] if call.args else keyword(call, "path")
            if folder is not None:
                yield _Write(folder, call, "extraction")
    if not fetches:
        return
    for item in nodes_of(function, ast.withitem):
        opened = item.context_expr
        is_open = isinstance(opened, ast.Call) and isinstance(opened.func, ast.Name) and opened.func.id == "open"
        if is_open and isinstance(opened, ast.Call) and len(opened.args) > 1 and _is_binary_write(opened.args[1]):
            yield _Write(opened.args[0], opened, "download")


def _is_binary_write(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and mode.value in {"wb", "wb+"}


CHECK = FileCheck(
    without_options(examine),
    CheckTraits(literals=("urlretrieve if", "extractall if", "wget download if", "wb urlopen if", "wb iter_ if")),
)
