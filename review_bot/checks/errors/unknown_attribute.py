"""An attribute that the change reads of an object whose class, by everything the tree shows, has none of that name.

The object is one that the function makes or takes with an annotation, the class itself, or ``self`` or ``super()`` in a
class with bases in the tree; ``unset_attribute`` looks at classes without bases.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.borrowed_methods import has_borrowed_methods
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_family import names_of_super
from review_bot.analysis.facts.code_file import AttributeUse, CodeFile
from review_bot.analysis.facts.declared_class import NO_BASES, declared_class, is_typed
from review_bot.analysis.facts.made_objects import MadeObjects, is_passed_on
from review_bot.analysis.facts.members import lacks
from review_bot.analysis.facts.private_names import is_private, lacks_private
from review_bot.analysis.facts.receivers import is_super, owner_of
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import attribute_of_self
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Severity
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

MOST_UNKNOWN = 2
"""Attributes of ``self`` that a class lacks; one that lacks more lends its methods to other classes."""

_OF_CLASSES = frozenset(dir(type))
_BUILT = LazyRegex(r"^_[A-Za-z]\w*?[A-Za-z0-9]__\w|^_[a-z]\w*_$")
"""Names that Python makes: that of a private attribute, read from outside as ``_Pool__size``, and those of ``enum``."""

_ANNOTATED = "`{}` is annotated as `{}`, and neither the class nor its bases or subclasses define `{}`."
_INSTEAD = "Correct the annotation, read the attribute that was meant, or define it in the class."
_OF_CLASS = "`{}` is a class, and neither it nor its bases or subclasses define `{}`."


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the attributes that added lines read of objects whose class a file may show. Raises CannotParse."""
    found = {
        (node.attr, node.lineno)
        for node in source.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Load)
        and node.lineno in source.added
        and (is_private(node.attr) or not node.attr.startswith("__"))
        and (is_typed(node.value, source) or _may_be_class(node.value) or last_name(node.value) == "super")
    }
    asked = {each.value for each in source.nodes(ast.Constant) if isinstance(each.value, str)} if found else set[str]()
    stored = (
        {each.attr for each in source.nodes(ast.Attribute) if not isinstance(each.ctx, ast.Load)} if found else asked
    )
    excused = asked | {name for name in stored if not is_private(name)}
    return tuple(sorted(each for each in found if each[0] not in excused)) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first such read of each attribute in a file."""
    side = codebase.head
    targets, objects = call_targets(side), MadeObjects(codebase)
    for path, found in sorted(facts.items()):
        file, wanted = targets.file(path), set(found)
        seen: set[tuple[Symbol, str]] = set()
        hits: dict[tuple[Symbol, str], list[Hit]] = {}
        uses = () if file is None else file.attributes(frozenset(name for name, _ in wanted))
        for use in sorted(uses, key=lambda use: use.node.lineno):
            name = use.node.attr
            if file is None or (name, use.node.lineno) not in wanted or is_passed_on(use):
                continue
            if (lacking := _lacked_by_super(use, file, codebase)) is not None:
                if (lacking, name) not in seen and not is_set_elsewhere(side, name):
                    seen.add((lacking, name))
                    yield _hit_of_super(use, lacking, path)
                continue
            owner = declared_class(targets, file, use.node.value, use.scopes)
            named = targets.class_named_by(file, use.node.value, use.scopes) if owner is None else None
            owner = named if name not in _OF_CLASSES and owner is None else owner
            if owner is None or (owner, name) in seen or not _lacks(side, owner, use):
                continue
            seen.add((owner, name))
            values = {"name": name, "owner": owner.name, "object": ast.unparse(use.node.value)}
            subject = f"{owner.path}:{owner.name}"
            is_made = named is not None or objects.class_of(file, use.node.value, use.scopes, owner.__eq__) is not None
            severity: Severity | None = None if is_made else "warning"
            statement = f"{owner.name}.{name}"
            hit = Hit(
                use.node.lineno, path=path, values=values, severity=severity, statement=statement, subject=subject
            )
            if named is not None:
                hit = hit._replace(message=_OF_CLASS.format(values["object"], name))
            elif not is_made:
                hit = hit._replace(message=_ANNOTATED.format(values["object"], owner.name, name), instead=_INSTEAD)
            hits.setdefault((owner, values["object"]), []).append(hit)
        for (_, read_of), of_class in hits.items():
            if read_of != "self" or len(of_class) <= MOST_UNKNOWN:
                yield from of_class


def _may_be_class(value: ast.expr) -> bool:
    return isinstance(value, (ast.Name, ast.Attribute)) and last_name(value).lstrip("_")[:1].isupper()


def _lacks(side: Snapshot, owner: Symbol, use: AttributeUse) -> bool:
    """Return whether objects of a class lack what is read, and this is the rule to say so."""
    name = use.node.attr
    if _BUILT.search(name):
        return False
    if is_private(name):
        return lacks_private(side, owner, use)
    if not lacks(side, owner, name) or _is_own_self(use) or is_set_elsewhere(side, name):
        return False
    return not attribute_of_self(use.node) or not has_borrowed_methods(side, owner)


def _lacked_by_super(use: AttributeUse, file: CodeFile, codebase: Codebase) -> Symbol | None:
    """Return the class in which an attribute of ``super()`` is read that no class above it has, or None.

    A mixin is put below classes of other repositories.
    """
    owner = owner_of(use.scopes)
    if owner is None or not is_super(use.node.value, *owner) or "mixin" in owner[0].name.lower():
        return None
    here = Symbol(file.path, owner[0].name)
    is_it = call_targets(codebase.head).class_of(here) is owner[0]
    names = names_of_super(codebase.head, here) if is_it else None
    return here if names is not None and use.node.attr not in names else None


def _hit_of_super(use: AttributeUse, owner: Symbol, path: str) -> Hit:
    name = use.node.attr
    return Hit(
        use.node.lineno,
        path=path,
        values={"name": name, "owner": owner.name, "object": "super()"},
        message=f"`super()` is asked for `{name}`, which no class above `{owner.name}` defines.",
        statement=f"super of {owner.name}.{name}",
        subject=f"{owner.path}:{owner.name}",
    )


def _is_own_self(use: AttributeUse) -> bool:
    """Return whether an attribute of ``self`` is read in a class that ``unset_attribute`` looks at.

    It has no base in the tree, or an ``__init__`` of its own.
    """
    around = use.scopes[0] if use.scopes else None
    if not attribute_of_self(use.node) or not isinstance(around, ast.ClassDef):
        return False
    has_init = any(is_function(each) and each.name == "__init__" for each in around.body)
    return has_init or {last_name(each) for each in around.bases} <= NO_BASES


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), doubted=True))
