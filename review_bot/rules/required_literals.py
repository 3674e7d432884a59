"""Finds what a rule cannot match without (see ``changes.vocabulary``) in its patterns and regular expressions.

There are three questions. What must a *text* hold for the rule to match in it (``of_structural``)? A match may go over
several lines, of which the change perhaps added one, so this is asked of the whole text of a file, whatever its
spelling. What must the *first line* hold (``opening_of``)? That line was added, or the rule would not report it, so
this is asked of the added lines alone. And what must the very text hold that was *parsed* (``of_parsed``)? There signs
count too, and all that an expression needs, which spares many searches of a tree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from review_bot.changes.vocabulary import Alternatives, words
from review_bot.records import NamedTuple
from review_bot.rules.alternatives import all_of, best, both, one_of
from review_bot.rules.regex_literals import all_of_regex, of_regex, opening_of_regex
from review_bot.text.lazy_regex import LazyRegex

_DOLLARS = LazyRegex(r"\$+\w*")
_SIMPLE_STRING = LazyRegex(r"""(["'])[\w ./:-]*\1""")
_STRING = LazyRegex(r"""['"`].*""", re.DOTALL)
_COMMENT = LazyRegex(r"#|//|/\*|--|<!--")
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
                candidates[-1] = both(candidates[-1], best(constrained))
        elif key == "kind" and language == "python" and isinstance(value, str):
            keywords = KIND_WORDS.get(value)
            candidates.append(tuple((word,) for word in keywords) if keywords else None)
        elif key == "regex" and isinstance(value, str) and scene.exact:
            candidates.append(all_of_regex(value))
        elif key == "regex" and isinstance(value, str):
            found = of_regex(value) if whole else opening_of_regex(value)
            candidates.append(_of_words(found, whole=whole) if language == "python" else found)
        elif key == "any" and isinstance(value, list):
            candidates.append(one_of(inner(item, kind) for item in value))
        elif key == "all" and isinstance(value, list):
            candidates += [inner(item, kind) for item in value]
        elif key in {"has", "inside", "precedes", "follows"} and whole:
            candidates.append(inner(value))
        elif key == "has" and isinstance(value, Mapping) and value.get("field") == _FIRST_FIELDS.get(kind, ()):
            candidates.append(None if "stopBy" in value else inner(value))
        elif key == "matches" and isinstance(value, str):
            candidates.append(inner(scene.utils.get(value), kind))
    return all_of(candidates) if whole else best(candidates)


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
