"""A file or folder that counts as complete where it exists, although an interrupted download leaves half of it there.

::

    if not os.path.exists(path):
        urlretrieve(url, path)                  a hit: the next run finds half a file, and uses it
        download(url, path)                     a hit as well, if that function writes the file piece by piece

What is complete before the file is opened, such as ``data = urlopen(url).read()``, leaves no file behind.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.python.statements import Function, last_name, leaves, positional_parameters, withs_of
from review_bot.analysis.python.syntax import argument_values, full_name, imported_names, keyword, own_nodes, structure
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_EXIST = frozenset({"os.path.exists", "os.path.isfile", "os.path.isdir"})
_EXIST_METHODS = frozenset({"exists", "is_file", "is_dir"})
_STREAMS = frozenset({"aiter_bytes", "aiter_raw", "iter_bytes", "iter_chunked", "iter_content", "iter_raw", "urlopen"})
"""Functions that give a reply piece by piece."""
_WRAPPERS = frozenset(
    {"chain", "closing", "enumerate", "enter_context", "filter", "islice", "iter", "map", "tqdm", "wrap_file", "zip"}
)
"""Functions that pass pieces on as they come."""
_READS = ("iter", "read")
"""Beginnings of the methods that read on in a reply; its other attributes, such as ``headers``, came before."""
_RETRIEVES = frozenset({"urllib.request.urlretrieve"})
"""Functions that write to a path as they go; ``wget.download`` moves the file there at the end."""
_FETCHES = LazyRegex(r"(?i)download|fetch|retrieve")
_SURE_BEGINNINGS = ("atomic", "check", "crc", "hexdigest", "md5", "sha", "temp", "tmp", "valid", "verify")
_SURE_ENDS = ("getsize", "lock", "move", "remove", "rename", "replace", "rmtree", "st_size", "unlink")
"""Beginnings of words, and ends of names, of what puts a file in its place at the end, deletes it, or looks at it."""


_FRESH = frozenset(
    {"getpid", "mkdtemp", "mkstemp", "now", "randint", "random", "time", "time_ns", "token_hex", "uuid1", "uuid4"}
)
"""Functions whose result makes a path that no earlier run has left."""


class _Test(NamedTuple):
    """``path``: what is looked for. ``line``: where. ``first``, ``last``: lines that run only if it is missing."""

    path: str
    line: int
    first: int
    last: int


class _Write(NamedTuple):
    """``path``: where it goes. ``work``: what may be interrupted."""

    path: ast.expr
    node: ast.expr
    work: str
    parameter: int | str | None = None


class Kept(NamedTuple):
    """A write to a path that the function takes as complete where it exists.

    ``parameter``: the place or the name of the argument that is the path, if another function may write there.
    """

    path: str
    test: int
    line: int
    column: int
    work: str
    parameter: int | str | None = None


def gather(source: SourceFile) -> tuple[Kept, ...] | None:
    """Return the writes of one file, and the calls that may write. Raises CannotParse."""
    imported = imported_names(source.tree)
    found: list[Kept] = []
    for function in source.functions:
        tests = list(_tests(function, imported))
        if not tests or _makes_sure(function):
            continue
        is_new = _made_sure(function, source)
        for write in (*_writes(function, imported), *_given(function)):
            path, line = structure(write.path), write.node.lineno
            test = next((each for each in tests if each.path == path and each.first <= line <= each.last), None)
            if test is not None and _is_fresh(function, write.path):
                continue
            if test is not None and (is_new or test.line in source.added or source.any_added(*span_of(write.node))):
                column = source.column(line, write.node.col_offset)
                place = (ast.unparse(write.path), test.line, line, column)
                found.append(Kept(*place, write.work, write.parameter))
    return tuple(found) or None


def _is_fresh(function: Function, path: ast.expr) -> bool:
    """Return whether a function makes a path of something that is another one in each run."""
    made = {
        ast.unparse(each.targets[0]): each.value for each in nodes_of(function, ast.Assign) if len(each.targets) == 1
    }
    waiting, seen = [ast.unparse(path)], set[str]()
    while waiting:
        place = waiting.pop()
        if place in seen or (value := made.get(place)) is None:
            continue
        seen.add(place)
        if any(last_name(call.func) in _FRESH for call in nodes_of(value, ast.Call)):
            return True
        waiting += [ast.unparse(each) for kind in (ast.Name, ast.Attribute) for each in nodes_of(value, kind)]
    return False


def relate(facts: Mapping[str, tuple[Kept, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each write, and on each call of a function that writes to the path piece by piece."""
    for path, each in each_fact(facts):
        related = [Related(path, each.test, "takes it as complete")]
        if each.parameter is not None:
            writing = _written_by(each, path, codebase)
            if writing is None:
                continue
            related.append(writing)
        values = {"path": each.path, "line": str(each.test), "work": each.work}
        yield Hit(each.line, column=each.column, path=path, values=values, related=tuple(related))


def _written_by(kept: Kept, path: str, codebase: Codebase) -> Related | None:
    """Return the place where the function that a call runs writes to the path which it is given."""
    targets = call_targets(codebase.head)
    file = targets.file(path)
    calls = [] if file is None else [each for each in nodes_of(file.tree, ast.Call) if each.lineno == kept.line]
    for call in calls:
        symbol = (
            None if file is None or not _FETCHES.search(last_name(call.func)) else targets.target(file, Call(call, ()))
        )
        owner = None if symbol is None else targets.file(symbol.path)
        function = None if owner is None or symbol is None else owner.functions.get(symbol.name)
        if function is None or owner is None or symbol is None or _makes_sure(function):
            continue
        names = [each.arg for each in positional_parameters(function)]
        name = kept.parameter if isinstance(kept.parameter, str) else "".join(names[kept.parameter or 0 :][:1])
        for write in _writes(function, imported_names(owner.tree)):
            if isinstance(write.path, ast.Name) and write.path.id == name:
                return Related(symbol.path, write.node.lineno, "writes it piece by piece")
    return None


def _given(function: Function) -> Iterator[_Write]:
    """Yield the calls of functions that fetch something, with each path that they are given."""
    for call in nodes_of(function, ast.Call):
        if isinstance(call.func, ast.Name) and _FETCHES.search(call.func.id):
            for place, each in enumerate(call.args):
                yield _Write(each, call, "download", place)
            for named in call.keywords:
                if named.arg is not None:
                    yield _Write(named.value, call, "download", named.arg)


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
            yield _Test(structure(path), statement.lineno, missing[0].lineno, last_line(missing[-1]))
        elif leaves(statement.body):
            yield _Test(structure(path), statement.lineno, last_line(statement) + 1, last_line(function))


def _tested(test: ast.expr, imported: Mapping[str, str]) -> ast.expr | None:
    """Return the path whose existence a condition is about."""
    if not isinstance(test, ast.Call):
        return None
    if full_name(test.func, imported) in _EXIST and len(test.args) == 1:
        return test.args[0]
    is_method = isinstance(test.func, ast.Attribute) and test.func.attr in _EXIST_METHODS and not test.args
    return test.func.value if is_method and isinstance(test.func, ast.Attribute) else None


def _made_sure(function: Function, source: SourceFile) -> bool:
    """Return whether a function of this name made sure before the change that no part of a file is left."""
    old = source.known_old_tree
    functions = [] if old is None else nodes_of(old, type(function))
    return any(each.name == function.name and _makes_sure(each) for each in functions)


def _makes_sure(function: Function) -> bool:
    named = [each.attr for each in nodes_of(function, ast.Attribute)]
    named += [last_name(each.func) for each in nodes_of(function, ast.Call)]
    named += [each.id for each in nodes_of(function, ast.Name)]
    names = {each.lower() for each in named}
    words = names | {each.rpartition("_")[2] for each in names}
    return any(each.endswith(_SURE_ENDS) for each in names) or any(each.startswith(_SURE_BEGINNINGS) for each in words)


def _writes(function: Function, imported: Mapping[str, str]) -> Iterator[_Write]:
    for call in nodes_of(function, ast.Call):
        called = full_name(call.func, imported) or ""
        if called in _RETRIEVES and len(call.args) > 1:
            yield _Write(call.args[1], call, "download")
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "extractall":
            folder = call.args[0] if call.args else keyword(call, "path")
            if folder is not None:
                yield _Write(folder, call, "extraction")
    if not any(map(_receives, nodes_of(function, ast.Call))):
        return
    streams = _streams(function)
    for block in withs_of(function):
        for number, item in enumerate(block.items):
            opened = item.context_expr
            is_open = isinstance(opened, ast.Call) and isinstance(opened.func, ast.Name) and opened.func.id == "open"
            if not (is_open and isinstance(opened, ast.Call) and len(opened.args) > 1):
                continue
            while_open: list[ast.AST] = [*block.items[number + 1 :], *block.body]
            if _is_binary_write(opened.args[1]) and any(_downloads(each, streams) for each in while_open):
                yield _Write(opened.args[0], opened, "download")


def _receives(call: ast.Call) -> bool:
    """Return whether a call gives a reply, or a piece of one, as it comes."""
    name = last_name(call.func)
    is_read = isinstance(call.func, ast.Attribute) and name == "read" and last_name(call.func.value) == "content"
    return is_read or name in _STREAMS


def _downloads(node: ast.AST, streams: Collection[str]) -> bool:
    """Return whether code asks for a reply, or reads on in one that a name holds."""
    if any(map(_receives, nodes_of(node, ast.Call))):
        return True
    described = {id(each.value) for each in nodes_of(node, ast.Attribute) if not each.attr.startswith(_READS)}
    return any(each.id in streams and id(each) not in described for each in nodes_of(node, ast.Name))


def _streams(function: Function) -> set[str]:
    """Return the names that hold nothing but replies that are still to be read."""
    found: set[str] = set()
    bound: Counter[str] = Counter()
    for each in own_nodes(function.body):
        pairs: list[tuple[ast.expr | None, ast.expr | None]] = []
        if isinstance(each, ast.Assign):
            pairs = [(target, each.value) for target in each.targets]
        elif isinstance(each, ast.AnnAssign | ast.NamedExpr):
            pairs = [(each.target, each.value)]
        elif isinstance(each, ast.With | ast.AsyncWith):
            pairs = [(item.optional_vars, item.context_expr) for item in each.items]
        for target, value in pairs:
            if isinstance(target, ast.Name) and value is not None and _is_stream(value, found):
                found.add(target.id)
                bound[target.id] += 1
    stored = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store))
    return {name for name in found if bound[name] == stored[name]}


def _is_stream(value: ast.expr, streams: Collection[str]) -> bool:
    """Return whether an expression gives a reply piece by piece: ``iter_content()``, also in a bar of progress."""
    if isinstance(value, ast.Await):
        return _is_stream(value.value, streams)
    if isinstance(value, ast.Name):
        return value.id in streams
    if isinstance(value, ast.GeneratorExp):
        return _is_stream(value.generators[0].iter, streams)
    if not isinstance(value, ast.Call):
        return False
    name = last_name(value.func)
    return name in _STREAMS or (name in _WRAPPERS and any(_is_stream(each, streams) for each in argument_values(value)))


def _is_binary_write(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and mode.value in {"wb", "wb+"}


CHECK = change_check(gather, relate, CheckTraits(literals=(
            "urlretrieve if", "extractall if", "wb urlopen if", "wb iter_ if",
            "wb content if", "exists download", "exists fetch", "exists retrieve", "isfile download", "isfile fetch",
            "is_file download", "is_file fetch",
        )))  # fmt: skip
