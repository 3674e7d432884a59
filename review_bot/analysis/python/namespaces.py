"""The attributes that a script reads from the arguments it parsed, and those that its parser gives them.

::

    args = parser.parse_args()      ``args.port`` exists if an option of the parser stores there, or code sets it
    run(args)                       in ``run(options)`` of the file, ``options`` is the same object
    parser, args = read()           what ``return parser, args`` of a function of the file gives
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.script_options import script_options
from review_bot.analysis.python.statements import Function, all_parameters, last_name, positional_parameters
from review_bot.analysis.python.syntax import argument_values, own_nodes, owners_of, text_of, unpacks
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.records import NamedTuple

_PARSES = frozenset({"parse_args", "parse_intermixed_args"})
_SETS_MORE = frozenset({"Namespace", "__setattr__", "delattr", "set_defaults", "setattr"})
"""Names that a file may use to give arguments further attributes."""
_READS = frozenset({"copy", "get", "items", "keys", "values"})
"""Methods that leave a dictionary as it is."""
_OF_NAMESPACES = frozenset(dir(object)) | {"__dict__", "_get_args", "_get_kwargs"}
_LAUNCHED = frozenset({"deepspeed", "deepspeed_config", "local_rank"})
"""Attributes that a launcher or a library sets."""

_WHOLE = -1
"""The place of a value that is no part of a tuple."""

Scope: TypeAlias = "ast.Module | Function"


class _Value(NamedTuple):
    """What a name is given: the value of ``node``, or its part at ``place``, from 0."""

    node: ast.expr
    place: int = _WHOLE


def destinations(tree: ast.Module) -> frozenset[str] | None:
    """Return the attributes that the only parser of a script fills; None if the file may give them others."""
    if script_options(tree) is None:
        return None
    found: set[str] = set()
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) == "add_argument":
            place = destination(call)
            if place is None:
                return None
            found.add(place)
    names = {each.id for each in nodes_of(tree, ast.Name)} | {each.attr for each in nodes_of(tree, ast.Attribute)}
    if not _SETS_MORE.isdisjoint(names) or changes_dictionary(tree):
        return None
    return frozenset(found | _OF_NAMESPACES | _LAUNCHED)


def changes_dictionary(tree: ast.Module) -> bool:
    """Return whether a file does more with ``vars(args)`` or ``args.__dict__`` than pass it or read from it."""
    calls = nodes_of(tree, ast.Call)
    read = {id(value) for call in calls for value in argument_values(call)}
    read |= {id(each.value) for each in nodes_of(tree, ast.Attribute) if each.attr in _READS}
    read |= {id(each.value) for each in nodes_of(tree, ast.Subscript) if isinstance(each.ctx, ast.Load)}
    read |= {id(each.value) for each in nodes_of(tree, ast.FormattedValue)}
    read |= {
        id(value)
        for each in nodes_of(tree, ast.Dict)
        for key, value in zip(each.keys, each.values, strict=True)
        if key is None
    }
    given = [each for each in calls if last_name(each.func) == "vars"]
    shown = [each for each in nodes_of(tree, ast.Attribute) if each.attr == "__dict__"]
    return any(id(each) not in read for each in (*given, *shown))


def reads_of_arguments(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Yield the reads of attributes of parsed arguments, where nothing shows that code gives them the attribute."""
    given = {each.attr for each in nodes_of(tree, ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    given |= {text for call in nodes_of(tree, ast.Call) if last_name(call.func) in {"getattr", "hasattr"}
              for text in map(text_of, call.args) if text}  # fmt: skip
    for scope, name in holders(tree):
        for node in own_nodes(scope.body):
            if not isinstance(node, ast.Attribute) or node.attr in given:
                continue
            if isinstance(node.value, ast.Name) and node.value.id == name:
                yield node


def holders(tree: ast.Module) -> set[tuple[Scope, str]]:
    """Return the names that hold parsed arguments and nothing else, each with the function that binds it."""
    functions = _functions(tree)
    returning = {name: place for name, each in functions.items() if (place := _returns_arguments(each)) is not None}
    scopes: list[Scope] = [tree, *(each for each in nodes_of(tree, ast.FunctionDef))]
    holders = set[tuple[Scope, str]]()
    given: dict[tuple[Scope, str], list[tuple[Scope, _Value | None]]] = {}
    for scope in scopes:
        for name, values in _bound(scope).items():
            if values and all(_is_parsed(each, returning) for each in values):
                holders.add((scope, name))
        for to, parameter, value in _received(scope, functions):
            given.setdefault((to, parameter), []).append((scope, None if value is None else _Value(value)))
    size = -1
    while size != len(holders):
        size = len(holders)
        names = [name for scope, name in holders if scope is tree]
        holders |= {(each, name) for name in names for each in scopes if name not in _bound(each)}
        holders |= {
            to
            for to, values in given.items()
            if all(
                _is_parsed(value, returning)
                or (value is not None and isinstance(value.node, ast.Name) and (scope, value.node.id) in holders)
                for scope, value in values
            )
        }
    return holders


def _functions(tree: ast.Module) -> dict[str, Function]:
    """Return the functions of a file outside classes, by name, if nothing decorates them and none shares the name."""
    found = [each for each in nodes_of(tree, ast.FunctionDef) if each not in owners_of(tree)]
    names = Counter(each.name for each in found)
    return {each.name: each for each in found if names[each.name] == 1 and not each.decorator_list}


def _returns_arguments(function: Function) -> int | None:
    """Return at which place of what it returns a function gives what it parsed, if every ``return`` does."""
    parsed = {
        name for name, values in _bound(function).items() if values and all(_is_parsed(each, {}) for each in values)
    }
    returned = [each.value for each in own_nodes(function.body) if isinstance(each, ast.Return)]
    places = {_place_in(each, parsed) for each in returned}
    return places.pop() if len(places) == 1 else None


def _place_in(returned: ast.expr | None, parsed: set[str]) -> int | None:
    parts = returned.elts if isinstance(returned, ast.Tuple) else [returned]
    found = [
        place
        for place, each in enumerate(parts)
        if each is not None and (_is_parsed(_Value(each), {}) or (isinstance(each, ast.Name) and each.id in parsed))
    ]
    if len(found) != 1:
        return None
    return found[0] if isinstance(returned, ast.Tuple) else _WHOLE


def _is_parsed(value: _Value | None, returning: Mapping[str, int]) -> bool:
    if value is None or not isinstance(value.node, ast.Call):
        return False
    call = value.node.func
    if isinstance(call, ast.Attribute):
        return call.attr in _PARSES and value.place == _WHOLE
    return isinstance(call, ast.Name) and returning.get(call.id) == value.place


@kept_on_node
def _bound(scope: Scope) -> dict[str, list[_Value | None]]:
    """Return the values that a scope itself gives its names; None among them: another way to bind it."""
    found: dict[str, list[_Value | None]] = {}
    nodes = list(own_nodes(scope.body))
    plain: dict[int, _Value] = {}
    for each in nodes:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target = each.targets[0]
            if isinstance(target, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in target.elts):
                plain.update({id(part): _Value(each.value, place) for place, part in enumerate(target.elts)})
            else:
                plain[id(target)] = _Value(each.value)
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(plain.get(id(node)))
    if not isinstance(scope, ast.Module):
        for parameter in all_parameters(scope):
            found.setdefault(parameter.arg, []).append(None)
    return found


def _received(scope: Scope, functions: dict[str, Function]) -> Iterator[tuple[Function, str, ast.expr | None]]:
    """Yield what calls in a scope give to parameters of functions of the file that these do not bind again.

    None stands for a value that the call does not show, or that has no place.
    """
    for call in own_nodes(scope.body):
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        function = functions.get(name)
        if function is None or not isinstance(call, ast.Call):
            continue
        taken = [each.arg for each in positional_parameters(function)]
        is_plain = not unpacks(call) and len(call.args) <= len(taken)
        places = zip(taken, call.args, strict=False) if is_plain else ((each, None) for each in taken)
        named = ((each.arg, each.value) for each in call.keywords if each.arg)
        for parameter, value in (*places, *named):
            if _bound(function).get(parameter) == [None]:
                yield function, parameter, value
