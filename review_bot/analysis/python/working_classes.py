"""Classes that do something with their attributes, as opposed to records that hold them for other code.

::

    class Client:                           class Reply:
        def fetch(self):                        def __init__(self, text):
            return get(self.url)                    self.text = text
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import argument_values, attribute_of_self, is_name
from review_bot.changes.node_index import nodes_of
from review_bot.text.lazy_regex import LazyRegex

_OPERATES = frozenset({"__call__", "__enter__", "__getitem__", "__iter__", "__next__"})
_HOLDS_DATA = LazyRegex(
    r"(?:Args|Arguments|Config|Context|Data|Event|Info|Input|Item|Message|Meta|Metadata|Options|Output|Params"
    r"|Parameters|Record|Request|Response|Result|Settings|Spec|State|Stats)$"
)
"""Classes whose attributes are for code that gets their objects, which may be that of users."""
_LOOKS = frozenset({"getattr", "hasattr", "id", "isinstance", "repr", "setattr", "str", "super", "type"})


def does_work(owner: ast.ClassDef) -> bool:
    """Return whether a class has methods of its own that read its attributes, and so is no mere record."""
    if owner.decorator_list or owner.keywords or _HOLDS_DATA.search(owner.name):
        return False
    calls = [each for each in nodes_of(owner, ast.Call) if last_name(each.func) not in _LOOKS]
    if any(is_name(given, "self") for each in calls for given in argument_values(each)):
        return False  # code that gets the object may read it
    methods = [each for each in owner.body if is_function(each)]
    methods = [each for each in methods if not each.name.startswith("__") or each.name in _OPERATES]
    return any(
        isinstance(each.ctx, ast.Load) and attribute_of_self(each)
        for method in methods
        for each in nodes_of(method, ast.Attribute)
    )
