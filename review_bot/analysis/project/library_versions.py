"""For which version of a library code is written: what its manifests ask for, and what the code itself asks."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.requirements import is_manifest, version_of
from review_bot.analysis.project.third_party import distributions_of, normalised
from review_bot.analysis.python.statements import caught_names, last_name, withs_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

_ASKING = LazyRegex(r"(?i:version|hasattr|signature|_available)|^(not )?[A-Z_]{2,}$")
_CAUGHT = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError"})
"""What a handler names that knows of another version; one of any exception does not."""
_EXPECTING = frozenset({"assertRaises", "raises", "suppress"})
_OTHERS = LazyRegex(r"(?:^|/)(?:setup\.py|setup\.cfg|(?:conda|environment)[^/]*\.ya?ml|[^/]*Dockerfile[^/]*)$")
"""Files that say what gets installed, besides requirements and ``pyproject.toml``."""
_NAME = LazyRegex(r"[A-Za-z][\w.-]*")
_EXTRAS = LazyRegex(r"\[[^\]\[]*\]|version")
_BOUNDS = LazyRegex(r"""[\s=,({"'<>!~^\d.*]*""")
_BOUND = LazyRegex(r"((?<![<>!=~])={1,3}|<=?|~=?|\^)\s*[\"']?(\d+(?:\.\d+)*)")


class Outdated(NamedTuple):
    """A hit on code that a library does not take from version ``since`` on; ``library`` is its import name."""

    hit: Hit
    library: str
    since: str


def of_versions_in_use(found: Mapping[str, tuple[Outdated, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield the hits, by the path of their file, on libraries of which no manifest asks for an older version."""
    tree = module_tree(codebase.head)
    for path, hits in sorted(found.items()):
        for each in hits:
            if not places_of(each.library, 0, path, tree) and not asks_for_older(each.library, each.since, codebase):
                yield each.hit


def asks_for_older(library: str, since: str, codebase: Codebase) -> bool:
    """Return whether manifests ask for a version of a library before ``since``, by its import name.

    One of those that the base has must do so before and after the change, or all that name the library after it: what
    the change adds to one of several is no proof of what gets installed. Where none at the base names it, all those of
    the change must, at the root.
    """
    wanted = version_of(since)
    if wanted is None:
        return False
    names = frozenset(distributions_of(library))
    manifests = [each for each in codebase.base.paths if _is_manifest(each) and not is_vendored(each)]
    after = [_is_older(codebase.head.text(path), names, wanted) for path in manifests]
    if not any(_is_older(codebase.base.text(path), names, wanted) is not None for path in manifests):
        new = (path for path in codebase.head.paths - codebase.base.paths if "/" not in path and _is_manifest(path))
        after += [_is_older(codebase.head.text(path), names, wanted) for path in sorted(new)]
    if True not in after:
        return False
    return False not in after or any(_is_older(codebase.base.text(path), names, wanted) for path in manifests)


def _is_manifest(path: str) -> bool:
    return is_manifest(path) or _OTHERS.search(path) is not None


def _is_older(manifest: str | None, names: frozenset[str], wanted: tuple[int, ...]) -> bool | None:
    """Return whether a manifest asks for a version before another one; None if it does not name the library."""
    named = None
    for line in (manifest or "").split("\n"):
        line = line.partition("#")[0]  # noqa: PLW2901
        for name in _NAME.finditer(line):
            if normalised(name[0]) not in names:
                continue
            named = False
            bounds = _BOUNDS.match(_EXTRAS.sub("", line[name.end() :]))
            found = _BOUND.findall(bounds[0]) if bounds is not None else []
            if any(_ends_before(operator, version_of(version), wanted) for operator, version in found):
                return True
    return named


def _ends_before(operator: str, version: tuple[int, ...] | None, wanted: tuple[int, ...]) -> bool:
    if version is None or operator == "<":
        return version is not None and version <= wanted
    return version < wanted


def asks_for_version(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether code runs only for some versions of what it uses, or expects that it fails.

    A condition that names a version, ``hasattr`` or a signature around it, or a handler of the error.
    """
    line = getattr(node, "lineno", 0)
    choices: Iterable[ast.If | ast.IfExp] = chain(nodes_of(tree, ast.If), nodes_of(tree, ast.IfExp))
    if any(_spans(each, line) and _ASKING.search(ast.unparse(each.test)) for each in choices):
        return True
    for attempt in nodes_of(tree, ast.Try):
        caught = frozenset[str]().union(*map(caught_names, attempt.handlers))
        if caught & _CAUGHT and _spans(attempt, line):
            return True
    return any(
        _spans(each, line)
        and any(
            isinstance(item.context_expr, ast.Call) and last_name(item.context_expr.func) in _EXPECTING
            for item in each.items
        )
        for each in withs_of(tree)
    )


def _spans(node: ast.AST, line: int) -> bool:
    return getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", 0) or 0)
