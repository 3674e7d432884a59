"""Which names of a Python file stand for something imported, and the text with each written out.

::

    import torch as _torch           _torch.load(path)        torch.load(path)
    from subprocess import run       run(line, shell=True)    subprocess.run(line, shell=True)
    from torch import cuda as gpu    gpu.synchronize()        torch.cuda.synchronize()

A name counts only if nothing but imports of one thing binds it in the file, so that it means the same everywhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from review_bot.changes.codebase import query
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.changes.usual_spelling import UsualSpelling, respelled
from review_bot.records import NamedTuple

if TYPE_CHECKING:
    from review_bot.changes.vocabulary import Alternatives


class ImportedName(NamedTuple):
    """A name that stands for ``target``. ``uses``: (start, end) in code points; ``after``: attributes of it."""

    target: str
    uses: tuple[tuple[int, int], ...]
    after: frozenset[str]


def _is_part_of(words: frozenset[str], literal: str) -> bool:
    """Return whether a part of a word, marked as in ``changes.vocabulary``, is in one of some words."""
    if literal.startswith("~~"):
        return any(literal[2:] in word.casefold() for word in words)
    return literal.startswith("~") and any(literal[1:] in word for word in words)


def asks_for_imported(source: SourceFile, literals: Alternatives | None) -> bool:
    """Return whether a rule with these literals may look for an imported name; not in a file that cannot be parsed."""
    try:
        names = _imported(source)
    except CannotRead:
        return False  # the rules that parse every file report it
    if literals is None or not names:
        return bool(names)
    wanted = {literal for alternative in literals for literal in alternative}
    words = _words_of(source)
    return not words.isdisjoint(wanted) or any(_is_part_of(words, literal) for literal in wanted)


@query
def _words_of(source: SourceFile) -> frozenset[str]:
    """Return the words of what imported names stand for, and the attributes behind them. Raises CannotParse."""
    return frozenset(word for each in _imported(source) for word in (*each.target.split("."), *each.after))


@query
def _imported(source: SourceFile) -> tuple[ImportedName, ...]:
    """Return the names whose uses are shorter than, or other than, what they stand for. Raises CannotParse."""
    import ast  # a change without Python needs none

    targets = import_targets(source)
    if not targets:
        return ()
    uses: dict[str, list[tuple[int, int]]] = {}
    for name in source.nodes(ast.Name):
        if name.id not in targets:
            continue
        if not isinstance(name.ctx, ast.Load):
            del targets[name.id]
            continue
        start = source.line_starts[name.lineno - 1] + source.column(name.lineno, name.col_offset) - 1
        if (source.text or "").startswith(name.id, start):  # early Pythons misplace what is in f-strings
            uses.setdefault(name.id, []).append((start, start + len(name.id)))
    after: dict[str, set[str]] = {}
    for attribute in source.nodes(ast.Attribute):
        root = attribute.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in uses:
            after.setdefault(root.id, set()).add(attribute.attr)
    return tuple(
        ImportedName(targets[name], tuple(uses[name]), frozenset(after.get(name, ())))
        for name in sorted(uses)
        if name in targets
    )


@query
def written_out(source: SourceFile) -> UsualSpelling:
    """Return the usual spelling of a file, in which imported names are replaced by what they stand for."""
    return respelled(source.text or "", cuts_to_write_out(source))


def cuts_to_write_out(source: SourceFile) -> list[tuple[int, int, str]]:
    """Return (start, end, replacement) of what ``written_out`` replaces, in order. Raises CannotParse."""
    written = sorted((start, end, name.target) for name in _imported(source) for start, end in name.uses)
    ends = [end for _, end, _ in written]
    kept = [cut for cut in source.unusual_parts if not _is_within(cut, written, ends)]
    return sorted([*kept, *written])


def _is_within(cut: tuple[int, int, str], written: list[tuple[int, int, str]], ends: list[int]) -> bool:
    """Return whether a cut overlaps a name that is written out; ``ends``: where those end."""
    position = bisect_left(ends, cut[0] + 1)
    return position < len(written) and written[position][0] < cut[1]


def import_targets(source: SourceFile) -> dict[str, str]:
    """Return name → what it stands for, where imports of one thing alone bind it. Raises CannotParse.

    What is imported from a module next to the file has no name that a rule could look for.
    """
    import ast

    targets: dict[str, str] = {}
    doubtful: set[str] = set()
    for name, target in _imports(source):
        if targets.setdefault(name, target) != target:
            doubtful.add(name)
    if not targets:
        return targets
    doubtful.update(each.name for each in (*source.functions, *source.nodes(ast.ClassDef)))
    doubtful.update(each.arg for each in source.nodes(ast.arg))
    doubtful.update(each.name for each in source.nodes(ast.ExceptHandler) if each.name is not None)
    return {name: target for name, target in targets.items() if target not in {"", name} and name not in doubtful}


def _imports(source: SourceFile) -> Iterator[tuple[str, str]]:
    import ast

    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            if alias.asname is not None:
                yield alias.asname, alias.name
            else:
                top = alias.name.partition(".")[0]
                yield top, top
    for chosen in source.nodes(ast.ImportFrom):
        for alias in chosen.names:
            if chosen.module is not None and chosen.level == 0:
                yield alias.asname or alias.name, f"{chosen.module}.{alias.name}"
            else:
                yield alias.asname or alias.name, ""
