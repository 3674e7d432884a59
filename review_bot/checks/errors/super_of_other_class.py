"""``super(Other, self)`` in a class that has nothing to do with ``Other``, mostly after a copy or a renaming.

::

    class FlashBackend(Backend):
        def __init__(self, config):
            super(EagerBackend, self).__init__(config)      TypeError, whenever a FlashBackend is made
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call of ``super``. Raises CannotParse."""
    defined = Counter(each.name for each in source.nodes(ast.ClassDef))
    known = {each.name: each for each in source.nodes(ast.ClassDef) if defined[each.name] == 1}
    supers = [(name, call, other) for name, owner in known.items() for call, other in _supers(owner) if other != name]
    if not any(other in known for _, _, other in supers):
        return
    families = [_above(each, known) for each in known.values()]
    above = dict(zip(known, families, strict=True))
    for name, call, other in supers:
        # A class that derives from both may put one of them behind the other.
        if other in known and other not in above[name] and not any({name, other} <= each for each in families):
            yield hit_at(source, call, values={"other": other, "name": name})


def _supers(owner: ast.ClassDef) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls ``super(Name, self)`` in the methods of a class, with the name."""
    for method in owner.body:
        if not is_function(method) or not method.args.args:
            continue
        first = method.args.args[0].arg
        for each in own_nodes(method.body):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "super":
                match each.args:
                    case [ast.Name(other), ast.Name(given)] if given == first:
                        yield each, other


def _above(owner: ast.ClassDef, known: dict[str, ast.ClassDef]) -> set[str]:
    """Return a class and its bases, those of other files by name only."""
    found: set[str] = set()
    pending = [owner.name]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += [base.id for base in known[name].bases if isinstance(base, ast.Name)] if name in known else []
    return found


CHECK = file_check(examine, CheckTraits(literals=("super",)))
