"""A new or moved test file that no pytest command of the repository's CI names, although each of them names paths.

A repository whose CI runs few of its tests keeps the others for people. A moved file is one of those if nothing ran it
before, and the change touches no CI file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_tests import has_test_name
from review_bot.analysis.project.test_commands import TestCommands, is_ci_file, test_commands
from review_bot.analysis.project.wording import MOST_RELATED, listed
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_TEST = LazyRegex(r"\bdef[\s\\]+test_")
_TEST_CLASS = LazyRegex(r"\bclass[\s\\]+Test")
_CONSTRUCTOR = LazyRegex(r"\bdef[\s\\]+__init__\b")
"""pytest collects no class that has one. Source: https://docs.pytest.org/en/stable/explanation/goodpractices.html"""
_STARTS_PYTEST = LazyRegex(r"pytest\.main\(|[\"' ]pytest[\"' ]")
_STARTS = LazyRegex(r"\bsubprocess\b|\bos\.system\b|pytest\.main\(|\bsession\.run\b")
_FEWEST = 2
"""Test files that CI must run."""
_MOST_SHOWN = 3


def gather(source: SourceFile) -> str | None:
    """Return the path at the base of a test file that is new or moved; the same for a new one."""
    change = source.change
    is_new = change.status in {"added", "renamed", "copied"} and change.kind == "text"
    return change.base_path if is_new and has_test_name(source.path) else None


def relate(facts: Mapping[str, str], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for all such files that no command runs."""
    if not facts:
        return
    head = test_commands(codebase.head)
    tests = [path for path in codebase.head.paths if has_test_name(path) and is_test(path)]
    run = [path for path in tests if head.run(path)]
    if not head.are_known or len(run) < _FEWEST or 2 * len(run) < len(tests):
        return
    touches_ci = any(is_ci_file(file.path) for file in codebase.change.files)
    left = [
        path
        for path, old in sorted(facts.items())
        if not head.run(path)
        and not head.mention(path)
        and (path == old or touches_ci or test_commands(codebase.base).run(old))
        and _holds_tests(codebase.head.text(path) or "")
    ]
    if left and not _runs_by_itself(codebase.head):
        values = {
            "files": listed(left, _MOST_SHOWN),
            "verb": "is" if len(left) == 1 else "are",
            "commands": _in_words(head),
        }
        yield Hit(None, values=values, path=left[0], related=_places(head), statement=f"not run {' '.join(left)}")


def _in_words(commands: TestCommands) -> str:
    """Return which commands were read, up to the verb."""
    first = f"`{commands.commands[0].file}:{commands.commands[0].line}`"
    files = "in the repository's CI files and scripts"
    if len(commands.commands) == 1:
        return f"the only command {files}, {first}, names"
    return f"the {len(commands.commands)} commands {files}, such as {first}, all name"


def _holds_tests(text: str) -> bool:
    """Return whether pytest may collect a test of a file: a function, or a class that may inherit some."""
    return bool(_TEST.search(text) or (_TEST_CLASS.search(text) and not _CONSTRUCTOR.search(text)))


def _places(commands: TestCommands) -> tuple[Related, ...]:
    return tuple(Related(each.file, each.line, "runs other tests") for each in commands.commands[:MOST_RELATED])


def _runs_by_itself(side: Snapshot) -> bool:
    """Return whether a program of the repository starts pytest: which tests that runs, no one reads from a text."""
    programs = (path for path in files_with(side, ["pytest"]) if not has_test_name(path))
    texts = (side.text(path) or "" for path in programs if not path.endswith("conftest.py"))
    return any(_STARTS_PYTEST.search(text) and _STARTS.search(text) for text in texts)


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False, new_names=True, on_lines=False))
