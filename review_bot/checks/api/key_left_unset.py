"""A key that code still reads although the change removes the last place that writes it.

Any other mention of the key as a string counts as a writer, in configuration files too. ``get`` with a key counts as a
read where the dictionary is called after nothing that comes from outside, such as settings or a request.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.lost_keys import files_by_key, first_places, is_configured, lost_keys
from review_bot.analysis.facts.uses import uses_of
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import last_name, named_parameters
from review_bot.analysis.python.syntax import argument_values, full_name, imported_names, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_OUTSIDE = frozenset({
    "args", "arguments", "attrs", "body", "cfg", "checkpoint", "conf", "config", "configs", "ctx", "data", "dict",
    "env", "environ", "event", "extra", "headers", "info", "json", "kw", "kwargs", "meta", "metadata", "msg", "message",
    "opt", "options", "opts", "param", "parameters", "params", "payload", "query", "raw", "req", "request", "response",
    "row", "sd", "settings", "state", "weights",
})  # fmt: skip
"""Words in the names of dictionaries whose keys others choose: settings, requests, checkpoints."""
_GIVEN = frozenset(
    {"args", "body", "environ", "event", "headers", "json", "payload", "query", "req", "request", "response"}
)
"""Those of what a framework, a client or a server gives, whose keys are certain to come from there."""
_MAKING = frozenset({"dict", "update", "OrderedDict", "defaultdict"})
_SENDING = frozenset({"dump", "dumps", "jsonify", "JSONResponse", "post", "put", "send", "send_json"})
"""Functions that turn a dictionary into what another program reads."""
_SHORTEST_END = 3
"""Characters of the written part of a key that code puts together."""
_MOST_FILES = 40


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the keys that removed lines wrote and the file does not write any more, with their lines."""
    found = lost_keys(source, "write") if source.text else None
    if found is None:
        return None
    kept = _keys_within(source)
    return tuple((name, line) for name, line in found if name in kept) or None


def _keys_within(source: SourceFile) -> set[str]:
    """Return the keys that removed lines wrote for code of the tree: not those of text that is sent away.

    A keyword argument is a key for a function of the tree, which may take any, and of what makes a dictionary.
    """
    tree = source.old_tree
    names, parts = imported_names(tree), set(source.path.split("/"))
    defined = {each.name for each in nodes_of(tree, ast.FunctionDef)} | {
        each.name for each in nodes_of(tree, ast.ClassDef)
    }
    # A function with a parameter of this name takes it as such, and never as a key.
    taken = {(each.name, one.arg) for each in nodes_of(tree, ast.FunctionDef) for one in named_parameters(each)}
    found: set[str] = set()
    sent: set[int] = set()
    for call in nodes_of(tree, ast.Call):
        name = last_name(call.func)
        if name in _SENDING:
            sent |= {id(each) for value in argument_values(call) for each in nodes_of(value, ast.Dict)}
        called = full_name(call.func, names) or name
        if name in _MAKING or name in defined or called.startswith(".") or called.partition(".")[0] in parts:
            found |= {
                each.arg
                for each in call.keywords
                if each.arg is not None and each.value.lineno in source.removed and (name, each.arg) not in taken
            }
        if name == "setdefault" and call.args and (key := text_of(call.args[0])):
            found.add(key)
    for table in nodes_of(tree, ast.Dict):
        if id(table) not in sent:
            found |= {key for each in table.keys if each and each.lineno in source.removed and (key := text_of(each))}
    for each in nodes_of(tree, ast.Subscript):
        if not isinstance(each.ctx, ast.Load) and (key := text_of(each.slice)):
            found.add(key)
    return found


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each key that is still read; the reads are its related places."""
    lost, added = first_places(facts), codebase.change.added_numbers()
    files = files_by_key(codebase.head, lost)
    for name, (path, line) in sorted(lost.items()):
        if not 0 < len(files.get(name, ())) <= _MOST_FILES:
            continue
        readers = _readers(name, codebase)
        if readers and not is_configured(name, codebase.head):
            places = sorted(
                {Related(each.path, line_in_file(each.path, each.line, codebase.head), "reads it") for each in readers}
            )
            if any(place.line in added.get(place.path, ()) for place in places):
                continue  # what the change makes read it may get it in another way
            where, alone = places_in_words(places)
            values = {"name": name, "readers": where, "verb": "reads" if alone else "read"}
            related = tuple(places[:MOST_RELATED])
            severity: Severity | None = None if any(each.is_needed for each in readers) else "info"
            yield Hit(
                line, side="LEFT", path=path, values=values, related=related, severity=severity, statement=f"key {name}"
            )


class _Reader(NamedTuple):
    """A read of a key. ``is_needed``: by subscript, which raises KeyError without it."""

    path: str
    line: int
    is_needed: bool


def _readers(name: str, codebase: Codebase) -> list[_Reader]:
    """Return the places at the head that read a key, if every mention of it there reads it, as at the base."""
    texts = (codebase.head.text(path) or "" for path in files_with(codebase.head, [name], (".py", ".pyi")))
    if not any(f'"{name}"' in text or f"'{name}'" in text for text in texts):
        return []  # only keyword arguments and variables have this name: nothing to parse
    found = uses_of(codebase.head, name, "key")
    if not found.complete or any(each.use.access != "read" for each in found.places):
        return []
    if any(each.use.access == "write" for each in uses_of(codebase.head, name).places):
        return []
    readers: list[_Reader] = []
    for path in {each.path for each in found.places}:
        tree = codebase.head.tree(path)
        here = [] if tree is None else [each for each in nodes_of(tree, ast.Constant) if each.value == name]
        reads = [each for each in found.places if each.path == path]
        if len(here) > len(reads) or (
            tree is not None and (_is_given_by_decorator(name, tree) or _is_made(name, tree))
        ):
            return []
        if tree is None or is_test(path):
            continue
        owned = [(each.lineno, words_in(last_name(each.value))) for each in nodes_of(tree, ast.Subscript)]
        subscripts = {line for line, words in owned if _GIVEN.isdisjoint(words)} - _collecting(tree)
        subscripts -= {each.lineno for each in nodes_of(tree, ast.Compare)}
        asked = _asked_for(name, tree)
        lines = {each.use.line for each in reads}
        readers += [_Reader(path, line, line in subscripts) for line in sorted(lines & (subscripts | asked))]
    mentioned = {path for path, held in words_held(codebase.head, [name]).items() if name in held}
    others = mentioned - {each.path for each in found.places}
    return [] if any(not is_test(path) for path in others) else readers


def _is_made(name: str, tree: ast.Module) -> bool:
    """Return whether code may put a key together: ``found["avg_" + key]``, ``f"avg_{key}"``."""
    ends: list[tuple[str, str]] = [
        (text_of(each.left) or "", text_of(each.right) or "")
        for each in nodes_of(tree, ast.BinOp)
        if isinstance(each.op, ast.Add)
    ]
    ends += [
        (text_of(each.values[0]) or "", text_of(each.values[-1]) or "")
        for each in nodes_of(tree, ast.JoinedStr)
        if each.values
    ]
    return any(
        (len(start) >= _SHORTEST_END and name.startswith(start)) or (len(end) >= _SHORTEST_END and name.endswith(end))
        for start, end in ends
    )


def _is_given_by_decorator(name: str, tree: ast.Module) -> bool:
    """Return whether a decorated function takes a parameter of this name.

    Triton gives the arguments of a kernel to its heuristics by name: ``lambda args: args["size"] % 32``.
    """
    decorated = (each for each in nodes_of(tree, ast.FunctionDef) if each.decorator_list)
    return any(each.arg == name for one in decorated for each in named_parameters(one))


def _asked_for(name: str, tree: ast.Module) -> set[int]:
    """Return the lines that get a key of a dictionary without a default, unless its keys come from outside."""
    return {
        call.lineno
        for call in nodes_of(tree, ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "get"
        and len(call.args) == 1
        and text_of(call.args[0]) == name
        and (owner := last_name(call.func.value))
        and _OUTSIDE.isdisjoint(words_in(owner))
    }


def _collecting(tree: ast.Module) -> set[int]:
    """Return the lines that add to what a key holds; a ``defaultdict`` makes the key there."""
    calls = [each.func for each in nodes_of(tree, ast.Call) if isinstance(each.func, ast.Attribute)]
    added = {each.lineno for each in nodes_of(tree, ast.AugAssign) if isinstance(each.target, ast.Subscript)}
    return added | {
        each.lineno
        for each in calls
        if isinstance(each.value, ast.Subscript) and each.attr in {"add", "append", "extend"}
    }


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
