"""Rules about what people write: the title of a change, its description, its commit messages.

The author of a pull request controls these texts, so findings about them never fail the gate, and no message repeats
them. Every expression is RE2, searched once or twice in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from review_bot.changes.description import LONGEST_HEADING, named, sections, visible
from review_bot.changes.pull_request import CommitMessage, PullRequest
from review_bot.rules import text_pattern
from review_bot.rules.matchers import PullRequestText
from review_bot.rules.rule import Hit, Rule
from review_bot.text.listing import count, first_of

_MOST_NAMED = 5
_SHORT_ID = 10
_REVERT = 'Revert "'
"""How the titles begin that GitHub writes for reverts."""

COMMITS = "{{ commits }}"
"""The place of a message that names the commits; they follow a message without it."""

_LACKING = {
    "title": "needs the title of a pull request, and the change has none here",
    "body": "needs the description of a pull request, and the change has none here",
    "commit": "needs the messages of all commits, and not all of them are known here",
}


def lacking(rule: Rule, pull_request: PullRequest) -> str | None:
    """Return what a rule needs that is not known of a change, or None. A known title may have an empty description."""
    assert isinstance(rule.matcher, PullRequestText)  # noqa: S101  # the engine asks for no other rule
    known = pull_request.commits if rule.matcher.where == "commit" else pull_request.title
    return _LACKING[rule.matcher.where] if known is None else None


def examine(rule: Rule, pull_request: PullRequest) -> Iterator[Hit]:
    """Yield at most one hit, about the texts that the rule is on."""
    matcher = rule.matcher
    assert isinstance(matcher, PullRequestText)  # noqa: S101  # the engine asks for no other rule
    if matcher.where == "commit":
        found = [each for each in pull_request.commits or () if each.parents < 2 and _reports(matcher, each.message)]
        if found:
            yield _about_commits(rule, found)
    elif matcher.prefixes is not None:
        title = (pull_request.title or "").strip()
        if not title.casefold().startswith(tuple(each.casefold() for each in matcher.prefixes)) and not (
            title.startswith(_REVERT)
        ):
            yield Hit(None, values={"prefixes": _quoted(matcher.prefixes)}, statement="")
    elif matcher.sections is not None:
        missing = _missing(visible(pull_request.body or ""), matcher.sections)
        if missing:
            yield Hit(None, values={"sections": named(missing)}, statement="")
    else:
        text = pull_request.title if matcher.where == "title" else visible(pull_request.body or "")
        if _reports(matcher, text or ""):
            yield Hit(None, statement="")


def _reports(matcher: PullRequestText, text: str) -> bool:
    if matcher.regex is not None and not text_pattern.search_whole(matcher.regex, text):
        return False
    return "text" not in matcher.unless or not text_pattern.search_whole(matcher.unless["text"], text)


def _about_commits(rule: Rule, commits: Sequence[CommitMessage]) -> Hit:
    names = first_of((f"`{each.sha[:_SHORT_ID]}`" for each in commits), _MOST_NAMED)
    said = f"{count(len(commits), 'commit')} ({names})"
    message = None if COMMITS in rule.message else f"{rule.message.rstrip()} Found in {said}."
    return Hit(None, values={"commits": said}, statement="", message=message)


def _missing(body: str, wanted: Sequence[str]) -> list[str]:
    """Return the wanted headings below which the author wrote nothing, neither there nor in a part of its own."""
    names = {_plain(each) for each in wanted}
    found = sections(body)
    written: set[str] = set()
    for number, section in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        has_part = after is not None and after.written > 0 and _plain(after.heading) not in names
        if section.written or has_part:
            written.add(_plain(section.heading))
    return [each for each in wanted if _plain(each) not in written]


def _plain(heading: str) -> str:
    """Return a heading without signs around it, in lower case: ``✅ Test  Plan:`` is ``test plan``."""
    words = re.sub(r"\s+", " ", heading[:LONGEST_HEADING]).casefold()
    first = next((at for at, sign in enumerate(words) if sign.isalnum()), len(words))
    last = next((at for at in range(len(words), first, -1) if words[at - 1].isalnum()), first)
    return words[first:last]


def _quoted(values: Sequence[str]) -> str:
    return first_of((f"`{each}`" for each in values), _MOST_NAMED)
