"""An import of a name that the file has imported already, from the same place.

In a function, an import of which all names are known at the top of the file.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.statements import all_parameters, blocks, decorator_names, last_name
from review_bot.analysis.python.syntax import hit_on, names_in, stands_alone, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Suggestion
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

Import = ast.Import | ast.ImportFrom


_PATCHES = frozenset({"delattr", "object", "patch", "setattr"})
"""Functions of tests that replace what a module holds, by name."""
_RUN_ELSEWHERE = frozenset({"component", "external_python", "virtualenv"})
"""Decorators of Kubeflow and Airflow that run the text of a function alone, without the imports of its file."""


class _Target(NamedTuple):
    """What an import binds: the name, and what it stands for."""

    name: str
    origin: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second import, or the first if only that was added. Raises CannotParse.

    None about a name that the base imported as often, from wherever: then the change only edits the lines.
    """
    body = source.tree.body
    top: dict[_Target, Import] = {}
    more = _imported_more_often(source)
    for statement in body:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        repeated = [target for target in _targets(statement) if target in top and target.name in more]
        if repeated and not _is_replaced(source, top[repeated[0]], statement, repeated):
            first = top[repeated[0]]
            yield _hit(source, first, statement, _again(source, top, statement, repeated, body))
        for target in _targets(statement):
            top.setdefault(target, statement)
    yield from _in_functions(source, top, more)


def _imported_more_often(source: SourceFile) -> set[str]:
    """Return the names that more imports of a file bind than did at the base."""
    now, before = Counter(_bound(source.tree)), Counter(_bound(source.old_tree) if source.old_text is not None else ())
    return {name for name, times in now.items() if times > before[name]}


def _bound(tree: ast.Module) -> Iterator[str]:
    for alias in nodes_of(tree, ast.alias):
        yield alias.asname or alias.name


def _in_functions(source: SourceFile, top: dict[_Target, Import], more: set[str]) -> Iterator[Hit]:
    for function in source.functions:
        if not _RUN_ELSEWHERE.isdisjoint(decorator_names(function)):
            continue
        tried = [each.body for each in nodes_of(function, ast.Try)]  # whether a module can be imported is tested there
        own = [
            (block, statement)
            for block in blocks(function.body, into_definitions=False)
            for statement in block
            if isinstance(statement, (ast.Import, ast.ImportFrom)) and not any(block is each for each in tried)
        ]
        bound = Counter(target.name for _, statement in own for target in _targets(statement))
        for block, statement in own:
            if statement.lineno in source.added:
                # Each import of a name makes it local: without one of two, a branch would lack it.
                repeated = [
                    target
                    for target in _targets(statement)
                    if target in top and target.name in more and bound[target.name] == 1
                ]
                if (
                    len(repeated) == len(statement.names)  # a line that brings others may bring these too
                    and (first := top[repeated[0]]).lineno < statement.lineno
                    and names_in(function, ast.Store).isdisjoint(target.name for target in repeated)
                    and not _is_replaced(source, first, statement, repeated)
                ):
                    yield _hit(source, first, statement, _again(source, top, statement, repeated, block))


def _is_replaced(source: SourceFile, first: Import, second: Import, repeated: list[_Target]) -> bool:
    """Return whether a name of the first import may mean something else at the second one.

    Another statement of the file binds or deletes it, a star import may, a function around the second has a parameter
    of this name, or a test replaces what the module holds: ``patch("engine.pool.Worker", Fake)``.
    """
    names = {target.name for target in repeated}
    patched = {target.origin.replace(":", ".").rpartition(".")[2] for target in repeated}
    calls = (call for call in source.nodes(ast.Call) if last_name(call.func) in _PATCHES)
    texts = (text for call in calls for each in call.args if (text := text_of(each)) is not None)
    if any(text.rpartition(".")[2] in patched for text in texts):
        return True
    stars = [each.lineno for each in source.tree.body if isinstance(each, ast.ImportFrom) and each.names[0].name == "*"]
    around = source.functions_around(second.lineno)
    if "sys.modules" in (source.text or "") or any(first.lineno < line < second.lineno for line in stars):
        return True
    if any(each.arg in names for function in around for each in all_parameters(function)):
        return True
    for node in source.nodes(ast.Name):
        if node.id in names and not isinstance(node.ctx, ast.Load):
            scope = source.functions_around(node.lineno)
            if not scope or any(scope[-1] is each for each in around):
                return True
    return False


def _hit(source: SourceFile, first: Import, second: Import, told: tuple[str, Suggestion | None]) -> Hit:
    here, there = (second, first) if second.lineno in source.added else (first, second)
    message, suggestion = told
    return hit_on(
        source,
        here,
        message=message,
        suggestion=suggestion,
        related=(Related(source.path, there.lineno, "the other import"),),
    )


def _targets(statement: Import) -> list[_Target]:
    """Return what an import binds; a star, a future feature and a bare submodule are left out."""
    if isinstance(statement, ast.Import):
        return [_Target(each.asname or each.name, each.name) for each in statement.names]
    module = "." * statement.level + (statement.module or "")
    if module == "__future__":
        return []
    return [_Target(each.asname or each.name, f"{module}:{each.name}") for each in statement.names if each.name != "*"]


def _again(
    source: SourceFile, top: dict[_Target, Import], statement: Import, repeated: list[_Target], block: list[ast.stmt]
) -> tuple[str, Suggestion | None]:
    told, lines = repeated, sorted({top[target].lineno for target in repeated})
    if statement.lineno not in source.added:  # the first one is reported
        told, lines = [each for each in repeated if top[each] is top[repeated[0]]], [statement.lineno]
    names, verb = ", ".join(f"`{target.name}`" for target in told), "is" if len(told) == 1 else "are"
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    suggestion = None
    if (
        len(repeated) == len(statement.names)
        and len(block) > 1
        and statement.lineno == statement.end_lineno
        and stands_alone(source, statement)
    ):
        suggestion = Suggestion(statement.lineno, statement.lineno, "")
    return f"{names} {verb} already imported on {where}.", suggestion


CHECK = file_check(examine, CheckTraits(literals=("import",), reads_old=True))
