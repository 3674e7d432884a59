"""Finds what a rule cannot match without (see ``changes.vocabulary``) in its patterns and regular expressions.

There are three questions. What must a *text* hold for the rule to match in it (``of_structural``)? A match may go over
several lines, of which the change perhaps added one, so this is asked of the whole text of a file, whatever its
spelling. What must the *first line* hold (``opening_of``)? That line was added, or the rule would not report it, so
this is asked of the added lines alone. And what must the very text hold that was *parsed* (``of_parsed``)? There signs
count too, and all that an expression needs, which spares many searches of a tree.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from re import _constants as sre  # type: ignore[attr-defined]  # CPython's own parser of regular expressions
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from review_bot.changes.vocabulary import BEYOND_ASCII, Alternatives, words
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_DOLLARS = LazyRegex(r"\$+\w*")
_SIMPLE_STRING = LazyRegex(r"""(["'])[\w ./:-]*\1""")
_STRING = LazyRegex(r"""['"`].*""", re.DOTALL)
_COMMENT = LazyRegex(r"#|//|/\*|--|<!--")
_UNLIKE_PYTHON = LazyRegex(r"\[[^\]]*\[|\[\^?\][^\]]*\[|&&|--|~~|\|\||\(\?[a-zA-Z]*[xu]")
"""Regular expressions that Python's parser may read otherwise than RE2 or Rust: nested and named classes, ``(?x)``."""

_CODE_POINT = LazyRegex(r"\\(?:x\{([0-9A-Fa-f]{1,6})\}|.)", re.DOTALL)
_COMMON = frozenset({*keyword.kwlist, "self", "torch"})
"""Occurs in almost every file, or on every tenth line: it selects little, however long it is."""

_MOST = 64
_DEEPEST = 6

KIND_WORDS: Mapping[str, tuple[str, ...]] = {
    "assert_statement": ("assert",),
    "await": ("await",),
    "class_definition": ("class",),
    "delete_statement": ("del",),
    "except_clause": ("except",),
    "finally_clause": ("finally",),
    "for_statement": ("for", "async"),
    "function_definition": ("def", "async"),
    "global_statement": ("global",),
    "import_from_statement": ("from",),
    "import_statement": ("import",),
    "lambda": ("lambda",),
    "raise_statement": ("raise",),
    "return_statement": ("return",),
    "try_statement": ("try",),
    "while_statement": ("while",),
    "with_statement": ("with", "async"),
}
"""Python nodes that begin with a keyword of their own: one of these words."""

_FIRST_FIELDS: Mapping[str, str] = {"assignment": "left", "attribute": "object", "call": "function"}
"""Python nodes that begin with what this field of them holds."""


def of_structural(config: Mapping[str, Any], language: str) -> Alternatives | None:
    """Return what a text must hold for an ast-grep rule to match in it."""
    scene = _Scene(language, config.get("utils") or {}, config.get("constraints") or {})
    return _of_rule(config.get("rule"), scene, whole=True, depth=0)


def of_parsed(config: Mapping[str, Any], language: str) -> Alternatives | None:
    """Return what a text that is parsed as it is must hold for an ast-grep rule to match in it: parts of it alone."""
    scene = _Scene(language, config.get("utils") or {}, config.get("constraints") or {}, exact=True)
    found = _of_rule(config.get("rule"), scene, whole=True, depth=0)
    ways = [tuple(dict.fromkeys(each if each[0] == "~" else f"~{each}" for each in way)) for way in found or ()]
    return tuple(dict.fromkeys(ways)) or None


def opening_of(config: Mapping[str, Any], language: str) -> Alternatives | None:
    """Return what the first line of every match of an ast-grep rule must hold."""
    return _of_rule(config.get("rule"), _Scene(language, config.get("utils") or {}, {}), whole=False, depth=0)


def of_regex(pattern: str) -> Alternatives | None:
    """Return what every match of a regular expression (RE2 or Rust syntax) must hold."""
    return _of_parsed_regex(pattern, _of_sequence)


class _Scene(NamedTuple):
    """The context of the part of a rule that is examined; ``kind``: what the enclosing rule says of the same node.

    ``exact``: the text is parsed as it is.
    """

    language: str
    utils: Mapping[str, Any]
    constraints: Mapping[str, Any]
    kind: str = ""
    exact: bool = False


def _of_rule(rule: Any, scene: _Scene, *, whole: bool, depth: int) -> Alternatives | None:
    if depth > _DEEPEST or not isinstance(rule, Mapping):
        return None
    language = scene.language

    kind = rule.get("kind", scene.kind)

    def inner(part: Any, kind: str = "") -> Alternatives | None:
        return _of_rule(part, scene._replace(kind=kind), whole=whole, depth=depth + 1)

    candidates: list[Alternatives | None] = []
    for key, value in rule.items():
        if key == "pattern":
            candidates.append(_of_pattern(value, language) if whole else _opening_of_pattern(value, language))
            if whole:
                constrained = [inner(scene.constraints.get(name)) for name in _variables(value)]
                candidates[-1] = _both(candidates[-1], _best(constrained))
        elif key == "kind" and language == "python" and isinstance(value, str):
            keywords = KIND_WORDS.get(value)
            candidates.append(tuple((word,) for word in keywords) if keywords else None)
        elif key == "regex" and isinstance(value, str) and scene.exact:
            candidates.append(_all_of_regex(value))
        elif key == "regex" and isinstance(value, str):
            found = of_regex(value) if whole else _opening_of_regex(value)
            candidates.append(_of_words(found, whole=whole) if language == "python" else found)
        elif key == "any" and isinstance(value, list):
            candidates.append(_union(inner(item, kind) for item in value))
        elif key == "all" and isinstance(value, list):
            candidates += [inner(item, kind) for item in value]
        elif key in {"has", "inside", "precedes", "follows"} and whole:
            candidates.append(inner(value))
        elif key == "has" and isinstance(value, Mapping) and value.get("field") == _FIRST_FIELDS.get(kind, ()):
            candidates.append(None if "stopBy" in value else inner(value))
        elif key == "matches" and isinstance(value, str):
            candidates.append(inner(scene.utils.get(value), kind))
    return _all(candidates) if whole else _best(candidates)


def _of_words(alternatives: Alternatives | None, *, whole: bool) -> Alternatives | None:
    """Return what is left if spaces and line ends may be between tokens: the parts of words (``whole``: or the first).

    A rule is also tried on the usual spelling of a text (see ``changes.usual_spelling``), so ``yaml . load`` counts.
    """
    if alternatives is None:
        return None
    result: list[tuple[str, ...]] = []
    for alternative in alternatives:
        parts = [part for literal in alternative for part in _parts_of_words(literal, whole=whole)]
        if not parts:
            return None
        if tuple(parts) not in result:
            result.append(tuple(parts))
    return tuple(result)


def _parts_of_words(literal: str, *, whole: bool) -> list[str]:
    if literal[0] != "~":
        return [literal]
    text = literal.lstrip("~")
    found = [literal[: len(literal) - len(text)] + part for part in re.findall(r"\w+", text)]
    return found if whole else found[: 1 if re.match(r"\w", text) else 0]


def _literally(pattern: Any) -> str | None:
    """Return the text of a pattern of which every token must be in the code, or None."""
    if isinstance(pattern, Mapping):
        if "selector" in pattern or pattern.get("strictness", "smart") not in {"smart", "cst"}:
            return None
        pattern = pattern.get("context")
    return pattern if isinstance(pattern, str) and not _COMMENT.search(pattern) else None


def _of_pattern(pattern: Any, language: str) -> Alternatives | None:
    text = _literally(pattern)
    if text is None:
        return None
    # What follows a quote that is left may be inside a string or outside; the tokens before it are enough.
    found = sorted(words(_STRING.sub(" ", _SIMPLE_STRING.sub(" ", _DOLLARS.sub(" ", text)))))
    if language != "python":  # tokens of other languages may touch: 10px, a${b}
        found = ["~" + word for word in found]
    return (tuple(found),) if found else None


def _opening_of_pattern(pattern: Any, language: str) -> Alternatives | None:
    text = _literally(pattern)
    first = re.match(r"\s*([^\W\d]\w*)(?![\w$'\"`])", text) if text is not None else None
    return None if first is None else ((first[1] if language == "python" else "~" + first[1],),)


def _variables(pattern: Any) -> list[str]:
    """Return the meta-variables of a pattern that hold one node each, which is what a constraint is about."""
    text = pattern.get("context") if isinstance(pattern, Mapping) else pattern
    return re.findall(r"(?<!\$)\$([A-Z][A-Z0-9_]*)", text) if isinstance(text, str) else []


def _both(first: Alternatives | None, second: Alternatives | None) -> Alternatives | None:
    """Return what holds if both hold."""
    if first is None or second is None or len(first) * len(second) > _MOST:
        return first or second
    return tuple(tuple(dict.fromkeys(one + other)) for one in first for other in second)


def _union(items: Iterable[Alternatives | None]) -> Alternatives | None:
    result: list[tuple[str, ...]] = []
    for item in items:
        if item is None:
            return None
        result += [alternative for alternative in item if alternative not in result]
    return tuple(result) if 0 < len(result) <= _MOST else None


def _all(candidates: Iterable[Alternatives | None]) -> Alternatives | None:
    """Return what holds if all hold, as far as it can be written down: the most selective first."""
    known = sorted((each for each in candidates if each), key=_selectivity, reverse=True)
    result: Alternatives | None = None
    for each in known:
        result = _both(result, each)
    return result


def _best(candidates: Iterable[Alternatives | None]) -> Alternatives | None:
    """Take the most selective: most letters in its weakest alternative, then fewest alternatives."""
    return max((candidate for candidate in candidates if candidate), key=_selectivity, default=None)


def _selectivity(alternatives: Alternatives) -> tuple[int, int]:
    return min(sum(map(_weight, alternative)) for alternative in alternatives), -len(alternatives)


def _weight(literal: str) -> int:
    return 1 if literal.lstrip("~") in _COMMON else len(literal.lstrip("~"))


Parts = frozenset[str]
"""Strings of which one must occur."""

_NO_RUN: Parts = frozenset({""})
_MOST_RUNS = 6


def _opening_of_regex(pattern: str) -> Alternatives | None:
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


def _all_of_regex(pattern: str) -> Alternatives | None:
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
    return _all(needed)


def _all_of_item(operator: Any, argument: Any) -> Alternatives | None:
    if operator is sre.SUBPATTERN and not argument[1] & re.IGNORECASE:
        return _all_of_sequence(list(argument[3]))
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
        return _all_of_sequence(list(argument[2]))
    return _union(map(_all_of_sequence, map(list, argument[1]))) if operator is sre.BRANCH else None


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
    return max(candidates, key=lambda c: (min(map(_weight, c)), -len(c)), default=None)


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
    return joined if len(joined) <= _MOST else runs


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
    return result if result and len(result) <= _MOST else None
