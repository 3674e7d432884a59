"""A change that removes or changes what others use, and says nowhere what they should do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.public_face import is_public
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.source_file import SourceFile
from review_bot.checks.api import removed_public_name, signature_break
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DOCUMENT = LazyRegex(
    r"(?i)(?:^|/)(?:docs?/.*|changelog[^/]*|changes[^/]*|history[^/]*|readme[^/]*|migrat[^/]*|[^/]*\.(?:md|rst))$"
)
_SAYS_SO = LazyRegex(r"(?i)migrat|breaking|deprecat|renam|removed|no longer")


class Facts(NamedTuple):
    """What one file gives: exported names that are gone, and definitions that changed."""

    gone: tuple[str, ...]
    changed: tuple[signature_break.Break, ...]


def gather(source: SourceFile) -> Facts | None:
    """Return what users of a module would notice."""
    removed = removed_public_name.gather(source)
    gone = tuple(each.name for each in removed.removed if each.exported) if removed is not None else ()
    changed = signature_break.gather(source) or ()
    return Facts(gone, changed) if gone or changed else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit if a name that a package exports is gone or changed, and no added text mentions it."""
    if _SAYS_SO.search(codebase.change.body or "") or any(map(_documents_migration, codebase.change.files)):
        return
    places = {file.path: file.base_path for file in codebase.change.files}
    gone = [(path, name) for path in sorted(facts) for name in facts[path].gone]
    changed = [
        (path, each.name)
        for path in sorted(facts)
        for each in facts[path].changed
        if signature_break.breaks_in_words(each, path, places[path], codebase)
    ]
    names = list(dict.fromkeys(name for path, name in gone + changed if is_public(name, places[path], codebase)))
    if not names:
        return
    yield Hit(None, values={"names": listed(names)}, statement="")


def _documents_migration(file: ChangedFile) -> bool:
    return _DOCUMENT.search(file.path) is not None and any(_SAYS_SO.search(text) for _, text in file.added_lines())


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
