"""The statements that run when a module is imported, and the names that they bind, as far as its text proves it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import constants_of, live_blocks, truth
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import functions_of, is_definition, is_function
from review_bot.analysis.python.syntax import bound_name
from review_bot.changes.node_index import kept_on_node, nodes_of, walk

ALWAYS_BOUND = frozenset(
    {"__name__", "__doc__", "__file__", "__path__", "__spec__", "__loader__", "__package__", "__dict__", "__builtins__"}
)
"""Names that every module has."""

_OF_PYTHON = ALWAYS_BOUND | frozenset(dir(builtins)) | {"_", "WindowsError", "get_ipython"}
"""Names that a module may read before it binds them."""


class _NameOnImport:
    """What ``__name__`` is in a module that is imported: not ``"__main__"``, and else unknown."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if other != "__main__":
            raise TypeError("the name of the module is not known")
        return False


_ON_IMPORT: Mapping[str, object] = {"__name__": _NameOnImport(), "__spec__": object()}
"""What names mean in each module that is imported, as far as it is known."""


@kept_on_node
def top_level_names(tree: ast.Module) -> frozenset[str]:
    """Return every name that a module's own statements may bind; ``*`` among them stands for a star import."""
    return _bound_on_import(tree) | {name for name, _ in bound_later(tree)}


def bound_later(tree: ast.Module) -> frozenset[tuple[str, str]]:
    """Return the names that only functions bind, by ``global``, each with the name of a function that does.

    The name is empty for a method, an inner function or one with a decorator, which may be called in any way.
    """
    if not nodes_of(tree, ast.Global):
        return frozenset()
    now: frozenset[str] | None = None
    found: set[tuple[str, str]] = set()
    plain: dict[ast.AST, str] = {each: each.name for each in tree.body if is_function(each) and not each.decorator_list}
    for function in functions_of(tree):
        shared = {name for node in nodes_of(function, ast.Global) for name in node.names}
        if shared:
            now = _bound_on_import(tree) if now is None else now
            found.update((name, plain.get(function, "")) for name in shared.intersection(stored_in(function)) - now)
    return frozenset(found)


def _bound_on_import(tree: ast.Module) -> frozenset[str]:
    names = set(ALWAYS_BOUND)
    constants = _constants(tree)
    certain = {id(statement) for statement in _certain(tree.body, constants)} if nodes_of(tree, ast.Delete) else set()
    running = [(statement, frozenset(bound_by(statement))) for statement in _running(tree.body, constants)]
    failing = _failing(running, tree, constants)
    for statement, bound in running:
        if id(statement) not in failing:
            names.update(bound)
        if isinstance(statement, ast.Delete) and id(statement) in certain:
            names.difference_update(name for target in statement.targets for name in _targets(target))
        if isinstance(statement, ast.ClassDef) and nodes_of(statement, ast.Global):
            for name, is_bound in _set_by_class(statement, constants, sure=id(statement) in certain):
                names = names | {name} if is_bound else names - {name}
    return frozenset(names)


def _set_by_class(owner: ast.ClassDef, constants: Mapping[str, object], *, sure: bool) -> Iterator[tuple[str, bool]]:
    """Yield each name that the body of a class binds in the module, by ``global``, or surely deletes there.

    With each: whether it is bound. ``sure``: the class is surely defined.
    """
    certain = {id(statement) for statement in _certain(owner.body, constants)} if sure else set()
    shared: set[str] = set()
    for statement in _running(owner.body, constants):
        if isinstance(statement, ast.Global):
            shared.update(statement.names)
        elif isinstance(statement, ast.ClassDef):
            yield from _set_by_class(statement, constants, sure=id(statement) in certain)
        yield from ((name, True) for name in shared.intersection(bound_by(statement)))
        if isinstance(statement, ast.Delete) and id(statement) in certain:
            deleted = {name for target in statement.targets for name in _targets(target)}
            yield from ((name, False) for name in shared & deleted)


def _failing(
    running: list[tuple[ast.stmt, frozenset[str]]], tree: ast.Module, constants: Mapping[str, object]
) -> frozenset[int]:
    """Return the ids of statements that surely raise NameError: they read what the module itself binds, but only later.

    ::

        load = load        def load(path=load): ...        load = later
                                                           later = 1

    A name that an import binds counts as bound: it may be a module that another import has set before.
    ``running``: the statements that may run, each with the names that it binds.
    """
    late = set().union(*(bound for _, bound in running)) - _OF_PYTHON
    late.difference_update(name for node in nodes_of(tree, ast.Global) for name in node.names)
    for statement, bound in running:
        late -= bound if isinstance(statement, (ast.Import, ast.ImportFrom)) else set()
    unguarded = {id(statement) for statement in _certain(tree.body, constants, guarded=False)}
    found: set[int] = set()
    for statement, bound in running:
        if "*" in bound or not late:
            break
        if bound and id(statement) in unguarded and not late.isdisjoint(_read_first(statement)):
            found.add(id(statement))
        late -= bound
        if isinstance(statement, ast.ImportFrom):
            late.difference_update((statement.module or "").split("."))  # modules of a package are names of it
    return frozenset(found)


def _read_first(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement surely reads before it binds any, those bound by ``:=`` aside."""
    waiting: list[ast.AST] = _evaluated_first(statement)[::-1]
    named: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            named.add(node.id)
        elif isinstance(node, ast.Name) and node.id not in named:
            yield node.id
        else:
            waiting += _parts_in_order(node)[::-1]


def _evaluated_first(statement: ast.stmt) -> list[ast.AST]:
    """Return the expressions that a statement surely evaluates before it binds a name, in their order."""
    found: list[ast.expr | None] = []
    if is_definition(statement):
        found += statement.decorator_list
        if not isinstance(statement, ast.ClassDef):
            found += [*statement.args.defaults, *statement.args.kw_defaults]
        elif not getattr(statement, "type_params", ()):  # Python 3.12; the bases may name them
            found += [*statement.bases, *(keyword.value for keyword in statement.keywords)]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        found += [statement.items[0].context_expr]  # which may suppress what another one raises
    else:
        found += [getattr(statement, field, None) for field in ("value", "iter", "test", "subject")]
    return [each for each in found if isinstance(each, ast.expr)]


def _parts_in_order(node: ast.AST) -> list[ast.AST]:
    """Return the parts of an expression that are evaluated whenever it is, in their order."""
    found: list[ast.AST | None] = []
    if isinstance(node, ast.BoolOp):
        found += node.values[:1]
    elif isinstance(node, ast.IfExp):
        found += [node.test]
    elif isinstance(node, ast.Compare):
        found += [node.left, node.comparators[0]]
    elif isinstance(node, ast.NamedExpr):
        found += [node.value, node.target]
    elif isinstance(node, COMPREHENSIONS):
        found += [node.generators[0].iter]
    elif isinstance(node, ast.Dict):
        found += [each for pair in zip(node.keys, node.values, strict=True) for each in pair]
    elif not isinstance(node, ast.Lambda):
        found += ast.iter_child_nodes(node)
    return [each for each in found if each is not None]


def stored_in(function: ast.AST) -> Iterator[str]:
    """Yield the names that statements in a function bind, some several times."""
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield bound_name(node)
        elif is_definition(node):
            yield node.name


def star_imports(tree: ast.Module) -> list[ast.ImportFrom]:
    """Return the star imports that run when a module is imported."""
    return [
        each
        for each in run_on_import(tree)
        if isinstance(each, ast.ImportFrom) and any(alias.name == "*" for alias in each.names)
    ]


def run_on_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that may run when the module is imported, those inside ``if``, ``try`` and loops too."""
    yield from _running(tree.body, _constants(tree))


def _constants(tree: ast.Module) -> Mapping[str, object]:
    return {**_ON_IMPORT, **constants_of(tree)} if nodes_of(tree, ast.If) else {}


def _running(body: list[ast.stmt], constants: Mapping[str, object]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not is_definition(statement):
            for block in _live(statement, constants):
                yield from _running(block, constants)
        if isinstance(statement, (ast.Break, ast.Continue)) or fails([statement], constants):
            return


def _live(statement: ast.stmt, constants: Mapping[str, object]) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement that may run."""
    dead: set[str] = set()
    if isinstance(statement, (ast.If, ast.While)) and (known := truth(statement.test, constants)) is not None:
        dead = {"orelse" if known else "body"}
    elif isinstance(statement, (ast.For, ast.AsyncFor)) and truth(statement.iter, {}) is False:
        dead = {"body"}
    elif isinstance(statement, (ast.Try, ast.TryStar)):
        dead = {"orelse"} if fails(statement.body, constants) else set()
        dead |= {"handlers"} if all(isinstance(each, ast.Pass) for each in statement.body) else set()
    elif isinstance(statement, ast.Match):
        yield from (case.body for case in live_cases(statement))
        return
    for field in ("body", "orelse", "finalbody"):
        if field not in dead:
            yield getattr(statement, field, None) or []
    for part in getattr(statement, "handlers", ()) if "handlers" not in dead else ():
        yield part.body


def live_cases(statement: ast.Match) -> list[ast.match_case]:
    """Return the cases of a ``match`` that may run: not those with a pattern that a constant subject does not match."""
    subject = statement.subject
    if not isinstance(subject, ast.Constant):
        return statement.cases
    return [case for case in statement.cases if not _never_matches(case.pattern, subject.value)]


def _never_matches(pattern: ast.pattern, value: object) -> bool:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return _never_matches(pattern.pattern, value)
    if isinstance(pattern, ast.MatchOr):
        return all(_never_matches(each, value) for each in pattern.patterns)
    if isinstance(pattern, ast.MatchValue):
        return isinstance(pattern.value, ast.Constant) and pattern.value.value != value
    if isinstance(pattern, ast.MatchSingleton):
        return pattern.value is not value
    return isinstance(pattern, (ast.MatchSequence, ast.MatchMapping))  # no constant is a sequence to ``match``


def _certain(body: list[ast.stmt], constants: Mapping[str, object], *, guarded: bool = True) -> Iterator[ast.stmt]:
    """Yield the statements that run whenever the module is imported, as far as its text proves it.

    ``guarded``: also those in a ``try`` or ``with``, where an error may be handled.
    """
    for statement in body:
        yield statement
        blocks: list[list[ast.stmt]] = []
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            blocks = [statement.body] if guarded else []
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            blocks = [statement.body, statement.finalbody] if guarded else []
        elif isinstance(statement, ast.If) and truth(statement.test, constants) is not None:
            blocks = live_blocks(statement, constants)
        elif isinstance(statement, ast.For) and truth(statement.iter, {}) is True:
            blocks = [statement.body]
        for block in blocks:
            yield from _certain(block, constants, guarded=guarded)


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that one statement binds, those bound in its blocks aside."""
    if is_definition(statement):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield bound_name(alias)
    elif isinstance(statement, ast.Match):
        for node in (each for case in live_cases(statement) for each in walk(case.pattern)):
            for field in ("name", "rest"):
                name = getattr(node, field, None)
                if isinstance(name, str):
                    yield name
    elif type(statement).__name__ == "TypeAlias":  # Python 3.12
        yield from _targets(getattr(statement, "name"))  # noqa: B009  # older Pythons know no such attribute
    else:
        for target in _assigned(statement):
            yield from _targets(target)
    yield from _named_in(statement)


def _assigned(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, ast.AnnAssign):
        return [] if statement.value is None else [statement.target]
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [] if truth(statement.iter, {}) is False else [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in statement.items if item.optional_vars is not None]
    return []


def _targets(target: ast.expr) -> Iterator[str]:
    """Yield the names that a target binds or deletes: not those that it reads, as in ``table[name] = 1``."""
    for node in walk(target):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _named_in(statement: ast.stmt) -> Iterator[str]:
    """Yield what ``:=`` binds in the expressions of one statement, its blocks aside."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from (
                node.target.id
                for node in _evaluated(child)
                if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name)
            )


def _evaluated(expression: ast.expr) -> Iterator[ast.AST]:
    """Yield the nodes of an expression that are evaluated, without the bodies of its lambdas."""
    waiting: list[ast.AST] = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                waiting.append(value)
                if truth(value, {}) is isinstance(node.op, ast.Or):
                    break
        elif isinstance(node, ast.IfExp) and (known := truth(node.test, {})) is not None:
            waiting += [node.test, node.body if known else node.orelse]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
