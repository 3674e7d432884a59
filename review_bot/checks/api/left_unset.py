"""What code still reads although the change removes the last definition of it: an attribute or method of a class.

It goes with its lines, or with the base class that has it.

Reads whose object the text proves: ``self`` and ``super()`` in a class whose bases the tree contains, an object that
the reading function makes or takes with an annotation, and the class itself.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.arguments_to_object import call_with_arguments, is_mixed_in
from review_bot.analysis.facts.borrowed_methods import has_borrowed_methods
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.class_family import names_above, names_of_super
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import AttributeUse, CodeFile
from review_bot.analysis.facts.declared_class import declared_class
from review_bot.analysis.facts.edited_classes import edited_module, lost_bases
from review_bot.analysis.facts.keyed_reads import keyed_reads
from review_bot.analysis.facts.made_objects import MadeObjects, is_passed_on
from review_bot.analysis.facts.members import is_of_family_alone, lacks, lacks_if_concrete, members, own_members
from review_bot.analysis.facts.named_tuple_init import listed_fields, tuple_classes
from review_bot.analysis.facts.read_only import is_made, read_only
from review_bot.analysis.facts.receivers import is_super, owner_of
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import Use, uses_named
from review_bot.analysis.facts.word_search import files_with, held_before, unused_copies, words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import functions_of, is_function, named_parameters, targets_of
from review_bot.analysis.python.syntax import argument_values, attribute_of_self
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_NAMES = "names it"
_MOST_WORDS = 3_000
_MOST_FILES = 200
"""Files of the tree that are parsed for the sake of one change."""
_OF_CLASSES = frozenset({*dir(type), "register"})
"""Names that classes have by themselves; the last one those with a base ``ABC``."""
_GIVES = (ast.Expr, ast.For, ast.If, ast.Try, ast.While, ast.With)


class Lost(NamedTuple):
    """A name that a class gave its objects, and the removed line that did. ``what``: how it is called in words.

    ``old_path``: where the class was, if it lost base classes instead; the names are then found with the tree.
    """

    owner: str
    name: str
    line: int
    what: str
    old_path: str = ""


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return what classes that both sides have no longer define."""
    if (old := edited_module(source)) is None:
        return None
    kept = {each.name: each.names for each in own_members(source.tree)}
    found: dict[tuple[str, str], Lost] = {}
    for owner in (*old.body, *tuple_classes(old)):
        if not isinstance(owner, ast.ClassDef) or owner.name not in kept or not source.any_removed(*span_of(owner)):
            continue
        for each, last in _defined(owner):
            line = source.first_removed(each.line, last)
            if line is not None and each.name not in kept[owner.name] and not each.name.startswith("__"):
                found.setdefault((each.owner, each.name), each._replace(line=line))
    for name, line in lost_bases(source, old):
        found[name, ""] = Lost(name, "", line, "base class that defines it", source.change.base_path)
    return tuple(each for _, each in sorted(found.items())) or None


def _of_bases(lost: Lost, path: str, codebase: Codebase) -> Iterator[Lost]:
    """Yield the names that a class had by its bases and no longer has, if all of them are known."""
    before = members(codebase.base, Symbol(lost.old_path, lost.owner))
    after = members(codebase.head, Symbol(path, lost.owner))
    gone = before.names - after.names if before.closed and after.closed else frozenset[str]()
    above, left = names_of_super(codebase.base, Symbol(lost.old_path, lost.owner)), _left_to_super(path, lost, codebase)
    gone |= frozenset() if above is None or left is None else above - left
    gone = frozenset(name for name in gone if name.isidentifier() and not name.startswith("__"))
    yield from (lost._replace(name=name) for name in sorted(gone))


def _left_to_super(path: str, lost: Lost, codebase: Codebase) -> frozenset[str] | None:
    """Return the names that ``super()`` still has in a class that lost bases, perhaps all; None: not all are shown."""
    side, owner = codebase.head, Symbol(path, lost.owner)
    node = call_targets(side).class_of(owner)
    if node is None or node.bases:
        return names_of_super(side, owner)
    return None if is_mixed_in(node, side) else frozenset(dir(object))


def _defined(owner: ast.ClassDef) -> Iterator[tuple[Lost, int]]:
    """Yield what a class defines: methods, classes, fields, attributes of ``self``, with the last line of each name."""
    for statement in owner.body:
        if is_function(statement):
            is_property = any(isinstance(each, ast.Name) and each.id == "property" for each in statement.decorator_list)
            what = "property" if is_property else "method"
            last = max(statement.lineno, statement.body[0].lineno - 1)
            yield Lost(owner.name, statement.name, statement.lineno, what), last
        elif isinstance(statement, ast.ClassDef):
            last = max(statement.lineno, statement.body[0].lineno - 1)
            yield Lost(owner.name, statement.name, statement.lineno, "class"), last
        targets = targets_of(statement)
        for target in targets:
            if isinstance(target, ast.Name):
                yield Lost(owner.name, target.id, statement.lineno, "attribute"), last_line(target)
    for name in (name for base in owner.bases if isinstance(base, ast.Call) for name in listed_fields(base)):
        yield Lost(owner.name, name, owner.lineno, "field"), last_line(owner.bases[0])
    for node in nodes_of(owner, ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
            yield Lost(owner.name, node.attr, node.lineno, "attribute"), last_line(node)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each name that is still read; the reads are its related places."""
    for path, each in each_fact(facts):
        yield from _passed_to_object(path, each, codebase) if each.old_path else ()
    lost = {(Symbol(path, each.owner), each.name): each for path, found in facts.items() for each in found if each.name}
    for path, found in facts.items():
        for each in (one for of in found if of.old_path for one in _of_bases(of, path, codebase)):
            lost.setdefault((Symbol(path, each.owner), each.name), each)
    side = codebase.head
    names = _rarest({name for _, name in lost}, side)
    if not names:
        return
    lost = {key: each for key, each in lost.items() if key[1] in names}
    of_super = {key: each for key, each in lost.items() if _is_lost_by_super(key, each, codebase)}
    of_objects = {key: each for key, each in lost.items() if lacks_if_concrete(side, *key)}
    lost = of_objects | of_super
    held = _readers(side, lost)
    names = _followed(held, held_before(side, names))
    lost = {key: each for key, each in lost.items() if key[1] in names}
    of_objects, of_super = ({key: each for key, each in of.items() if key in lost} for of in (of_objects, of_super))
    held = {path: here & names for path, here in held.items() if here & names}
    readers: dict[tuple[Symbol, str], dict[Related, bool]] = {}
    set_outside: set[str] = set()
    targets, objects = call_targets(side), MadeObjects(codebase)
    for path, here in held.items():
        file = targets.file(path)
        if file is None:
            continue
        set_outside |= {each.name for each in uses_named(file.tree, here) if _is_set(each)}
        for use in file.attributes(here - _asked(file)):
            for key, sure in (
                *_read(use, file, objects, of_objects, codebase),
                *_read_of_super(use, file, of_super, codebase),
            ):
                place = Related(path, line_in_file(path, use.node.lineno, side), "reads it")
                found = readers.setdefault(key, {})
                found[place] = found.get(place, False) or sure
        for named in keyed_reads(file, here, objects, targets, side):
            for each in (named.owner, *targets.bases(named.owner)):
                if each is not None and (each, named.name) in of_objects and lacks(side, named.owner, named.name):
                    place = Related(path, line_in_file(path, named.node.lineno, side), _NAMES)
                    readers.setdefault((each, named.name), {}).setdefault(place, named.sure)
    for key in sorted(lost):
        if key in readers and (key[1] not in set_outside or read_only(side, *key) is not None):
            yield _hit(lost[key], key[0].path, readers[key], of_super=key not in of_objects)


def _passed_to_object(path: str, lost: Lost, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the header of a class without bases that still passes arguments to ``super().__init__()``."""
    side = codebase.head
    call = call_with_arguments(codebase, Symbol(path, lost.owner), lost.old_path)
    if call is None:
        return
    place = Related(path, line_in_file(path, call.lineno, side), "passes arguments")
    message = (
        f"`{place.path}:{place.line}` still passes arguments to `super().__init__()`, but this change removes the base "
        f"class of `{lost.owner}`, and `object` takes none."
    )
    severity: Severity | None = None if is_made(side, lost.owner) else "warning"
    statement = f"{lost.owner}.__init__"
    yield Hit(
        lost.line, side="LEFT", path=path, message=message, related=(place,), statement=statement, severity=severity
    )


def _rarest(names: set[str], side: Snapshot) -> set[str]:
    """Return the names, or of too many those that the fewest files had and some of these still have.

    Files that the change adds count for nothing: they would make a name that is read look like a common one.
    """
    if len(names) <= _MOST_WORDS:
        return names
    held, before = words_held(side, names), words_held(side.earlier or side, names)
    files_of = Counter(name for here in before.values() for name in here)
    still = {name for here in held.values() for name in here}
    kept = {name for path, here in held.items() if path in before for name in here}
    return set(sorted(still, key=lambda name: (name not in kept, files_of[name], name))[:_MOST_WORDS])


def _followed(held: Mapping[str, frozenset[str]], before: Collection[str]) -> set[str]:
    """Return the names of which all files are read: the rarest, as long as these are few enough files of the base."""
    files_of: dict[str, set[str]] = {}
    for path, names in held.items():
        for name in names:
            files_of.setdefault(name, set()).update({path}.intersection(before))
    found, files = set[str](), set[str]()
    for name in sorted(files_of, key=lambda each: (len(files_of[each]), each)):
        files |= files_of[name]
        if len(files) > _MOST_FILES:
            break
        found.add(name)
    return found


def _readers(side: Snapshot, lost: Collection[tuple[Symbol, str]]) -> dict[str, frozenset[str]]:
    """Return the files that may read what is lost; where these are many, those that name a class which lost it."""
    copies = unused_copies(side)
    held = {path: here for path, here in words_held(side, {name for _, name in lost}).items() if path not in copies}
    if len(held.keys() & held_before(side, {name for _, name in lost})) <= _MOST_FILES:
        return held
    owners = {owner.name for owner, _ in lost}
    family = owners.union(each.definition.name for owner in owners for each in subclasses(side, owner))
    return {path: held[path] for path in files_with(side, family) if path in held}


def _is_set(use: Use) -> bool:
    return use.kind == "attribute" and use.access == "write" and not use.owner


def _asked(file: CodeFile) -> frozenset[str]:
    """Return the words that a file writes as strings: it may ask for them, or set them, by name."""
    return frozenset(str(each.value) for each in nodes_of(file.tree, ast.Constant) if isinstance(each.value, str))


def _read(
    use: AttributeUse,
    file: CodeFile,
    objects: MadeObjects,
    lost: Mapping[tuple[Symbol, str], Lost],
    codebase: Codebase,
) -> Iterator[tuple[tuple[Symbol, str], bool]]:
    """Yield which lost name an attribute reads, of its class or of one below it that lacks it too; and if surely."""
    name, value, side, targets = use.node.attr, use.node.value, codebase.head, call_targets(codebase.head)
    declared = declared_class(targets, file, value, use.scopes)
    kind = declared or targets.named_by(file, value, use.scopes)

    def fits(owner: Symbol) -> bool:
        return any(each is not None and (each, name) in lost for each in (owner, *targets.bases(owner)))

    made = objects.class_of(file, value, use.scopes, fits)
    kind = made or kind
    if kind is None or targets.class_of(kind) is None or not lacks(side, kind, name):
        return
    if attribute_of_self(use.node) and has_borrowed_methods(codebase.base, kind):
        return  # a change that starts to lend them does not excuse what it removes
    for each in (kind, *targets.bases(kind)):
        if each is not None and (each, name) in lost:
            is_whole = read_only(side, kind, name) is not None or not is_passed_on(use, file.tree)
            is_class = made is None and declared is None and _is_plain_read(use, file, kind, targets)
            is_receiver = isinstance(value, ast.Name) and value.id in {"self", "cls"} and not is_class
            is_own = is_receiver and is_made(side, kind.name)
            sure = (
                ((made is not None or is_class) and is_whole)
                or (is_own and names_above(side, kind.path, kind.name) is not None)
                or (_is_annotated(use) and is_of_family_alone(side, kind, name))
            )
            yield (each, name), sure
            return


def _is_plain_read(use: AttributeUse, file: CodeFile, kind: Symbol, targets: CallTargets) -> bool:
    """Return whether Python looks a name up in a class that no top-level code of its module gives to a function.

    It does not look up what an annotation reads where none is evaluated: since Python 3.14 that is so everywhere.
    """
    own = targets.file(kind.path)
    is_read = id(use.node) not in _in_annotations(file.tree) and not file.path.endswith(".pyi")
    return is_read and use.node.attr not in _OF_CLASSES and own is not None and kind.name not in _given_away(own.tree)


@kept_on_node
def _in_annotations(tree: ast.Module) -> frozenset[int]:
    """Return the ids of the attributes in annotations."""
    written: list[ast.expr | None] = [each.annotation for each in nodes_of(tree, ast.AnnAssign)]
    written += [each.annotation for each in nodes_of(tree, ast.arg)]
    written += [each.returns for each in functions_of(tree)]
    return frozenset(id(node) for each in written if each is not None for node in nodes_of(each, ast.Attribute))


@kept_on_node
def _given_away(tree: ast.Module) -> frozenset[str]:
    """Return the names that statements at the top level give to functions, which may set attributes of a class."""
    statements = (each for each in tree.body if isinstance(each, _GIVES))
    calls = (call for statement in statements for call in nodes_of(statement, ast.Call))
    return frozenset(value.id for call in calls for value in argument_values(call) if isinstance(value, ast.Name))


def _read_of_super(
    use: AttributeUse, file: CodeFile, lost: Mapping[tuple[Symbol, str], Lost], codebase: Codebase
) -> Iterator[tuple[tuple[Symbol, str], bool]]:
    """Yield which lost name an attribute of ``super()`` reads that no class above has; and if surely."""
    side = codebase.head
    targets, owner, name = call_targets(side), owner_of(use.scopes), use.node.attr
    if owner is None or not is_super(use.node.value, *owner):
        return
    here = Symbol(file.path, owner[0].name)
    if targets.class_of(here) is not owner[0]:
        return
    own = lost.get((here, name))
    if own is not None and own.old_path:
        left = _left_to_super(file.path, own, codebase)
        if left is not None and name not in left:
            yield (here, name), is_made(side, here.name)
        return
    above = list(targets.bases(here))
    key = next(((each, name) for each in above if each is not None and (each, name) in lost), None)
    names = names_of_super(side, here) if key is not None else None
    if key is not None and names is not None and name not in names:
        yield key, True


def _is_lost_by_super(key: tuple[Symbol, str], each: Lost, codebase: Codebase) -> bool:
    """Return whether ``super()`` lacks a lost name: in the class itself if its bases went, else in those below it."""
    names = names_above(codebase.head, *key[0])
    left = _left_to_super(key[0].path, each, codebase) if each.old_path else None
    return (names is not None and key[1] not in names) or (left is not None and key[1] not in left)


def _is_annotated(use: AttributeUse) -> bool:
    """Return whether what is read is a parameter, ``self`` aside."""
    return isinstance(use.node.value, ast.Name) and any(
        each.arg == use.node.value.id and each.annotation is not None
        for scope in use.scopes
        if is_function(scope)
        for each in named_parameters(scope)
    )


def _hit(each: Lost, path: str, found: Mapping[Related, bool], *, of_super: bool) -> Hit:
    """Return the hit for one name. ``of_super``: classes below its class have it, which ``super()`` leaves out."""
    places = sorted(found, key=lambda place: (not found[place], place))
    where, alone = places_in_words(places)
    verb = "name" if any(place.note == _NAMES for place in places) else "read"
    values = {
        "name": each.name,
        "owner": each.owner,
        "what": each.what,
        "readers": where,
        "verb": f"{verb}s" if alone else verb,
    }
    reads = (
        f"{where} still {values['verb']} `{each.name}` of `super()`, but this change removes the {each.what} "
        f"from `{each.owner}`, and no class above it defines it."
    )
    return Hit(
        each.line,
        side="LEFT",
        values=values,
        path=path,
        related=tuple(places[:MOST_RELATED]),
        statement=f"{each.owner}.{each.name}",
        severity=None if any(found.values()) else "warning",
        message=reads if of_super else None,
    )


CHECK = change_check(
    gather, relate, CheckTraits(literals=("class", "namedtuple", "NamedTuple"), reads_old=True, on_lines=False)
)
