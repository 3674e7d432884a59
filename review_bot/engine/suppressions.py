"""Comments that silence a finding: ``review-bot: ignore[rule-id] reason``.

One counts for a finding whose statement it is in, or when it is alone on the line above that statement (several
may be above each other). A reason is required, or an issue (``#12``, an address); it may hold ``until 2027-01-31``,
and the suppression has expired when that date lies before the committer date of the base: the clock is never read.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from review_bot.records import NamedTuple
from review_bot.rules.rulebook import Suppressions
from review_bot.text.lazy_regex import LazyRegex

MARK = "review-bot:"
PAGE = "https://github.com/review-bot/review-bot/blob/main/docs/suppressions.md"

# The start of a comment, or of a second one inside it ("# review-bot: ..."): prose that quotes us is not a directive.
_DIRECTIVE = LazyRegex(r"(?:^|#|//|/\*|\*|--|<!--|;|%)[#/*!-]{0,100}\s{0,100}review-bot:\s*ignore\b(?P<rest>.*)")
_BODY = LazyRegex(r"\s*\[(?P<rules>[^\[\]]*)\](?P<reason>.*)$")
_ENDS_OF_COMMENTS = ("*/", "-->", "-}")
_UNTIL = LazyRegex(r"\buntil\s*(?::\s*)?(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})", re.IGNORECASE)
_DATE = LazyRegex(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_NOQA = LazyRegex(r"#\s*noqa(?!\w)(?P<colon>:)?\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?", re.IGNORECASE)

_BLANKET = "PGH004"
"""The code for a ``noqa`` without codes."""

Problem = Literal["malformed", "expired", "unknown", "new", "requested", "unused"]


class Directive(NamedTuple):
    """The suppression of one rule by one comment. ``problem`` and ``detail`` are set if it has no effect.

    ``alone``: there is nothing but the comment on its line, so it covers the line below too.
    """

    line: int
    rule: str
    reason: str
    alone: bool
    problem: Problem | None = None
    detail: str = ""


class Comment(NamedTuple):
    """One line of a comment, with its markers. ``alone``: there is no code on the line."""

    line: int
    text: str
    alone: bool


class Known(NamedTuple):
    """What a run knows: every rule that exists, those that may not be silenced, and the date of the base, if any.

    ``suppressions`` and ``vouched``: as in a ``Rulebook``.
    """

    rules: frozenset[str]
    unsuppressible: frozenset[str]
    base_date: str | None
    suppressions: Suppressions = "head"
    vouched: frozenset[str] = frozenset()

    def comments_that_count(self, path: str) -> Suppressions:
        """Return which comments of a file count."""
        return "head" if path in self.vouched else self.suppressions


def read_directives(comments: Iterable[Comment], known: Known) -> list[Directive]:
    """Read the directives among comments, in their order; one for each rule that a comment names."""
    found: list[Directive] = []
    for comment in comments:
        if MARK in comment.text and (match := _DIRECTIVE.search(comment.text.strip())):
            found += _read(comment, _without_end(match["rest"]), known)
    return found


def _without_end(text: str) -> str:
    """Return the text of a comment without the sign that ends it."""
    text = text.rstrip()
    end = next((each for each in _ENDS_OF_COMMENTS if text.endswith(each)), "")
    return text.removesuffix(end).rstrip()


def _read(comment: Comment, rest: str, known: Known) -> list[Directive]:
    def wrong(problem: Problem, detail: str, rule: str = "", reason: str = "") -> Directive:
        return Directive(comment.line, rule, reason, comment.alone, problem, detail)

    body = _BODY.match(rest)
    rules = [part.strip() for part in body["rules"].split(",")] if body else []
    if body is None or not all(rules):
        return [wrong("malformed", "write `review-bot: ignore[rule-id] reason`")]
    reason = body["reason"].strip()
    dates = [until[1] for until in _UNTIL.finditer(reason)]
    for date in dates:
        if not _DATE.fullmatch(date):
            return [wrong("malformed", f"{date} is not a date; write `until 2027-01-31`")]
    end = min(dates, default=None)
    if not any(char.isalnum() for char in _UNTIL.sub("", reason)):
        return [wrong("malformed", "a reason is required after the bracket")]
    result = []
    for rule in dict.fromkeys(rules):
        if rule not in known.rules:
            result.append(wrong("unknown", f"there is no rule {rule}", rule, reason))
        elif rule in known.unsuppressible:
            result.append(wrong("malformed", f"findings of {rule} cannot be silenced", rule, reason))
        elif end is not None and known.base_date is not None and end < known.base_date:
            detail = f"it expired on {end}, and the base is from {known.base_date}"
            result.append(wrong("expired", detail, rule, reason))
        else:
            result.append(Directive(comment.line, rule, reason, comment.alone))
    return result


def silencing(
    directives: Iterable[Directive],
    rule: str,
    first_line: int,
    last_line: int,
    alone: frozenset[int],
    counts: Callable[[int], bool],
) -> Directive | None:
    """Return the directive that silences a finding of a rule in the statement from one line to another.

    ``alone``: the lines on which a directive is alone; such lines right above the statement belong to it.
    ``counts``: whether a comment on a line counts for this finding.
    """
    while first_line - 1 in alone:
        first_line -= 1
    for directive in directives:
        here = first_line <= directive.line <= last_line
        if here and directive.problem is None and directive.rule == rule and counts(directive.line):
            return directive
    return None


def noqa(
    comments: Mapping[int, str],
    mirrors: tuple[str, ...],
    first_line: int,
    last_line: int,
    counts: Callable[[int], bool],
) -> int | None:
    """Return the line of a ``# noqa`` that silences a mirror rule (``mirrors``: the linter's codes), or None.

    ``# noqa: S1`` covers every code with that prefix, as in flake8; ``# noqa: words`` covers none, as in ruff.
    """
    for number in range(first_line, last_line + 1):
        match = _NOQA.search(comments.get(number, ""))
        if match is None or (match["colon"] and match["codes"] is None) or not counts(number):
            continue
        if match["colon"] is None:
            if _BLANKET in mirrors:
                continue  # it would silence what is said of itself
            return number
        codes = re.split(r"[,\s]+", match["codes"].upper())
        if any(mirror.startswith(code) for mirror in mirrors for code in codes):
            return number
    return None
