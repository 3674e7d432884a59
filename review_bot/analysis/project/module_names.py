"""Which names a module binds at its top level, as far as its text proves it.

Where a name could come from somewhere that the text does not show (``__getattr__``, ``globals()``, a star import from
another distribution), the module is open: names that it does not bind may exist all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from review_bot.analysis.project.module_tree import ModuleTree, head_tree, module_tree
from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import constants_of, live_blocks, truth
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import CannotParse, parse_python
from review_bot.changes.repository import Repository

_SCRIPT_TESTS = frozenset(
    ast.dump(ast.parse(each, mode="eval").body) for each in ("__name__ == '__main__'", "'__main__' == __name__")
)

Openness = Literal["closed", "by change", "open"]
"""Whether a module may have more names than it binds; ``by change``: because of what the change adds."""

_OPEN_WORDS = ("__getattr__", "globals", "exec", "vars", "locals", "modules", "import_module")
_READS = frozenset({"get", "keys", "values", "items", "copy"})
_ALWAYS = frozenset(
    {"__name__", "__doc__", "__file__", "__path__", "__spec__", "__loader__", "__package__", "__dict__", "__builtins__"}
)


class Contents(NamedTuple):
    """The names that a module may bind. ``strings``: the constants in the code of a module that the change opened.

    ``later`` are names that functions alone bind, each with a function; empty: one that is called in a way of its own.
    """

    names: frozenset[str]
    openness: Openness = "closed"
    strings: frozenset[str] = frozenset()
    later: frozenset[tuple[str, str]] = frozenset()


class _Own(NamedTuple):
    """What a module binds by itself, what of that a star import brings, and the files that it imports by a star."""

    contents: Contents
    public: Contents
    starred: frozenset[str]


FOLDER = Contents(_ALWAYS)
"""What a folder without ``__init__.py`` binds."""

_UNKNOWN = Contents(frozenset(), "open")


class Modules:
    """The modules of one side of a change; each is parsed once. ``before`` reads what a file was at the base."""

    def __init__(
        self, tree: ModuleTree, read: Callable[[str], str | None], before: Callable[[str], str | None]
    ) -> None:
        self.tree = tree
        self._read, self._before = read, before
        self._alone: dict[str, _Own] = {}
        self._known: dict[str, Contents] = {}

    def at(self, place: str) -> Contents:
        """Return the contents of the module at a path without suffix; a folder without ``__init__.py`` has none."""
        found = self.tree.at(place)
        if found.kind == "folder":
            return FOLDER
        if found.kind != "module":
            return _UNKNOWN
        return _merged([self.of(path) for path in found.files])

    def of(self, path: str) -> Contents:
        """Return the contents of the module in a file, with those of the modules that it imports by a star."""
        if path not in self._known:
            reached, waiting = {path}, [path]
            parts: list[Contents] = []
            while waiting:
                own = self._own(waiting.pop())
                parts.append(own.public if parts else own.contents)
                waiting += own.starred - reached
                reached |= own.starred
            self._known[path] = _merged(parts)
        return self._known[path]

    def _own(self, path: str) -> _Own:
        if path not in self._alone:
            self._alone[path] = self._read_own(path)
        return self._alone[path]

    def _read_own(self, path: str) -> _Own:
        text = self._read(path)
        tree = None if text is None else _parsed(text)
        if tree is None:
            return _Own(_UNKNOWN, _UNKNOWN, frozenset())
        openness, starred = self._openness(tree, path), frozenset[str]()
        known_before: frozenset[tuple[str, int]] | None = None
        for each in star_imports(tree):
            files = self._starred(each, path)
            if files is None and known_before is None:
                before = _parsed(self._before(path) or "")
                known_before = frozenset(_key(star) for star in star_imports(before)) if before else frozenset()
            if files is None and openness != "open":
                openness = "open" if _key(each) in (known_before or ()) else "by change"
            starred |= files or frozenset()
        strings = frozenset(_code_strings(tree)) if openness == "by change" else frozenset()
        contents = Contents(top_level_names(tree) - {"*"}, openness, strings, bound_later(tree))
        return _Own(contents, contents._replace(names=_public(tree, contents.names)), starred)

    def _openness(self, tree: ast.Module, path: str) -> Openness:
        if not is_open(tree):
            return "closed"
        before = _parsed(self._before(path) or "")
        return "open" if before is None or is_open(before) else "by change"

    def _starred(self, statement: ast.ImportFrom, path: str) -> frozenset[str] | None:
        """Return the files of the module of ``from m import *``; None if it is not of this tree."""
        places = places_of(statement.module or "", statement.level, path, self.tree)
        found = [self.tree.at(place) for place in places]
        if not found or any(each.kind != "module" for each in found):
            return None
        return frozenset(file for each in found for file in each.files)


def _public(tree: ast.Module, names: frozenset[str]) -> frozenset[str]:
    """Return the names that ``from m import *`` brings; those of an ``__all__`` that is one list of strings alone."""
    uses = [node for node in nodes_of(tree, ast.Name) if node.id == "__all__"]
    if not uses:
        return frozenset(name for name in names if not name.startswith("_"))
    listed = next(
        (_listed(each) for each in tree.body if isinstance(each, ast.Assign) and uses[0] in each.targets), None
    )
    return names if len(uses) > 1 or listed is None else names & listed


def _listed(statement: ast.Assign) -> frozenset[str] | None:
    try:
        value = ast.literal_eval(statement.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return frozenset(value) if isinstance(value, (list, tuple)) and all(isinstance(x, str) for x in value) else None


def _key(statement: ast.ImportFrom) -> tuple[str, int]:
    return statement.module or "", statement.level


def head_modules(repository: Repository) -> Modules:
    """Return the modules of the head."""
    return Modules(head_tree(repository), repository.head_text, repository.base_text)


def base_modules(repository: Repository) -> Modules:
    """Return the modules of the base."""
    return Modules(module_tree(repository.base_paths), repository.base_text, repository.base_text)


def _merged(parts: list[Contents]) -> Contents:
    order: tuple[Openness, ...] = ("closed", "by change", "open")
    return Contents(
        frozenset().union(*(each.names for each in parts)),
        max((each.openness for each in parts), key=order.index),
        frozenset().union(*(each.strings for each in parts)),
        frozenset().union(*(each.later for each in parts)) if len(parts) == 1 else frozenset(),
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return parse_python(text)
    except CannotParse:
        return None


def top_level_names(tree: ast.Module) -> frozenset[str]:
    """Return every name that a module's own statements may bind; ``*`` among them stands for a star import."""
    return _bound_on_import(tree) | {name for name, _ in bound_later(tree)}


def bound_later(tree: ast.Module) -> frozenset[tuple[str, str]]:
    """Return the names that only functions bind, by ``global``, each with the name of a function that does.

    The name is empty for a method, an inner function or one with a decorator, which may be called in any way.
    """
    now: frozenset[str] | None = None
    found: set[tuple[str, str]] = set()
    plain: dict[ast.AST, str] = {each: each.name for each in tree.body if is_function(each) and not each.decorator_list}
    for function in [*nodes_of(tree, ast.FunctionDef), *nodes_of(tree, ast.AsyncFunctionDef)]:
        shared = {name for node in nodes_of(function, ast.Global) for name in node.names}
        if shared:
            now = _bound_on_import(tree) if now is None else now
            found.update((name, plain.get(function, "")) for name in shared.intersection(_stored(function)) - now)
    return frozenset(found)


def _bound_on_import(tree: ast.Module) -> frozenset[str]:
    names = set(_ALWAYS)
    constants = _constants(tree)
    certain = {id(statement) for statement in _certain(tree.body, constants)} if nodes_of(tree, ast.Delete) else set()
    for statement in _running(tree.body, constants):
        names.update(bound_by(statement))
        if isinstance(statement, ast.Delete) and id(statement) in certain:
            names.difference_update(name for target in statement.targets for name in _targets(target))
    return frozenset(names)


def _stored(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif is_function(node) or isinstance(node, ast.ClassDef):
            yield node.name


def star_imports(tree: ast.Module) -> list[ast.ImportFrom]:
    """Return the star imports that run when a module is imported."""
    return [
        each
        for each in run_on_import(tree)
        if isinstance(each, ast.ImportFrom) and any(alias.name == "*" for alias in each.names)
    ]


def is_open(tree: ast.Module) -> bool:
    """Return whether a module may get names that it does not bind: by ``__getattr__``, ``globals()``, ``exec``."""
    if any(_is_module_getattr(each) for each in run_on_import(tree)):
        return True
    if any(node.attr == "modules" and last_name(node.value) == "sys" for node in nodes_of(tree, ast.Attribute)):
        return True
    harmless = {id(each) for each in _reads_of_globals(tree)}
    inner = {
        id(call)
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        for function in nodes_of(tree, kind)
        for call in nodes_of(function, ast.Call)
    }
    for call in nodes_of(tree, ast.Call):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == "exec" or (name == "globals" and id(call) not in harmless):
            return True
        if name in {"vars", "locals"} and not call.args and id(call) not in inner and id(call) not in harmless:
            return True
        if last_name(call.func) == "import_module" and any(
            isinstance(each, ast.Name) and each.id == "__name__"
            for argument in call.args
            for each in ast.walk(argument)
        ):
            return True
    return False


def _is_module_getattr(statement: ast.stmt) -> bool:
    if is_function(statement):
        return statement.name == "__getattr__" and not fails(statement.body)
    return not isinstance(statement, ast.ClassDef) and "__getattr__" in bound_by(statement)


def _reads_of_globals(tree: ast.Module) -> Iterator[ast.expr]:
    for subscript in nodes_of(tree, ast.Subscript):
        if isinstance(subscript.ctx, ast.Load):
            yield subscript.value
    for attribute in nodes_of(tree, ast.Attribute):
        if attribute.attr in _READS:
            yield attribute.value
    for compare in nodes_of(tree, ast.Compare):
        yield from compare.comparators


def _code_strings(tree: ast.Module) -> Iterator[str]:
    """Yield the string constants of a module other than docstrings and statements of their own."""
    alone = {id(node.value) for node in nodes_of(tree, ast.Expr)}
    for node in nodes_of(tree, ast.Constant):
        if isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def run_on_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that may run when the module is imported, those inside ``if``, ``try`` and loops too."""
    yield from _running(tree.body, _constants(tree))


def _constants(tree: ast.Module) -> Mapping[str, object]:
    return constants_of(tree) if nodes_of(tree, ast.If) else {}


def _running(body: list[ast.stmt], constants: Mapping[str, object]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not (is_function(statement) or isinstance(statement, ast.ClassDef)):
            for block in _live(statement, constants):
                yield from _running(block, constants)
        if fails([statement], constants):
            return


def _live(statement: ast.stmt, constants: Mapping[str, object]) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement that may run."""
    dead: set[str] = set()
    if isinstance(statement, ast.If) and _is_for_scripts(statement.test):
        dead = {"body"}
    elif isinstance(statement, (ast.If, ast.While)) and (known := truth(statement.test, constants)) is not None:
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


def _is_for_scripts(test: ast.expr) -> bool:
    """Return whether a condition is ``__name__ == "__main__"``, which does not hold in a module that is imported."""
    return isinstance(test, ast.Compare) and ast.dump(test) in _SCRIPT_TESTS


def live_cases(statement: ast.Match) -> list[ast.match_case]:
    """Return the cases of a ``match`` that may run: not those with a constant that the subject is not."""
    subject = statement.subject
    if not isinstance(subject, ast.Constant):
        return statement.cases
    return [
        case
        for case in statement.cases
        if not isinstance(case.pattern, ast.MatchValue)
        or not isinstance(case.pattern.value, ast.Constant)
        or case.pattern.value.value == subject.value
    ]


def _certain(body: list[ast.stmt], constants: Mapping[str, object]) -> Iterator[ast.stmt]:
    """Yield the statements that run whenever the module is imported, as far as its text proves it."""
    for statement in body:
        yield statement
        blocks: list[list[ast.stmt]] = []
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            blocks = [statement.body]
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            blocks = [statement.body, statement.finalbody]
        elif isinstance(statement, ast.If) and truth(statement.test, constants) is not None:
            blocks = live_blocks(statement.test, statement.body, statement.orelse, constants)
        elif isinstance(statement, ast.For) and truth(statement.iter, {}) is True:
            blocks = [statement.body]
        for block in blocks:
            yield from _certain(block, constants)


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that one statement binds, those bound in its blocks aside."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(statement, ast.Match):
        for node in ast.walk(statement):
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
    if isinstance(statement, ast.AugAssign):
        return [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in statement.items if item.optional_vars is not None]
    return []


def _targets(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
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


def places_of(module: str, level: int, path: str, tree: ModuleTree) -> list[str]:
    """Return where in the tree an import in a file may look for a module; empty: it is not of this tree."""
    inner = module.replace(".", "/")
    if level:
        folder = tree.package_above(path, level)
        if folder is None:
            return []
        return [f"{folder}/{inner}".strip("/") if inner else folder]
    top, _, rest = module.partition(".")
    beside = tree.beside(path, top)
    found = tree.package_places(top) or ([] if beside is None else [beside])
    return [f"{place}/{rest.replace('.', '/')}" if rest else place for place in found]
