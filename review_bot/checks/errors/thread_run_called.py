"""``run()`` of a thread or process that code makes: it works in the calling thread, where ``start()`` does not wait."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.library_objects import LibraryObjects
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_RUNS = {"threading.Thread.run": "thread", "multiprocessing.Process.run": "process"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    objects = LibraryObjects(source.tree, source.path)
    for call in objects.calls(source.touches):
        if call.name in _RUNS and not objects.is_of_class(call):
            yield hit_at(source, call.node, values={"kind": _RUNS[call.name]})


CHECK = file_check(examine, CheckTraits(literals=("Thread run", "Process run", "Timer run")))
