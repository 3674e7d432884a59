"""A parameter that the change adds, which callers pass, and which the function never reads, or for itself alone.

Silent about stubs, about what is said to be ignored, and about functions whose parameters a decorator, a class of
another file, a caller that takes them as a value, or functions of the same name in the tree may decide.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.fixed_attributes import fixed_attributes
from review_bot.analysis.python.statements import (
    Definition,
    Function,
    decorator_names,
    definitions,
    is_function,
    is_string,
    is_stub,
    named_parameters,
    positional_parameters,
)
from review_bot.analysis.python.syntax import dotted, is_literal
from review_bot.analysis.python.unread_parameters import (
    PLAIN_BASES,
    is_copied,
    is_decorated,
    is_on_purpose,
    parameters,
    read,
    read_for_itself,
    used_as_values,
)
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside, is_test
from review_bot.text.lazy_regex import LazyRegex

_MOST_WORDS = 100
_MOST_FILES = 150
_MOST_SIBLINGS = 30
_FEWEST_OF_SERIES = 2
_WORD = LazyRegex(r"[A-Z]+(?![a-z])|[A-Z][a-z]+")
"""A word of the name of a class."""
_BY_PROTOCOL = frozenset({"backward", "setup_context"})
"""Methods whose parameters a library decides."""


_NEVER = {"reads": "never reads", "only": ""}


class Ignored(NamedTuple):
    """A new parameter that is not read.

    ``function`` is qualified; ``called``: the name under which it is called. ``place`` is the 0-based position of the
    argument in a call; None for one without a default, which callers may have to pass, and for one that has no place.
    ``default``: the code of its default, empty without one. ``for_itself``: it is read to assign it again.
    """

    function: str
    called: str
    name: str
    line: int
    place: int | None
    default: str = ""
    for_itself: bool = False


def gather(source: SourceFile) -> tuple[Ignored, ...] | None:
    """Return the parameters on added lines that functions of one file do not read. Raises CannotParse."""
    if is_test(source.path) or is_copied(source.path):
        return None
    found: list[Ignored] = []
    values: frozenset[str] | None = None
    before: dict[str, set[str]] | None = None
    defined = [*definitions(source.tree.body)]
    times = Counter(each.name for each in defined)
    for each in defined:
        function = each.node
        if not is_function(function) or times[each.name] > 1 or not _is_own(each):
            continue
        added = {one.arg: one.lineno for one in named_parameters(function) if one.lineno in source.added}
        for_itself = read_for_itself(function) if added else set[str]()
        unread = (parameters(function) - (read(function) - for_itself)).intersection(added) if added else set[str]()
        if unread and function.name == "__init__":
            unread -= {each.name for each in fixed_attributes(function)}  # left to errors/attribute-fixed
        if not unread or _is_trivial(function) or is_on_purpose(function, source.lines_of_authors):
            continue
        values = used_as_values(source.tree) if values is None else values
        before = _before(source) if before is None else before
        called = each.owner.name if each.owner is not None and function.name == "__init__" else function.name
        if called in values and function.name != "__init__":
            continue
        found += [
            Ignored(
                each.name, called, name, added[name], _place(each, name), _default(function, name), name in for_itself
            )
            for name in sorted(unread - before.get(each.name, set()))
        ]
    return tuple(found) or None


def _is_own(each: Definition) -> bool:
    """Return whether nothing but the function itself decides its parameters, as far as its file shows."""
    function = each.node
    if not is_function(function) or is_decorated(function) or function.name in _BY_PROTOCOL or "patch" in function.name:
        return False
    if function.name.startswith("__") and function.name not in {"__init__", "__call__"}:
        return False
    owner = each.owner
    return owner is None or (
        not owner.decorator_list and all(dotted(base) in PLAIN_BASES for base in owner.bases) and not owner.keywords
    )


def _is_trivial(function: Function) -> bool:
    """Return whether a function is a stub, or has one statement that returns no more than a constant."""
    last = function.body[-1]
    empty = isinstance(last, ast.Return) and (last.value is None or isinstance(last.value, ast.Constant))
    return is_stub(function) or (empty and all(is_string(each) for each in function.body[:-1]))


def _before(source: SourceFile) -> dict[str, set[str]]:
    """Return the parameters of each function of the old file, by its qualified name."""
    old = source.known_old_tree
    found = definitions([] if old is None else old.body)
    return {each.name: parameters(each.node) for each in found if is_function(each.node)}


def _place(each: Definition, name: str) -> int | None:
    """Return the position of the argument for a parameter that has a default."""
    function = each.node
    if not is_function(function):
        return None
    places = [one.arg for one in positional_parameters(function)]
    optional = places[len(places) - len(function.args.defaults) :]
    is_static = "staticmethod" in decorator_names(function)
    places = places[1:] if each.owner is not None and not is_static else places
    return places.index(name) if name in optional else None


def _default(function: Function, name: str) -> str:
    arguments = function.args
    pairs = [*zip(positional_parameters(function)[::-1], arguments.defaults[::-1], strict=False)]
    found = {one.arg: value for one, value in (*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))}
    value = found.get(name)
    return "" if value is None else ast.unparse(value)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such parameter that a call in the tree passes and that belongs to no shared interface."""
    ignored = [*each_fact(facts)]
    if not ignored or len(ignored) > _MOST_WORDS:
        return
    search = _Search(codebase.head, {each.called for _, each in ignored} | {each.name for _, each in ignored})
    for path, each in ignored:
        if search.is_shared(path, each):
            continue
        calls = list(search.calls(path, each))
        if calls:
            where, alone = places_in_words(calls)
            verb = "passes" if alone else "pass"
            values = {"name": each.name, "function": each.function, "calls": where, "verb": verb}
            values |= {"reads": "reads", "only": " only to assign it again"} if each.for_itself else _NEVER
            related, statement = tuple(calls[:MOST_RELATED]), f"{each.function} {each.name}"
            severity: Severity | None = None if each.place is not None else "info"
            yield Hit(each.line, path=path, values=values, related=related, statement=statement, severity=severity)


class _Search:
    """Finds what the tree says of functions whose parameters are ignored."""

    def __init__(self, side: Snapshot, words: set[str]) -> None:
        self._side, self._targets = side, call_targets(side)
        held = words_held(side, words)
        self._held = {path: here for path, here in held.items() if not is_set_aside(path)}

    def _files(self, word: str) -> list[str]:
        return [path for path, here in self._held.items() if word in here]

    def is_shared(self, path: str, each: Ignored) -> bool:
        """Return whether something else may decide the parameter: an interface, or what takes the function as a value.

        Classes whose names end in the same word, and that take it too, are made alike.
        """
        files = self._files(each.called)
        if len(files) > _MOST_FILES:
            return True
        if each.function.endswith(".__init__"):
            return self._has_sibling(path, each)
        defined = re.compile(rf"\bdef[ \t]+{each.called}\b")
        for at in files:
            tree = self._side.tree(at)
            if tree is not None and at != path and each.called in used_as_values(tree):
                return True
            for other in definitions(
                [] if tree is None or not defined.search(self._side.text(at) or "") else tree.body
            ):
                same = is_function(other.node) and other.node.name == each.called
                if same and (at, other.name) != (path, each.function) and _takes(other.node, each.name):
                    return True
        return self._is_of_series(path, each)

    def _is_of_series(self, path: str, each: Ignored) -> bool:
        """Return whether functions of other files take the parameter whose names end in the same two words.

        What calls them by names that it reads, such as the tasks of an evaluation, decides their parameters.
        """
        ending = "_".join(each.called.split("_")[-2:])
        if "_" not in ending or ending == each.called:
            return False
        header = re.compile(rf"(?m)^def[ \t]+\w+_{ending}\([^)]*\b{each.name}\b")
        files = (at for at in self._files(each.name) if at != path)
        found = (at for at in files if header.search(self._side.text(at) or ""))
        return len(list(islice(found, _FEWEST_OF_SERIES))) == _FEWEST_OF_SERIES

    def _has_sibling(self, path: str, each: Ignored) -> bool:
        words = [word for word in _WORD.findall(each.called) if len(word) > 1]
        if not words:
            return False
        sibling = re.compile(rf"(?m)^class[ \t]+(?!{each.called}\b)\w*{words[-1]}(?![a-z])")
        files = [at for at in self._files(each.name) if sibling.search(self._side.text(at) or "")]
        if len(files) > _MOST_SIBLINGS:
            return True
        for at in files:
            tree = self._side.tree(at)
            for other in definitions([] if tree is None else tree.body):
                if other.owner is None or not is_function(other.node) or other.node.name != "__init__":
                    continue
                same = other.owner.name == each.called and at == path
                if not same and words[-1] in _WORD.findall(other.owner.name) and _takes(other.node, each.name):
                    return True
        return False

    def calls(self, path: str, each: Ignored) -> Iterator[Related]:
        """Yield the calls of the function that pass the parameter."""
        wanted = Symbol(path, each.function)
        for at in self._files(each.called):
            file = None if is_test(at) else self._targets.file(at)
            for call in () if file is None else file.calls(frozenset({each.called})):
                passed = _passed(call.node, each)
                run = None if passed is None or file is None else self._targets.run(file, call)
                if passed is not None and run is not None and run.symbol == wanted:
                    yield Related(at, passed.lineno, "passes it")


def _takes(function: Function | ast.ClassDef, name: str) -> bool:
    return is_function(function) and name in parameters(function)


def _passed(call: ast.Call, each: Ignored) -> ast.expr | None:
    """Return what a call passes as the parameter, if it is neither None nor the default."""
    value = next((one.value for one in call.keywords if one.arg == each.name), None)
    plain = not any(isinstance(one, ast.Starred) for one in call.args)
    if value is None and each.place is not None and plain and len(call.args) > each.place:
        value = call.args[each.place]
    if value is None or is_literal(value, None) or (each.default and ast.unparse(value) == each.default):
        return None
    return value


CHECK = change_check(gather, relate, CheckTraits(literals=("def",)))
