"""Attributes of ``self`` that are read and that nothing in the project ever sets.

Only classes whose text shows all they are, with that of their bases and of the classes below them (see
``class_family``): an ``__init__``, no base outside the tree but ``object``, ``nn.Module`` and the like, no ``setattr``;
and only names that no file of the tree sets on another object.

Of any other class, a line that came from a class which sets the attribute, if the class where it is now reads the same
attribute of a part of it elsewhere::

    hidden = self.projection(hidden)           was in ``Talker``, which sets it
    tail = self.talker.projection(tail)        how the rest of the class reads it
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.borrowed_methods import has_borrowed_methods
from review_bot.analysis.facts.class_family import (
    gives_itself_away,
    has_known_bases,
    names_above,
    names_in_class,
    names_in_family,
    shows_all,
    shows_all_but_given,
)
from review_bot.analysis.facts.classes import classes_in, subclasses
from review_bot.analysis.facts.declared_class import NO_BASES
from review_bot.analysis.facts.kept_classes import is_kept_as_written
from review_bot.analysis.facts.members import lacks
from review_bot.analysis.facts.read_only import is_made
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere, uses_named
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.statements import (
    Function,
    assigned_values,
    attributes_of_self,
    caught_lines,
    choices_of,
    is_function,
    is_string,
    last_name,
)
from review_bot.analysis.python.sure_evaluation import surely_evaluated
from review_bot.analysis.python.syntax import (
    argument_values,
    attribute_of_self,
    class_at,
    classes,
    dotted,
    source_text,
    span_at,
)
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line, span_of, start_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Span, hit_over

_ASK = frozenset({"cast", "isinstance", "issubclass", "super"})
"""Functions that set nothing on a class that they are given."""
_INTERFACES = frozenset({"ABC", "Generic", "Module", "Protocol", "object"})
"""Bases without attributes of their own, apart from those of ``nn.Module``."""


class Unset(NamedTuple):
    """One attribute that its class does not set, at the first added line that reads it.

    ``alone``: neither a base of the class nor a function that gets its object has to be looked up. ``partly_done``:
    some of its methods only raise NotImplementedError, so that classes below it, even in other repositories, may set
    it. ``part``: the attribute through which the class reads this one elsewhere, if the class itself does not show all
    its names. ``unless_set``: attributes of the class that hold one constant, with which a condition keeps the line
    from running. ``bare``: it has no ``__init__``, so that its methods may be for another class.
    ``always``: some method reads it whenever it runs, and its file gives the class to no function. ``decorated``: the
    class has decorators, which must return it as it is.
    """

    owner: str
    alone: bool
    partly_done: bool
    name: str
    span: Span
    part: str = ""
    unless_set: tuple[str, ...] = ()
    bare: bool = False
    always: bool = False
    decorated: bool = False


def gather(source: SourceFile) -> tuple[Unset, ...] | None:
    """Return what classes of one file read on added lines and do not set."""
    read = _read_on_added_lines(source)
    if not read:
        return None
    set_here: set[str] | None = None
    found: list[Unset] = []
    attributes = [each for each in source.nodes(ast.Attribute) if each.attr in read]
    mentions = sorted((each.lineno, each.attr) for each in attributes)
    stores = sorted((each.lineno, each.attr) for each in attributes if isinstance(each.ctx, ast.Store))
    for owner in classes(source.tree):
        first, after = (bisect_left(mentions, (line, "")) for line in (owner.lineno, last_line(owner) + 1))
        mentioned = {name for _, name in mentions[first:after]}
        first, after = (bisect_left(stores, (line, "")) for line in (owner.lineno, last_line(owner) + 1))
        mentioned -= {name for _, name in stores[first:after]}
        mentioned -= {each.name for each in owner.body if is_function(each)}
        if not mentioned:
            continue
        bare = not any(is_function(each) and each.name == "__init__" for each in owner.body)
        if bare or owner.decorator_list or not (has_known_bases(owner) and _shows_all(owner, source)):
            found += _of_parts(owner, mentioned, source)
        if not _shows_all(owner, source) or (bare and not {last_name(each) for each in owner.bases} <= NO_BASES):
            continue
        if set_here is None:
            set_here = {node.attr for node in source.nodes(ast.Attribute) if _is_set_from_outside(node)}
        unknown = mentioned - set_here
        unknown -= names_in_class(owner, source_text(source, owner)) if unknown else frozenset()
        if not unknown:
            continue
        alone = has_known_bases(owner) and not gives_itself_away(owner)
        partly_done = any(is_function(method) and _only_raises(method) for method in owner.body)
        expected = caught_lines(nodes_of(owner, ast.Try), frozenset({"AttributeError"}))
        reads = [each for each in _reads(owner) if each.attr in unknown and each.lineno in source.added]
        reads = [each for each in reads if each.lineno not in expected]
        kept_out = _kept_out(owner) if reads else {}
        earliest: dict[str, ast.Attribute] = {}
        for each in sorted(reads, key=lambda each: id(each) in kept_out):  # one that runs is first, if there is any
            earliest.setdefault(each.attr, each)
        for each in sorted(earliest.values(), key=start_of):
            span, unless_set = span_at(source, each), kept_out.get(id(each), ())
            made = Unset(owner.name, alone, partly_done, each.attr, span, unless_set=unless_set)
            always = _is_always_read(owner, each.attr, source)
            found.append(made._replace(bare=bare, always=always, decorated=bool(owner.decorator_list)))
    return tuple(found) or None


def _is_always_read(owner: ast.ClassDef, name: str, source: SourceFile) -> bool:
    """Return whether some method reads an attribute of ``self`` whenever it runs, and no function may set it."""
    given = (
        value for call in source.nodes(ast.Call) if last_name(call.func) not in _ASK for value in argument_values(call)
    )
    if any(isinstance(each, ast.Name) and each.id == owner.name for each in given):
        return False
    evaluated = (each for method in owner.body if is_function(method) for each in surely_evaluated(method.body))
    return any(isinstance(each, ast.Attribute) and attribute_of_self(each) == name for each in evaluated)


def _kept_out(owner: ast.ClassDef) -> dict[int, tuple[str, ...]]:
    """Return the ids of what never runs in a class, as its conditions ask for attributes that always hold a constant.

    With each come these attributes.

    ::

        self.groups = 1                         nothing else in the class assigns it
        if self.groups > 1: ...                 never runs
    """
    constants = _constants(owner)
    found: dict[int, tuple[str, ...]] = {}
    choices = choices_of(owner) if constants else []
    for choice in choices:
        outcome = truth(choice.test, constants)
        asked = {each.attr for each in nodes_of(choice.test, ast.Attribute) if dotted(each) in constants}
        if outcome is None or not asked:
            continue
        branch = choice.orelse if outcome else choice.body
        for part in branch if isinstance(branch, list) else [branch]:
            found |= {id(each): tuple(sorted(asked)) for each in nodes_of(part, ast.Attribute)}
    return found


def _constants(owner: ast.ClassDef) -> dict[str, object]:
    """Return the attributes of ``self`` to which a class assigns one constant alone, as ``self.name``, with that."""
    given: dict[str, list[ast.expr | None]] = {}
    for target, value in assigned_values(owner):
        if name := attribute_of_self(target):
            given.setdefault(name, []).append(value)
    stores = Counter(each.attr for each in attributes_of_self(owner) if not isinstance(each.ctx, ast.Load))
    found: dict[str, object] = {}
    for name, values in given.items():
        constants = [each.value for each in values if isinstance(each, ast.Constant) and each.value is not None]
        if len(values) == len(constants) == stores[name] == 1:
            found[f"self.{name}"] = constants[0]
    return found


def _of_parts(owner: ast.ClassDef, names: set[str], source: SourceFile) -> Iterator[Unset]:
    """Yield what added lines read of ``self`` and other lines of the class of one of its parts, though no line sets it.

    Bases that are not of the tree may be interfaces and mixins alone.
    """
    parts: dict[str, set[str]] = {}
    for each in nodes_of(owner, ast.Attribute):
        if each.attr in names and (part := attribute_of_self(each.value)):
            parts.setdefault(each.attr, set()).add(part)
    text = source_text(source, owner) if parts else ""
    if not parts or not shows_all(owner, text):
        return
    unknown = {name for name, through in parts.items() if len(through) == 1} - names_in_class(owner, text)
    read = list(_reads(owner)) if unknown else []
    for name in sorted(unknown):
        here = [each for each in read if each.attr == name]
        if here and all(each.lineno in source.added for each in here):
            yield Unset(owner.name, False, False, name, span_at(source, here[0]), part=min(parts[name]))


def _read_on_added_lines(source: SourceFile) -> set[str]:
    """Return the names that an added line reads from ``self``, those of top-level functions aside."""
    read = {
        node.attr
        for node in source.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and source.any_added(*span_of(node))
    }
    return read - {each.name for each in source.tree.body if is_function(each)}


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield those whose name nothing in the tree sets, in classes that nothing extends."""
    reported: set[tuple[str, str, str]] = set()
    for path, each in ((path, each) for path, found in sorted(facts.items()) for each in _parts_last(found)):
        if each.part and (path, each.owner, each.name) not in reported:
            yield from _moved_from_part(path, each, codebase)
        if each.part or (each.decorated and not is_kept_as_written(codebase.head, Symbol(path, each.owner))):
            continue
        above = frozenset() if each.alone else names_above(codebase.head, path, each.owner)
        if above is None or each.name in above or is_set_elsewhere(codebase.head, each.name):
            continue
        if each.partly_done and not _is_made(codebase.head, each.owner):
            continue
        below_it = subclasses(codebase.head, each.owner)
        family = frozenset[str]() if each.alone and not below_it else names_in_family(codebase.head, path, each.owner)
        if has_borrowed_methods(codebase.head, Symbol(path, each.owner)):
            continue
        if each.unless_set and not _may_be_set_again(
            each, [above, *(one.definition.sets for one in below_it)], codebase.head
        ):
            continue
        sure = each.always and _is_sure(Symbol(path, each.owner), each.name, codebase.head)
        if family is not None and each.name not in family and (sure or not each.bare):
            reported.add((path, each.owner, each.name))
            yield hit_over(
                each.span,
                values={"name": each.name, "owner": each.owner},
                path=path,
                subject=f"{path}:{each.owner}",
                statement=f"{each.owner}.{each.name}",
                severity=None if sure else "warning",
            )


def _is_sure(owner: Symbol, name: str, side: Snapshot) -> bool:
    """Return whether code makes objects of a class, of which the tree shows all names, and none is this one."""
    above = names_above(side, owner.path, owner.name)
    return above is not None and is_made(side, owner.name) and lacks(side, owner, name)


def _may_be_set_again(each: Unset, kin: Iterable[Collection[str]], side: Snapshot) -> bool:
    """Return whether a class above or below, or code elsewhere, assigns what keeps a line from running.

    ``kin``: the names that each of these classes assigns or defines.
    """
    assigned = frozenset[str]().union(*kin)
    return any(name in assigned or is_set_elsewhere(side, name) for name in each.unless_set)


def _parts_last(found: tuple[Unset, ...]) -> list[Unset]:
    return sorted(found, key=lambda each: bool(each.part))


def _moved_from_part(path: str, each: Unset, codebase: Codebase) -> Iterator[Hit]:
    """Yield a line that the change takes from a class which sets what it reads, unless this class gets it too."""
    line = next(
        (
            text
            for file in codebase.change.files
            for at, text in file.added_lines()
            if (file.path, at) == (path, each.span.line)
        ),
        "",
    )
    source = _class_before(line.strip(), each, codebase)
    if source is None or is_set_elsewhere(codebase.head, each.name) or _is_inherited(path, each, codebase.head):
        return
    message = (
        f"`self.{each.name}` is not set by `{each.owner}` or its bases in this repository: the line comes from "
        f"`{source}`, which sets it, and elsewhere `{each.owner}` reads `self.{each.part}.{each.name}`."
    )
    statement = f"{each.owner}.{each.name}"
    subject = f"{path}:{each.owner}"
    yield hit_over(each.span, path=path, message=message, subject=subject, statement=statement, severity="warning")


def _class_before(line: str, each: Unset, codebase: Codebase) -> str | None:
    """Return another class that had this line at the base and sets the attribute."""
    for file in codebase.change.files:
        for number, text in file.removed_lines():
            tree = codebase.base.tree(file.base_path) if text.strip() == line else None
            owner = class_at(number, tree) if tree is not None else ""
            setting = uses_named(tree, [each.name]) if tree is not None and owner != each.owner else ()
            if owner and any(use.owner == owner and use.access == "write" for use in setting):
                return owner
    return None


def _is_inherited(path: str, each: Unset, side: Snapshot) -> bool:
    """Return whether a class above or below, or one above whose text shows nothing, may have the attribute."""
    owners = [one for one in classes_in(side, path) if one.name == each.owner]
    bases = {base.rpartition(".")[2] for one in owners for base in one.bases}
    below = {one.definition.name for one in subclasses(side, each.owner)}
    for other in files_with(side, [each.name, "__getattr__", "__getattribute__"], ".py"):
        for one in classes_in(side, other):
            has = {*one.methods, *one.sets, *(field.name for field in one.fields)}
            if has.isdisjoint({each.name, "__getattr__", "__getattribute__"}):
                continue
            if one.name in below or any(it.definition.name == each.owner for it in subclasses(side, one.name)):
                return True
    return len(owners) != 1 or not _are_of_tree(side, {base for base in bases if not _is_interface(base)})


def _is_interface(name: str) -> bool:
    return name in _INTERFACES or name.startswith("Supports") or name.endswith(("Mixin", "Interface", "Protocol"))


def _are_of_tree(side: Snapshot, names: set[str]) -> bool:
    """Return whether the tree defines a class of each name, whose bases are interfaces or defined too."""
    seen, waiting = set(names), list(names)
    for name in waiting:
        found = [one for path in files_with(side, [name], ".py") for one in classes_in(side, path) if one.name == name]
        if not found:
            return False
        bases = {base.rpartition(".")[2] for one in found for base in one.bases}
        fresh = {base for base in bases if not _is_interface(base)} - seen
        seen |= fresh
        waiting += fresh
    return True


def _is_set_from_outside(node: ast.Attribute) -> bool:
    """Return whether an object other than ``self`` gets this attribute."""
    own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
    return isinstance(node.ctx, ast.Store) and not own


def _reads(owner: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Yield each ``self.name`` that a method of the class reads, in the order of the text."""
    for node in attributes_of_self(owner):
        if isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
            yield node


def _shows_all(owner: ast.ClassDef, source: SourceFile) -> bool:
    if owner.keywords or "Mixin" in owner.name or owner.name.startswith(("Base", "_Base")):
        return False
    methods = [each for each in owner.body if is_function(each)]
    if any(last_name(mark) == "abstractmethod" for each in methods for mark in each.decorator_list):
        return False
    return shows_all_but_given(owner, source_text(source, owner))


@query
def _is_made(side: Snapshot, owner: str) -> bool:
    """Return whether some code makes objects of a class itself."""
    call = re.compile(rf"(?<!class )(?<!\w){re.escape(owner)}\(")
    return any(call.search(side.text(path) or "") for path in files_with(side, [owner], ".py"))


def _only_raises(method: Function) -> bool:
    """Return whether a method does nothing but raise that it is not implemented."""
    body = [each for each in method.body if not is_string(each)]
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    return raised is not None and last_name(raised) == "NotImplementedError"


CHECK = change_check(gather, relate, CheckTraits(literals=("self",), doubted=True))
