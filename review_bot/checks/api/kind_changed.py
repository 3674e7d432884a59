"""What a module binds and the change makes something else, and code that still uses it as what it was.

That is a function, a class or a collection.

::

    def load(path): ...      →  load = None              load("a")
    def load(path): ...      →  import json as load      load("a")
    class Base: ...          →  def Base(): ...          class Run(Base): ...; isinstance(x, Base); except Base:
    SIZES = {"a": 1}         →  def SIZES(): ...         SIZES["a"]; for each in SIZES: ...; SIZES.get("a")

Only uses of a name that an import by name, the name of its module or the module itself brings count, and only values of
which the text shows that they cannot be used so.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from types import FunctionType
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.imported_names import DEEPEST
from review_bot.analysis.facts.running_code import RunningCode, Scope
from review_bot.analysis.facts.runs import Run, Symbol
from review_bot.analysis.facts.signatures import binders, bound_once, form_of
from review_bot.analysis.facts.word_search import files_with, looked_at, rarest_of, unused_copies, words_held
from review_bot.analysis.project.module_definitions import brings_module
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import place_of
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.bindings import shared_names
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import choices_of, is_function, last_name, mentions_of
from review_bot.analysis.python.syntax import bound_name
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_MOST_FILES = 200
"""Files of the base that are parsed for one change; with them, all that it touches."""

_VALUES: Mapping[type[ast.expr], str] = {
    ast.JoinedStr: "a string",
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Tuple: "a tuple",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.GeneratorExp: "a generator",
}
_CONSTANTS: Mapping[type, str] = {
    bool: "a truth value",
    int: "a number",
    float: "a number",
    complex: "a number",
    str: "a string",
    bytes: "a string of bytes",
    type(None): "`None`",
    type(...): "`...`",
}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTION, _CLASS, _TUPLE, _MODULE = "a function", "a class", "a tuple", "a module"
_TRUTH, _NUMBER = _CONSTANTS[bool], _CONSTANTS[int]
_NEVER_OVERLOADED = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Comparisons whose result is a truth value, whatever is compared."""
_ASK = frozenset({"isinstance", "issubclass"})
_COLLECTIONS: Mapping[str, type] = {
    "a list": list,
    "a tuple": tuple,
    "a dictionary": dict,
    "a set": set,
    "a string": str,
}
"""What code looks into, goes through and asks for its methods, as it cannot do with a function."""
_CALLS, _INHERITS = "calls it", "inherits from it"
_LOOKS, _GOES_THROUGH, _READS = "looks into it", "iterates over it", "reads `{}` of it"
_EXPECTED = frozenset({"AttributeError", "TypeError", "Exception", "BaseException"})
_ASKS, _CATCHES = "compares the class of an object with it", "names it in an `except`"


class Turned(NamedTuple):
    """A name of a module, in words what it was and what it is, and the added line that makes it so.

    ``module``, ``level`` and ``imported``: the import that brings it, if it may be a module; see ``places_of``.
    """

    name: str
    before: str
    after: str
    line: int
    module: str = ""
    level: int = 0
    imported: str = ""


def gather(source: SourceFile) -> tuple[Turned, ...] | None:
    """Return the top-level functions, classes and collections that are something else now. Raises CannotParse."""
    if not source.path.endswith(".py") or not source.text or not source.old_text or not source.added:
        return None
    old = source.known_old_tree
    if old is None:
        return None
    was = {each.name: _FUNCTION if is_function(each) else _CLASS for each in bound_once(old.body)}
    collections = _collections(old)
    was |= collections
    found = [each for each in _kinds(source) if each.name in was and was[each.name] != each.after]
    turned = (each._replace(before=was[each.name]) for each in found)
    turned = (each for each in turned if (each.before, each.after) != (_FUNCTION, _CLASS))
    return tuple(each for each in turned if each.name not in collections or each.after == _FUNCTION) or None


def _collections(tree: ast.Module) -> dict[str, str]:
    """Return the names that one statement at the top level alone binds, to a collection, and what that is in words."""
    bound = Counter(name for statement in tree.body for name in binders(statement))
    made = [each for statement in tree.body for each in _made_by(statement)]
    return {each.name: each.after for each in made if each.after in _COLLECTIONS and bound[each.name] == 1}


def _kinds(source: SourceFile) -> Iterator[Turned]:
    """Yield what added statements at the top level bind, if nothing else in the file does."""
    bound = Counter(name for statement in source.tree.body for name in binders(statement))
    shared = shared_names(source.tree) if nodes_of(source.tree, ast.Global) else frozenset[str]()
    for statement in () if bound["*"] else source.tree.body:
        for each in _made_by(statement):
            line = source.first_added(*span_of(statement)) if each.after else None
            if line is not None and bound[each.name] == 1 and each.name not in shared:
                yield each._replace(line=line)


def _made_by(statement: ast.stmt) -> Iterator[Turned]:
    """Yield the names that a statement binds, with what they are in words; empty: that is not known."""
    if is_function(statement):
        yield Turned(statement.name, "", "" if statement.decorator_list else _FUNCTION, 0)
    elif isinstance(statement, ast.Import):
        for each in statement.names:
            yield Turned(bound_name(each), "", _MODULE, 0, each.name if each.asname else bound_name(each))
    elif isinstance(statement, ast.ImportFrom):
        for each in statement.names:
            yield Turned(bound_name(each), "", _MODULE, 0, statement.module or "", statement.level, each.name)
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            yield Turned(targets[0].id, "", _kind_of(statement.value), 0)


def _kind_of(value: ast.expr) -> str:
    """Return what a value is in words; empty: that is not known."""
    operand = value
    while isinstance(operand, ast.UnaryOp) and not isinstance(operand.op, ast.Not):
        operand = operand.operand
    if operand is not value:
        return _NUMBER if _is_number(operand) else ""
    if isinstance(value, ast.Constant):
        return _CONSTANTS.get(type(value.value), "")
    if isinstance(value, ast.UnaryOp):
        return _TRUTH
    if isinstance(value, ast.Compare):
        constant = all(isinstance(each, ast.Constant) for each in (value.left, *value.comparators))
        return _TRUTH if constant or all(isinstance(each, _NEVER_OVERLOADED) for each in value.ops) else ""
    if isinstance(value, ast.BinOp):
        return _NUMBER if _is_number(value.left) and _is_number(value.right) else ""
    return _VALUES.get(type(value), "")


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float, complex))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such name that is still used as what it was; the uses are its related places."""
    turned = {Symbol(path, each.name): each for path, found in facts.items() for each in found}
    known = modules(codebase.head)
    turned = {key: each for key, each in turned.items() if known.of(key.path).openness == "closed"}
    turned = {
        key: each
        for key, each in turned.items()
        if each.after != _MODULE or brings_module(key.path, each.module, each.level, each.imported, known)
    }
    search = _Search(turned, codebase)
    for symbol in sorted(turned):
        places = sorted(search.uses.get(symbol, ()))
        if not places:
            continue
        each = turned[symbol]
        where, _ = places_in_words(places[:1])
        others = "" if len(places) == 1 else f"; {len(places) - 1} more {'does' if len(places) == 2 else 'do'} the like"
        yield Hit(
            each.line,
            values={
                "name": each.name,
                "before": each.before,
                "after": each.after,
                "uses": f"{where} still {places[0].note}{others}",
            },
            path=symbol.path,
            related=tuple(places[:MOST_RELATED]),
            statement=f"kind of {each.name}",
        )


class _Search:
    """Finds the uses of names in the head. ``uses``: by what they mean."""

    def __init__(self, turned: Mapping[Symbol, Turned], codebase: Codebase) -> None:
        self._turned, self._codebase = turned, codebase
        self._targets, self._certainty = call_targets(codebase.head), CallCertainty(codebase)
        self.uses: dict[Symbol, set[Related]] = {}
        names = {symbol.name for symbol in turned}
        for path in _holders(turned, codebase.head):
            file = self._targets.file(path)
            if file is not None:
                self._search(file, names)

    def _search(self, file: CodeFile, names: set[str]) -> None:
        local = names | {name for name, each in file.imports.items() if each.name in names}
        local -= _tested(file.tree)
        for call in file.calls(frozenset(local | _ASK)) if local else ():
            if last_name(call.node.func) not in _ASK:
                self._add(file, call.node.func, call, _CALLS)
            elif isinstance(call.node.func, ast.Name) and not file.binds_otherwise(call.node.func.id):
                for each in _asked_for(call.node):
                    self._add(file, each, Call(_call_of(each), call.scopes, written=call.node), _ASKS)
        if local:
            self._search_reads(file, local, names & local)

    def _search_reads(self, file: CodeFile, local: set[str], names: set[str]) -> None:
        around = _parents(file.tree)
        reads = [*file.names(frozenset(local)), *((e.node, e.scopes) for e in file.attributes(frozenset(names)))]
        running = {
            each for each, _ in RunningCode(file.tree, constants_of(file.tree)).of([e for e, _ in reads], _EXPECTED)
        }
        asked = _asked_about(file.tree)
        for read, scopes in reads:
            parent, how = around.get(read), ""
            handler = around.get(parent) if isinstance(parent, ast.Tuple) else parent
            if isinstance(parent, ast.ClassDef) and read in parent.bases:
                how = "" if _may_not_run(parent, around) else _INHERITS
            elif isinstance(parent, _DEFINITIONS) and read in parent.decorator_list:
                how = "" if _may_not_run(parent, around) else _CALLS
            elif isinstance(handler, ast.ExceptHandler) and handler.type in {read, parent}:
                how = _CATCHES
            elif parent is not None and read in running and last_name(read) not in asked:
                how = _as_collection(read, parent)
            if how:
                self._add(file, read, Call(_call_of(read), scopes), how)

    def _add(self, file: CodeFile, read: ast.expr, call: Call, how: str) -> None:
        """Note a use by an expression; ``call``: the one that runs it, or one that is made up for it."""
        symbol = self._meaning(file, read, call.scopes)
        if symbol is None or not _fails(self._turned[symbol], how):
            return
        run = Run(symbol, (), form_of(call.node))
        if is_patched(file, call, run, self._targets) or not self._certainty.of(file, call, run):
            return
        line = line_in_file(file.path, read.lineno, self._codebase.head)
        self.uses.setdefault(symbol, set()).add(Related(file.path, line, how))

    def _meaning(self, file: CodeFile, read: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return which of the names an expression surely means."""
        if isinstance(read, ast.Name):
            if not file.is_local(read.id, scopes):
                return self._named(file, read.id)
            imported = file.import_of(read.id, scopes)
            return self._in_places(imported.places, imported.name) if imported is not None and imported.name else None
        if not isinstance(read, ast.Attribute):
            return None
        places = self._targets.modules(file, read.value, scopes)
        return self._in_places(places, read.attr)

    def _named(self, file: CodeFile, name: str, depth: int = 0) -> Symbol | None:
        if Symbol(file.path, name) in self._turned:
            return Symbol(file.path, name)
        imported = file.imports.get(name)
        if imported is None or not imported.name or depth > DEEPEST:
            return None
        return self._in_places(imported.places, imported.name, depth + 1)

    def _in_places(self, places: Collection[str], name: str, depth: int = 0) -> Symbol | None:
        paths = [path for place in places for path in self._targets.tree.at(place).files]
        file = self._targets.file(paths[0]) if len(paths) == 1 else None
        return None if file is None else self._named(file, name, depth)


def _holders(turned: Collection[Symbol], side: Snapshot) -> list[str]:
    """Return the files that may use the names: of too many of the base, those that name the module too."""
    names = {symbol.name for symbol in turned}
    held = words_held(side, names) if names else {}
    kept = held.keys() - unused_copies(side)
    if len(kept) <= _MOST_FILES:
        return sorted(kept)
    likely = set(files_with(side, {place_of(symbol.path).rpartition("/")[2] for symbol in turned}))
    likely.update(symbol.path for symbol in turned)
    rarest = rarest_of(words_held(side.earlier or side, names))
    return looked_at(side, kept, _MOST_FILES, lambda path: (path not in likely, rarest.get(path, len(side.paths))))


def _fails(turned: Turned, how: str) -> bool:
    """Return whether a use fails that was right before. A function may take the place of a class that is called."""
    if turned.before in _COLLECTIONS:
        attribute = how.split("`")[1] if how.startswith("reads") else ""
        kept = attribute not in dir(_COLLECTIONS[turned.before]) or attribute in dir(FunctionType)
        return how in {_LOOKS, _GOES_THROUGH} or (bool(attribute) and not kept)
    if how == _CALLS:
        return turned.after != _FUNCTION
    return turned.before == _CLASS and (how == _INHERITS or turned.after != _TUPLE)


def _asked_about(tree: ast.Module) -> set[str]:
    """Return the last names of what code asks functions about: ``isinstance(sizes, dict)``."""
    calls = [each for each in nodes_of(tree, ast.Call) if last_name(each.func) in _ASK | {"callable", "hasattr"}]
    return {last_name(each.args[0]) for each in calls if each.args}


def _as_collection(read: ast.expr, parent: ast.AST) -> str:
    """Return what is done with an expression that only a collection allows; empty: nothing of the kind."""
    if isinstance(parent, ast.Subscript) and parent.value is read:
        return _LOOKS
    if isinstance(parent, ast.Compare) and isinstance(parent.ops[-1], (ast.In, ast.NotIn)):
        return _LOOKS if parent.comparators[-1] is read else ""
    if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is read:
        return _GOES_THROUGH
    return _READS.format(parent.attr) if isinstance(parent, ast.Attribute) and parent.value is read else ""


def _asked_for(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the classes that a call of ``isinstance`` names."""
    if len(call.args) == 2:
        yield from call.args[1].elts if isinstance(call.args[1], ast.Tuple) else call.args[1:]


def _parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    found: dict[ast.AST, ast.AST] = {}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for each in below(node):
            found[each] = node
            waiting.append(each)
    return found


def _may_not_run(node: ast.AST, around: Mapping[ast.AST, ast.AST]) -> bool:
    """Return whether a statement is below a condition, or in a ``try`` that may expect its failure."""
    above = around.get(node)
    while above is not None:
        if isinstance(above, (ast.Try, ast.If, ast.With)):
            return True
        above = around.get(above)
    return False


def _tested(tree: ast.Module) -> set[str]:
    """Return the last names that the conditions of a file ask for themselves: ``if load:``, ``load is None``."""
    conditions = [each.test for each in (*choices_of(tree), *nodes_of(tree, ast.While), *nodes_of(tree, ast.Assert))]
    conditions += [value for each in nodes_of(tree, ast.BoolOp) for value in each.values]
    found: set[str] = set()
    for each in conditions:
        called = {id(call.func) for call in nodes_of(each, ast.Call) if last_name(call.func) not in _ASK}
        asked = {id(one) for call in nodes_of(each, ast.Call) if last_name(call.func) in _ASK for one in walk(call)}
        for node in mentions_of(each):
            if id(node) not in called | asked:
                found.add(last_name(node))
    return found


def _call_of(read: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(read, [], []), read)


CHECK = change_check(gather, relate, CheckTraits(literals=("def", "class"), reads_old=True))
