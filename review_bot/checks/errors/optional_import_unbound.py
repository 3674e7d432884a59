"""A handler of a failed import that prepares for it under a name that nothing reads, and leaves the used name unbound.

::

    try:
        from flash_attn import flash_attn_func
    except ImportError:
        flash_attn = None                   nothing reads it

    def forward(q, k, v):
        return flash_attn_func(q, k, v)     NameError without the package

The same holds for a flag such as ``HAS_FLASH_ATTN`` that nothing tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.import_guards import Guards
from review_bot.analysis.python.annotations import not_evaluated
from review_bot.analysis.python.bindings import binding_counts, bound_names, names_bound_by_text, reads_by_text
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.optional_imports import left_unbound, running
from review_bot.analysis.python.statements import caught_names, tries_of
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ASKS = LazyRegex(r"(?i)find_spec|avail|installed|import_module|importlib|requires?_")
"""Names by which a file may ask in another way whether a package is there."""
_CATCH_IT = frozenset({"NameError", "Exception", "BaseException"})


class Unbound(NamedTuple):
    """``name`` has no value where an import fails: ``line`` (1-based) binds ``instead``, and line ``use`` reads it."""

    line: int
    column: int
    name: str
    instead: str
    use: int


def gather(source: SourceFile) -> tuple[Unbound, ...] | None:
    """Return what added lines in handlers of failed imports bind that the file does not read. Raises CannotParse."""
    found = tuple(_found(source))
    return found or None


def _found(source: SourceFile) -> Iterator[Unbound]:
    statements = running(source.tree.body, constants_of(source.tree))
    attempts = [each for each in statements if isinstance(each, (ast.Try, ast.TryStar)) and left_unbound(each)]
    if not attempts or _asks_otherwise(source.tree):
        return
    counts, by_text = binding_counts(source.tree), names_bound_by_text(source.tree)
    for attempt in attempts:
        handled = [each for handler in attempt.handlers for each in handler.body]
        told = bound_names(handled) | bound_names([*attempt.body, *attempt.orelse]) - left_unbound(attempt)
        names = {each for each in left_unbound(attempt) if counts[each] == 1} - by_text
        inside = {id(each) for each in walk(attempt)}
        reads = [each for each in source.nodes(ast.Name) if id(each) not in inside and isinstance(each.ctx, ast.Load)]
        if counts["*"] or told & by_text or any(each.id in told for each in reads):
            continue
        bound = next((each for each in handled if isinstance(each, ast.Assign) and bound_names([each])), None)
        bound = bound if bound is not None and bound.lineno in source.added else None
        uses = {} if bound is None else _uses(source, names, inside)
        if bound is not None and uses:
            instead = min(bound_names([bound]))
            name = next(iter(get_close_matches(instead, uses, 1, 0.0)), min(uses))
            yield Unbound(bound.lineno, source.column(bound.lineno, bound.col_offset), name, instead, uses[name])


def _asks_otherwise(tree: ast.Module) -> bool:
    words = [each.id for each in nodes_of(tree, ast.Name)] + [each.attr for each in nodes_of(tree, ast.Attribute)]
    return any(map(_ASKS.search, words)) or any(map(reads_by_text, nodes_of(tree, ast.Call)))


def _uses(source: SourceFile, names: set[str], inside: set[int]) -> dict[str, int]:
    """Return the line where each of some names is first read in a function that runs later, unguarded.

    Of a function, the first read alone: it raises, and the others are not reached.
    """
    reads = [
        [each for each in own_nodes(function.body) if isinstance(each, ast.Name) and each.id in names]
        for function in source.functions
    ]
    wanted = [each for inner in reads for each in inner if id(each) not in inside]
    quiet = not_evaluated(source.tree, source.path) if wanted else set()
    attempts = tries_of(source.tree) if wanted else []
    caught = {
        id(each)
        for attempt in attempts
        if any(caught_names(handler) & _CATCH_IT for handler in attempt.handlers)
        for statement in attempt.body
        for each in walk(statement)
    }
    asked = Guards(source.tree).around(wanted) if wanted else {}
    uses: dict[str, int] = {}
    for inner in reads:
        surely = [each for each in inner if id(each) not in quiet | caught | inside and asked.get(each) == ()]
        if surely:
            first = min(surely, key=lambda each: (each.lineno, each.col_offset))
            uses.setdefault(first.id, first.lineno)
    return uses


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on what each such handler binds, unless another file may read it from the module."""
    for path, found in sorted(facts.items()):
        parts = path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")
        for each in found:
            held = words_held(codebase.head, [each.instead, parts[2]])
            if not any(file != path and len(words) == 2 for file, words in held.items()):
                values = {"name": each.name, "instead": each.instead, "line": str(each.use)}
                related = (Related(path, each.use, "has no value if the import fails"),)
                yield Hit(each.line, column=each.column, path=path, values=values, related=related)


CHECK = change_check(gather, relate, CheckTraits(literals=("try except import",)))
