"""Added code that another file of the same package contains line by line.

Lines are compared without indentation, comments, blank lines and imports. Files for two platforms, or of two models,
are ports of one another on purpose and are left alone (see ``duplicate_class``). So is code where a copy in each file
is how the project works: the base has ``_USUAL`` copies of it, or the files of its folder are copies of one another,
unless the change writes the same new code into two files that were there.
Kernels are tuned one by one, so their copies are on purpose too. Code that the change takes from another file was there
before, and so was its copy. A script that lists its dependencies in its header runs alone, and shares no module.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from posixpath import commonpath, dirname

from review_bot.analysis.python.whole_statements import (
    PARTS,
    are_of_one_block,
    cut_to_statements,
    function_with_body,
)
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile, without_directive
from review_bot.changes.usual_spelling import outside_code
from review_bot.checks.pr.duplicate_class import are_variants
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_WINDOW = 8
"""Lines whose equality starts a search for more."""
_USUAL = 3
"""So many unchanged files with the same code show that the project copies it on purpose."""
_USUAL_SHARE = 0.2
"""So do copies of one another among so many of the files of a folder."""
_MOST_SIBLINGS = 200
"""Files of a folder that are compared with one another."""

_MOVED_SHARE = 0.5
"""So many of the lines of a copy that the change removes elsewhere show that it only moved."""

_WORD = LazyRegex(r"\w+")
_SCRIPT = LazyRegex(r"(?m)^(?:# /// script|for [^\n]* in |while )")
_KERNELS = LazyRegex(r"(?i)(?:^|[/_])(?:kernels?|triton|cutlass|cute_?dsl|pallas)(?=[/_.])")
_KERNEL_LANGUAGE = LazyRegex(r"(?:import|from)[ ]+(?:triton|cutlass|cute|tilelang|tvm)\b|@triton\.|@cute\.")
_DECLARES_OPTION = LazyRegex(r"(?:\w+ = )?(?:\w+\.)*(?:add_argument|ArgumentParser|parse_args)\(")
_DEFINES = LazyRegex(r"(?:async[ ]+)?def\b|class\b")
_MADE_BY_BUILD = "build/lib/"
"""Where setuptools puts copies of the sources."""
_LEFT_OUT = LazyRegex(r"#|from[ ]|import[ ]|[\"']{3}|@")

_MARK = "\0"
"""No line of code reads so."""

Numbered = tuple[tuple[int, str], ...]
"""Lines of code: number and text."""


class Run(NamedTuple):
    """Equal lines in two files, by the numbers of the first and last line in each, and how many lines of code."""

    first: int
    last: int
    twin_first: int
    twin_last: int
    lines: int

    def holds(self, number: int) -> bool:
        """Return whether a line of the first file belongs to the run."""
        return self.first <= number <= self.last


def gather(source: SourceFile, options: Options) -> Numbered | None:
    """Return the added lines of code, if there are enough of them; a mark separates lines that are not adjacent."""
    if _KERNELS.search(source.path) or any(_KERNEL_LANGUAGE.match(text.lstrip()) for text in source.added.values()):
        return None
    removed = _moved(map(str.strip, source.removed.values()), map(str.strip, source.added.values()))
    if any("# Copied from" in text for text in source.added.values()):
        return None  # as transformers and diffusers mark copies that a tool keeps equal
    lines: list[tuple[int, str]] = []
    for number, text in _code(source.added.items()):
        if text in removed:
            continue
        if lines and any(between not in source.added for between in range(lines[-1][0] + 1, number)):
            lines.append((number, _MARK))
        lines.append((number, text))
    return tuple(lines) if len(lines) >= options["lines"] else None


def relate(facts: Mapping[str, Numbered], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield a hit for the longest run of each added file that is in another one.

    ``lines``: how many lines of code a run must hold besides text; ``words``: how many words are in them.
    """
    brought = codebase.change.brought
    kept = {path: lines for path, lines in facts.items() if path not in brought}
    facts = {path: lines for path, lines in kept.items() if not _runs_alone(codebase.head.text(path) or "")}
    facts |= _of_renamed(facts, codebase)
    own = _Folders(codebase.base, options["lines"])
    lost = _removed(codebase.change)
    for path, copies in sorted(_copies(facts, codebase, options).items()):
        run, twin = max(copies, key=lambda each: each[0].lines)
        usual = sum(_overlap(run, other) for other, place in copies if place not in facts) >= _USUAL
        if usual or _only_moved(run, facts[path], lost):
            continue
        is_one_edit = twin in facts and codebase.base.paths >= {path, twin}
        if not is_one_edit and own.hold_copies(commonpath((dirname(path), dirname(twin)))):
            continue
        yield from _hits(run, path, twin, codebase.head, options["lines"])


def _copies(facts: Mapping[str, Numbered], codebase: Codebase, options: Options) -> dict[str, list[tuple[Run, str]]]:
    """Return the longest run of each added file that is in another one, for each such file, with its path."""
    wanted: dict[int, tuple[str, ...]] = {}  # by hash: a hundred thousand windows would take more room than the change
    for path, lines in facts.items():
        for _, window in _windows(lines):
            owners = wanted.get(hash(window), ())
            if path not in owners:
                wanted[hash(window)] = (*owners, path)
    tops = {path.partition("/")[0] for path in facts}
    texts = frozenset(text for lines in facts.values() for _, text in lines)
    found: dict[str, list[tuple[Run, str]]] = {}
    for twin in sorted(codebase.head.paths):
        is_source = twin.endswith(".py") and is_library(twin) and _MADE_BY_BUILD not in twin
        if twin.partition("/")[0] not in tops or not is_source:
            continue
        written = (codebase.head.text(twin) or "").split("\n")
        if not _may_hold_window(written, texts):
            continue
        lines = tuple(_code(enumerate(written, 1)))
        places: dict[tuple[str, ...], int] = {}
        alike: set[str] = set()
        for position, window in _windows(lines, texts):
            if owners := wanted.get(hash(window), ()):
                places.setdefault(window, position)
                alike.update(owners)
        for path in sorted(alike):
            added = facts[path]
            if path == twin or are_variants(path, twin) or (twin in facts and path < twin):
                continue
            run = _longest(added, lines, places)
            if run is not None and _is_enough(run, added, _lines_of_text(codebase.head, path), options):
                found.setdefault(path, []).append((run, twin))
    return found


def _hits(run: Run, path: str, twin: str, head: Snapshot, least: int) -> Iterator[Hit]:
    """Yield the hit for a run, if both places hold the same code from its first line to its last."""
    own = _span(head, path, run.first, run.last)
    other = _span(head, twin, run.twin_first, run.twin_last)
    if [text for _, text in _code(own)] != [text for _, text in _code(other)]:
        return  # a line between them was only moved within its file
    run = _cut(_extended(run, path, twin, head), path, twin, head, least)
    own = _span(head, path, run.first, run.last)
    other = _span(head, twin, run.twin_first, run.twin_last)
    aside = "" if _written(own) == _written(other) else ", comments, docstrings, imports and decorators aside"
    place = f"{twin}:{run.twin_first}"
    values = {"last": str(run.last), "twin": place, "twin_last": str(run.twin_last), "aside": aside}
    related = (Related(twin, run.twin_first, f"the same code, up to line {run.twin_last}"),)
    instead = _advice(run, path, twin, head)
    yield Hit(run.first, values=values, path=path, related=related, statement=f"duplicate of {twin}", instead=instead)


def _cut(run: Run, path: str, twin: str, head: Snapshot, least: int) -> Run:
    """Return a run without parts of statements at its ends in either file, if as many lines as needed are left."""
    own = [number for number, _ in _code(_span(head, path, run.first, run.last))]
    other = [number for number, _ in _code(_span(head, twin, run.twin_first, run.twin_last))]
    start, end, before = 0, len(own), (-1, -1)
    while before != (start, end) and end - start >= least:
        before = start, end
        for place, numbers in ((path, own), (twin, other)):
            tree = head.tree(place)
            if tree is not None and start < end:
                last = _until_code(head, place, numbers[end - 1])
                whole = cut_to_statements(tree, numbers[start], last)
                start, end = bisect_left(numbers, whole[0]), bisect_right(numbers, whole[1])
    if end - start < least:
        return run
    return Run(own[start], own[end - 1], other[start], other[end - 1], end - start)


def _until_code(head: Snapshot, path: str, last: int) -> int:
    """Return the last line from one on before the next line of code, so that closing brackets belong to it."""
    return next((number - 1 for number, _ in _code(_span(head, path, last + 1))), max(last, _lines(head, path)))


def _lines(head: Snapshot, path: str) -> int:
    return (head.text(path) or "").count("\n") + 1


def _advice(run: Run, path: str, twin: str, head: Snapshot) -> str | None:
    """Return what to do about parts of statements, and about the body of a function; None: what the rule says."""
    ends = ((path, run.first, run.last), (twin, run.twin_first, run.twin_last))
    found = [(head.tree(place), first, last, _until_code(head, place, last)) for place, first, last in ends]
    names = [function_with_body(tree, *lines) for tree, *lines in found[1:] if tree is not None]
    for name in filter(None, names):
        return f"If both must stay the same, call `{name}()` of `{twin}` here, or move it to where both can import it."
    if all(tree is not None and are_of_one_block(tree, *lines) for tree, *lines in found):
        return None
    return f"If both must stay the same, move {PARTS} into a function that both places call."


def _extended(run: Run, path: str, twin: str, head: Snapshot) -> Run:
    """Return a run with the lines behind it that both files hold as well, up to the next definition.

    The change may have added such a line in one place and removed one like it in another.
    """
    after = zip(_code(_span(head, path, run.last + 1)), _code(_span(head, twin, run.twin_last + 1)), strict=False)
    for (number, text), (twin_number, twin_text) in after:
        if text != twin_text or _DEFINES.match(text):
            break
        run = run._replace(last=number, twin_last=twin_number)
    return run


def _of_renamed(facts: Mapping[str, Numbered], codebase: Codebase) -> dict[str, Numbered]:
    """Return the lines of renamed files that they did not have under their old name."""
    found: dict[str, Numbered] = {}
    for file in codebase.change.files:
        if file.path in facts and file.base_path not in {None, file.path}:
            known = {line.strip() for line in (codebase.base.text(file.base_path or "") or "").split("\n")}
            found[file.path] = tuple(each for each in facts[file.path] if each[1] not in known)
    return found


def _removed(pull_request: PullRequest) -> frozenset[str]:
    removed = (text.strip() for file in pull_request.files for _, text in file.removed_lines())
    return _moved(removed, (text.strip() for file in pull_request.files for _, text in file.added_lines()))


def _moved(removed: Iterable[str], added: Iterable[str]) -> frozenset[str]:
    """Return the texts that are removed as often as they are added; what is added more often is copied as well."""
    times = Counter(removed)
    times.subtract(text for text in added if text in times)
    return frozenset(text for text, more in times.items() if more >= 0)


def _only_moved(run: Run, added: Numbered, removed: Container[str]) -> bool:
    """Return whether the change takes the lines of a run from another place, by what it removes anywhere."""
    moved = sum(text in removed for number, text in added if run.holds(number))
    return moved >= _MOVED_SHARE * run.lines


class _Folders:
    """Which folders of the base hold files that are copies of one another, ``lines`` long or longer."""

    def __init__(self, base: Snapshot, lines: int) -> None:
        self._base, self._lines = base, lines
        self._paths = sorted(path for path in base.paths if path.endswith(".py") and is_library(path))
        self._known: dict[str, bool] = {}

    def hold_copies(self, folder: str) -> bool:
        """Return it for a folder; for a new or small one, for the nearest folder above that has enough files."""
        if folder not in self._known:
            below = [path for path in self._paths if path.startswith(f"{folder}/")]
            few = len(below) < _USUAL and "/" in folder
            self._known[folder] = self.hold_copies(dirname(folder)) if few else self._are_copies(below)
        return self._known[folder]

    def _are_copies(self, paths: list[str]) -> bool:
        first: dict[int, str] = {}
        copies: set[str] = set()
        for path in paths[:_MOST_SIBLINGS]:
            code = [text for _, text in _code(enumerate((self._base.text(path) or "").split("\n"), 1))]
            for start in range(len(code) - self._lines + 1):
                other = first.setdefault(hash(tuple(code[start : start + self._lines])), path)
                if other != path:
                    copies |= {path, other}
        return len(copies) >= max(_USUAL, _USUAL_SHARE * min(len(paths), _MOST_SIBLINGS))


def _is_enough(run: Run, added: Numbered, prose: Container[int], options: Options) -> bool:
    """Return whether a run holds as many lines and words of code as the options ask for."""
    held = (text for number, text in added if run.holds(number) and number not in prose)
    code = [text for text in held if not _DECLARES_OPTION.match(text)]
    words = sum(len(_WORD.findall(text)) for text in code)
    return bool(len(code) >= options["lines"] and words >= options["words"])


@query
def _lines_of_text(side: Snapshot, path: str) -> set[int]:
    """Return the lines of docstrings and other strings of several lines."""
    text, lines = side.text(path) or "", set[int]()
    number, position = 1, 0
    for start, end in outside_code(text):
        number += text.count("\n", position, start)
        position = start
        lines.update(range(number, number + height + 1) if (height := text.count("\n", start, end)) else ())
    return lines


def _overlap(run: Run, other: Run) -> bool:
    return run.first <= other.last and other.first <= run.last


def _code(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are code and hold a word, stripped."""
    for number, line in lines:
        text = without_directive(line).strip()
        if len(text) > 2 and not _LEFT_OUT.match(text) and _WORD.search(text):
            yield number, text


def _span(side: Snapshot, path: str, first: int, last: int | None = None) -> list[tuple[int, str]]:
    """Return the lines of a file from the first number to the last, or to its end."""
    return list(enumerate((side.text(path) or "").split("\n")[first - 1 : last], first))


def _written(lines: Iterable[tuple[int, str]]) -> list[str]:
    """Return lines as they are written, without indentation and blank lines."""
    return [text.strip() for _, text in lines if text.strip()]


def _runs_alone(text: str) -> bool:
    """Return whether a file is a script that works as it is read, or has its dependencies in its header (PEP 723)."""
    return _SCRIPT.search(text) is not None


def _may_hold_window(written: Iterable[str], among: Container[str]) -> bool:
    """Return whether lines of a file may hold a window whose lines are all among these, at little cost a line."""
    run = 0
    for line in written:
        text = line.strip()
        if text in among:
            run += 1
            if run >= _WINDOW:
                return True
        elif len(text) > 2 and text[0] not in "fi" and (text[0].isalnum() or text[0] == "_"):
            run = 0  # it is code: it holds a word, and is neither left out nor an import (``from``, ``import``)
    return False


def _windows(lines: Numbered, among: Container[str] | None = None) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each window with its position; ``among``: those whose lines are all among these."""
    texts = [text for _, text in lines]
    run = 0
    for end, text in enumerate(texts, 1):
        run = run + 1 if among is None or text in among else 0
        if run >= _WINDOW:
            yield end - _WINDOW, tuple(texts[end - _WINDOW : end])


def _longest(added: Numbered, twin: Numbered, places: Mapping[tuple[str, ...], int]) -> Run | None:
    best: Run | None = None
    position = 0
    for start, window in _windows(added):
        there = places.get(window)
        if there is None or start < position:
            continue
        length = _WINDOW
        while (
            start + length < len(added)
            and there + length < len(twin)
            and added[start + length][1] == twin[there + length][1]
        ):
            length += 1
        position = start + length
        if best is None or length > best.lines:
            end, twin_end = added[start + length - 1][0], twin[there + length - 1][0]
            best = Run(added[start][0], end, twin[there][0], twin_end, length)
    return best


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False))
