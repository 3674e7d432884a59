"""A field of a class of arguments whose default is another than that of its command-line option.

::

    @dataclass
    class EngineArgs:
        parallel_size: int = 1                     EngineArgs(...) gives 1

        def add_cli_args(parser):
            parser.add_argument("--parallel-size", type=int, default=0)        the command line gives 0

Defaults of None are left alone: they mean that the value is chosen later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.option_destination import destination, used_default
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import classes, is_literal, keyword, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FLAGS = {"store_true": False, "store_false": True}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such pair at the added one of the two defaults. Raises CannotParse."""
    for owner in classes(source.tree):
        fields = {
            each.target.id: each.value
            for each in owner.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None
        }
        methods = [each for each in owner.body if is_function(each)] if fields else []
        for call in (call for method in methods for call in nodes_of(method, ast.Call)):
            name = (destination(call) or "") if last_name(call.func) == "add_argument" else ""
            field, option = fields.get(name), used_default(call)
            if field is None or not _differs(field, call):
                continue
            shown = option if option is not None else call
            line = shown.lineno if source.any_added(shown.lineno, shown.lineno) else field.lineno
            other = Related(source.path, field.lineno if line == shown.lineno else shown.lineno, "the other default")
            values = {"name": name, "owner": owner.name, "field": ast.unparse(field), "option": repr(_of_option(call))}
            yield Hit(line, values=values, related=(other,))


def _of_option(call: ast.Call) -> object:
    """Return the default of an option, None if it has none or it is not written out."""
    if is_literal(keyword(call, "required"), True):
        return None
    default = keyword(call, "default")
    if isinstance(default, ast.Constant):
        return default.value
    return None if default is not None else _FLAGS.get(text_of(keyword(call, "action")) or "")


def _differs(field: ast.expr, call: ast.Call) -> bool:
    """Return whether both defaults are written out and say different things."""
    option = _of_option(call)
    if option is None or not isinstance(field, ast.Constant) or field.value is None:
        return False
    both_numbers = isinstance(option, (int, float)) and isinstance(field.value, (int, float))
    return field.value != option and (both_numbers or type(field.value) is type(option))


CHECK = file_check(examine, CheckTraits(literals=("class add_argument",)))
