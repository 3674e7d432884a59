"""A download that is skipped where a file with the last part of its URL exists, whichever URL that file came from.

::

    name = os.path.basename(urlparse(url).path)
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return path                         ``/a/1.jpg`` and ``/b/1.jpg`` share one file

Only where a loop brings several URLs: the file of the one data set that a benchmark needs has no other to be taken for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import full_name, hit_on, imported_names, is_literal, names_in, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_EXIST = frozenset({"os.path.exists", "os.path.isfile"})
_EXIST_METHODS = frozenset({"exists", "is_file"})
_URL = LazyRegex(r"(?i)(?:^|_)(?:urls?|uri|link)$")
_SEPARATES = LazyRegex(r"(?i)hash|md5|sha\d|digest|uuid|size|etag|quote|index|idx")
"""Names in a path that keep two files of one name separate."""
_CHECKSUM = LazyRegex(r"(?i)sha\d|md5|checksum|digest|etag|hash")
"""Names of what shows that a file has the content of its URL."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each test for such a file. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        tests = list(_tests(function, imported))
        if not tests or any(_CHECKSUM.search(each.id) for each in nodes_of(function, ast.Name)):
            continue
        urls = _urls(function, source)
        assigned: dict[str, list[ast.Assign]] = {}
        for each in own_nodes(function.body):
            if not isinstance(each, ast.Assign) or len(each.targets) != 1 or is_literal(each.value, None):
                continue
            if isinstance(each.targets[0], ast.Name):
                assigned.setdefault(each.targets[0].id, []).append(each)
        for test, path in tests:
            found = _last_part(path, urls, assigned, imported)
            if found is not None:
                url, node = found
                values = {"path": ast.unparse(path), "url": url}
                related = (Related(source.path, node.lineno, "takes the last part of the URL"),)
                yield hit_on(source, test, values=values, related=related)


def _called_in_loops(source: SourceFile) -> set[str]:
    """Return the names of the functions that a loop or a comprehension of a file calls, or that ``map`` is given."""
    loops: list[ast.AST] = [*source.nodes(ast.For), *source.nodes(ast.AsyncFor), *source.nodes(ast.ListComp)]
    loops += [*source.nodes(ast.GeneratorExp), *source.nodes(ast.DictComp)]
    found = {last_name(call.func) for loop in loops for call in walk(loop) if isinstance(call, ast.Call)}
    mapped = (call for call in source.nodes(ast.Call) if last_name(call.func).endswith("map") and call.args)
    return found | {last_name(call.args[0]) for call in mapped}


def _urls(function: Function, source: SourceFile) -> set[str]:
    """Return the URLs that a function loops over, or is given again and again."""
    names = {each.arg for each in nodes_of(function.args, ast.arg) if _URL.search(each.arg)}
    if names and function.name not in _called_in_loops(source):
        names = set()
    for each in own_nodes(function.body):
        if isinstance(each, (ast.For, ast.AsyncFor)):
            names |= names_in(each.target)
    return {name for name in names if _URL.search(name)}


def _tests(function: Function, imported: Mapping[str, str]) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield the tests of whether a file exists, each with the path."""
    for each in own_nodes(function.body):
        if not isinstance(each, ast.If):
            continue
        test = each.test.operand if isinstance(each.test, ast.UnaryOp) else each.test
        if not isinstance(test, ast.Call):
            continue
        if full_name(test.func, imported) in _EXIST and len(test.args) == 1:
            yield test, test.args[0]
        elif isinstance(test.func, ast.Attribute) and test.func.attr in _EXIST_METHODS and not test.args:
            yield test, test.func.value


def _last_part(
    path: ast.expr, urls: set[str], assigned: Mapping[str, list[ast.Assign]], imported: Mapping[str, str]
) -> tuple[str, ast.expr] | None:
    """Return the URL whose last part alone makes a path, and what takes that part."""
    part: tuple[str, ast.expr] | None = None
    waiting, seen = [path], set[str]()
    while waiting:
        node = waiting.pop()
        taken = _url_of_part(node, urls, imported)
        if taken:
            part = (taken, node)
            continue
        if isinstance(node, (ast.Name, ast.Attribute)) and _SEPARATES.search(last_name(node)):
            return None
        if isinstance(node, ast.Name):
            if node.id in urls:
                return None  # the rest of the URL is in the path as well
            values = assigned.get(node.id, [])
            if node.id not in seen and len(values) == 1:
                seen.add(node.id)
                waiting.append(values[0].value)
            continue
        waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        waiting += [each.value for each in node.keywords] if isinstance(node, ast.Call) else []
    return part


def _url_of_part(node: ast.expr, urls: set[str], imported: Mapping[str, str]) -> str:
    """Return the URL whose last part an expression is: ``basename(urlparse(url).path)``, ``url.split("/")[-1]``."""
    of: ast.expr | None = None
    if isinstance(node, ast.Call) and full_name(node.func, imported) == "os.path.basename" and len(node.args) == 1:
        of = node.args[0]
    elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "-1" and isinstance(node.value, ast.Call):
        is_split = last_name(node.value.func) in {"split", "rsplit"} and ast.unparse(node.value).find("'/'") >= 0
        of = node.value.func.value if is_split and isinstance(node.value.func, ast.Attribute) else None
    elif isinstance(node, ast.Attribute) and node.attr == "name" and isinstance(node.value, ast.Call):
        of = (
            node.value.args[0]
            if last_name(node.value.func) in {"Path", "PurePath", "PurePosixPath"} and node.value.args
            else None
        )
    names = set() if of is None else names_in(of) & urls
    return names.pop() if len(names) == 1 else ""


CHECK = file_check(
    examine,
    CheckTraits(literals=("basename exists", "basename is", "split exists", "split is", "name exists", "name is_file")),
)
