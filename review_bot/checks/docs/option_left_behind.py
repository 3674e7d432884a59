"""An option that the change takes from a script, and commands of documents and shell scripts that still pass it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from review_bot.analysis.project.script_paths import script_path
from review_bot.analysis.project.script_runs import script_runs
from review_bot.analysis.project.wording import MOST_RELATED, listed, places_in_words
from review_bot.analysis.python.script_options import script_options
from review_bot.changes.codebase import Codebase
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_document, is_history, is_of_another_release, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_HOLDS_COMMANDS = LazyRegex(r"(?i)\.(?:md|mdx|markdown|rst|sh|bash)$|^\.github/workflows/.*\.ya?ml$|^\.buildkite/")


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the options that a script no longer takes, with their lines at the base. Raises CannotParse."""
    if not source.removed or source.text is None:
        return None
    with suppress(CannotParse):
        before, now = script_options(source.old_tree), script_options(source.tree)
        if before is not None and now is not None:
            flags = ((name, line) for name, line in before.lines.items() if name.startswith("--"))
            return tuple((name, line) for name, line in flags if not now.takes(name)) or None
    return None


def relate(facts: Mapping[str, tuple[tuple[str, int], ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first of the options of a script that commands on unchanged lines still pass."""
    if not facts:
        return
    added = codebase.change.added_numbers()
    passed: dict[str, dict[str, list[Related]]] = {path: {} for path in facts}
    names = {path.rpartition("/")[2].removesuffix(".py") for path in facts}
    flags = {name for gone in facts.values() for name, _ in gone}
    for file in sorted(codebase.head.paths):
        if not _HOLDS_COMMANDS.search(file) or is_history(file) or is_vendored(file):
            continue
        text = codebase.head.text(file) or ""
        if not any(name in text for name in names) or not any(flag in text for flag in flags):
            continue
        for run in script_runs(text.split("\n"), is_shell=not is_document(file)):
            script = script_path(run, file.rpartition("/")[0], codebase.head)
            if script is None or is_of_another_release(file, script.path):
                continue
            gone = dict(facts.get(script.path, ())) if script.surely else {}
            for one in run.passed:
                if one.option in gone and one.line not in added.get(file, ()):
                    place = Related(file, one.line, f"passes `{one.option}`")
                    passed[script.path].setdefault(one.option, []).append(place)
    for path, found in sorted(passed.items()):
        if found:
            users = sorted({each for places in found.values() for each in places})
            where, alone = places_in_words(users)
            values = {"users": where, "verb": "passes" if alone else "pass", "options": listed(sorted(found))}
            line = min(line for name, line in facts[path] if name in found)
            yield Hit(line, side="LEFT", path=path, values=values, related=tuple(users[:MOST_RELATED]))


CHECK = change_check(gather, relate, CheckTraits(literals=("add_argument",), reads_old=True, on_lines=False))
