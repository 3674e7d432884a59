"""What a rule looks for: one record per kind of matcher, as the engine reads them.

======================  ==================================================
``Structural``          an ast-grep pattern over the new text
``TextLine``            a regular expression over added lines
``FileName``            a regular expression over the names of files
``RemovedCode``         an ast-grep pattern over the old text
``RemovedLine``         a regular expression over removed lines
``ChangedTogether``     which files change with which
``PullRequestText``     the title, the description or the commit messages
``Checked``             Python code below ``review_bot/checks/``
======================  ==================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from review_bot.changes.vocabulary import Alternatives
from review_bot.records import NamedTuple

Unless = Mapping[str, str]
"""Exceptions of a regular expression by where they are looked for: the ``match``, its ``line``, the whole ``file``; the
whole ``text`` of a title, a description or a commit message."""

Written = Literal["title", "body", "commit"]
"""What people write about a change: its title, its description, the message of each commit."""

AstGrepRule = Mapping[str, Any]
"""The keys of an ast-grep rule file that decide what matches: ``rule``, ``constraints``, ``utils``, ``transform``."""


class Structural(NamedTuple):
    """``fix``: the template that takes the place of the match. ``held``: see ``required_literals.of_parsed``.

    ``local``: see ``rules.locality``.
    """

    language: str
    config: AstGrepRule
    fix: str | None = None
    held: Alternatives | None = None
    local: bool = False


class TextLine(NamedTuple):
    """``regex`` is RE2, tried on each line."""

    regex: str
    unless: Unless


class FileName(NamedTuple):
    """``regex`` is RE2, tried on the whole path."""

    regex: str
    unless: Unless


class RemovedCode(NamedTuple):
    """``unless_added``: the ast-grep rule of what replaces the removed code."""

    language: str
    config: AstGrepRule
    unless_added: AstGrepRule | None = None


class RemovedLine(NamedTuple):
    """``regex`` is RE2, tried on each removed line."""

    regex: str
    unless: Unless


class Condition(NamedTuple):
    """Files of a change: path patterns, patterns to leave out, and from how many to below how many added lines."""

    changed: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    added_lines: int = 0
    below: int | None = None


class ChangedTogether(NamedTuple):
    """A relation in the whole change: ``when`` holds and ``without`` does not."""

    when: Condition
    without: Condition | None = None


class PullRequestText(NamedTuple):
    """What people wrote about the change. ``regex`` is RE2, searched in the whole text; None: any text will do.

    Instead of it, ``prefixes``: the title begins with one of them; ``sections``: the description has a text below each
    of these headings.
    """

    where: Written
    regex: str | None
    unless: Unless
    prefixes: tuple[str, ...] | None = None
    sections: tuple[str, ...] | None = None


class Checked(NamedTuple):
    """A check by its name, with the options of the rule.

    What follows is known of the check before it is imported, see ``CheckTraits``; ``per_file``: it is a ``FileCheck``.
    """

    name: str
    options: Mapping[str, Any]
    reads_old: bool
    reads_text: bool
    new_names: bool
    per_file: bool
    reads_description: bool = False
    on_lines: bool = True
    doubted: bool = False
    tree_excuses: bool = False
    by_folder: bool = False


Matcher = Structural | TextLine | FileName | RemovedCode | RemovedLine | ChangedTogether | PullRequestText | Checked

_KINDS: Mapping[str, type[Matcher]] = {
    each.__name__: each for each in (Structural, TextLine, FileName, RemovedCode, RemovedLine, Checked)
}


def to_json(matcher: Matcher) -> list[Any]:
    """Return a matcher as plain data: the name of its kind, and its fields in order."""
    return [type(matcher).__name__, *matcher]


def from_json(data: list[Any]) -> Matcher:
    """Return the matcher that ``to_json`` has written."""
    kind, *fields = data
    if kind == ChangedTogether.__name__:
        when, without = (None if each is None else _condition(each) for each in fields)
        assert when is not None  # noqa: S101  # written by to_json
        return ChangedTogether(when, without)
    if kind == PullRequestText.__name__:
        where, regex, unless, *lists = fields
        return PullRequestText(where, regex, unless, *(None if each is None else tuple(each) for each in lists))
    if kind == Structural.__name__:
        language, config, fix, held, local = fields
        return Structural(language, config, fix, held and tuple(map(tuple, held)), local)
    return _KINDS[kind](*fields)


def _condition(fields: list[Any]) -> Condition:
    changed, excluded, *rest = fields
    return Condition(tuple(changed), tuple(excluded), *rest)
