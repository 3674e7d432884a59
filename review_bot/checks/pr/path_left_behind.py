"""A file that the change deletes or renames, and documents, scripts and workflows that still name it.

Imports of a module that is gone are the matter of ``api/removed-module``; mentions on added lines are that of the rules
about links and commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from review_bot.analysis.project.path_mentions import Mention, path_mentions
from review_bot.analysis.project.script_paths import script_path
from review_bot.analysis.project.script_runs import script_runs
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_document, is_of_another_release, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_MOST_COMMENTS = 3
"""Files that get a comment each; where more are named, one comment covers all of them."""
_MOST_PATHS = 200
_INCLUDES = LazyRegex(r"--8<--|literalinclude|include::")
"""What a line says that shows a file in a document; no other rule looks at it."""


_KINDS: tuple[Literal["python", "shell"], ...] = ("python", "shell")
_OWNERS = "CODEOWNERS"


class Gone(NamedTuple):
    """``old``: the path at the base. ``new``: where the file is now, empty if it was deleted."""

    old: str
    new: str


def gather(source: SourceFile) -> Gone | None:
    """Return the path that a file no longer has."""
    change = source.change
    if change.status not in {"deleted", "renamed"}:
        return None
    return Gone(change.base_path, change.path if change.status == "renamed" else "")


def relate(facts: Mapping[str, Gone], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit about each file that is gone and still named; the places are the related ones."""
    head = codebase.head.paths
    gone = {each.old: (path, each) for path, each in facts.items() if each.old not in head}
    folders = {old for old in gone if any(each.startswith(f"{old}/") for each in head)}  # it was a submodule or a link
    gone = {old: each for old, each in gone.items() if old not in folders}
    if not gone or len(gone) > _MOST_PATHS:
        return
    added = {
        file.path: {line for line, text in file.added_lines() if not _INCLUDES.search(text)}
        for file in codebase.change.files
    }
    places: dict[str, list[Related]] = {}
    for each in dict.fromkeys([*path_mentions(codebase.head, gone), *_runs(gone, codebase)]):
        if is_of_another_release(each.file, each.path):
            continue
        if each.line not in added.get(each.file, ()):
            places.setdefault(each.path, []).append(Related(each.file, each.line, f"names `{each.path}`"))
    groups = [[old] for old in sorted(places)] if len(places) <= _MOST_COMMENTS else [sorted(places)]
    for group in groups:
        if group:
            main = max(group, key=lambda old: len(places[old]))
            yield _hit(
                *gone[main], len(group) - 1, places[main], sorted({each for old in group for each in places[old]})
            )


def _runs(gone: Collection[str], codebase: Codebase) -> Iterator[Mention]:
    """Yield the lines of shell scripts that run a file that is gone, from a folder that an earlier ``cd`` names.

    ::

        cd "$ROOT/python"
        python setup.py install
    """
    names = {old.rpartition("/")[2] for old in gone if old.endswith((".py", ".sh"))}
    for file in sorted(codebase.head.paths) if names else ():
        text = codebase.head.text(file) or "" if file.endswith((".sh", ".bash")) and not is_vendored(file) else ""
        if not any(name in text for name in names):
            continue
        home, lines = file.rpartition("/")[0], text.split("\n")
        for kind in _KINDS:
            for run in script_runs(lines, is_shell=True, of=kind):
                before = script_path(run, home, codebase.base) if run.folder and not run.is_module else None
                if before is None or not before.surely or before.path not in gone:
                    continue
                if script_path(run, home, codebase.head) is None and lines[run.line - 1].lstrip()[:1] != "#":
                    yield Mention(file, run.line, before.path)


def _hit(path: str, gone: Gone, others: int, own: list[Related], users: list[Related]) -> Hit:
    """Return a hit about the file that ``own`` places name. ``users``: those, and the places of the ``others``."""
    where, alone = places_in_words(own, min(own, key=_order))
    documents = all(is_document(each.path) for each in users)
    severity: Severity = "info" if documents else "warning"
    values = {
        "users": where,
        "verb": "names" if alone else "name",
        "old": gone.old,
        "what": (f"renames to `{gone.new}`" if gone.new else "removes") + _and_others(others),
    }
    related = tuple(sorted(users, key=_order)[:MOST_RELATED])
    return Hit(None, values=values, path=path, related=related, severity=severity, statement=f"path {gone.old}")


def _order(place: Related) -> tuple[bool, str, int]:
    """Return the key that sorts places: those where nothing fails come last."""
    return place.path.endswith(_OWNERS), place.path, place.line or 0


def _and_others(count: int) -> str:
    if not count:
        return ""
    what = "1 other file that it moves or removes is" if count == 1 else f"{count} others that it moves or removes are"
    return f"; at least {what} still named too"


CHECK = change_check(
    gather, relate, CheckTraits(literals=None, reads_old=True, reads_text=False, new_names=True, on_lines=False)
)
