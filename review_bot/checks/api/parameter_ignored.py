"""A parameter that the change adds, which callers pass, and which the function never reads.

Silent about stubs, about what is said to be ignored, and about functions whose parameters a decorator, a class of
another file, a caller that takes them as a value, or functions of the same name in the tree may decide.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import Symbol, call_targets
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import Definition, Function, definitions, is_function, is_string
from review_bot.analysis.python.syntax import dotted
from review_bot.analysis.python.unread_parameters import SAID, is_decorated, is_stub, parameters, read
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside, is_test

_PLAIN_BASES = frozenset({"object", "nn.Module", "torch.nn.Module", "ABC", "abc.ABC"})
_MOST_WORDS = 300
_MOST_FILES = 150
_BY_PROTOCOL = frozenset({"backward", "setup_context"})
"""Methods whose parameters a library decides."""


class Ignored(NamedTuple):
    """A new parameter that is not read. ``function`` is qualified; ``called``: the name under which it is called."""

    function: str
    called: str
    name: str
    line: int


def gather(source: SourceFile) -> tuple[Ignored, ...] | None:
    """Return the parameters on added lines that functions of one file do not read. Raises CannotParse."""
    if is_test(source.path):
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
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        added = {one.arg: one.lineno for one in arguments if one.lineno in source.added}
        unread = (parameters(function) - read(function)).intersection(added) if added else set[str]()
        if not unread or _is_trivial(function) or SAID.search(_text(function, source)):
            continue
        values = _values(source.tree) if values is None else values
        before = _before(source) if before is None else before
        called = each.owner.name if each.owner is not None and function.name == "__init__" else function.name
        if called in values and function.name != "__init__":
            continue
        found += [
            Ignored(each.name, called, name, added[name]) for name in sorted(unread - before.get(each.name, set()))
        ]
    return tuple(found) or None


def _is_own(each: Definition) -> bool:
    """Return whether nothing but the function itself decides its parameters, as far as its file shows."""
    function = each.node
    if not is_function(function) or is_decorated(function) or function.name in _BY_PROTOCOL:
        return False
    if function.name.startswith("__") and function.name not in {"__init__", "__call__"}:
        return False
    owner = each.owner
    return owner is None or (
        not owner.decorator_list and all(dotted(base) in _PLAIN_BASES for base in owner.bases) and not owner.keywords
    )


def _is_trivial(function: Function) -> bool:
    """Return whether a function is a stub, or has one statement that returns no more than a constant."""
    last = function.body[-1]
    empty = isinstance(last, ast.Return) and (last.value is None or isinstance(last.value, ast.Constant))
    return is_stub(function) or (empty and all(is_string(each) for each in function.body[:-1]))


def _before(source: SourceFile) -> dict[str, set[str]]:
    """Return the parameters of each function of the old file, by its qualified name."""
    try:
        old = source.old_tree if source.old_text else None
    except CannotParse:
        old = None
    found: dict[str, set[str]] = {}
    for each in definitions([] if old is None else old.body):
        if is_function(each.node):
            found[each.name] = parameters(each.node)
    return found


def _values(tree: ast.Module) -> frozenset[str]:
    """Return the names that a file uses for something else than a call: a function may be passed to what calls it."""
    called = {id(each.func) for each in nodes_of(tree, ast.Call)}
    names = {each.id for each in nodes_of(tree, ast.Name) if id(each) not in called and isinstance(each.ctx, ast.Load)}
    return frozenset(names | {each.attr for each in nodes_of(tree, ast.Attribute) if id(each) not in called})


def _text(function: Function, source: SourceFile) -> str:
    return "\n".join(source.lines[function.lineno - 1 : function.end_lineno])


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such parameter that a call in the tree passes and that belongs to no shared interface."""
    ignored = [(path, each) for path, found in sorted(facts.items()) for each in found]
    names = {each.called for _, each in ignored}
    if not ignored or len(names) > _MOST_WORDS:
        return
    held = words_held(codebase.head, names)
    for path, each in ignored:
        files = [at for at, here in held.items() if each.called in here and not is_set_aside(at)]
        if len(files) > _MOST_FILES or _is_shared(path, each, files, codebase.head):
            continue
        calls = list(_calls(path, each, files, codebase.head))
        if calls:
            where, alone = places_in_words(calls)
            yield Hit(
                each.line,
                path=path,
                values={
                    "name": each.name,
                    "function": each.function,
                    "calls": where,
                    "verb": "passes" if alone else "pass",
                },
                related=tuple(calls[:MOST_RELATED]),
                statement=f"{each.function} {each.name}",
            )


def _is_shared(path: str, each: Ignored, files: list[str], side: Snapshot) -> bool:
    """Return whether another function of the name has the parameter too: an interface."""
    defined = re.compile(rf"\bdef[ \t]+{each.called}\b")
    for at in files:
        tree = side.tree(at) if defined.search(side.text(at) or "") else None
        for other in definitions([] if tree is None else tree.body):
            same = is_function(other.node) and other.node.name == each.called
            if same and (at, other.name) != (path, each.function) and _takes(other, each.name):
                return True
    return False


def _takes(definition: Definition, name: str) -> bool:
    return is_function(definition.node) and name in parameters(definition.node)


def _calls(path: str, each: Ignored, files: list[str], side: Snapshot) -> Iterator[Related]:
    """Yield the calls of the function that pass the parameter by name."""
    targets = call_targets(side)
    wanted = Symbol(path, each.function)
    for at in files:
        if is_test(at) or each.name not in (side.text(at) or ""):
            continue
        file = targets.file(at)
        for call in () if file is None else file.calls(frozenset({each.called, "cls"})):
            passed = next((one.value for one in call.node.keywords if one.arg == each.name), None)
            if passed is None or file is None or (isinstance(passed, ast.Constant) and passed.value is None):
                continue
            symbol = targets.target(file, call)
            if symbol == wanted or (symbol is None and _is_plausible(each)):
                yield Related(at, passed.lineno, "passes it")


def _is_plausible(each: Ignored) -> bool:
    """Return whether a call under the name alone is that of the function: a method, called on any object."""
    return "." in each.function and each.called != each.function.partition(".")[0]


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("def",)))
