"""What a configuration sets apart from the rules themselves, and what in it cannot be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.comments.model import Posting
from review_bot.configuration.settings import Settings
from review_bot.errors import ReviewBotError
from review_bot.forges import git_process
from review_bot.forges.repository_root import find_root
from review_bot.review.layout import SECTIONS
from review_bot.review.policy import Policy
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import RuleSetting
from review_bot.setting import declared
from review_bot.text.globs import matches_any

GATE = ("fail_on", "on_incomplete", "accept")
"""Fields of the policy that are always printed."""


def gate_and_posting(settings: Settings) -> Iterator[str]:
    """Yield the line about the gate, and the one about what is posted."""
    for owner, fields in ((Policy, GATE), (Posting, Posting._fields)):
        values = getattr(settings, "policy" if owner is Policy else "posting")
        said = []
        for each in declared(owner):
            if each.field in fields:
                built_in = "" if each.field in settings.given else " (built-in)"
                said.append(f"{each.name}: {getattr(values, each.field)}{built_in}")
        yield "; ".join(said)


def scope(settings: Settings) -> Iterator[str]:
    """Yield a line for each other setting: ignored paths, skipped changes, allowances, areas and question cards."""
    policy, selection = settings.policy, settings.selection
    lists: tuple[tuple[str, Sequence[str]], ...] = (
        ("paths: ignore", selection.paths.ignore),
        ("skip: paths", selection.skip.paths),
        ("skip: authors", selection.skip.authors),
        ("skip: labels", selection.skip.labels),
        ("unreviewed-ok", [each.path for each in policy.unreviewed_ok]),
        ("own-policy", policy.own_policy),
        ("areas", [each.id for each in selection.areas]),
        ("cards", [each.id for each in selection.cards]),
        ("cards off", [each for each, entry in selection.rules.items() if each.startswith("card/") and entry == "off"]),
    )
    for name, values in lists:
        if values:
            yield f"{name}: {', '.join(values)}"
    layout = policy.layout
    sections = layout.sections if layout.sections != SECTIONS else ()
    said = [*sections, *(name for name in ("intro", "outro") if getattr(layout, name))]
    if said:
        yield f"layout: {', '.join(said)}"
    if selection.paths.generated == "review":
        yield "paths: generated files are reviewed like others"
    if selection.suppressions != "head":
        yield f"suppressions: {selection.suppressions}"


def notes(settings: Settings, rules: Iterable[Rule], folder: str) -> Iterator[str]:
    """Yield a note for what cannot be meant: patterns of no file or of every file, and bots named as people.

    ``rules``: the repository's own.
    """
    for author in settings.selection.skip.authors:
        if not author.endswith("[bot]"):
            yield f"note: skip: authors: {author!r} is the account of a person; a bot is written {author + '[bot]'!r}"
    families = settings.selection.families
    for pattern in settings.selection.rules:
        family = pattern.partition("/")[0]
        if families and family not in families and "*" not in family and family != "card":
            yield f"note: rules: {pattern}: has no effect, because `families` does not list {family!r}"
    paths = _files_around(folder)
    if not paths:
        return
    own = ((f"rule {rule.id}: files", each) for rule in rules for each in rule.files)
    for name, pattern in (*_patterns(settings), *own):
        if not any(matches_any((pattern,), path) for path in paths):
            yield f"note: {name}: {pattern!r} matches no file of this repository{_meant(pattern, paths)}"
    ignored = settings.selection.paths.ignore
    if all(matches_any(ignored, path) for path in paths):
        yield "note: paths: ignore: every file of this repository is ignored, so nothing is reviewed"
    if all(matches_any(settings.selection.skip.paths, path) for path in paths):
        yield "note: skip: paths: every file of this repository matches, so every change is checked for errors only"


def _files_around(folder: str) -> list[str]:
    """Return the files of the repository around a folder; none where there is no repository."""
    try:
        root, bare = find_root(folder)
        listed = (
            b"" if bare else git_process.output(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        )
    except ReviewBotError:
        return []
    return [path for path in listed.decode("utf-8", "surrogateescape").split("\0") if path]


def _meant(pattern: str, paths: Sequence[str]) -> str:
    """Return the pattern for a folder, or from the root, that git would take this one for."""
    inner = pattern.strip("/")
    for near in (inner, f"{inner}/**") if inner and "\\" not in pattern else ():
        if any(matches_any((near,), path) for path in paths):
            return f"; did you mean {near!r}?"
    return ""


def _patterns(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield (key, pattern) of each path pattern of a configuration."""
    selection = settings.selection
    for rule, setting in selection.rules.items():
        if isinstance(setting, RuleSetting):
            yield from ((f"rules: {rule}: files", each) for each in setting.files)
            yield from ((f"rules: {rule}: ignores", each) for each in setting.ignores)
    yield from (("paths: ignore", each) for each in selection.paths.ignore)
    yield from (("skip: paths", each) for each in selection.skip.paths)
    yield from (("unreviewed-ok", each.path) for each in settings.policy.unreviewed_ok)
    for area in selection.areas:
        yield from ((f"areas: {area.id}: paths", each) for part in area.triggers for each in part.paths)
    for card in selection.cards:
        yield from ((f"cards: {card.id}: paths", each) for part in card.asks for each in part.paths)
