"""Files that only run on their own: what they set is set in no other process."""

from __future__ import annotations

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.import_clauses import import_clauses
from review_bot.changes.codebase import Snapshot, query


@query
def is_entry_script(side: Snapshot, path: str) -> bool:
    """Return whether a file has a block for ``__main__``, and no file of the side imports a module of its name."""
    name = path.rpartition("/")[2].removesuffix(".py")
    if '"__main__"' not in (side.text(path) or "").replace("'", '"'):
        return False
    return not any(_imports(side.text(each) or "", name) for each in files_with(side, [name]))


def _imports(text: str, name: str) -> bool:
    if f'.{name}"' in text.replace("'", '"'):
        return True  # by its dotted name
    return any(
        name in {part for word in (*each.words, each.module or "") for part in word.split(".")}
        for each in import_clauses(text)
    )
