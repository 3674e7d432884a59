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
from collections.abc import Iterable, Iterator, Sequence

from review_bot.analysis.project.module_getattr import hands_on, is_module_getattr
from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import bound_name, hit_on, names_in, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LISTED_FOR_EACH = 2
"""Listed names for each one that is not: they show that the table is meant to have every import for type checkers."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each import with added names that the table lacks. Raises CannotParse."""
    package = LazyPackage(source.tree, source.lines) if source.path.endswith("__init__.py") else None
    if package is None or not package.is_lazy or not package.lists_most():
        return
    for statement in package.imports:
        found = [
            each for each in statement.names if each.lineno in source.added and not package.lists(bound_name(each))
        ]
        if found:
            names = sorted(map(bound_name, found))
            values = {
                "names": names_in_words(names), "are": "is" if len(names) == 1 else "are",
                "it": "it" if len(names) == 1 else "them", "listed": str(len(package.listed)),
            }  # fmt: skip
            yield hit_on(source, found[0], values=values, statement=f"unlisted {' '.join(names)}")


class LazyPackage:
    """The ``__init__.py`` of a package that may import names when they are asked for.

    ``imports``: what it imports for type checkers. ``listed``: the names among them that its texts hold.
    """

    def __init__(self, tree: ast.Module, lines: Sequence[str]) -> None:
        self.is_lazy = _is_lazy(tree)
        aside = list(_for_types(tree)) if self.is_lazy else []
        self.imports = [each for block in aside for each in nodes_of(block, ast.ImportFrom) if each.module]
        self._names = {bound_name(alias) for each in self.imports for alias in each.names} - {"*"}
        self._rest = _without([*aside, *_exports(tree)], lines) if self.is_lazy else ""
        texts = frozenset(text for each in nodes_of(tree, ast.Constant) if (text := text_of(each)))
        self.listed = frozenset(name for name in self._names & texts if self.lists(name))

    def lists(self, name: str) -> bool:
        """Return whether a name occurs anywhere but in the imports for type checkers and in ``__all__``."""
        return name == "*" or occurs(name, self._rest)

    def lists_most(self) -> bool:
        """Return whether it lists so many of its imports that it is meant to list all."""
        unlisted = [name for name in self._names if not self.lists(name)]
        return len(self.listed) >= _LISTED_FOR_EACH * max(1, len(unlisted))


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


def _without(statements: Iterable[ast.stmt], lines: Sequence[str]) -> str:
    aside = {line for each in statements for line in lines_of(each)}
    return "\n".join(text for line, text in enumerate(lines, 1) if line not in aside)


def occurs(name: str, text: str) -> bool:
    """Return whether a text holds a name as a word."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


CHECK = file_check(examine, CheckTraits(literals=("TYPE_CHECKING",)))
