"""A keyword of a call that its function takes only by a ``**kwargs`` which its body never mentions.

::

    def load(path, **kwargs): return read(path)
    load(path, device="cuda")                     `device` is lost

What runs is found as for other calls. Where it is not, the method may be one that a class of the tree leaves abstract:
then each method of this name in the tree has to lose the keyword. Silent about stand-ins, which read none of their
parameters, and about functions that ignore such arguments on purpose.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import IMPLICIT, Run, Symbol
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words
from review_bot.analysis.python.statements import (
    Function,
    functions_of,
    is_function,
    is_stub,
    last_name,
    parameter_names,
)
from review_bot.analysis.python.syntax import classes, dotted, imported_names, is_literal, owners_of
from review_bot.analysis.python.unread_parameters import is_decorated, is_on_purpose, read
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside, is_test
from review_bot.text.lazy_regex import LazyRegex

_ABSTRACT = frozenset({"abstractmethod", "NotImplementedError"})
_MOST_FILES = 150
_NOTE = "takes and loses it"
_DEFINED = LazyRegex(r"(?<=\bdef )\w+")


class Passed(NamedTuple):
    """The keywords on added lines of a call, with the line of the first. ``line`` and ``column`` are of the call."""

    line: int
    column: int
    name: str
    keywords: tuple[str, ...]
    first: int


class _Loss(NamedTuple):
    """Keywords that are lost, and the definitions that lose them: the name of their ``**kwargs``, and the places.

    ``alike``: pairs of a keyword and a parameter that differ in underscores and case alone.
    """

    names: tuple[str, ...]
    rest: str
    places: tuple[Related, ...]
    alike: tuple[tuple[str, str], ...] = ()


class _Takers(NamedTuple):
    """What the definitions of a name do with keywords. ``named``: the parameters of all of them.

    ``loses``: each that does something loses what it does not name. ``closed``: these are methods of classes whose
    bases are in the tree. ``rest`` and ``places`` as in ``_Loss``.
    """

    named: frozenset[str]
    loses: bool
    closed: bool
    rest: str
    places: tuple[Related, ...]


_NONE = _Takers(frozenset(), loses=False, closed=False, rest="", places=())


def gather(source: SourceFile) -> tuple[Passed, ...] | None:
    """Return the calls of one file whose keywords the change adds or edits. Raises CannotParse."""
    found: list[Passed] = []
    for call in () if is_test(source.path) else source.nodes(ast.Call):
        lines = {
            each.arg: each.value.lineno
            for each in call.keywords
            if each.arg and each.value.lineno in source.added and not is_literal(each.value, None)
        }
        if lines and last_name(call.func):
            found.append(Passed(call.lineno, call.col_offset, last_name(call.func), tuple(lines), min(lines.values())))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each call whose keywords are lost."""
    search = _Search(codebase)
    for path, each, loss in search.losses(facts):
        several = len(loss.places) > 1
        takers = f"all {len(loss.places)} definitions of `{each.name}` take" if several else f"`{each.name}` takes"
        verb = "read" if several else "reads"
        values = {"names": names_in_words(loss.names), "takers": takers, "rest": loss.rest, "verb": verb}
        pairs = " and ".join(f"`{parameter}` instead of `{name}`" for name, parameter in loss.alike)
        advice = f"Pass {pairs}, if that parameter is meant; else remove the argument." if pairs else None
        related = loss.places[:MOST_RELATED]
        yield Hit(each.first, path=path, values=values, related=related, statement=each.name, instead=advice)


class _Search:
    """Finds what the calls of a change run, and whether it loses their keywords."""

    def __init__(self, codebase: Codebase) -> None:
        self._side, self._targets = codebase.head, call_targets(codebase.head)
        self._certainty = CallCertainty(codebase)
        self._functions: dict[Symbol, Function | None] = {}
        self._losing: dict[Function, bool] = {}
        self._takers: dict[str, _Takers] = {}
        self._defined: dict[str, frozenset[str]] = {}
        self._lines: dict[str, list[str]] = {}

    def losses(self, facts: Mapping[str, tuple[Passed, ...]]) -> Iterator[tuple[str, Passed, _Loss]]:
        """Yield each call that loses keywords, by its file."""
        methods: list[tuple[str, Passed, bool]] = []
        for path, found in sorted(facts.items()):
            noted = {(each.line, each.column, each.name): each for each in found}
            for file, call, each in calls_at(self._targets, path, noted):
                run = self._targets.run(file, call)
                if run is None:
                    methods += [(path, each, False)] if _is_of_object(file, call) else []
                elif (function := self._losing_function(file, call, run)) is not None:
                    if run.symbol.name.endswith(".__init__"):
                        names = tuple(one for one in each.keywords if one not in parameter_names(function))
                        place = Related(run.symbol.path, function.lineno, _NOTE)
                        if names:
                            alike = _alike(names, parameter_names(function) - {_rest(function)})
                            yield path, each, _Loss(names, _rest(function), (place,), alike)
                    elif function.name == each.name:  # not through an alias
                        methods.append((path, each, True))
        abstract = self._abstract({each.name for _, each, is_known in methods if not is_known})
        methods = [entry for entry in methods if entry[2] or entry[1].name in abstract]
        words_held(self._side, {each.name for _, each, _ in methods})  # all in one pass
        for path, each, is_known in methods:
            takers = self._of_name(each.name)
            names = tuple(one for one in each.keywords if one not in takers.named)
            if names and (takers.loses if is_known else takers.closed):
                yield path, each, _Loss(names, takers.rest, takers.places, _alike(names, takers.named - {takers.rest}))

    def _losing_function(self, file: CodeFile, call: Call, run: Run) -> Function | None:
        """Return the function that a call runs, if it loses keywords."""
        owner, _, name = run.symbol.name.rpartition(".")
        if len(run.signatures) != 1 or name in IMPLICIT - {"__init__"} or is_test(run.symbol.path):
            return None
        function = self._definition(run.symbol)
        if function is None or not self._loses(run.symbol.path, function) or is_patched(file, call, run, self._targets):
            return None
        if name == "__init__":
            node = self._targets.class_of(Symbol(run.symbol.path, owner))
            if node is None or node.decorator_list:  # decorated: one of a table of classes that are made alike
                return None
        is_method = bool(owner) and name != "__init__"  # all methods of this name are looked at
        return function if is_method or self._certainty.of(file, call, run) else None

    def _definition(self, symbol: Symbol) -> Function | None:
        """Return the function of a symbol, if no condition is around its definition."""
        if symbol not in self._functions:
            found, file = self._targets.function_of(symbol), self._targets.file(symbol.path)
            plain = "." in symbol.name or (file is not None and found in file.tree.body)
            self._functions[symbol] = found if plain else None
        return self._functions[symbol]

    def _loses(self, path: str, function: Function) -> bool:
        """Return whether a function takes any keyword and reads none that it does not name, without saying so."""
        if function not in self._losing:
            rest = _rest(function)
            loses = rest and rest[0] != "_" and rest not in read(function)
            self._losing[function] = bool(loses) and not (
                is_decorated(function) or _is_stand_in(function) or is_on_purpose(function, self._lines_of(path))
            )
        return self._losing[function]

    def _lines_of(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = (self._side.text(path) or "").split("\n")
        return self._lines[path]

    def _of_name(self, name: str) -> _Takers:
        if name not in self._takers:
            self._takers[name] = self._find_takers(name)
        return self._takers[name]

    def _find_takers(self, name: str) -> _Takers:
        held = words_held(self._side, {name})
        paths = [path for path in held if not is_set_aside(path) and not is_test(path)]
        named: set[str] = set()
        closed, rest, places = True, "", list[Related]()
        for path in paths if len(paths) <= _MOST_FILES else ():
            tree = self._side.tree(path) if name in self._defines(path) else None
            for function, owner in () if tree is None else _by_name(tree).get(name, ()):
                named |= parameter_names(function)
                if is_stub(function) or _is_stand_in(function):
                    continue
                if not self._loses(path, function):
                    return _NONE
                closed = closed and bool(owner) and None not in self._targets.bases(Symbol(path, owner))
                rest = rest or _rest(function)
                places.append(Related(path, function.lineno, _NOTE))
        return _Takers(frozenset(named), bool(places), closed and bool(places), rest, tuple(places))

    def _defines(self, path: str) -> frozenset[str]:
        if path not in self._defined:
            self._defined[path] = frozenset(_DEFINED.findall(self._side.text(path) or ""))
        return self._defined[path]

    def _abstract(self, names: set[str]) -> set[str]:
        """Return those names under which a class of the tree has an abstract method with a ``**kwargs``."""
        found: set[str] = set()
        for path in files_with(self._side, _ABSTRACT) if names else ():
            declared = names & self._defines(path) - found
            tree = self._side.tree(path) if declared and not is_test(path) else None
            for owner in () if tree is None else classes(tree):
                methods = (each for each in owner.body if is_function(each) and each.name in declared)
                found.update(each.name for each in methods if is_stub(each) and _rest(each))
        return found


def _alike(names: tuple[str, ...], parameters: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Return each keyword that is spelled like a parameter but for underscores and case, with that."""
    known = {each.replace("_", "").lower(): each for each in sorted(parameters)}
    return tuple((each, known[key]) for each in names if (key := each.replace("_", "").lower()) in known)


@kept_on_node
def _by_name(tree: ast.Module) -> dict[str, list[tuple[Function, str]]]:
    """Return the functions of a tree by name, each with the class that it is a method of, or nothing."""
    found: dict[str, list[tuple[Function, str]]] = {}
    for function in functions_of(tree):
        owner = owners_of(tree).get(function)
        found.setdefault(function.name, []).append((function, "" if owner is None else owner.name))
    return found


def _is_of_object(file: CodeFile, call: Call) -> bool:
    """Return whether a call runs a method of something that the file does not import."""
    function = call.node.func
    root = (dotted(function) or "").partition(".")[0]
    return isinstance(function, ast.Attribute) and root not in imported_names(file.tree)


def _rest(function: Function) -> str:
    return "" if function.args.kwarg is None else function.args.kwarg.arg


def _is_stand_in(function: Function) -> bool:
    """Return whether a function reads none of its parameters."""
    return not (parameter_names(function) - {"self", "cls"}) & read(function)


CHECK = change_check(gather, relate, CheckTraits(literals=("=",)))
