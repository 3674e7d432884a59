"""An assertion that a change takes out of a test which it leaves as it was else.

Silent where what it asks for goes too: an attribute, an argument or a word of it is on another deleted line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.python.assertions import Assertion, assertions
from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import names_in
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_LONGEST = 80
"""Characters of an assertion that a message shows."""
_SHORTEST_WORD = 4
"""Characters below which a word says nothing of what it names."""


class Lost(NamedTuple):
    """A deleted assertion: its lines at the base, its test, its text and the words that name what it asks for.

    ``called``: the functions that it calls by their names alone.
    """

    first: int
    last: int
    test: str
    text: str
    words: frozenset[str]
    called: frozenset[str]


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return the assertions that went out of the tests of a file."""
    moved = {" ".join(line.split()) for line in source.added.values()}
    return tuple(
        each
        for pair in function_pairs(source)
        if pair.new.name.startswith("test") and not _is_edited(pair, source)
        for each in _lost(pair, source)
        if " ".join(source.removed[each.first].split()) not in moved
    )


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit, on the old side, on the first assertion that each test lost."""
    if not any(facts.values()):
        return
    gone = "\n".join(_other_removed_lines(facts, codebase.change))
    for path in sorted(facts):
        reported: set[str] = set()
        for each in facts[path]:
            if each.test in reported or any(re.search(rf"\b{re.escape(word)}\b", gone) for word in each.words):
                continue
            if any(re.search(rf"(?m)^\s*(?:async )?def {re.escape(name)}\b", gone) for name in each.called):
                continue
            reported.add(each.test)
            values = {"assertion": each.text, "name": each.test.rpartition(".")[2]}
            yield Hit(each.first, side="LEFT", values=values, statement=f"{each.test} {each.text}", path=path)


def _other_removed_lines(facts: Mapping[str, Any], pull_request: PullRequest) -> Iterator[str]:
    """Yield the deleted lines of the change that belong to none of the assertions."""
    for file in pull_request.files:
        inside = {line for each in facts.get(file.path, ()) for line in range(each.first, each.last + 1)}
        yield from (text for line, text in file.removed_lines() if line not in inside)


def _is_edited(pair: FunctionPair, source: SourceFile) -> bool:
    """Return whether the change puts a line into the test or its decorators: then it may check in another way."""
    first = min([pair.new.lineno, *(each.lineno for each in pair.new.decorator_list)])
    return source.any_added(first, last_line(pair.new))


def _lost(pair: FunctionPair, source: SourceFile) -> Iterator[Lost]:
    left = {plain(each) for each in own_statements(pair.new)}
    given = names_in(pair.new, ast.Store)
    for each in assertions(pair.old):
        text = plain(each.statement).split("\n", 1)[0]
        if (
            each.statement.lineno not in source.removed
            or plain(each.statement) in left
            or _fails_as_well(each, pair.new)
        ):
            continue
        if given & names_in(each.asked):
            shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
            last = last_line(each.statement)
            calls = nodes_of(each.statement, ast.Call)
            called = frozenset(call.func.id for call in calls if isinstance(call.func, ast.Name))
            yield Lost(each.statement.lineno, last, pair.name, shown, frozenset(_words(each.asked)), called)


def _fails_as_well(lost: Assertion, test: Function) -> bool:
    """Return whether an assertion asked for a value or for its elements, which the test goes on to read."""
    match lost.asked:
        case ast.Compare(left=asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            subject = ast.unparse(asked)
        case ast.Call(func=ast.Attribute(attr="assertIsNotNone"), args=[asked, *_]):
            subject = ast.unparse(asked)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[asked]),
            ops=[ast.Gt() | ast.GtE() | ast.NotEq()],
            comparators=[ast.Constant(value=0 | 1)],
        ):
            subject = ast.unparse(asked)
            if any(ast.unparse(each.iter) == subject for each in nodes_of(test, ast.For)):
                return True  # what the loop finds is asked for below it
        case _:
            return False
    values = [each.value for each in nodes_of(test, ast.Attribute)]
    values += [each.value for each in nodes_of(test, ast.Subscript)]
    return any(ast.unparse(each) == subject for each in values)


def _words(asked: ast.expr) -> Iterator[str]:
    """Yield the attributes, the names of arguments and the words of strings in what an assertion asks."""
    for node in ast.walk(asked):
        found: list[str] = []
        if isinstance(node, ast.Attribute):
            found = [node.attr] if not node.attr.startswith("assert") else []
        elif isinstance(node, ast.keyword) and node.arg:
            found = [node.arg]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = re.findall(r"\w+", node.value)
        yield from (word for word in found if len(word) >= _SHORTEST_WORD)


CHECK = change_check(
    gather, relate, CheckTraits(literals=("assert",), reads_old=True, works_without_tree=True, on_lines=False)
)
