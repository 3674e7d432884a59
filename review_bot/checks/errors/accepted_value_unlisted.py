"""An error that lists what is accepted, and leaves out a value that the code accepts.

::

    if mode == "mean":
        ...
    elif mode in ("sum", "total"):
        ...
    else:
        raise ValueError("mode must be 'mean' or 'max'")        reported: `sum`

It counts as a list if it names two accepted values, or one of them twice in a row. The names of several variables that
are tested one after the other count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from review_bot.analysis.project.wording import all_listed
from review_bot.analysis.python.statements import blocks, last_name, leaves
from review_bot.analysis.python.syntax import dotted, hit_on, is_literal, text_of
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import all_of

_SAYS_NOTHING = frozenset({"", "auto", "default", "disable", "disabled", "none", "null", "off", "unset"})
"""Values that ask for no value in particular."""
_LISTING = frozenset({"join", "keys", "list", "set", "sorted", "tuple"})
"""Functions that put a collection into a message."""
_WORD = LazyRegex(r"[^\s`'\",;:()\[\]{}|]+")
_MOST_NAMED = 8
"""Values that a message repeats one by one."""
_SHORTEST_LOOSE = 4
"""Characters from which a value is looked for inside other words too, as in ``RMSNorm`` for ``rms_norm``."""


class _Way(NamedTuple):
    """One test and the names of what it lets pass, of which the message needs one. ``is_name``: they are variables."""

    node: ast.stmt
    values: list[str]
    is_name: bool = False


class _Check(NamedTuple):
    """What a piece of code accepts, and the statement that rejects everything else.

    ``apart``: each value is a way of its own, so that several may be spellings of one.
    """

    ways: list[_Way]
    failure: ast.stmt
    text: ast.expr | None
    apart: bool = False


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each error with such a list. Raises CannotParse."""
    for check in _checks(source.tree.body):
        text = _text_of(check.text)
        if text is None:
            continue
        words = _words_of(text)
        listed = [value for way in check.ways for value in way.values if _key(value) in words]
        if len(listed) < 2 and not (listed and _is_repeated(words, listed[0])):
            continue
        missing = [way for way in check.ways if _is_missing(way, text, listed, apart=check.apart)]
        if not missing:
            continue
        way = next((each for each in missing if each.node.lineno in source.added), missing[0])
        here = source.touches(*span_of(check.failure))
        values = {
            "error": str(check.failure.lineno),
            "listed": _quoted(dict.fromkeys(listed)),
            "missing": _quoted([each.values[0] for each in missing]),
            "places": _places(missing),
        }
        where, other = (check.failure, way.node) if here else (way.node, check.failure)
        related = (Related(source.path, other.lineno, "the other place"),)
        yield hit_on(source, where, values=values, related=related)


def _places(ways: Sequence[_Way]) -> str:
    """Return which lines accept the first values of some ways, or only test them: ``line 12 accepts``."""
    lines = sorted({way.node.lineno for way in ways})
    verb = "test" if any(way.is_name for way in ways) else "accept"
    named = all_of([str(line) for line in lines]) if len(lines) <= _MOST_NAMED else f"{lines[0]} to {lines[-1]}"
    return f"lines {named} {verb}" if len(lines) > 1 else f"line {named} {verb}s"


def _checks(body: list[ast.stmt]) -> Iterator[_Check]:
    continued: set[int] = set()
    for block in blocks(body):
        for number, statement in enumerate(block):
            if isinstance(statement, ast.Assert) and statement.msg is not None:
                found = _allowed(statement.test, ast.In)
                if found is not None:
                    yield _Check(_each(statement, found[1]), statement, statement.msg, apart=True)
            elif isinstance(statement, ast.If) and id(statement) not in continued:
                arms = [statement]
                rest = block[number + 1 :]
                while (below := _next(arms, rest)) is not None:
                    arms.append(below)
                    continued.add(id(below))
                yield from _of_chain(arms, rest)


def _next(arms: list[ast.If], rest: list[ast.stmt]) -> ast.If | None:
    """Return the ``if`` that is reached where all of some are false; those of ``rest`` are taken from it."""
    otherwise = arms[-1].orelse
    if len(otherwise) == 1 and isinstance(otherwise[0], ast.If):
        return otherwise[0]
    if otherwise or not rest or not isinstance(rest[0], ast.If) or not all(leaves(each.body) for each in arms):
        return None
    following = rest[0]
    one, other = _allowed(arms[-1].test, ast.In), _allowed(following.test, ast.In)
    if one is None or other is None or one[0] != other[0]:
        return None
    del rest[0]
    return following


def _of_chain(arms: list[ast.If], after: list[ast.stmt]) -> Iterator[_Check]:
    first, otherwise = arms[0], arms[-1].orelse
    rejected = _allowed(first.test, ast.NotIn)
    failure = _raised(first.body)
    if failure is not None and rejected is not None:
        yield _Check(_each(first, rejected[1]), failure, failure.exc, apart=True)
        return
    if failure is not None and isinstance(first.test, ast.BoolOp) and isinstance(first.test.op, ast.And):
        names = [_absent(each) for each in first.test.values]
        if len(names) > 2 and None not in names:
            yield _Check([_Way(first, [name], is_name=True) for name in names if name], failure, failure.exc)
        return
    if not otherwise and all(leaves(each.body) for each in arms):
        otherwise = [*takewhile(lambda each: isinstance(each, (ast.Expr, ast.Assign, ast.Pass)), after)]
        otherwise += after[len(otherwise) : len(otherwise) + 1]
    failure = _raised(otherwise)
    if failure is None:
        return
    tests = [_allowed(each.test, ast.In) for each in arms]
    subjects = {each[0] for each in tests if each is not None}
    if None not in tests and len(subjects) == 1:
        ways = [_Way(arm, test[1]) for arm, test in zip(arms, tests, strict=True) if test and not _raised(arm.body)]
        yield _Check(ways, failure, failure.exc)
    names = [_present(each.test) for each in arms]
    if None not in names and len(names) > 1:
        ways = [_Way(arm, [name], is_name=True) for arm, name in zip(arms, names, strict=True) if name]
        yield _Check(ways, failure, failure.exc)


def _each(node: ast.stmt, values: list[str]) -> list[_Way]:
    return [_Way(node, [value]) for value in values]


def _raised(body: list[ast.stmt]) -> ast.Raise | None:
    return body[-1] if body and isinstance(body[-1], ast.Raise) else None


def _allowed(test: ast.expr, kind: type[ast.cmpop]) -> tuple[str, list[str]] | None:
    """Return what ``x == "a"``, ``x in ("a", "b")`` or an ``or`` of them asks about, and the texts."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and kind is ast.In:
        parts = [_allowed(each, kind) for each in test.values]
        known = [each for each in parts if each is not None]
        if len(known) < len(parts) or len({each[0] for each in known}) > 1:
            return None
        return known[0][0], [value for each in known for value in each[1]]
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    asked, given = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Eq) and kind is ast.In:
        found = [text_of(given)]
    elif isinstance(test.ops[0], kind) and isinstance(given, (ast.List, ast.Tuple, ast.Set)):
        found = [text_of(each) for each in given.elts]
    else:
        return None
    texts = [each for each in found if each is not None]
    return (ast.unparse(asked), texts) if texts and len(texts) == len(found) else None


def _present(test: ast.expr) -> str | None:
    """Return the name in ``x``, ``self.x`` or ``x is not None``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.IsNot):
        test = test.left if is_literal(test.comparators[0], None) else test
    place = dotted(test)
    return None if place is None else place.rpartition(".")[2]


def _absent(test: ast.expr) -> str | None:
    """Return the name in ``not x`` or ``x is None``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _present(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Is):
        return _present(test.left) if is_literal(test.comparators[0], None) else None
    return None


def _words_of(text: str) -> list[str]:
    return [_key(word.rstrip(".!?")) for word in _WORD.findall(text)]


def _text_of(error: ast.expr | None) -> str | None:
    """Return the text of a message, or None if a part that is computed may be the list."""
    found: list[str] = []
    for node in walk(error) if error is not None else ():
        if isinstance(node, ast.Call) and last_name(node.func) in _LISTING:
            return None
        if isinstance(node, ast.FormattedValue) and last_name(node.value).isupper():
            return None
        found.append(text_of(node) or "")
    return " ".join(filter(None, found))


def _key(text: str) -> str:
    return text.lower().replace("-", "_")


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _is_repeated(words: list[str], value: str) -> bool:
    """Return whether a message lists the same value twice, as in "only `a` and `a`"."""
    places = [number for number, word in enumerate(words) if word == _key(value)]
    between = [words[one + 1 : two] for one, two in pairwise(places)]
    return any(not each or each in (["and"], ["or"]) for each in between)


def _is_missing(way: _Way, text: str, listed: list[str], *, apart: bool) -> bool:
    """Return whether a message names nothing that a test lets pass. ``apart``: see ``_Check``."""
    words, letters = _words_of(text), _plain(text)
    for value in way.values:
        plain = _plain(value)
        if value.lower() in _SAYS_NOTHING or value.startswith("_") or _key(value) in words:
            return False
        if len(plain) >= _SHORTEST_LOOSE and plain in letters and not any(plain in _plain(one) for one in listed):
            return False
        if way.is_name and (len(plain) < _SHORTEST_LOOSE or _key(value).rpartition("_")[2] in words):
            return False  # a short name is spelt out: `db` is a database
        if apart and any(_is_other_spelling(value, one) for one in listed):
            return False
    return bool(way.values)


def _is_other_spelling(value: str, listed: str) -> bool:
    """Return whether two values may mean the same, such as ``fp16`` and ``float16``."""
    one, other = _plain(value), _plain(listed)
    digits = "".join(filter(str.isdigit, one))
    return one in other or other in one or (bool(digits) and digits == "".join(filter(str.isdigit, other)))


def _quoted(values: Iterable[str]) -> str:
    named = list(values)
    return all_listed(named) if len(named) <= _MOST_NAMED else f"{len(named)} values"


CHECK = file_check(examine, CheckTraits(literals=("raise if", "assert in")))
