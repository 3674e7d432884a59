"""Why an ast-grep rule cannot be used, and where in the rule the reason is."""

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.records import NamedTuple
from review_bot.rules.structural_pattern import refusal
from review_bot.text.lazy_regex import LazyRegex

_REFUSED = "ast-grep rejects this: "

LONGEST_PATTERN = 4_000
"""Characters of a pattern. ast-grep follows its brackets and operators by recursion, some 15,000 of which end it."""


class Problem(NamedTuple):
    """Why a rule cannot be used, and where in the rule the reason is."""

    text: str
    where: tuple[str | int, ...]


def problem_with(config: Mapping[str, Any], language: str) -> Problem | None:
    """Return why a rule is refused, or None if it is fine. ``language`` must be a known one."""
    for pattern, where in _patterns(config):
        if len(pattern) > LONGEST_PATTERN:
            return Problem(f"the pattern is longer than {LONGEST_PATTERN:,} characters", where)
    text = refusal(config, language)
    if text is None:
        return next(_unbalanced(config), None) if language in _BRACKETED else None
    utils = config.get("utils") or {}
    parts: list[tuple[tuple[str, ...], Any]] = [(("rule",), config.get("rule"))]
    for key in ("constraints", "utils"):
        entries = config.get(key)
        parts += [((key, name), rule) for name, rule in entries.items()] if isinstance(entries, Mapping) else []
    for where, rule in reversed(parts):  # a wrong util spoils all that name it, so utils are asked first
        others = {} if where[0] == "utils" and "'matches'" not in repr(rule) else utils
        if (reason := refusal({"rule": rule, "utils": others}, language)) is not None:
            return Problem(_REFUSED + reason, (*where, *_deepest(rule, others, language)))
    return Problem(_REFUSED + text, next(((key,) for key in ("transform", "constraints") if config.get(key)), ()))


_BRACKETED = frozenset({"python", "c", "cpp", "cuda", "javascript", "typescript", "tsx", "go", "rust", "java", "json"})
"""Languages in which each bracket has its counterpart, outside strings."""
_QUOTED = LazyRegex(r""""[^"\n]*"|'[^'\n]*'""")
_ESCAPED = LazyRegex(r"""\\[\\"']""")


def _patterns(part: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield each pattern of a rule, and where it is."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key in {"pattern", "context"} and isinstance(value, str):
                yield value, (*way, key)
            else:
                yield from _patterns(value, (*way, key))
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _patterns(value, (*way, number))


def _unbalanced(config: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each pattern with a bracket without counterpart: ast-grep accepts it and finds nothing."""
    for pattern, where in _patterns(config):
        code = _QUOTED.sub("", _ESCAPED.sub("", pattern))
        if any(code.count(opening) != code.count(closing) for opening, closing in ("()", "[]", "{}")):
            yield Problem(f"a bracket of the pattern `{pattern.strip()}` has no counterpart", where)


def _deepest(rule: Any, utils: Any, language: str) -> tuple[str | int, ...]:
    """Return the way down to the smallest part of a rule that is refused by itself too."""
    for way, part in _parts(rule):
        if refusal({"rule": part, "utils": utils}, language) is not None:
            return (*way, *_deepest(part, utils, language))
    if isinstance(rule, Mapping) and len(rule) > 1:
        for key, value in rule.items():
            if refusal({"rule": {key: value}, "utils": utils}, language) is not None:
                return (key, *_wrong_option(key, value, utils, language))
    if isinstance(rule, Mapping) and len(rule) == 1:
        key, value = next(iter(rule.items()))
        return (key, *_wrong_option(key, value, utils, language))
    return ()


def _parts(rule: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield each rule inside a rule, with the way to it."""
    for key, value in rule.items() if isinstance(rule, Mapping) else ():
        if key in {"any", "all"} and isinstance(value, list):
            yield from (((key, number), item) for number, item in enumerate(value))
        elif key == "not" and isinstance(value, Mapping):
            yield (key,), value
        elif key in {"inside", "has", "precedes", "follows"} and isinstance(value, Mapping):
            yield (key,), {name: part for name, part in value.items() if name not in {"stopBy", "field"}}
            if isinstance(value.get("stopBy"), Mapping):
                yield (key, "stopBy"), value["stopBy"]


def _wrong_option(key: str, value: Any, utils: Any, language: str) -> tuple[str, ...]:
    for option in ("stopBy", "field"):
        if isinstance(value, Mapping) and option in value:
            without = {name: part for name, part in value.items() if name != option}
            if refusal({"rule": {key: without}, "utils": utils}, language) is None:
                return (option,)
    return ()
