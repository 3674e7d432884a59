"""A context manager that replaces an attribute of an imported module before its ``yield`` and never puts it back.

::

    @contextmanager
    def without_cuda_graphs():
        torch.cuda.Event = NoEvent
        yield                                   torch.cuda.Event stays NoEvent
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import Function, decorator_names, last_name
from review_bot.analysis.python.syntax import bound_name, dotted, hit_on, own_nodes
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_MAY_RESTORE = LazyRegex(r"(?i)restor|undo|unpatch|reset|revert|setattr|callback|push|enter_context|reload|exit|stop")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such assignment of each function. Raises CannotParse."""
    imports = Counter(bound_name(alias) for node in source.nodes(ast.Import) for alias in node.names)
    counts = binding_counts(source.tree)
    modules = {name for name, number in imports.items() if counts[name] == number}
    for function in source.functions:
        if "contextmanager" in decorator_names(function):
            yield from _left(function, modules, source)


def _left(function: Function, modules: set[str], source: SourceFile) -> Iterator[Hit]:
    nodes = list(own_nodes(function.body))
    yields = [each for each in nodes if isinstance(each, ast.Yield)]
    if len(yields) != 1:
        return
    if any(isinstance(each, ast.Call) and _MAY_RESTORE.search(last_name(each.func)) for each in nodes):
        return
    stored = [each for each in nodes if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)]
    before = [each for each in stored if start_of(each) < start_of(yields[0])]
    after = {dotted(each) for each in stored if start_of(each) > start_of(yields[0])}
    for each in before:
        name = dotted(each)
        if name is not None and name.partition(".")[0] in modules and not after:
            related = (Related(source.path, yields[0].lineno, "runs the block, and nothing after it restores"),)
            yield hit_on(source, each, values={"name": function.name, "attribute": name}, related=related)
            return


CHECK = file_check(examine, CheckTraits(literals=("contextmanager",)))
