"""A new class that no decorator registers, where nearly all others with its base are registered, and nothing uses it.

::

    @HEADS.register_module()                in five other files of the folder
    class LinearHead(BaseHead): ...
    class StackedHead(BaseHead): ...        new: a configuration that names it finds no such head
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import classes, dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_REGISTERS = LazyRegex(r"(?:^|[._])register(?:[._]|_\w+$|$)")
_NOT_MEANT_TO_BE = LazyRegex(r"(?i)^_|base|abstract|mixin|impl$|wrapper|helper")
_FEWEST = 5
_FILES = 400
"""Modules of one folder; no more are read."""


class Unregistered(NamedTuple):
    """A new class of a module, its line (1-based), and the last names of its bases."""

    name: str
    line: int
    bases: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Unregistered, ...] | None:
    """Return the new classes without a decorator that nothing in their own file uses. Raises CannotParse."""
    new = [
        each
        for each in source.tree.body
        if isinstance(each, ast.ClassDef) and each.lineno in source.added and each.bases and not each.decorator_list
    ]
    if not new:
        return None
    before = {each.name for each in classes(source.old_tree)} if source.old_text is not None else set()
    used = {each.id for each in source.nodes(ast.Name)} | {each.attr for each in source.nodes(ast.Attribute)}
    found = [
        Unregistered(each.name, each.lineno, tuple(filter(None, map(last_name, each.bases))))
        for each in new
        if each.name not in used | before and not _NOT_MEANT_TO_BE.search(each.name)
    ]
    return tuple(found) or None


def relate(facts: Mapping[str, tuple[Unregistered, ...]], _change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each class that is neither registered nor used, if four of five with its base are registered."""
    for path, found in sorted(facts.items()):
        wanted = {base for each in found for base in each.bases}
        others = _others(path, wanted, codebase)
        for each in found:
            for base in each.bases:
                registered = {name: places for name, places in others[base].items() if places[1]}
                if (
                    len(registered) < _FEWEST
                    or 5 * len(registered) < 4 * len(others[base])
                    or _is_used(each, path, codebase)
                ):
                    continue
                example = min(registered)
                place, decorator = registered[example]
                values = {
                    "name": each.name,
                    "base": base,
                    "count": str(len(registered)),
                    "others": str(len(others[base])),
                    "decorator": decorator,
                }
                related = (Related(place[0], place[1], f"`{example}` is registered"),)
                yield Hit(each.line, values=values, path=path, related=related)
                break


def _others(path: str, bases: set[str], codebase: Codebase) -> defaultdict[str, dict[str, tuple[tuple[str, int], str]]]:
    """Return by base the classes of the folder that the change leaves alone: name → place, registering decorator."""
    found: defaultdict[str, dict[str, tuple[tuple[str, int], str]]] = defaultdict(dict)
    folder = path.rpartition("/")[0]
    modules = [each for each in codebase.base.paths if each.endswith(".py") and each.rpartition("/")[0] == folder]
    for module in sorted(modules)[:_FILES]:
        text = codebase.base.text(module) or ""
        if "regist" not in text and not any(base in text for base in bases):
            continue
        tree = codebase.base.tree(module)
        for each in tree.body if tree is not None else ():
            if isinstance(each, ast.ClassDef) and not _NOT_MEANT_TO_BE.search(each.name):
                decorators = (one.func if isinstance(one, ast.Call) else one for one in each.decorator_list)
                names = [name for one in decorators if (name := dotted(one)) and _REGISTERS.search(name)]
                for base in bases.intersection(map(last_name, each.bases)):
                    found[base][each.name] = ((module, each.lineno), "".join(names[:1]))
    return found


def _is_used(each: Unregistered, path: str, codebase: Codebase) -> bool:
    """Return whether another file than a test or a list of names mentions a class."""
    users = files_with(codebase.head, [each.name])
    return any(user != path and not user.endswith("/__init__.py") and not is_test(user) for user in users)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("class",), reads_old=True))
