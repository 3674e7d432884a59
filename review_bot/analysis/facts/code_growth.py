"""What a change adds to the library: the definitions that grow, and what of the added lines is code that runs.

Left out are tests, stubs and others' sources. What only declares has nothing to test: tables, fields, bindings without
a body.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from review_bot.analysis.facts.indirect_tests import Registered, registered
from review_bot.analysis.project.added_code import code_lines
from review_bot.analysis.project.added_tests import holds_tests
from review_bot.analysis.python.running_statements import new_statements, reformatted_lines
from review_bot.analysis.python.statements import Function, is_for_scripts, is_function, is_string, is_stub
from review_bot.analysis.python.syntax import structure
from review_bot.changes.codebase import query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line, lines_of, span_of
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

_MOST_USERS = 200
_OF_FIELDS = (ast.AnnAssign, ast.Assign, ast.Expr, ast.Pass)
_APPLIED = LazyRegex(r"forward|backward|setup_context")
"""Methods that a call of an object runs, or ``apply`` of ``torch.autograd.Function``."""
_CONTAINERS = frozenset({"dict", "frozenset", "list", "set", "tuple"})
"""Calls that write a table out, as in ``model = dict(type="Encoder", layers=12)``."""


class Changed(NamedTuple):
    """A function, class, or method of the class ``owner``, to which a change adds lines.

    ``users``: what the file defines and calls it from, if the base has it too: their tests run it. ``runs``: how many
    statements the change adds to it that run.
    """

    owner: str
    name: str
    users: tuple[str, ...] = ()
    runs: int = 0


class Growth(NamedTuple):
    """The definitions of a file to which a change adds lines, and whether the file is made to be run.

    ``prose``: the added lines of docstrings, other texts without a use, bare annotations and what only gets another
    form; None if the file could not be read; ``texts``: those that begin inside a string that the code uses.
    ``statements``: how many statements begin on added lines. ``aliases``: the other names of what it defines, such as
    the one from before the change, each with what it stands for. ``registered``: what decorators enter in tables.
    """

    definitions: tuple[Changed, ...] = ()
    is_script: bool = False
    prose: frozenset[int] | None = None
    statements: int = 0
    aliases: tuple[tuple[str, str], ...] = ()
    texts: frozenset[int] = frozenset()
    registered: tuple[Registered, ...] = ()


@query  # several rules ask the same of a file
def growth_of(source: SourceFile) -> Growth | None:
    """Return the definitions to which the change adds lines, at the top level and in its classes.

    None for a test, a stub, and others' sources, and where the change adds nothing but declarations and other forms of
    what was there.
    """
    if holds_tests(source.change) or not source.added or source.path.endswith(".pyi") or is_vendored(source.path):
        return None
    try:
        body = [] if source.text is None else source.tree.body
    except CannotParse:
        return Growth()  # its lines still count
    prose = (
        None if source.text is None else frozenset(source.added) & (_without_code(source) | reformatted_lines(source))
    )
    texts = frozenset[int]() if source.text is None else frozenset(source.added) & _inside_texts(source)
    try:
        before = _before(source)
    except CannotParse:
        return Growth(prose=prose, texts=texts)
    touched = [node for node in body if source.any_added(*span_of(node))]
    if touched and prose is not None and source.added.keys() <= prose:
        return None
    if touched and all(_is_among(node, before) or _declares(node) for node in touched):
        return None
    running = new_statements(source) if touched else []
    found = tuple(_changed(source, body, "", before, running))
    known = set() if source.old_text is None else {node.name for node in _definitions(source.old_tree)}
    mentioning = _mentioning(body) if known else {}
    users = {name: _users(name, mentioning) for name in {each.name for each in found} & known}
    found = tuple(each._replace(users=users.get(each.name, ())) for each in found)
    # No one calls `forward` of a class by its name, and what is made of the class may hide it deep in a model.
    applied = {each.owner for each in found if each.name in known and _APPLIED.fullmatch(each.name)}
    by_functions = _mentioning(filter(is_function, body)) if applied else {}
    found = tuple(
        each._replace(users=tuple(by_functions.get(each.owner, ()))) if each.owner in applied else each
        for each in found
    )
    statements = sum(each.lineno in source.added for each in walk(source.tree) if isinstance(each, ast.stmt))
    return Growth(
        found, any(map(is_for_scripts, body)), prose, statements, tuple(_aliases(body)), texts, tuple(registered(body))
    )


def _aliases(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the names that a module gives to what it defines under another one, each with that.

    ::

        OldEngine = Engine      class OldEngine(Engine): ...
    """
    defined = {each.name for each in body if is_function(each) or isinstance(each, ast.ClassDef)}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in defined:
            yield from ((each.id, node.value.id) for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.ClassDef) and _declares(node):
            yield from (
                (node.name, each.id) for each in node.bases if isinstance(each, ast.Name) and each.id in defined
            )


def _inside_texts(source: SourceFile) -> set[int]:
    """Return the lines that begin inside a string. Raises CannotParse."""
    strings = [*source.nodes(ast.Constant), *source.nodes(ast.JoinedStr)]
    long = (each for each in strings if isinstance(getattr(each, "value", ""), str))
    return {line for each in long for line in range(each.lineno + 1, (each.end_lineno or each.lineno) + 1)}


def _without_code(source: SourceFile) -> set[int]:
    """Return the lines of docstrings, other texts without a use and bare annotations. Raises CannotParse."""
    texts = [each for each in source.nodes(ast.Expr) if is_string(each)]
    bare = [each for each in source.nodes(ast.AnnAssign) if each.value is None]
    return {line for each in (*texts, *bare) for line in lines_of(each)}


def _definitions(tree: ast.Module) -> Iterator[Function]:
    """Yield the functions of a module's top level, and the methods of its classes."""
    for node in tree.body:
        yield from filter(
            is_function, [node] if is_function(node) else node.body if isinstance(node, ast.ClassDef) else []
        )


def _mentioning(body: Iterable[ast.stmt]) -> dict[str, list[str]]:
    """Return the functions and classes of a module that mention a name, by the name."""
    found: dict[str, list[str]] = {}
    for node in body:
        if is_function(node) or isinstance(node, ast.ClassDef):
            for name in sorted(_names_in(node)):
                found.setdefault(name, []).append(node.name)
    return found


def _users(name: str, mentioning: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Return what mentions a name, and what mentions these: the nearest, as a chain may be as long as the module."""
    found, waiting = {name}, deque([name])
    while waiting and len(found) <= _MOST_USERS:
        new = [each for each in dict.fromkeys(mentioning.get(waiting.popleft(), ())) if each not in found]
        found.update(new)
        waiting.extend(new)
    return tuple(sorted(found - {name}))


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in nodes_of(node, ast.Name)} | {each.attr for each in nodes_of(node, ast.Attribute)}


def _before(source: SourceFile) -> frozenset[str]:
    """Return the code of the statements and methods from which the change removes lines. Raises CannotParse."""
    old = [] if source.old_text is None or not source.removed else source.old_tree.body
    methods = [each for node in old if isinstance(node, ast.ClassDef) for each in node.body]
    return frozenset(structure(each) for each in (*old, *methods) if source.any_removed(*span_of(each)))


def _is_among(node: ast.stmt, before: frozenset[str]) -> bool:
    return bool(before) and structure(node) in before


def _declares(node: ast.stmt) -> bool:
    """Return whether a statement imports, names values that are written out, or defines what does nothing by itself."""
    if isinstance(node, (ast.Import, ast.ImportFrom)) or is_string(node):
        return True
    if is_function(node):
        return is_stub(node)
    if isinstance(node, ast.With):  # a configuration that inherits another one: ``with read_base():``
        return all(map(_declares, node.body))
    if isinstance(node, ast.ClassDef):
        return all(is_stub(each) if is_function(each) else isinstance(each, _OF_FIELDS) for each in node.body)
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    if value is None or any(nodes_of(value, ast.Lambda)):
        return False
    return all(isinstance(call.func, ast.Name) and call.func.id in _CONTAINERS for call in nodes_of(value, ast.Call))


def _changed(
    source: SourceFile, body: Iterable[ast.stmt], owner: str, before: frozenset[str], running: Sequence[int]
) -> Iterator[Changed]:
    for node in body:
        if not source.any_added(*span_of(node)) or _is_among(node, before) or _declares(node):
            continue
        if isinstance(node, ast.ClassDef) and not owner:
            methods = list(_changed(source, node.body, node.name, before, running))
            yield from methods or [Changed("", node.name, runs=_within(node, running))]
        elif is_function(node):
            yield Changed(owner, node.name, runs=_within(node, running))


def _within(node: ast.stmt, lines: Sequence[int]) -> int:
    return sum(node.lineno <= line <= last_line(node) for line in lines)


def known_aliases(facts: Mapping[str, Growth], words: Collection[str]) -> dict[str, str]:
    """Return what tests name by an alias alone, with that."""
    aliases = (each for growth in facts.values() for each in growth.aliases)
    return {name: alias for alias, name in aliases if alias in words and name not in words}


def known_as(changed: Changed, words: Collection[str]) -> str:
    """Return the name by which a test names a definition, its class or one that calls it; nothing if none does."""
    user = next((each for each in changed.users if each in words and not each.startswith("_")), "")
    if user or not changed.owner:
        return user or (changed.name if changed.name in words else "")
    return changed.owner if changed.owner in words and (changed.name.startswith("_") or changed.name in words) else ""


def rewrites_code(files: Iterable[ChangedFile]) -> bool:
    """Return whether files get another form of what they had: more than half as many lines go as come."""
    changed = list(files)
    added = sum(bool(text.strip()) for file in changed for _, text in file.added_lines())
    return 2 * sum(bool(text.strip()) for file in changed for _, text in file.removed_lines()) > added


def added_code(files: Iterable[ChangedFile], facts: Mapping[str, Growth], change: Iterable[ChangedFile]) -> int:
    """Count the added lines of code in files, other than those merely moved from elsewhere in the change."""
    gone = Counter(line.strip() for file in change for _, line in file.removed_lines())
    count = 0
    for file in files:
        for text in code_lines(file, facts[file.path].prose, facts[file.path].texts):
            if gone[text] > 0:
                gone[text] -= 1
            else:
                count += 1
    return count
