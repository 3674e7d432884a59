"""Attributes of ``self`` that are read and that nothing in the project ever sets.

Only classes whose text shows all they are: an ``__init__`` of their own, no base but ``object`` or ``nn.Module``, no
``setattr`` and the like; and only names that no file of the tree sets on anything.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.uses import uses_of
from review_bot.analysis.python.statements import attributes_of_self, is_function, last_name
from review_bot.analysis.python.syntax import classes, dotted, source_text
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import walk
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_NO_BASES = frozenset({"object", "nn.Module", "torch.nn.Module"})
_OPEN = ("setattr", "__getattr", "__dict__", "vars(", "locals()", "__slots__", "super().__new__", "__class__ =")
_OF_OBJECTS = frozenset(dir(object)) | {"__dict__", "__annotations__"}
_MODULE_NAMES = (
    "T_destination add_module append apply bfloat16 buffers call_super_init children compile cpu cuda double "
    "dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu "
    "load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
    "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty "
    "train training type xpu zero_grad"
)
_OF_MODULES = frozenset(_MODULE_NAMES.split())
"""Public names of ``torch.nn.Module``; https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html."""

_REGISTERS = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
_STRING = LazyRegex(r"""["'](\w+)["']""")


class Unset(NamedTuple):
    """One attribute that its class does not set, at the first added line that reads it."""

    owner: str
    name: str
    line: int
    column: int
    end_line: int
    end_column: int


def gather(source: SourceFile) -> tuple[Unset, ...] | None:
    """Return what classes of one file read on added lines and do not set."""
    read = _read_on_added_lines(source)
    if not read:
        return None
    set_here: set[str] | None = None
    found: list[Unset] = []
    mentions = sorted((each.lineno, each.attr) for each in source.nodes(ast.Attribute) if each.attr in read)
    for owner in classes(source.tree):
        first, after = (bisect_left(mentions, (line, "")) for line in (owner.lineno, (owner.end_lineno or 0) + 1))
        mentioned = {name for _, name in mentions[first:after]}
        if not mentioned or not _shows_all(owner, source):
            continue
        if set_here is None:
            set_here = {node.attr for node in source.nodes(ast.Attribute) if _is_set_from_outside(node)}
        unknown = mentioned - set_here
        unknown -= _names_of(owner, source) if unknown else frozenset()
        if not unknown:
            continue
        seen: set[str] = set()
        for each in _reads(owner):
            if each.attr in unknown and each.lineno in source.added and each.attr not in seen:
                seen.add(each.attr)
                last = each.end_lineno or each.lineno
                place = (
                    source.column(each.lineno, each.col_offset),
                    last,
                    source.column(last, each.end_col_offset or 0),
                )
                found.append(Unset(owner.name, each.attr, each.lineno, *place))
    return tuple(found) or None


def _read_on_added_lines(source: SourceFile) -> set[str]:
    """Return the names that an added line reads from ``self`` and that the file neither sets nor defines."""
    read: set[str] = set()
    bound = {each.name for each in source.tree.body if is_function(each)}
    for node in source.nodes(ast.Attribute):
        if not isinstance(node.value, ast.Name) or node.value.id != "self":
            continue
        if isinstance(node.ctx, ast.Store):
            bound.add(node.attr)
        elif source.any_added(node.lineno, node.end_lineno or node.lineno):
            read.add(node.attr)
    return read - bound


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield those whose name nothing in the tree sets, in classes that nothing extends."""
    for path, each in ((path, each) for path, found in sorted(facts.items()) for each in found):
        if not _is_set_elsewhere(codebase.head, each.name) and not subclasses(codebase.head, each.owner):
            yield Hit(
                each.line,
                each.end_line,
                each.column,
                each.end_column,
                values={"name": each.name, "owner": each.owner},
                path=path,
                statement=f"{each.owner}.{each.name}",
            )


def _is_set_from_outside(node: ast.Attribute) -> bool:
    """Return whether an object other than ``self`` gets this attribute."""
    own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
    return isinstance(node.ctx, ast.Store) and not own


def _is_set_elsewhere(side: Snapshot, name: str) -> bool:
    """Return whether some code sets an attribute of this name on another object than its own, or by its name."""
    uses = uses_of(side, name)
    return not uses.complete or any(each.use.access == "write" and not each.use.owner for each in uses.places)


def _reads(owner: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Yield each ``self.name`` that a method of the class reads, in the order of the text."""
    for node in attributes_of_self(owner):
        if isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
            yield node


def _shows_all(owner: ast.ClassDef, source: SourceFile) -> bool:
    if owner.decorator_list or owner.keywords or "Mixin" in owner.name or owner.name.startswith(("Base", "_Base")):
        return False
    if not all(dotted(base) in _NO_BASES for base in owner.bases):
        return False
    if not any(is_function(each) and each.name == "__init__" for each in owner.body):
        return False
    if any(
        is_function(each) and any(last_name(d) == "abstractmethod" for d in each.decorator_list) for each in owner.body
    ):
        return False
    text = source_text(source, owner)
    return not any(sign in text for sign in _OPEN) and not any(map(_names_by_code, walk(owner)))


def _names_by_code(node: ast.AST) -> bool:
    """Return whether a node registers a part of a module under a name that is not written there."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _REGISTERS:
        return False
    name = node.args[0] if node.args else None
    return not (isinstance(name, ast.Constant) and isinstance(name.value, str))


def _names_of(owner: ast.ClassDef, source: SourceFile) -> frozenset[str]:
    """Return the names that the class itself binds, sets, or writes as a string (``register_buffer("mask", ...)``)."""
    names: set[str] = set(_STRING.findall(source_text(source, owner)))
    for statement in owner.body:
        if is_function(statement) or isinstance(statement, ast.ClassDef):
            names.add(statement.name)
    module = any(dotted(base) != "object" for base in owner.bases)
    for node in walk(owner):
        if isinstance(node, ast.Attribute):
            if not isinstance(node.ctx, ast.Load) or (module and node.attr.startswith("_")):
                names.add(node.attr)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name for alias in node.names)
    return frozenset(names | _OF_OBJECTS | (_OF_MODULES if module else frozenset()))


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("self",)))
