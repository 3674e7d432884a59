"""Finds regular expressions that need more than linear time, with hostile texts made from the expressions themselves.

A text is a start that matches, one piece many times, and an end that does not match. Pieces are what the repeated parts
of an expression match. Time is the processor's, not the clock's, and only its growth counts, so a busy machine changes
no result. Expressions come from the source text, so that none is missed because no code path compiled it.
"""

from __future__ import annotations

import ast
import importlib
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

SHORT, LONG = 3_000, 12_000
"""Characters of the texts whose times are compared: four times the text."""

_LOOK_CLOSER = 0.001
"""Seconds of processor time for the short text from which its growth is measured; a quadratic search needs 5 ms."""

_LIMIT = 0.5
"""Seconds of processor time after which a search is stopped: linear ones need a hundredth of it."""

_SUPERLINEAR = 8.0
"""How much longer four times the text may take: 4 is linear, 16 quadratic."""

_SIGNS = (" ", ".", "=", "\\")
"""What separates what is before a repeated part from the next time that it begins, so that the part runs over both."""

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
_AT_START = frozenset({"match", "fullmatch"})


class Expression(NamedTuple):
    """A regular expression of our own code; ``anywhere``: some use looks for it at every position of a text."""

    name: str
    source: str
    flags: int
    anywhere: bool


class Slow(NamedTuple):
    """An expression, a text that needs more than linear time, and how its time grew from n to 4 n characters."""

    name: str
    text: str
    growth: float


def expressions_of(package: Path) -> tuple[list[Expression], set[str]]:
    """Return the regular expressions that a package's Python files hand to ``re`` or ``LazyRegex``.

    A value that an f-string takes in at run time counts as the word ``name``. The second part: the functions that
    hand on an expression which they build; it cannot be read from the text.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))}
    uses = {path: _uses(text) for path, text in texts.items()}
    everywhere = _together(uses.values())
    found: list[Expression] = []
    builders: set[str] = set()
    for path, text in texts.items():
        if not re.search(r"\bre\.|LazyRegex\(", text):
            continue
        dotted = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        place = dotted.removeprefix(f"{package.name}.")
        tree = ast.parse(text)
        for function, assigned, node in _calls(tree):
            use = _use(node)
            if not use or not node.args:
                continue
            source = _text(node.args[0], dotted)
            if source is None:
                builders.add(f"{place}:{function}")
                continue
            name = assigned if use == "compile" else ""
            where = uses[path] if name.startswith("_") else everywhere
            anywhere = _anywhere(where.get(name, [])) if use == "compile" else use not in _AT_START
            found.append(Expression(f"{place}:{name or node.lineno}", source, _flags(node, use), anywhere))
    return found, builders


def _calls(tree: ast.AST) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield each call, with the name of the function that it is in and the name that its value is part of."""
    waiting: list[tuple[ast.AST, str, str]] = [(tree, "", "")]
    while waiting:
        parent, function, name = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.Call):
                yield function, name, node
            if isinstance(node, ast.FunctionDef):
                waiting.append((node, node.name, ""))
            elif isinstance(node, ast.Assign):
                targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
                waiting.append((node, function, targets[-1] if targets else ""))
            else:
                waiting.append((node, function, name))


def _use(node: ast.Call) -> str:
    """Return the method of ``re`` that a call is one of, ``compile`` for a pattern of ours, or nothing."""
    function = node.func
    if isinstance(function, ast.Name) and function.id == "LazyRegex":
        return "compile"
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re":
        return function.attr if function.attr in {*_METHODS, "compile"} else ""
    return ""


def _text(node: ast.expr, module: str) -> str | None:  # noqa: PLR0911  # one return for each kind of node
    """Return the value of an expression's source text, or None where the text does not show it."""
    if isinstance(node, ast.Constant):
        return _decoded(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(each, module) or "name" for each in node.values)
    if isinstance(node, ast.FormattedValue):
        return _text(node.value, module)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left, module), _text(node.right, module)
        return None if left is None and right is None else (left or "name") + (right or "name")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "escape":
        return "name"
    if isinstance(node, ast.Name):
        value = getattr(importlib.import_module(module), node.id, None)
        return _decoded(getattr(value, "pattern", value))
    return None


def _decoded(value: Any) -> str | None:
    """Return a text, or bytes as the text that has the same numbers."""
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else None


def _flags(node: ast.Call, use: str) -> int:
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(use, 2)
    flags = 0
    for argument in [*node.args[position : position + 1], *(each.value for each in node.keywords)]:
        for part in ast.walk(argument):
            if isinstance(part, ast.Constant) and isinstance(part.value, int):
                flags |= part.value
            elif isinstance(part, ast.Attribute) and part.attr.isupper():
                flags |= int(getattr(re, part.attr, 0))
    return flags


Uses = dict[str, list[tuple[str, str]]]
"""Name of a pattern → the methods that are called on it, each with what comes before the last argument."""


def _uses(text: str) -> Uses:
    found: Uses = {}
    for name, use, before in re.findall(rf"\b(\w+)(?:\[[^\]]*\])?\.({'|'.join(_METHODS)})\(([^()\n]*,)?", text):
        found.setdefault(name, []).append((use, before))
    return found


def _together(parts: Iterable[Uses]) -> Uses:
    found: Uses = {}
    for part in parts:
        for name, uses in part.items():
            found.setdefault(name, []).extend(uses)
    return found


def _anywhere(uses: list[tuple[str, str]]) -> bool:
    """Return whether a pattern is used at more than the start of a text: ``match(text, position)`` counts as such."""
    return not uses or any(use not in _AT_START or position for use, position in uses)


class _TooLongError(Exception):
    """A search needed more processor time than it may have."""


def slow_text(expression: Expression) -> Slow | None:
    """Return the text for which an expression's time grows most, if it grows more than linearly."""
    pattern = re.compile(expression.source, expression.flags)
    run: Callable[[str], Any] = (
        (lambda text: [0 for _ in pattern.finditer(text)]) if expression.anywhere else pattern.match
    )
    for start, piece, end in _texts(pattern):
        short, long = (start + piece * (length // len(piece)) + end for length in (SHORT, LONG))
        first = _seconds(run, short)
        if first < _LOOK_CLOSER:
            continue
        growth = _growth(run, short, long, first) if first < _LIMIT else float("inf")
        if growth > _SUPERLINEAR:
            return Slow(expression.name, f"{start!r} + {piece!r} * n + {end!r}", growth)
    return None


def _growth(run: Callable[[str], Any], short: str, long: str, first: float) -> float:
    """Return how much longer the long text takes than the short one, which took ``first`` seconds once.

    If it seems too much by the quickest of three short searches, it is the least of that and two more tries, each of
    which compares times in the middle of three.
    """
    growths = [_seconds(run, long) / min(first, _seconds(run, short), _seconds(run, short))]
    for _ in range(2):
        if growths[-1] <= _SUPERLINEAR:
            break
        few = max(sorted(_seconds(run, short) for _ in range(3))[1], 1e-6)
        many = _seconds(run, long)
        growths.append(many / few if many > _LIMIT / 4 else sorted(_seconds(run, long) for _ in range(3))[1] / few)
    return min(growths)


def _seconds(run: Callable[[str], Any], text: str) -> float:
    """Return the processor time of a search, infinite where it was stopped at the limit."""

    def stop(_signal: int, _frame: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    begin = time.thread_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT)
        run(text)
        return time.thread_time() - begin
    except _TooLongError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _texts(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    tree = sre_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    seen: set[tuple[str, str, str]] = set()
    for before, piece in _repeated(list(tree), ""):
        for start in {before, ""}:
            for end in ("", "\0", "\n\0"):
                one = (start, piece, end)
                if piece and one not in seen:
                    seen.add(one)
                    yield one


def _repeated(items: list[Any], before: str) -> Iterator[tuple[str, str]]:
    """Yield (what matches before it, what it matches) of each part that may repeat, and of all from there on."""
    for position, (operator, argument) in enumerate(items):
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            _least, most, body = argument
            if most > 8:
                for piece in dict.fromkeys(_samples(list(body))):
                    yield before, piece
                if before:
                    yield from (("", before + sign) for sign in _SIGNS)
                whole = before + _sample([items[position]])
                yield "", whole
                rest = _sample(items[position:])
                yield before, rest
            yield from _repeated(list(body), before)
        elif operator is sre.SUBPATTERN:
            yield from _repeated(list(argument[3]), before)
        elif operator is sre.ATOMIC_GROUP:
            yield from _repeated(list(argument), before)
        elif operator in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeated(list(argument[1]), before)
        elif operator is sre.BRANCH:
            for branch in argument[1]:
                yield from _repeated(list(branch), before)
        before += _sample([items[position]])
    if before:
        yield "", before


def _samples(items: list[Any]) -> Iterator[str]:
    yield _sample(items)
    for operator, argument in items:
        if operator is sre.BRANCH:
            for branch in argument[1]:
                yield _sample(list(branch))
        elif operator is sre.SUBPATTERN:
            yield from _samples(list(argument[3]))
        elif operator is sre.IN:
            yield from _members(argument)
    yield from (" ", "a", "\\")


def _sample(items: list[Any]) -> str:
    return "".join(_one(operator, argument) for operator, argument in items)


def _one(operator: Any, argument: Any) -> str:  # noqa: PLR0911  # one return for each kind of part
    if operator is sre.LITERAL:
        return chr(argument)
    if operator is sre.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if operator is sre.ANY:
        return "a"
    if operator is sre.IN:
        return next(iter(_members(argument)), "a")
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return _sample(list(argument[2])) * max(int(argument[0]), min(1, int(argument[1])))
    if operator is sre.SUBPATTERN:
        return _sample(list(argument[3]))
    if operator is sre.ATOMIC_GROUP:
        return _sample(list(argument))
    if operator is sre.BRANCH:
        return _sample(list(argument[1][0]))
    return ""


_CATEGORIES = {
    sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_NOT_SPACE: "a",
    sre.CATEGORY_WORD: "a",
    sre.CATEGORY_NOT_WORD: " ",
    sre.CATEGORY_DIGIT: "1",
    sre.CATEGORY_NOT_DIGIT: "a",
}


def _members(members: list[Any]) -> Iterator[str]:
    if members and members[0][0] is sre.NEGATE:
        taken = re.compile(f"[{''.join(_class_text(each) for each in members[1:])}]")
        yield from [char for char in "a (,.=\"'\\1" if not taken.match(char)][:3] or ["\u00e9"]
        return
    for kind, value in members[:4]:
        if kind is sre.LITERAL:
            yield chr(value)
        elif kind is sre.RANGE:
            yield chr(value[0])
        elif kind is sre.CATEGORY:
            yield _CATEGORIES.get(value, "a")


_CLASSES = {
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
}


def _class_text(member: Any) -> str:
    kind, value = member
    if kind is sre.CATEGORY:
        return str(_CLASSES[value])
    if kind is sre.RANGE:
        return f"\\U{value[0]:08x}-\\U{value[1]:08x}"
    return f"\\U{value:08x}"
