"""A name that a package imports for type checkers alone, and that its table of lazy imports does not list.

::

    _import_structure = {"schedulers": ["DDIMScheduler", "EulerScheduler"]}
    if TYPE_CHECKING:
        from .schedulers import DDIMScheduler, EulerScheduler, LCMScheduler      # the last one is found
    else:
        sys.modules[__name__] = _LazyModule(__name__, __file__, _import_structure)

The table may look like anything: most of the other names that are imported for type checkers are texts of the file, and
this one occurs nowhere else in it, ``__all__`` aside.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from review_bot.analysis.project.module_getattr import hands_on, is_module_getattr
from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import bound_name, hit_on, names_in, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_LISTED_FOR_EACH = 2
"""Listed names for each one that is not: they show that the table is meant to have every import for type checkers."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each import with names that the table lacks, or the line that listed them. Raises CannotParse."""
    if not source.path.endswith("__init__.py") or not _is_lazy(source.tree):
        return
    aside = list(_for_types(source.tree))
    imports = [each for block in aside for each in nodes_of(block, ast.ImportFrom) if each.module]
    rest = _without([*aside, *_exports(source.tree)], source)
    names = {bound_name(alias) for each in imports for alias in each.names} - {"*"}
    unlisted = {name for name in names if not _occurs([name], rest)}
    listed = names.intersection(text for each in nodes_of(source.tree, ast.Constant) if (text := text_of(each)))
    if len(listed - unlisted) < _LISTED_FOR_EACH * len(unlisted):
        return
    for statement in imports:
        found = [alias for alias in statement.names if bound_name(alias) in unlisted]
        added = [alias for alias in found if alias.lineno in source.added]
        if added:
            yield hit_on(source, added[0], **_facts(map(bound_name, added), len(listed)))
        lost = [bound_name(alias) for alias in found if alias not in added]
        for line, text in sorted(source.removed.items()):
            if _occurs(lost, text):
                yield Hit(line, side="LEFT", **_facts(lost, len(listed)))
                break


def _facts(names: Iterable[str], listed: int) -> dict[str, Any]:
    unlisted = sorted(names)
    is_one = len(unlisted) == 1
    values = {
        "names": names_in_words(unlisted), "are": "is" if is_one else "are", "it": "it" if is_one else "them",
        "listed": str(listed), "first": unlisted[0],
    }  # fmt: skip
    return {"values": values, "statement": f"unlisted {' '.join(unlisted)}"}


def _is_lazy(tree: ast.Module) -> bool:
    """Return whether a package imports names when they are asked for, and those alone that its text lists."""
    if any((last_name(call.func) or "").endswith("LazyModule") for call in nodes_of(tree, ast.Call)):
        return True
    return any(map(is_module_getattr, tree.body)) and not hands_on(tree)


def _for_types(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of ``if TYPE_CHECKING:`` and ``if TYPE_CHECKING or EAGER:``."""
    for block in nodes_of(tree, ast.If):
        tests = block.test.values if isinstance(block.test, ast.BoolOp) else [block.test]
        if any(last_name(test) == "TYPE_CHECKING" for test in tests):
            yield from block.body


def _exports(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that make ``__all__``."""
    return (each for each in tree.body if "__all__" in names_in(each))


def _without(statements: Iterable[ast.stmt], source: SourceFile) -> str:
    aside = {line for each in statements for line in lines_of(each)}
    return "\n".join(text for line, text in enumerate(source.lines, 1) if line not in aside)


def _occurs(names: Iterable[str], text: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("TYPE_CHECKING",), reads_old=True))
