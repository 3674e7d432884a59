"""What a rule cannot match without: words and text parts that a file must hold before it is worth reading.

The answer is one of several alternatives, each a set of things that must all be present::

    pattern: torch.load($$$A)              (("torch", "load"),)            words
    any: [pattern: eval($X), regex: ^exec]  (("eval",), ("~exec",))         a word, or a part of one

A word stands for itself, with no word character beside it; a part (marked ``~``) may stand inside a word;
``BEYOND_LATIN`` stands for a letter of a script beyond Latin and Greek. None means that nothing can be said and the
rule must always be tried. Being wrong here would lose findings, so every doubt ends in None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from re import _constants as sre  # type: ignore[attr-defined]  # CPython's own parser of regular expressions
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

Alternatives = tuple[tuple[str, ...], ...]

BEYOND_LATIN = "^beyond-latin"
"""What a check names among its ``LITERALS`` if it looks for Cyrillic, Arabic, Chinese, Japanese, Korean ... text."""

_BEYOND_LATIN = re.compile("[\u0400-\u1cff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]")
_META_VARIABLE = re.compile(r"\$\$?\$?[A-Z_][A-Z0-9_]*|\$\$\$")
_WORD = re.compile(r"[^\W]\w*")
_MOST = 64

KIND_WORDS: Mapping[str, tuple[str, ...]] = {
    "assert_statement": ("assert",),
    "await": ("await",),
    "class_definition": ("class",),
    "except_clause": ("except",),
    "finally_clause": ("finally",),
    "for_statement": ("for",),
    "function_definition": ("def",),
    "import_from_statement": ("from",),
    "import_statement": ("import",),
    "lambda": ("lambda",),
    "raise_statement": ("raise",),
    "return_statement": ("return",),
    "try_statement": ("try",),
    "while_statement": ("while",),
    "with_statement": ("with",),
    "delete_statement": ("del",),
    "global_statement": ("global",),
}
"""Python nodes that begin with a keyword of their own."""


def of_structural(config: Mapping[str, Any], language: str) -> Alternatives | None:
    """Return what every match of an ast-grep rule must contain."""
    utils = config.get("utils") or {}
    constraints = config.get("constraints") or {}
    return _of_rule(config.get("rule") or {}, utils, constraints, language, depth=0)


def of_regex(pattern: str) -> Alternatives | None:
    """Return what every match of a regular expression (RE2 or Rust syntax) must contain."""
    try:
        tree = sre_parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
    if tree.state.flags & re.IGNORECASE:
        return None
    parts = _of_sequence(list(tree))
    return None if parts is None else tuple(("~" + part,) for part in sorted(parts))


def present(alternatives: Alternatives | None, words: set[str], text: str) -> bool:
    """Tell whether a text (and the set of its words) holds one of the alternatives."""
    if alternatives is None:
        return True
    for alternative in alternatives:
        for literal in alternative:
            if literal[0] == "~":
                if literal[1:] not in text:
                    break
            elif literal == BEYOND_LATIN:
                if text.isascii() or _BEYOND_LATIN.search(text) is None:
                    break
            elif literal not in words:
                break
        else:
            return True
    return False


def _of_rule(
    rule: Mapping[str, Any], utils: Mapping[str, Any], constraints: Mapping[str, Any], language: str, depth: int
) -> Alternatives | None:
    if depth > 20:
        return None
    candidates: list[Alternatives | None] = []
    for key, value in rule.items():
        if key == "pattern":
            candidates.append(_of_pattern(value, constraints))
        elif key == "kind" and language == "python":
            word = KIND_WORDS.get(value)
            candidates.append((word,) if word else None)
        elif key == "regex":
            candidates.append(of_regex(value))
        elif key == "any":
            candidates.append(_union(_of_rule(item, utils, constraints, language, depth + 1) for item in value))
        elif key == "all":
            candidates += [_of_rule(item, utils, constraints, language, depth + 1) for item in value]
        elif key == "has" and isinstance(value, Mapping):
            candidates.append(_of_rule(value, utils, constraints, language, depth + 1))
        elif key == "matches" and value in utils:
            candidates.append(_of_rule(utils[value], utils, constraints, language, depth + 1))
    return _best(candidates)


def _of_pattern(pattern: Any, constraints: Mapping[str, Any]) -> Alternatives | None:
    text = pattern if isinstance(pattern, str) else pattern.get("context", "") if "selector" not in pattern else ""
    if not isinstance(pattern, str) and pattern.get("strictness") in {"relaxed", "signature"}:
        return None
    words = sorted(set(_WORD.findall(_META_VARIABLE.sub(" ", text))))
    if "'" in text or '"' in text:
        # A string in a pattern may be written with other quotes or escapes in the code: keep what stands outside it.
        words = sorted(set(_WORD.findall(re.sub(r"""(['"]).*?\1""", " ", _META_VARIABLE.sub(" ", text)))))
    return (tuple(words),) if words else None


def _union(items: Iterable[Alternatives | None]) -> Alternatives | None:
    result: list[tuple[str, ...]] = []
    for item in items:
        if item is None:
            return None
        result += [alternative for alternative in item if alternative not in result]
    return tuple(result) if 0 < len(result) <= _MOST else None


def _best(candidates: Iterable[Alternatives | None]) -> Alternatives | None:
    """Take the most selective: most words in its weakest alternative, then fewest alternatives."""
    known = [candidate for candidate in candidates if candidate]
    return max(known, key=lambda c: (min(sum(map(len, a)) for a in c), -len(c)), default=None)


def _of_sequence(items: list[Any]) -> frozenset[str] | None:
    """Return strings of which one must occur in every match of a parsed regular expression."""
    candidates: list[frozenset[str]] = []
    run = ""
    for operator, argument in items:
        if operator is sre.LITERAL and chr(argument).isprintable() and not chr(argument).isspace():
            run += chr(argument)
            continue
        if run:
            candidates.append(frozenset({run}))
            run = ""
        inner: frozenset[str] | None = None
        if operator is sre.SUBPATTERN:
            _group, add_flags, _remove, body = argument
            inner = None if add_flags & re.IGNORECASE else _of_sequence(list(body))
        elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
            inner = _of_sequence(list(argument[2]))
        elif operator is sre.BRANCH:
            branches = [_of_sequence(list(branch)) for branch in argument[1]]
            if all(branch is not None for branch in branches):
                inner = frozenset().union(*(branch for branch in branches if branch is not None))
        if inner and len(inner) <= _MOST:
            candidates.append(inner)
    if run:
        candidates.append(frozenset({run}))
    return max(candidates, key=lambda c: (min(map(len, c)), -len(c)), default=None)
