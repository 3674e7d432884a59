"""A method that asks whether a field is None, and reads a variable of the module that has the same name.

::

    from engine import scheduler

    @dataclass
    class Resources:
        scheduler: Scheduler | None = None

        def close(self):
            if scheduler is not None: ...     the variable of the module, not ``self.scheduler``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import attributes_of_self, is_function, positional_parameters
from review_bot.analysis.python.syntax import classes, hit_at, is_literal
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such test of each name in a method; a class that reads the field itself has none.

    Raises CannotParse.
    """
    for owner in classes(source.tree):
        fields = {
            each.target.id: each.lineno
            for each in owner.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and is_literal(each.value, None)
        }
        read = {each.attr for each in attributes_of_self(owner)} if fields else set()
        unread = fields.keys() - read
        for method in owner.body if unread else ():
            if not is_function(method) or [each.arg for each in positional_parameters(method)][:1] != ["self"]:
                continue
            bound = binding_counts(method)
            outer = binding_counts(source.tree)
            seen: set[str] = set()
            for node in nodes_of(method, ast.Compare):
                name = node.left.id if isinstance(node.left, ast.Name) else ""
                if name in unread - seen and is_literal(node.comparators[0], None) and not bound[name] and outer[name]:
                    seen.add(name)
                    related = (Related(source.path, fields[name], "the field"),)
                    yield hit_at(source, node.left, values={"name": name, "owner": owner.name}, related=related)


CHECK = file_check(examine, CheckTraits(literals=("class None",)))
