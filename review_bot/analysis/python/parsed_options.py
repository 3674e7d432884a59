"""Where the arguments that a script parses go: whether the file itself holds everything that may read them.

::

    args = parser.parse_args();  run(args)      stays, if ``run`` is a function of the file
    engine.start(args)                          leaves
    self.args = args                            leaves
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import (
    inner_blocks,
    is_definition,
    is_for_scripts,
    is_function,
    last_name,
    positional_parameters,
)
from review_bot.analysis.python.syntax import argument_values
from review_bot.changes.node_index import nodes_of

_PARSES = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args", "parse_known_intermixed_args"})
_SHOWS = frozenset({"print", "pprint", "pformat", "str", "repr", "info", "debug", "warning"})
_ASKS = frozenset({"getattr", "hasattr", "setattr"})


def stays_in_file(tree: ast.Module) -> bool:
    """Return whether a file parses arguments and passes what it parsed to its own functions alone."""
    arguments = _Arguments(tree)
    return arguments.are_parsed and not arguments.leave()


def gives_parser_away(tree: ast.Module) -> bool:
    """Return whether a file makes a parser and leaves it to what it gives it to: ``@command(parser=parser)``."""
    calls = nodes_of(tree, ast.Call)
    if any(last_name(call.func) in _PARSES for call in calls):
        return False
    made = (each for each in nodes_of(tree, ast.Assign) if isinstance(each.value, ast.Call))
    targets = [each.targets for each in made if last_name(each.value) == "ArgumentParser"]
    names = {target.id for each in targets for target in each if isinstance(target, ast.Name)}
    given = (value for call in calls for value in argument_values(call))
    return any(isinstance(value, ast.Name) and value.id in names for value in given)


class _Arguments:
    """The expressions of a file that are parsed arguments: calls that parse, and names that hold their result."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = {each.name: each for each in tree.body if is_function(each) and not each.decorator_list}
        self._parsers = set(_PARSES)
        self._names: set[str] = set()
        self._kept: set[int] = set()
        calls = nodes_of(tree, ast.Call)
        self.are_parsed = any(
            last_name(each.func) in _PARSES and isinstance(each.func, ast.Attribute) for each in calls
        )

    def leave(self) -> bool:
        """Return whether one is used for anything but reading its attributes, showing it, or a call of the file."""
        size = -1
        while size != len(self._names) + len(self._parsers):
            size = len(self._names) + len(self._parsers)
            self._follow()
        called = {each.func.id for each in nodes_of(self._tree, ast.Call) if isinstance(each.func, ast.Name)}
        if not self._parsers & self._functions.keys() <= called:
            return True  # another file calls what parses
        if not self._names.isdisjoint(_bound_on_import(self._tree.body)):
            return True  # another file may import what was parsed
        uses = [*nodes_of(self._tree, ast.Name), *nodes_of(self._tree, ast.Call)]
        return any(self._holds(each) and id(each) not in self._kept for each in uses)

    def _holds(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            return name in self._parsers and (name in _PARSES or isinstance(node.func, ast.Name))
        return isinstance(node, ast.Name) and node.id in self._names and isinstance(node.ctx, ast.Load)

    def _follow(self) -> None:
        # ``args.__dict__`` is all of them.
        self._kept.update(id(each.value) for each in nodes_of(self._tree, ast.Attribute) if each.attr[0] != "_")
        self._kept.update(id(each.value) for each in nodes_of(self._tree, ast.FormattedValue))
        for assign in nodes_of(self._tree, ast.Assign):
            if self._holds(assign.value):
                for target in assign.targets:
                    self._bind(target, assign.value)
        for name, function in self._functions.items():
            for returned in nodes_of(function, ast.Return):
                value = _first(returned.value)
                if value is not None and self._holds(value):
                    self._parsers.add(name)
                    self._kept.add(id(value))
        for call in nodes_of(self._tree, ast.Call):
            self._pass(call)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        first = _first(target)
        if isinstance(first, ast.Name):
            self._names.add(first.id)
            self._kept.add(id(value))

    def _pass(self, call: ast.Call) -> None:
        """Follow arguments into the parameters of a function of the file."""
        passed = [each for each in call.args if self._holds(each)]
        passed += [each.value for each in call.keywords if self._holds(each.value)]
        if not passed:
            return
        name = last_name(call.func)
        function = self._functions.get(name) if isinstance(call.func, ast.Name) else None
        if function is not None:
            places = [each.arg for each in positional_parameters(function)]
            taken = {place for place, each in zip(places, call.args, strict=False) if each in passed}
            taken |= {each.arg for each in call.keywords if each.arg and each.value in passed}
            self._names |= taken
            self._kept.update(map(id, passed))
        elif name in _SHOWS or (name in _ASKS and call.args and call.args[0] in passed):
            self._kept.update(map(id, passed))


def _bound_on_import(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module binds when it is imported: not those below ``if __name__ == "__main__"``."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            yield from (each.id for target in statement.targets for each in nodes_of(target, ast.Name))
        elif not is_definition(statement) and not is_for_scripts(statement):
            for block in inner_blocks(statement):
                yield from _bound_on_import(block)


def _first(value: ast.expr | None) -> ast.expr | None:
    return value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
