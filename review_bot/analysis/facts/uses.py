"""Where code reads and writes attributes and string keys.

::

    self.step += 1                 attribute "step" written, of the class around it
    batch["mask"]                  key "mask" read
    batch.get("mask")              key "mask" read
    getattr(config, "depth", 1)    attribute "depth" read
    Output(mask=m)                 key "mask" written: a keyword argument
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from typing import Literal

from review_bot.analysis.facts.composed_reads import read_by_composed_name
from review_bot.analysis.facts.entry_scripts import is_entry_script
from review_bot.analysis.facts.word_search import files_with, held_before, words_held
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import class_at, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.records import NamedTuple

Kind = Literal["attribute", "key"]
Access = Literal["read", "write", "delete"]

_BY_NAME: dict[str, Access] = {"getattr": "read", "hasattr": "read", "setattr": "write", "delattr": "delete"}
_REGISTERS = frozenset({"add_module", "register_buffer", "register_module", "register_parameter"})
"""Methods of ``torch.nn.Module`` that set the attribute whose name they are given first."""

_BY_KEY: dict[str, Access] = {"get": "read", "pop": "read", "setdefault": "write"}
_CONTEXTS: dict[type[ast.expr_context], Access] = {ast.Load: "read", ast.Store: "write", ast.Del: "delete"}

_MOST_FILES = 400
"""Files of the base that are parsed for the uses of one name; with them, all that the change adds."""


class Use(NamedTuple):
    """One read or write. ``owner`` is the class around it if it is of ``self`` or ``cls``; else empty."""

    kind: Kind
    name: str
    access: Access
    line: int
    owner: str = ""


class UseInFile(NamedTuple):
    """A use and its file."""

    path: str
    use: Use


class Uses(NamedTuple):
    """Uses by file and line. ``complete`` is false if more files of the base hold the name than are parsed."""

    places: tuple[UseInFile, ...]
    complete: bool


class _Written(NamedTuple):
    """A use as the tree has it, with the node of the attribute whose class counts."""

    kind: Kind
    name: str
    access: Access
    line: int
    attribute: ast.Attribute | None = None


def uses_named(tree: ast.Module, names: Iterable[str]) -> Iterator[Use]:
    """Yield the uses of some names alone, name by name."""
    known = _by_name(tree)
    return (_use(each, tree) for name in names for each in known.get(name, ()))


def uses_on(tree: ast.Module, lines: Container[int]) -> Iterator[Use]:
    """Yield the uses on some lines alone, name by name."""
    return (_use(each, tree) for found in _by_name(tree).values() for each in found if each.line in lines)


@kept_on_node
def _by_name(tree: ast.Module) -> dict[str, list[_Written]]:
    """Return the uses of each name: most are never asked for, and so never made a ``Use``."""
    found: dict[str, list[_Written]] = {}
    for each in _written(tree):
        found.setdefault(each.name, []).append(each)
    return found


def _use(written: _Written, tree: ast.Module) -> Use:
    kind, name, access, line, attribute = written
    return Use(kind, name, access, line, "" if attribute is None else _owner(attribute, tree))


def _written(tree: ast.Module) -> Iterator[_Written]:
    yield from _written_attributes(tree)
    for call in nodes_of(tree, ast.Call):
        name = last_name(call.func)
        if isinstance(call.func, ast.Attribute) and name in _BY_KEY and call.args and (key := text_of(call.args[0])):
            yield _Written("key", key, _BY_KEY[name], call.lineno)
        for each in call.keywords:
            if each.arg is not None:
                yield _Written("key", each.arg, "write", each.value.lineno)
    for subscript in nodes_of(tree, ast.Subscript):
        if key := text_of(subscript.slice):
            yield _Written("key", key, _CONTEXTS[type(subscript.ctx)], subscript.lineno)
    renaming = _renaming(tree)
    for node in nodes_of(tree, ast.Dict):
        for entry in node.keys:
            if entry and (key := text_of(entry)):
                yield _Written("key", key, "read" if node in renaming else "write", entry.lineno)
    for compare in nodes_of(tree, ast.Compare):
        if isinstance(compare.ops[0], (ast.In, ast.NotIn)) and (key := text_of(compare.left)):
            yield _Written("key", key, "read", compare.lineno)


def _renaming(tree: ast.Module) -> set[ast.expr]:
    """Return the dictionaries whose keys are read: ``table.rename_columns({"old": "new"})``."""
    calls = (call for call in nodes_of(tree, ast.Call) if "rename" in last_name(call.func))
    return {each for call in calls for each in (*call.args, *(one.value for one in call.keywords))}


def _written_attributes(tree: ast.Module) -> Iterator[_Written]:
    for attribute in nodes_of(tree, ast.Attribute):
        access = _CONTEXTS[type(attribute.ctx)]
        yield _Written("attribute", attribute.attr, access, attribute.lineno, attribute)
    for call in nodes_of(tree, ast.Call):
        name = last_name(call.func)
        if name in _BY_NAME and len(call.args) > 1 and (key := text_of(call.args[1])):
            yield _Written("attribute", key, _BY_NAME[name], call.lineno)
        elif name in _REGISTERS and call.args and (key := text_of(call.args[0])):
            yield _Written("attribute", key, "write", call.lineno)


def _owner(attribute: ast.Attribute, tree: ast.Module) -> str:
    """Return the name of the innermost class around an attribute of ``self`` or ``cls``; empty for others."""
    own = isinstance(attribute.value, ast.Name) and attribute.value.id in {"self", "cls"}
    return class_at(attribute.lineno, tree) if own else ""


@query
def uses_of(side: Snapshot, name: str, kind: Kind = "attribute") -> Uses:
    """Return the uses of an attribute or a key in the Python files and stubs of a side."""
    paths = files_with(side, [name], (".py", ".pyi"))
    complete = _are_few(paths, side, name)
    found: list[UseInFile] = []
    for path in paths if complete else paths[:_MOST_FILES]:
        tree = side.tree(path)
        if tree is not None:
            found += [UseInFile(path, use) for use in uses_named(tree, [name]) if use.kind == kind]
    return Uses(tuple(found), complete)


def read_anywhere(side: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """Return the attributes of some names that code of a side reads, of whatever object, or may read.

    Each file is parsed once for all names, and only for those that no file before it reads. Code may read those whose
    names it may put together, too.
    """
    names = frozenset(names)
    held = {path: here for path, here in words_held(side, names).items() if path.endswith((".py", ".pyi"))}
    files_of: dict[str, list[str]] = {}
    for path, here in held.items():
        for name in here:
            files_of.setdefault(name, []).append(path)
    read = {name for name, paths in files_of.items() if not _are_few(paths, side, name)}
    for path, here in held.items():
        text = side.text(path) or "" if here - read else ""
        asked = sorted(name for name in here - read if _may_be_read(name, text))
        tree = side.tree(path) if asked else None
        if tree is not None:
            uses = uses_named(tree, asked)
            read |= {each.name for each in uses if (each.kind, each.access) == ("attribute", "read")}
    return read_by_composed_name(side, names - read).union(read)


def _are_few(paths: list[str], side: Snapshot, name: str) -> bool:
    """Return whether no more files of those that held a name at the base are among some than are parsed."""
    return len(paths) <= _MOST_FILES or len(held_before(side, [name]).intersection(paths)) <= _MOST_FILES


@query
def is_set(side: Snapshot, name: str) -> bool:
    """Return whether some code may set an attribute of this name on any object, or by its name."""
    paths = _files_that_may_set(side, name)
    return paths is None or any(name in found for path in paths for found in _stores(side, path))


@query
def is_set_elsewhere(side: Snapshot, name: str, script: str = "") -> bool:
    """Return whether some code may set an attribute of this name on another object than its own, or by its name.

    ``script``: what other entry scripts than this one set is left out, as they run in processes of their own.
    """
    paths = _files_that_may_set(side, name)
    return paths is None or any(
        name in _stores(side, each).elsewhere and (not script or each == script or not is_entry_script(side, each))
        for each in paths
    )


_QUOTES = frozenset({'"', "'"})


@query
def _files_that_may_set(side: Snapshot, name: str) -> tuple[str, ...] | None:
    """Return the files that hold a name as an attribute which is not called or looked into, or as a string."""
    paths = files_with(side, [name], (".py", ".pyi"))
    if not _are_few(paths, side, name):
        return None
    return tuple(path for path in paths if _may_be_set(name, side.text(path) or ""))


def _may_be_read(name: str, text: str) -> bool:
    """Return whether a text holds a name as a string, or as an attribute that is not just assigned."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if text[end : end + 1] in _QUOTES and text[start - 1 : start] in _QUOTES:
            return True
        goes_on = text[end : end + 1].isalnum() or text.startswith("_", end)
        if not goes_on and _may_be_attribute(text, start) and not _is_assigned(text, start, end):
            return True
        start = text.find(name, end)
    return False


def _may_be_attribute(text: str, start: int) -> bool:
    """Return whether a dot is before a place; a line that goes on or a comment may be between."""
    line = text.rfind("\n", 0, start) + 1
    before = _without_spaces(text, start - 1, -1)
    if before in {".", "\\"} or text[line:start].strip():
        return before in {".", "\\"}
    above = text[:line].rstrip() if before else ""
    return "#" in above[above.rfind("\n") + 1 :]


def _is_assigned(text: str, start: int, end: int) -> bool:
    """Return whether a line begins with the assignment of an attribute of ``self``.

    Of others an annotation may be read so: ``device: torch.device = None``.
    """
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].lstrip(" \t") != "self.":
        return False
    stop = text.find("\n", end)
    behind = text[end : stop if stop >= 0 else len(text)].lstrip(" \t")
    value = behind[1:].lstrip(" \t")[:1]
    # A format string writes ``{self.size=}`` out, and so reads it.
    return behind[:1] == "=" and value.strip() != "" and value not in {"=", "}", "!", ":"}


def _may_be_set(name: str, text: str) -> bool:
    """Return whether a text holds a name as described; without a pattern, as many names may be asked for."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if text[end : end + 1] in _QUOTES and text[start - 1 : start] in _QUOTES:
            return True
        if not (text[end : end + 1].isalnum() or text.startswith("_", end)):
            before, after = _without_spaces(text, start - 1, -1), _without_spaces(text, end, 1)
            if before == "." and after not in {"(", ".", "["}:
                return True
        start = text.find(name, end)
    return False


def _without_spaces(text: str, at: int, step: int) -> str:
    """Return the first character from a place on that is no space, or nothing."""
    while 0 <= at < len(text) and text[at].isspace():
        at += step
    return text[at] if 0 <= at < len(text) else ""


class _Stores(NamedTuple):
    """The attributes that a file sets: of its own objects, and of others or by their name."""

    own: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()


@query
def _stores(side: Snapshot, path: str) -> _Stores:
    tree = side.tree(path)
    if tree is None:
        return _Stores()
    own, elsewhere = set[str](), set[str]()
    for each in _written_attributes(tree):
        if each.access == "write":
            is_own = each.attribute is not None and _owner(each.attribute, tree)
            (own if is_own else elsewhere).add(each.name)
    return _Stores(frozenset(own), frozenset(elsewhere))
