"""The text of each comment in a pull request: of one finding, of several, and of those that are settled.

Every text ends with hidden lines: the rule, how it was settled, and last the marker, which the planner adds. A text
depends only on the finding, never on the run, so that the same finding has the same text on each push.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote, unquote

from review_bot.comments.model import Context
from review_bot.findings import Finding, Related, Suggestion, Suppressed
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.markdown import Code, Fence, Link, Phrase, code, environment, name, prose
from review_bot.review import baseline
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import count

Settlement = Literal["fixed", "suppressed", "unchecked"]

MOST_LINES = 50
"""Places listed in one comment."""

MOST_TOGETHER = 300
"""Findings in one comment: its marker names each, and GitHub accepts 65,536 characters."""

LONGEST_COMMENT = 50_000
"""UTF-8 bytes of a comment without its marker."""

_SIZES = (MOST_LINES, 20, 5, 1)

MOST_RELATED = 3
MOST_STEPS = 8
"""Steps that lead to a finding."""

MOST_REASONS = 3
LONGEST_OLD_TEXT = 30_000
"""Characters of the original text that are kept once a comment is settled."""

ALWAYS_ON = ("suppression/", "settings/")
"""Rules about suppressions and the configuration itself: they can be neither suppressed nor disabled."""

_HIDDEN = LazyRegex(r"(?m)^<!-- review-bot:[^\n]*-->[ \t]*$\n?")
_RULE = LazyRegex(r"(?m)^<!-- review-bot:rule ([^\s<>]+) -->[ \t]*$")
_SETTLED = LazyRegex(r"(?m)^<!-- review-bot:settled (fixed|suppressed|unchecked) -->[ \t]*$")
_SMALL_PRINT = LazyRegex(r"(?m)^<sub>.*</sub>[ \t]*$\n?")
_SUGGESTION = LazyRegex(r"(?m)^(`{3,})suggestion[ \t]*$")

_FOLD = "<details>\n<summary>Original comment</summary>\n\n"
_FOLD_END = "\n\n</details>"


class Place(NamedTuple):
    """The place of one of several findings, and its message if the messages differ."""

    where: Code | Link
    text: str


def link(context: Context, path: str, line: int | None = None, side: str = "RIGHT") -> str:
    """Return the address of a line in the diff of the pull request, or nothing if there is no pull request.

    ``#diff-<SHA-256 of the path>R<line>``, ``L`` for a line of the base: what GitHub's own page puts in its links.
    """
    if context.number is None:
        return ""
    anchor = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
    at = "" if line is None else f"{'L' if side == 'LEFT' else 'R'}{line}"
    return f"{context.server_url}/{context.repository}/pull/{context.number}/files#diff-{anchor}{at}"


def in_diff(context: Context, finding: Finding) -> Code | Link:
    """Return the place of a finding, with its line in the diff as address."""
    if finding.path is None or finding.line is None or finding.side == "LEFT":
        shown = name(wording.place(finding))
    else:
        shown = name(f"{finding.path}:{finding.line}")
    return shown if finding.path is None else Link(shown, link(context, finding.path, finding.line, finding.side))


def alone(finding: Finding, context: Context, suggestion: Suggestion | None = None) -> str:
    """Return the comment about one finding; ``suggestion`` must be about exactly the lines it is anchored to."""
    steps = _places(finding.steps[:MOST_STEPS], context)
    related = _places(finding.see_also[:MOST_RELATED], context)
    return _written(
        "comment.md.j2",
        finding,
        context,
        number=1,
        message=finding.message,
        instead=finding.instead,
        places=[],
        rest=0,
        also=_also([finding], context, MOST_LINES),
        steps=steps,
        more_steps=len(finding.steps) - len(steps),
        related=related,
        suggestion=None if suggestion is None else Fence("suggestion", suggestion.replacement),
    )


def together(findings: Sequence[Finding], context: Context, suggestion: Suggestion | None = None) -> str:
    """Return the comment about findings of a rule in one file; only a single one has a suggestion."""
    first = findings[0]
    if len(findings) == 1:
        return alone(first, context, suggestion)
    same = all((finding.message, finding.instead) == (first.message, first.instead) for finding in findings)
    one_way_out = all(finding.instead == first.instead for finding in findings)
    text = ""
    for most in _SIZES:
        text = _written(
            "comment.md.j2",
            first,
            context,
            number=len(findings),
            message=first.message if same else "",
            instead=first.instead if one_way_out else "",
            places=[
                Place(_line(context, finding), "" if same else _text_of_one(finding, with_instead=not one_way_out))
                for finding in findings[:most]
            ],
            rest=max(len(findings) - most, 0),
            also=_also(findings, context, most),
            steps=[],
            more_steps=0,
            related=[],
            suggestion=None,
        )
        if len(text.encode("utf-8", "replace")) <= LONGEST_COMMENT:
            break
    return text


def fixed(body: str, head: str) -> str:
    """Return the text of a comment once its finding is fixed."""
    return _settle("fixed", f"Fixed in {code(head[:7])}.", _old_text(body), rule_of(body))


def unchecked(body: str, why: str) -> str:
    """Return the text of a comment once its place is no longer checked."""
    return _settle("unchecked", prose(f"No longer checked: {why}."), _old_text(body), rule_of(body))


def suppressed(entries: Sequence[Suppressed], context: Context) -> str:
    """Return the text of a comment once its findings are suppressed."""
    said = list(dict.fromkeys((entry.by, entry.reason) for entry in entries))
    lines = [prose(_silenced(by, reason)) for by, reason in said[:MOST_REASONS]]
    if len(said) > MOST_REASONS:
        lines.append(f"And {len(said) - MOST_REASONS} more.")
    old = together([entry.finding for entry in entries], context)
    return _settle("suppressed", "<br>\n".join(lines), _old_text(old), rule_of(old))


def settled(body: str) -> Settlement | None:
    """Return how a comment of ours was settled, None if it is open."""
    found = _SETTLED.findall(body.replace("\r\n", "\n"))
    last: Settlement | None = found[-1] if found else None
    return last


def rule_of(body: str) -> str | None:
    """Return the rule that a comment of ours is about, None if its hidden line is gone."""
    found = _RULE.findall(body.replace("\r\n", "\n"))
    return unquote(found[-1], errors="surrogatepass") if found else None


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are equal up to line ends and trailing spaces, which GitHub may change."""
    return _plain(one) == _plain(other)


def review_line(number: int, *, asks: bool) -> str:
    """Return the one line of a review that carries ``number`` comments, and ``asks`` for changes."""
    parts = [count(number, "new comment")] if number else []
    parts += ["changes required"] if asks else []
    said = ", ".join(parts)
    return f"{said[0].upper()}{said[1:]}; see the summary comment for the full review." if said else ""


def _silenced(by: str, reason: str) -> str:
    """Return how a finding was suppressed, and why if that says more."""
    says_more = reason not in {"", baseline.NO_REASON}
    return f"{_SILENCED[by]}: {reason}" if says_more else f"{_SILENCED[by]}."


_SILENCED = {
    "comment": "Suppressed in the code",
    "baseline": "Accepted in the baseline",
    "noqa": "Suppressed by a noqa comment",
    "accepted": "Accepted for this commit",
}


def _written(template: str, first: Finding, context: Context, **values: object) -> str:
    said = str(values["message"])
    lasting = first.rule in context.unsuppressible or first.rule.startswith(ALWAYS_ON)
    silence = first.line is not None and first.side == "RIGHT" and not lasting
    text = (
        environment()
        .get_template(template)
        .render(
            word=first.severity.capitalize(),
            title=first.title.rstrip("."),
            why="" if first.why in said else first.why,
            rule=Link(name(first.rule), first.url),
            silence=name(f"review-bot: ignore[{first.rule}] reason") if silence else None,
            fingerprint=Code(first.fingerprint),
            more=int(str(values["number"])) >= MOST_TOGETHER,
            **values,
        )
    )
    return f"{text.strip()}\n\n{_rule_line(first.rule)}"


def _also(findings: Sequence[Finding], context: Context, most: int) -> Phrase:
    """Return the other places of findings as a sentence ends, ``most`` of them; empty if there are none."""
    places = [in_diff(context, place) for finding in findings for place in finding.places[1:]]
    parts: list[str | Code | Link] = []
    for place in places[:most]:
        parts += [", ", place] if parts else [place]
    return Phrase([*parts, f" and {len(places) - most} more"] if len(places) > most else parts)


def _text_of_one(finding: Finding, *, with_instead: bool) -> str:
    """Return the text of one of several, with its own advice if the advice differs."""
    return f"{finding.message} Instead: {finding.instead}" if with_instead and finding.instead else finding.message


def _line(context: Context, finding: Finding) -> Code | Link:
    if finding.path is None or finding.line is None:
        return name(wording.place(finding))
    deleted = "deleted " if finding.side == "LEFT" else ""
    return Link(Code(f"{deleted}line {finding.line}"), link(context, finding.path, finding.line, finding.side))


def _places(related: Sequence[Related], context: Context) -> list[Place]:
    return [
        Place(Link(name(wording.path_line(each.path, each.line)), link(context, each.path, each.line)), each.note)
        for each in related
    ]


def _settle(how: Settlement, headline: str, old: str, rule: str | None) -> str:
    fold = f"{_FOLD}{old}{_FOLD_END}" if old else ""
    hidden = "\n".join(filter(None, [_rule_line(rule), f"<!-- review-bot:settled {how} -->"]))
    return "\n\n".join(filter(None, [headline, fold, hidden]))


def _old_text(body: str) -> str:
    """Return the text of a comment while it was open, without hidden lines, small print and suggestions."""
    text = body.replace("\r\n", "\n")
    if settled(text) is not None:
        _, _, text = text.partition(_FOLD)
        text = text.rpartition(_FOLD_END)[0]
    text = _SMALL_PRINT.sub("", _HIDDEN.sub("", text))
    text = _SUGGESTION.sub(lambda match: f"{match[1]}text", text).strip()
    return text if len(text) <= LONGEST_OLD_TEXT else ""


def _rule_line(rule: str | None) -> str:
    return "" if rule is None else f"<!-- review-bot:rule {quote(rule, safe='/', errors='surrogatepass')} -->"


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()
