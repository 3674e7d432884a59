"""Finds what every match of a regular expression must hold (see ``changes.vocabulary``), as CPython parses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from re import _constants as sre  # type: ignore[attr-defined]  # CPython's own parser of regular expressions
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from review_bot.changes.vocabulary import BEYOND_ASCII, Alternatives
from review_bot.rules.alternatives import MOST, all_of, one_of, weight
from review_bot.text.lazy_regex import LazyRegex

_UNLIKE_PYTHON = LazyRegex(r"\[[^\]]*\[|\[\^?\][^\]]*\[|&&|--|~~|\|\||\(\?[a-zA-Z]*[xu]")
"""Regular expressions that Python's parser may read otherwise than RE2 or Rust: nested and named classes, ``(?x)``."""

_CODE_POINT = LazyRegex(r"\\(?:x\{([0-9A-Fa-f]{1,6})\}|.)", re.DOTALL)

Parts = frozenset[str]
"""Strings of which one must occur."""

_NO_RUN: Parts = frozenset({""})
_MOST_RUNS = 6


def of_regex(pattern: str) -> Alternatives | None:
    """Return what every match of a regular expression (RE2 or Rust syntax) must hold."""
    return _of_parsed_regex(pattern, _of_sequence)


def opening_of_regex(pattern: str) -> Alternatives | None:
    """Return what every match must begin with, if the expression says where a match begins."""
    if re.search(r"\(\?[a-zA-Z]*m", pattern):
        return None  # there, ``^`` may be the start of a later line
    return _of_parsed_regex(pattern, _opening_of_sequence)


def _of_parsed_regex(pattern: str, answer: Callable[[list[Any]], Parts | None]) -> Alternatives | None:
    items, ignores_case = _parsed(pattern)
    parts = answer(items)
    return None if parts is None else _marked(tuple((part,) for part in sorted(parts)), ignores_case=ignores_case)


def _parsed(pattern: str) -> tuple[list[Any], bool]:
    """Return the items of an expression, none if it cannot be read, and whether it ignores case."""
    if _UNLIKE_PYTHON.search(pattern):
        return [], False
    try:
        tree = sre_parser.parse(_CODE_POINT.sub(_as_python_writes_it, pattern))
    except (re.error, OverflowError, RecursionError):
        return [], False
    return list(tree), bool(tree.state.flags & re.IGNORECASE)


def _marked(alternatives: Alternatives, *, ignores_case: bool) -> Alternatives | None:
    """Mark the strings of an expression as parts of words; None: nothing can be said."""
    if not ignores_case:
        return tuple(tuple(part if part == BEYOND_ASCII else "~" + part for part in each) for each in alternatives)
    if any(part == BEYOND_ASCII or not part.isascii() for each in alternatives for part in each):
        return None  # the sign for kelvin matches k
    folded = {tuple("~~" + part.casefold() for part in each) for each in alternatives}
    return tuple(sorted(folded))


def all_of_regex(pattern: str) -> Alternatives | None:
    """Return all that every match of an expression must hold, not only the most selective part of it."""
    items, ignores_case = _parsed(pattern)
    found = _all_of_sequence(items)
    return None if found is None else _marked(found, ignores_case=ignores_case)


def _all_of_sequence(items: list[Any]) -> Alternatives | None:
    needed: list[Alternatives | None] = []
    runs = _NO_RUN
    for operator, argument in [*_flat(items), (None, None)]:
        letters = _letters(operator, argument)
        if letters and (len(letters) == 1 or runs != _NO_RUN) and len(runs) * len(letters) <= _MOST_RUNS:
            runs = frozenset(run + letter for run in runs for letter in letters)
            continue
        if runs != _NO_RUN:
            needed.append(tuple((run,) for run in sorted(_joined(runs, operator, argument))))
            runs = _NO_RUN
        needed.append(_all_of_item(operator, argument))
    return all_of(needed)


def _all_of_item(operator: Any, argument: Any) -> Alternatives | None:
    if operator is sre.SUBPATTERN and not argument[1] & re.IGNORECASE:
        return _all_of_sequence(list(argument[3]))
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
        return _all_of_sequence(list(argument[2]))
    return one_of(map(_all_of_sequence, map(list, argument[1]))) if operator is sre.BRANCH else None


def _as_python_writes_it(match: re.Match[str]) -> str:
    return f"\\U{int(match[1], 16):08x}" if match[1] else match[0]


def _of_sequence(items: list[Any]) -> Parts | None:
    """Return strings of which one must occur in every match of a parsed regular expression."""
    candidates: list[Parts] = []
    runs = _NO_RUN
    for operator, argument in _flat(items):
        letters = _letters(operator, argument)
        if letters and (len(letters) == 1 or runs != _NO_RUN) and len(runs) * len(letters) <= _MOST_RUNS:
            runs = frozenset(run + letter for run in runs for letter in letters)
            continue
        if runs != _NO_RUN:
            candidates.append(_joined(runs, operator, argument))
            runs = _NO_RUN
        if inner := _of_item(operator, argument, _of_sequence):
            candidates.append(inner)
    if runs != _NO_RUN:
        candidates.append(runs)
    return max(candidates, key=lambda c: (min(map(weight, c)), -len(c)), default=None)


def _flat(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the items of a sequence, those of plain groups too: ``a(b)c`` is ``abc``."""
    for operator, argument in items:
        if operator is sre.SUBPATTERN and not argument[1]:
            yield from _flat(argument[3])
        else:
            yield operator, argument


def _joined(runs: Parts, operator: Any, argument: Any) -> Parts:
    """Return what begins with letters and goes on with a choice: of ``eval|exec`` the parser makes ``e(?:val|xec)``."""
    if operator is not sre.BRANCH:
        return runs
    joined = frozenset(run + _head(branch) for run in runs for branch in argument[1])
    return joined if len(joined) <= MOST else runs


def _head(items: Iterable[Any]) -> str:
    """Return the letters that a sequence begins with."""
    return "".join(chr(argument) for _, argument in takewhile(lambda item: _is_letter(*item), _flat(items)))


def _opening_of_sequence(items: list[Any]) -> Parts | None:
    """Return strings of which one must begin every match, if the expression says where a match begins."""
    if not items or items[0] != (sre.AT, sre.AT_BEGINNING):
        return None
    return _start_of_sequence(items[1:])


def _start_of_sequence(items: list[Any]) -> Parts | None:
    run = ""
    for operator, argument in _flat(items):
        if _is_letter(operator, argument):
            run += chr(argument)
        elif run:
            return _joined(frozenset({run}), operator, argument)
        else:
            return _of_item(operator, argument, _start_of_sequence)
    return frozenset({run}) if run else None


def _letters(operator: Any, argument: Any) -> list[str]:
    """Return the letters of which one must be here: a letter itself, or those of a short class (``gh[pousr]_``)."""
    if _is_letter(operator, argument):
        return [chr(argument)]
    if operator is sre.IN and len(argument) <= _MOST_RUNS and all(_is_letter(*each) for each in argument):
        return [chr(letter) for _, letter in argument]
    return []


def _is_letter(operator: Any, argument: Any) -> bool:
    return operator is sre.LITERAL and chr(argument).isprintable() and not chr(argument).isspace()


def _is_beyond_ascii(operator: Any, argument: Any) -> bool:
    """Return whether a letter or a class stands for characters outside of ASCII only."""
    if operator is sre.LITERAL:
        return bool(argument > 0x7F)
    if operator is not sre.IN:
        return False
    lowest = {sre.LITERAL: lambda value: value, sre.RANGE: lambda value: value[0]}
    return all(kind in lowest and lowest[kind](value) > 0x7F for kind, value in argument)


def _of_item(operator: Any, argument: Any, answer: Callable[[list[Any]], Parts | None]) -> Parts | None:
    """Ask the same of what a group, a repetition or an alternation holds."""
    result: Parts | None = None
    if _is_beyond_ascii(operator, argument):
        result = frozenset({BEYOND_ASCII})
    elif operator is sre.SUBPATTERN:
        _group, add_flags, _remove, body = argument
        result = None if add_flags & re.IGNORECASE else answer(list(body))
    elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
        result = answer(list(argument[2]))
    elif operator is sre.BRANCH:
        branches = [answer(list(branch)) for branch in argument[1]]
        if all(branches):
            result = frozenset().union(*(branch for branch in branches if branch is not None))
    return result if result and len(result) <= MOST else None
