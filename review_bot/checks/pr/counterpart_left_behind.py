"""An edit of a file whose old lines its counterpart for another platform, or the asynchronous one, still has.

::

    worker/gpu_runner.py                     worker/npu/npu_runner.py
    -    out = run(ids, self.sampler)            out = run(ids, self.sampler)
    +    out = run(ids, self.sampler, lengths)

Both must have been equal at the edit and around it, so what always differed is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.edits import Edit, code_lines, edits_of
from review_bot.analysis.project.platforms import PLATFORMS
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_python, is_test, is_vendored, release_of
from review_bot.text.lazy_regex import LazyRegex

_VARIANT = LazyRegex(rf"(?:^|(?<=[/_.-]))(?:{PLATFORMS}|async|aio|sync)(?=[/_.-]|$)")
_SEPARATORS = LazyRegex(r"[_-]+")
_CODE = LazyRegex(r"\.(?:py|cu|cuh|c|cc|cpp|h|hpp|mm|metal|ya?ml)$")
_NO_CODE = LazyRegex(r"(?:^|/)(?:[._][^/]*|docs?|examples?)/")
_OF_PLATFORM = LazyRegex(rf"(?<![a-zA-Z])(?:{PLATFORMS}|nccl|hccl|await|async)(?![a-zA-Z])|[NGXTHC]PU|CUDA|ROCm|Ascend")
_WORD = LazyRegex(r"[A-Za-z_]\w*")
_ASIDE = LazyRegex(r"(?:logger|logging|warnings)\.|print\(|[\"']|from |import |(?:async )?def |class |__version__")
_FEWEST_AROUND = 2
"""Lines of code around an edit, on both sides together, that must be equal too."""
_FEWEST_WORDS = 12
"""Words that the compared lines must hold, so that they are not equal by chance."""
_MOST_COUNTERPARTS = 4
_MOST_EDITS = 30
"""A file with more edits is written again."""
_MOST_RELATED = 8


class _Left(NamedTuple):
    """An edit, and the line of the counterpart that has the old lines."""

    edit: Edit
    line: int


def gather(source: SourceFile) -> tuple[Edit, ...] | None:
    """Return the edits of a file that may apply to a counterpart."""
    if source.change.status != "modified" or not source.old_text or not _is_code(source.path):
        return None
    edits = [edit for hunk in source.change.hunks for edit in edits_of(hunk, source.old_lines)]
    return tuple(filter(_carries_over, edits)) or None if len(edits) <= _MOST_EDITS else None


def _is_code(path: str) -> bool:
    if is_python(path):
        return is_library(path)
    return (
        _CODE.search(path) is not None and _NO_CODE.search(path) is None and not is_vendored(path) and not is_test(path)
    )


def _carries_over(edit: Edit) -> bool:
    old, new = (" ".join(lines) for lines in (edit.old, edit.new))
    if not edit.new or "".join(old.split()) == "".join(new.split()):
        return False
    if all(_ASIDE.match(line) for line in (*edit.old, *edit.new)):
        return False
    return _OF_PLATFORM.search(f"{old} {new}") is None


def relate(facts: Mapping[str, tuple[Edit, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each counterpart, on the first edit that it lacks."""
    counterparts, added = _counterparts(facts, codebase), codebase.change.added_numbers()
    for path, edits in sorted(facts.items()):
        for other in counterparts.get(path, ()):
            text = codebase.head.text(other) or ""
            code = [*code_lines(enumerate(text.split("\n"), 1))]
            new = added.get(other, frozenset())
            left = [_Left(edit, line) for edit in edits if (line := _place(edit, code, new))]
            if left:
                yield _hit(path, other, left)


def _counterparts(facts: Mapping[str, object], codebase: Codebase) -> dict[str, list[str]]:
    """Return for each file its counterparts: files of the same name but for the platform."""
    names = {_shared_name(path) for path in facts}
    parts = tuple(max(_SEPARATORS.split(name), key=len) for name in names)  # quicker than to ask each path for its name
    groups: dict[str, list[str]] = {}
    for path in codebase.head.paths & codebase.base.paths:
        if any(each in path for each in parts) and (name := _shared_name(path)) in names and _is_code(path):
            groups.setdefault(name, []).append(path)
    found: dict[str, list[str]] = {}
    for path in facts:
        others = [
            each
            for each in sorted(groups.get(_shared_name(path), ()))
            if _variants(each) != _variants(path) and release_of(each) == release_of(path)
        ]
        if len(others) <= _MOST_COUNTERPARTS:
            found[path] = others
    return found


def _shared_name(path: str) -> str:
    """Return the name of a file without what it is for."""
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return "_".join(filter(None, _SEPARATORS.split(_VARIANT.sub("", stem)))) + dot + suffix


def _variants(path: str) -> frozenset[str]:
    return frozenset(_VARIANT.findall(path))


def _place(edit: Edit, code: list[tuple[int, str]], added: frozenset[int]) -> int:
    """Return the line of the one place that has the old lines and those around them, or 0."""
    lines = (*edit.before, *edit.old, *edit.after)
    if len(edit.before) + len(edit.after) < (_FEWEST_AROUND if edit.old else 4) or not edit.before or not edit.after:
        return 0
    if sum(len(_WORD.findall(each)) for each in lines) < _FEWEST_WORDS:
        return 0
    texts = [each for _, each in code]
    starts = (n for n in range(len(texts) - len(lines) + 1) if texts[n] == lines[0])
    places = [n for n in starts if tuple(texts[n : n + len(lines)]) == lines]
    if len(places) != 1:
        return 0
    first, line, last = (code[places[0] + n][0] for n in (0, len(edit.before), len(lines) - 1))
    return 0 if not added.isdisjoint(range(first, last + 1)) else line


def _hit(path: str, counterpart: str, left: list[_Left]) -> Hit:
    replaced = [each for each in left if each.edit.old]
    told = replaced or left
    first, many = told[0], len(told) > 1
    if replaced:
        what, without = f"The old lines of {f'{len(told)} edits' if many else 'this edit'} are still in", ""
    else:
        what = f"The lines around {f'{len(told)} additions' if many else 'this addition'} are also in"
        without = f", without {'them' if many else 'it'}"
    related = tuple(Related(counterpart, each.line, _words_for(each.edit)) for each in left[:_MOST_RELATED])
    values = {"what": what, "counterpart": f"{counterpart}:{first.line}", "without": without}
    return Hit(first.edit.line, values=values, path=path, related=related)


def _words_for(edit: Edit) -> str:
    return "has the old lines" if edit.old else "lacks the new lines"


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
