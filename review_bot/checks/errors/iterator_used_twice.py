"""An iterator that gives its values once, and code that goes through it a second time and finds nothing.

::

    trained = filter(lambda each: each.requires_grad, model.parameters())
    optimizer = AdamW(trained)
    clip_grad_norm_(trained, 1.0)           clips nothing
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import binding_counts, shared_names
from review_bot.analysis.python.statements import Function, blocks, last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ONCE = frozenset({
    "csv.DictReader", "csv.reader", "enumerate", "filter", "glob.iglob", "itertools.chain",
    "itertools.chain.from_iterable", "itertools.islice", "itertools.product", "map", "os.scandir", "os.walk",
    "re.finditer", "reversed", "zip",
})  # fmt: skip
_ONCE_OF_MODULES = frozenset({"buffers", "named_buffers", "named_modules", "named_parameters", "parameters"})
"""Methods of ``torch.nn.Module`` that are generators."""
_ONCE_OF_PATHS = frozenset({"iterdir", "rglob"})
_COLLECTING = frozenset({"dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"})
_PASSING = frozenset({"enumerate", "filter", "map", "zip", "tqdm"})
_TRAINING = ("optim", "optimizer", "optim_cls", "optimizer_cls", "optim_class", "optimizer_class", "sgd", "adafactor")
"""Ends of the names of classes that go through all parameters that they are given, as do those with ``adam``."""
_LEAVING = (ast.Break, ast.Return, ast.Yield, ast.YieldFrom)


class _Use(NamedTuple):
    """``node``: what goes through the iterator; ``all_of_it``: it goes to the end."""

    node: ast.AST
    line: int
    all_of_it: bool


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second use. Raises CannotParse."""
    imported = imported_names(source.tree)
    scopes: list[tuple[ast.Module | Function, list[ast.stmt]]] = [(source.tree, source.tree.body)]
    scopes += [(function, function.body) for function in source.functions]
    for scope, body in scopes:
        counts = None
        for block in blocks(body, into_definitions=False):
            for number, statement in enumerate(block):
                made = _iterator(statement, imported)
                if made is None:
                    continue
                counts = binding_counts(scope) if counts is None else counts
                name, what = made
                if counts[name] == 1 and not _is_asked_for_one(scope, name):
                    yield from _second_use(source, name, what, statement, block[number + 1 :])


def _iterator(statement: ast.stmt, imported: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name that a statement gives to an iterator, and what this is in words."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    what = _kind(statement.value, imported)
    return (target.id, what) if what and isinstance(target, ast.Name) else None


def _kind(value: ast.expr, imported: Mapping[str, str]) -> str:
    if isinstance(value, ast.GeneratorExp):
        return "a generator"
    if not isinstance(value, ast.Call):
        return ""
    called = full_name(value.func, imported)
    if called in _ONCE:
        return f"the iterator of `{called}`"
    method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
    is_module = method in _ONCE_OF_MODULES and "torch" in {each.partition(".")[0] for each in imported.values()}
    return f"the generator of `{method}()`" if is_module or method in _ONCE_OF_PATHS else ""


def _is_asked_for_one(scope: ast.AST, name: str) -> bool:
    """Return whether code takes single values from the iterator on purpose, or shares it with another scope."""
    for call in nodes_of(scope, ast.Call):
        if dotted(call.func) in {"next", "iter", "isinstance"} and any(_is(each, name) for each in call.args):
            return True
    return name in shared_names(scope)


def _second_use(source: SourceFile, name: str, what: str, made: ast.stmt, after: list[ast.stmt]) -> Iterator[Hit]:
    first: _Use | None = None
    for statement in after:
        uses = list(_uses(statement, name))
        if first is not None and uses:
            because = f"line {first.line} has used up"
            yield _hit(source, uses[0].node, name, what, because, made, first.line)
            return
        if first is None:
            repeated = _repeated(statement, name)
            if repeated is not None:
                because = f"the first iteration of the loop on line {statement.lineno} uses up"
                yield _hit(source, repeated.node, name, what, because, made, statement.lineno)
                return
        if uses and uses[0].all_of_it and _runs_always(statement, uses[0].node):
            first = uses[0]
        elif any(_is(each, name) for each in ast.walk(statement)):
            return


def _hit(source: SourceFile, node: ast.AST, name: str, what: str, because: str, made: ast.stmt, first: int) -> Hit:
    related = (Related(source.path, made.lineno, "makes it"), Related(source.path, first, "goes through it"))
    return hit_at(source, node, values={"name": name, "what": what, "because": because}, related=related)


def _uses(statement: ast.stmt, name: str) -> Iterator[_Use]:
    """Yield what goes through an iterator in a statement, in the order of the text."""
    for node in own_nodes([statement]):
        if isinstance(node, (ast.For, ast.AsyncFor)) and _is_passed(node.iter, name):
            yield _Use(node.iter, node.lineno, not any(isinstance(each, _LEAVING) for each in own_nodes(node.body)))
        elif isinstance(node, ast.comprehension) and _is_passed(node.iter, name):
            yield _Use(node.iter, node.iter.lineno, all_of_it=True)
        elif isinstance(node, ast.Call) and _collects(last_name(node.func)):
            found = next((each for each in node.args[:1] if _is_passed(each, name)), None)
            if found is not None:
                yield _Use(found, node.lineno, all_of_it=True)


def _collects(called: str) -> bool:
    """Return whether a function or class goes through its first argument to the end."""
    name = called.lower()
    return called in _COLLECTING or "adam" in name or name.startswith("clip_grad_") or name.endswith(_TRAINING)


def _repeated(statement: ast.stmt, name: str) -> _Use | None:
    """Return what goes through an iterator in each round of a loop."""
    if not isinstance(statement, (ast.For, ast.While)) or _is_passed(getattr(statement, "iter", None), name):
        return None
    if any(isinstance(each, (ast.Break, ast.Return)) for each in own_nodes(statement.body)):
        return None
    uses = [use for inner in statement.body for use in _uses(inner, name) if _runs_always(inner, use.node)]
    return uses[0] if uses and uses[0].all_of_it else None


def _runs_always(statement: ast.stmt, node: ast.AST) -> bool:
    """Return whether a node runs whenever its statement does."""
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return node is statement.iter
    return not isinstance(statement, (ast.If, ast.While, ast.Try, ast.Match)) and not any(
        isinstance(each, (ast.IfExp, ast.BoolOp, ast.GeneratorExp)) for each in own_nodes([statement])
    )


def _is_passed(node: ast.AST | None, name: str) -> bool:
    """Return whether an expression is the iterator, alone or through ``enumerate`` and the like."""
    if isinstance(node, ast.Call) and last_name(node.func) in _PASSING:
        return any(_is(each, name) for each in node.args)
    return _is(node, name)


def _is(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


CHECK = file_check(examine, CheckTraits(literals=("=",)))
