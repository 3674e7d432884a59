"""Comments that silence a finding: ``review-bot: ignore[rule-id] reason``.

One counts for a finding whose statement it stands in, or when it stands on the line above. A reason is required; it
may hold ``until 2027-01-31``, and the suppression has expired when that date lies before the committer date of the
base (the clock is never read).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

MARK = "review-bot:"

_DIRECTIVE = re.compile(r"(?:#|//|/\*|--|<!--|;|%)\s*(?:.*\s)?review-bot:\s*ignore\b(?P<rest>.*)")
_BODY = re.compile(r"\[(?P<rules>[^\]]*)\]\s*(?P<reason>.*?)\s*(?:\*/|-->)?\s*$")
_RULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
_UNTIL = re.compile(r"\buntil (\d{4}-\d{2}-\d{2})\b")
_NOQA = re.compile(r"#\s*noqa\b(?::\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)

Problem = Literal["malformed", "expired", "unknown", "unused"]


class Directive(NamedTuple):
    """One comment. ``problem`` and ``detail`` are set when it cannot count."""

    line: int
    rules: tuple[str, ...]
    reason: str
    problem: Problem | None = None
    detail: str = ""


def read_directives(
    lines: Iterable[tuple[int, str]], known_rules: frozenset[str], base_date: str | None
) -> list[Directive]:
    """Read the directives among numbered lines. ``base_date`` is ``YYYY-MM-DD``; None: nothing expires."""
    found = []
    for number, text in lines:
        if MARK in text and (match := _DIRECTIVE.search(text)):
            found.append(_read(number, match["rest"], known_rules, base_date))
    return found


def _read(line: int, rest: str, known_rules: frozenset[str], base_date: str | None) -> Directive:
    body = _BODY.match(rest)
    rules = tuple(part.strip() for part in body["rules"].split(",")) if body else ()
    if not body or not rules or not all(_RULE.fullmatch(rule) for rule in rules):
        return Directive(line, (), "", "malformed", "write `review-bot: ignore[rule-id] reason`")
    reason = body["reason"]
    if not reason:
        return Directive(line, rules, "", "malformed", "a reason is required after the bracket")
    unknown = [rule for rule in rules if rule not in known_rules]
    if unknown:
        return Directive(line, rules, reason, "unknown", f"there is no rule {unknown[0]}")
    until = _UNTIL.search(reason)
    if until and base_date is not None and until[1] < base_date:
        return Directive(line, rules, reason, "expired", f"it ended on {until[1]} and the base is of {base_date}")
    return Directive(line, rules, reason)


def silencing(directives: Iterable[Directive], rule: str, first_line: int, last_line: int) -> Directive | None:
    """Return the directive that silences a finding of a rule in the statement from one line to another."""
    for directive in directives:
        if directive.problem is None and rule in directive.rules and first_line - 1 <= directive.line <= last_line:
            return directive
    return None


def noqa(lines: Mapping[int, str], mirrors: tuple[str, ...], first_line: int, last_line: int) -> int | None:
    """Return the line of a ``# noqa`` that silences a mirror rule (``mirrors``: the linter's codes), or None."""
    for number in range(first_line, last_line + 1):
        match = _NOQA.search(lines.get(number, ""))
        if match is None:
            continue
        codes = match["codes"]
        if codes is None or any(code.upper().startswith(tuple(mirrors)) for code in re.split(r"[,\s]+", codes)):
            return number
    return None
