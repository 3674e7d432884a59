"""Tests that a change deletes, while what they test is still there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_tests import holds_tests
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import from_imports
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_MOST_NAMES = 6
_ASSERTS = LazyRegex(r"(?i)assert|^(?:raises|warns|fail|expect|verify|check|run_test)")
_TEST = LazyRegex(r"\s*(?:async\s+)?def\s+(test_\w+)\s*\(")


class Subject(NamedTuple):
    """A name that a test uses, and the module that it imports it from."""

    module: str
    name: str


class Gone(NamedTuple):
    """A test function that is no longer in its file: its line at the base, and what it uses."""

    name: str
    line: int
    subjects: tuple[Subject, ...]


class Facts(NamedTuple):
    """What one file gives: deleted tests, the names of all tests that it adds, and whether it is library code."""

    gone: tuple[Gone, ...]
    new: tuple[str, ...]
    is_library: bool


def gather(source: SourceFile) -> Facts | None:
    """Compare the tests of a file on both sides."""
    if not (is_test(source.path) or holds_tests(source.change)):
        return Facts((), (), is_library=True) if is_library(source.path) and source.added else None
    new = tuple(match[1] for line in source.added_code.values() if (match := _TEST.match(line)))
    collected = _is_collected(source.change.base_path)
    if source.old_text is None or not collected or not any(map(_TEST.match, source.removed_code.values())):
        return Facts((), new, is_library=False)
    if (old := source.known_old_tree) is None:
        return None
    kept = frozenset(re.findall(r"\bdef(?:\s|\\\n)+(test_\w+)", source.text or ""))
    imported = _imported(old)
    gone = tuple(
        Gone(each.name, each.lineno, _subjects(each, imported))
        for each in _tests(old.body)
        if each.name not in kept and each.lineno in source.removed
    )
    return Facts(gone, new, is_library=False)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit that lists the deleted tests whose subject is still defined, if library code changes too."""
    if not any(each.is_library for each in facts.values()):
        return
    words = {_stem(name) for each in facts.values() for name in each.new}
    gone = [
        (path, each)
        for path in sorted(facts)
        for each in facts[path].gone
        if _stem(each.name) not in words and _is_still_there(each, codebase)
    ]
    if not gone:
        return
    added = sum(len(each.new) for each in facts.values())
    if added >= len(gone):  # rewritten, not lost
        return
    yield Hit(
        None,
        values={
            "names": listed(each.name for _, each in gone),
            "subject": _main_subject(gone[0][1]),
            "test": gone[0][1].name,
        },
        related=tuple(
            Related(path, each.line, each.name) for path, each in gone[:_MOST_NAMES] if path in codebase.head.paths
        ),
        statement="",
    )


def _main_subject(test: Gone) -> str:
    """Return the name that a test's own name is about, or else the first that it uses."""
    stem = _stem(test.name)
    return next(
        (each.name for each in test.subjects if each.name.lower().replace("_", "") in stem), test.subjects[0].name
    )


def _stem(name: str) -> str:
    return name.removeprefix("test_").replace("_", "")


def _tests(body: list[ast.stmt]) -> Iterator[Function]:
    for statement in body:
        if is_function(statement) and statement.name.startswith("test_") and _checks_something(statement):
            yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from _tests(statement.body)


def _is_collected(path: str) -> bool:
    """Return whether pytest, with its default settings, collects a file of this name."""
    stem = path.rpartition("/")[2].removesuffix(".py")
    return stem.startswith("test_") or stem.endswith("_test")


def _checks_something(function: Function) -> bool:
    """Return whether a test asserts, or is given something by pytest; a script's function only runs."""
    arguments = function.args
    if function.decorator_list or any(each.arg != "self" for each in arguments.args):
        return True
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and _ASSERTS.search(last_name(node)) is not None)
        for node in walk(function)
    )


def _imported(tree: ast.Module) -> dict[str, Subject]:
    return {
        bound: Subject(module, name)
        for bound, (name, module, level) in from_imports(tree).items()
        if module and not level
    }


def _subjects(function: Function, imported: Mapping[str, Subject]) -> tuple[Subject, ...]:
    used = dict.fromkeys(node.id for node in walk(function) if isinstance(node, ast.Name))
    return tuple(imported[name] for name in used if name in imported)


def _is_still_there(test: Gone, codebase: Codebase) -> bool:
    """Return whether everything of this tree that the test used is defined where it was, and whether there is any."""
    tree = module_tree(codebase.head)
    ours = 0
    for subject in test.subjects:
        place = subject.module.replace(".", "/")
        before = any(
            f"{root}{place}{end}" in codebase.base.paths
            for root in ("", "src/", "python/")
            for end in (".py", "/__init__.py")
        )
        if not before or subject.module.partition(".")[0] == "tests":
            continue
        files = [file for root in ("", "src/", "python/") for file in tree.at(root + place).files]
        if not any(re.search(rf"\b{re.escape(subject.name)}\b", codebase.head.text(file) or "") for file in files):
            return False
        ours += 1
    return ours > 0


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
