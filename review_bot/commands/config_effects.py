"""What a configuration sets apart from the rules themselves, and which of its path patterns match no file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from review_bot.comments.model import Display
from review_bot.configuration.settings import Settings
from review_bot.errors import ReviewBotError
from review_bot.forges import git_process
from review_bot.forges.repository_root import find_root
from review_bot.review.policy import Policy
from review_bot.rules.rulebook import RuleSetting
from review_bot.setting import declared
from review_bot.text.globs import matches_any

GATE = ("fail_on", "on_incomplete", "accept")
"""Fields of the policy that are always printed."""


def gate_and_display(settings: Settings) -> Iterator[str]:
    """Yield the line about the gate, and the one about what is posted."""
    for owner, fields in ((Policy, GATE), (Display, Display._fields)):
        values = getattr(settings, "policy" if owner is Policy else "display")
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
    if selection.paths.generated == "review":
        yield "paths: generated files are reviewed like others"
    if selection.suppressions != "head":
        yield f"suppressions: {selection.suppressions}"


def idle_patterns(settings: Settings, folder: Path) -> Iterator[str]:
    """Yield a note for each path pattern that matches no file of the repository around a folder, if there is one."""
    patterns = [*_patterns(settings)]
    if not patterns:
        return
    try:
        root, bare = find_root(str(folder))
        listed = (
            b"" if bare else git_process.output(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        )
    except ReviewBotError:
        return
    paths = [path for path in listed.decode("utf-8", "surrogateescape").split("\0") if path]
    for name, pattern in patterns if paths else ():
        if not any(matches_any((pattern,), path) for path in paths):
            yield f"note: {name}: {pattern!r} matches no file of this repository"


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
