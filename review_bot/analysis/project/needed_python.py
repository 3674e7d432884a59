"""Which Python the code of a project needs already, whatever it promises, and what a script says for itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from review_bot.analysis.project.added_imports import file_imports
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.newer_python import lines_with_signs, may_nest_quotes, needs_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.python_parsing import parsed
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_OWN_PYTHON = LazyRegex(r"(?m)^#[ \t]*requires-python[ \t]*=")
"""What a script says in its own header. Source: PEP 723."""
_MOST_READ = 60
"""Files in which to look whether the promise is broken already."""


def names_own_python(text: str) -> bool:
    """Return whether a script says in its own header which Python it needs."""
    return "# /// script" in text and _OWN_PYTHON.search(text) is not None


def _imported(path: str, codebase: Codebase) -> Iterator[str]:
    """Yield the modules of the base that a file imports whenever it is imported itself."""
    tree = module_tree(codebase.base)
    for each in file_imports(path, codebase.head.text(path) or ""):
        if each.always and not each.dynamic:
            for place in places_of(each.module, each.level, path, tree):
                for inner in (place, *(f"{place}/{name.name}" for name in each.names)):
                    yield from (found for found in tree.at(inner).files if found.endswith(".py"))


def needed_before(paths: Collection[str], asked: Collection[int], codebase: Codebase) -> int:
    """Return the 3.x that code of the base needs, if that is one that is asked for or a newer one.

    Read are the files that the change edits, moves or deletes, those that they import, and then others in the same
    folders of the root.
    """
    oldest, newest = min(asked), max(asked)
    folders = {path.partition("/")[0] for path in paths}
    changed = dict.fromkeys(file.base_path for file in codebase.change.files if not is_test(file.base_path))
    others = [path for path in sorted(codebase.base.paths - changed.keys()) if is_library(path)]
    near = [path for path in others if path.partition("/")[0] in folders]
    needed = 0
    imported = {each for path in paths for each in _imported(path, codebase)} - changed.keys()
    for path in [*(each for each in changed if each.endswith(".py")), *sorted(imported), *near[:_MOST_READ]]:
        text = codebase.base.text(path) or ""
        lines = lines_with_signs(text, oldest)
        tree = parsed(text) if lines or may_nest_quotes(text) else None
        if tree is None:
            continue
        for each in needs_of(tree, text, lines):
            needed = max(needed, each.minor)
            if needed >= newest:
                return needed
    return needed
