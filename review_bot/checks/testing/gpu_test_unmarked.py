"""A test that needs a GPU and that no mark keeps off a machine without one, where other tests have such a mark."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.python.statements import Function, first_line
from review_bot.analysis.python.syntax import dotted, keyword
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_KEEPS_AWAY = LazyRegex(
    r"(?i)skip|is_available|device_count|require|mark\.\w*(?:gpu|cuda|hardware|distributed|slow|nightly|bench|e2e|device)"
    r"|hardware_test|hardware_marks|multi_gpu|gpu_test|torch_device|large_gpu|_gpu\b"
)
_CONFTEST_KEEPS_AWAY = LazyRegex(r"(?i)skip|is_available|collect_ignore|gpu|cuda")
_MARKED = LazyRegex(
    r"skipif\(\s*not\s+torch\.cuda\.is_available\(\)|skipif\((?:(?!skipif)[^)\n])*cuda|mark\.(?:gpu|cuda)\b|@require_\w*(?:gpu|cuda)"
)

_PRETENDS = LazyRegex(r"(?i)mock|monkeypatch|\bpatch\b")
"""What a test says that may put something else in the place of the device."""
_MOVES_TO_CUDA = LazyRegex(r"""\.cuda\(\)|(?:device=|\.to\()["']cuda""")


def gather(source: SourceFile) -> tuple[tuple[int, str, str], ...] | None:
    """Return (line, name, what needs the GPU) of each added test that only runs with one. Raises CannotParse."""
    text = source.text or ""
    if not source.path.rpartition("/")[2].startswith("test_") or _KEEPS_AWAY.search(text):
        return None
    found = []
    for function in source.functions:
        own = "\n".join(source.lines[first_line(function) - 1 : function.end_lineno])
        if function.name.startswith("test_") and function.lineno in source.added and not _PRETENDS.search(own):
            use = _use_of_cuda(function)
            if use is not None:
                found.append((function.lineno, function.name, use))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for the first such test of a file, if no ``conftest.py`` above decides and most others are marked."""
    unmarked = {path: tests for path, tests in facts.items() if not _is_decided_above(path, codebase)}
    if not unmarked:
        return
    marked = _marked_elsewhere(codebase, frozenset(facts))
    if marked is None:
        return
    for path, tests in sorted(unmarked.items()):
        line, name, use = tests[0]
        others = (
            f", as do {len(tests) - 1} more tests here"
            if len(tests) > 2
            else ", as does one more test here"
            if len(tests) == 2
            else ""
        )
        yield Hit(
            line,
            values={"name": name, "use": use, "others": others, "example": marked[0]},
            related=(Related(*marked, "a GPU marker in another test"),),
            path=path,
        )


def _use_of_cuda(function: Function) -> str | None:
    """Return the first expression of a function that fails without a GPU, shortened; None if there is none."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "cuda" and not node.args:
                return ".cuda()"
            if node.func.attr == "to" and node.args and _is_cuda(node.args[0]):
                return f".to({ast.unparse(node.args[0])})"
            if (device := keyword(node, "device")) and _is_cuda(device) and _is_of_torch(node.func):
                return f"device={ast.unparse(device)}"
    return None


def _is_of_torch(function: ast.expr) -> bool:
    """Return whether a function is one of torch itself; what others do with the name of a device is not known."""
    return (dotted(function) or "").startswith("torch.")


def _is_cuda(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).partition(":")[0] == "cuda"


def _is_decided_above(path: str, codebase: Codebase) -> bool:
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        text = codebase.head.text(f"{folder}/conftest.py" if folder else "conftest.py")
        if text is not None and _CONFTEST_KEEPS_AWAY.search(text):
            return True
    return False


def _marked_elsewhere(codebase: Codebase, ours: frozenset[str]) -> tuple[str, int] | None:
    """Return a place of a mark, if two thirds of the test files that move something to a GPU keep away from others."""
    place: tuple[str, int] | None = None
    marked = unmarked = 0
    for path in sorted(codebase.head.paths - ours):
        if not path.endswith(".py") or not is_test(path) or path.startswith("."):
            continue
        text = codebase.head.text(path) or ""
        match = _MARKED.search(text)
        if match is not None:
            place = place or (path, text.count("\n", 0, match.start()) + 1)
            marked += 1
        elif _MOVES_TO_CUDA.search(text) and not _KEEPS_AWAY.search(text):
            unmarked += 1
    return place if marked >= 2 * unmarked else None


CHECK = change_check(gather, relate, CheckTraits(literals=("cuda",)))
