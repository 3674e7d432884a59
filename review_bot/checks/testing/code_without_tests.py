"""Code in the library, and no test in the whole change.

Left out is what existing tests reach: files all of whose changed functions a test names, what a decorator enters in a
table that a test names (and what that mentions), modules after which a test file is named, files with new examples in
docstrings that the repository runs, and modules among others without tests: ports of models that only run with weights,
or a folder of scripts or of an interface. A repository that does not configure pytest is left alone if it has a test
file for fewer than one module in twenty. What only declares has nothing to test: tables, fields, bindings without a
body.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from review_bot.analysis.facts.indirect_tests import Registered, command_of_tests, reached_by_table, registered
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_code import code_lines
from review_bot.analysis.project.added_tests import (
    adds_tests,
    holds_tests,
    module_name,
    runs_doctests,
    switches_tests_on,
    tested_modules,
    tests_its_code,
)
from review_bot.analysis.project.base_tests import base_tests, import_share, test_naming
from review_bot.analysis.project.wording import about, listed
from review_bot.analysis.python.running_statements import new_statements, reformatted_lines
from review_bot.analysis.python.statements import Function, is_for_scripts, is_function, is_string, is_stub
from review_bot.analysis.python.syntax import structure
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line, lines_of, span_of
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_SHARE = 0.2
"""Which share of the library's modules tests import at least, where a change of few lines needs one.

Of 13 findings in repositories below it that two people judged, 4 were useful; of 8 in others, 6."""

_MANY = 150
"""Lines from which on a change needs tests also where tests import less of the library, and if it removes as many."""

_MUCH = 30
"""Statements that run, in what no test names, from which on a change needs tests also where few modules are tested.

Of eight such changes that two people judged, six needed them."""

_LINES_OF_RUNNING = 10
"""Lines for each statement that runs: where there are more, a change writes types, tables and texts."""

_MOST_NAMES = 8
_MOST_SHOWN = 3
_LINES_OF_A_STATEMENT = 3
"""Lines that a statement has at most, on average, in code that is no table."""
_MOST_USERS = 200
_OF_FIELDS = (ast.AnnAssign, ast.Assign, ast.Expr, ast.Pass)
_APPLIED = LazyRegex(r"forward|backward|setup_context")
"""Methods that a call of an object runs, or ``apply`` of ``torch.autograd.Function``."""
_CONTAINERS = frozenset({"dict", "frozenset", "list", "set", "tuple"})
"""Calls that write a table out, as in ``model = dict(type="Encoder", layers=12)``."""
_DEFINES = LazyRegex(r"(?m)^(?:async +)?(?:def|class) +(\w+)")
_EXAMPLE = LazyRegex(r"\s*>>> ")


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
def gather(source: SourceFile) -> Growth | None:
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


def _known_aliases(facts: Mapping[str, Growth], words: Collection[str]) -> dict[str, str]:
    """Return what tests name by an alias alone, with that."""
    aliases = (each for growth in facts.values() for each in growth.aliases)
    return {name: alias for alias, name in aliases if alias in words and name not in words}


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


def relate(
    facts: Mapping[str, Growth], pull_request: PullRequest, codebase: Codebase, options: Options
) -> Iterator[Hit]:
    """Yield one hit if the library grows by ``at_least`` lines of code or more, and no line of a test is added.

    Tests that the change no longer skips are tests of what it adds.
    With ``untested_below``, it is about the code that tests name, unless as many lines are added to what they do not:
    then other rules report those. With ``below``, none if it grows by that many or more: then another rule reports it.
    Nor is there one, with it, if the tests name each public definition that grows; and scripts, which are tried by
    running them, are left out. Where tests import few modules of the library, a small change is tried in other ways.
    """
    is_tested = adds_tests(pull_request) or switches_tests_on(pull_request)
    if is_tested or (codebase.available and not tests_its_code(codebase.head)):
        return
    if "untested_below" in options:
        if codebase.available:
            yield from _grown(facts, pull_request, codebase, options)
        return
    tested = tested_modules(codebase.head.paths)
    files = [file for file in pull_request.files if file.path in facts and module_name(file.path) not in tested]
    if added_code(files, facts, pull_request.files) < options["at_least"]:
        return
    with_examples = [file.path for file in files if any(_EXAMPLE.match(line) for _, line in file.added_lines())]
    if with_examples and codebase.available and runs_doctests(codebase.head):
        files = [file for file in files if file.path not in with_examples]
    tests = base_tests(codebase)
    defined = {name for growth in facts.values() for each in growth.definitions for name in (each.owner, each.name)}
    words = tests.words.union(_known_aliases(facts, tests.words), tests.in_names_of_tests(defined - tests.words))
    is_untested = "below" in options and codebase.available and import_share(tests.texts, codebase.base.paths) < _SHARE
    grown = {file.path: facts[file.path].definitions for file in files}
    entered = [each for growth in facts.values() for each in growth.registered]
    known = reached_by_table(entered, tests.words, codebase.head)  # by what a test that goes through a table runs
    untested = {
        path: [each for each in found if not _known_as(each, words) and (each.owner or each.name) not in known]
        for path, found in grown.items()
    }
    counted = [file for file in files if untested[file.path] or not grown[file.path]]
    counted = [file for file in counted if not tests.leave_out(file.path)]
    added = added_code(counted, facts, pull_request.files)
    if "below" in options:
        if added >= options["below"] and not _only_declares(counted, untested, options["below"]):
            return  # with its scripts, it is enough for the other rule
        files, counted = ([each for each in some if not facts[each.path].is_script] for some in (files, counted))
        added = added_code(counted, facts, pull_request.files)
    runs = sum(each.runs for file in counted if not _rewrites([file]) for each in untested[file.path])
    least = max(options["at_least"], _MANY if is_untested and runs < _MUCH else 0)
    rewrites = "below" in options and added < _MANY and _rewrites(counted)
    if rewrites or not least <= added < options.get("below", added + 1) or _only_declares(counted, untested, least):
        return
    shown = (each for path in sorted(file.path for file in counted) for each in untested[path])
    public = (each for each in shown if _is_public(each, words))
    names = listed(dict.fromkeys(_named(each, words) for each in public), _MOST_NAMES)
    what = f". No existing test names {names}" if names and codebase.available else ""
    if what and (command := command_of_tests(codebase.base, tests.texts, [each.path for each in counted])):
        what += f", but tests run the command `{command}`, which may reach them"
    if "below" in options and codebase.available and not names:
        return  # a small change of what tests may reach through other functions
    places = listed((each.path for each in counted if added_code([each], facts, pull_request.files)), _MOST_SHOWN)
    yield Hit(None, values={"added": about(added), "files": places, "what": what}, statement="")


def _grown(
    facts: Mapping[str, Growth], pull_request: PullRequest, codebase: Codebase, options: Options
) -> Iterator[Hit]:
    """Yield a hit if what a test names grows: the test was written for what it did before."""
    tests = base_tests(codebase)
    aliases = _known_aliases(facts, tests.words)
    words = tests.words.union(aliases)
    files = [file for file in pull_request.files if file.path in facts and not facts[file.path].is_script]
    files = [file for file in files if not tests.leave_out(file.path)]
    named = {
        file.path: [name for each in facts[file.path].definitions if (name := _known_as(each, words))] for file in files
    }
    shared = _defined_often({name for found in named.values() for name in found}, codebase.head)
    named = {path: [name for name in found if name not in shared] for path, found in named.items()}
    reached = [file for file in files if named[file.path] and file.status != "added"]  # a new file has no tests yet
    others = [file for file in files if file not in reached]
    if added_code(others, facts, pull_request.files) >= options["untested_below"]:
        return
    added = added_code(reached, facts, pull_request.files)
    if added < options["at_least"] or _rewrites(reached):
        return
    # Texts, tables and overloads are no behaviour, and one edit that many files get is tried in one of them.
    behaves = [file for file in reached if facts[file.path].statements * _LINES_OF_A_STATEMENT >= options["at_least"]]
    behaves = [file for file in behaves if _runs(facts[file.path]) * _LINES_OF_RUNNING >= options["at_least"]]
    known = [each.runs for file in reached for each in facts[file.path].definitions if _known_as(each, words)]
    if not behaves or 2 * sum(known) < sum(_runs(facts[file.path]) for file in reached):
        return  # most of it is in what no test names, which other rules report
    names = dict.fromkeys(aliases.get(name, name) for file in behaves for name in named[file.path])
    lines = added_code(behaves, facts, pull_request.files)
    shown = {"names": listed(names, _MOST_SHOWN), "them": "it" if len(names) == 1 else "them"}
    values = {"added": about(lines), "test": test_naming(names, codebase), **shown}
    yield Hit(None, values=values, statement="")


def _runs(growth: Growth) -> int:
    return sum(each.runs for each in growth.definitions)


def _defined_often(names: Collection[str], side: Snapshot) -> frozenset[str]:
    """Return the names that several files of the library define: a test that has one may be about any of them."""
    counts: Counter[str] = Counter()
    for path in files_with(side, names, ".py") if names else ():
        if is_library(path):
            counts.update({each[1] for each in _DEFINES.finditer(side.text(path) or "")})
    return frozenset(name for name in names if counts[name] > 1)


def _only_declares(files: Iterable[ChangedFile], untested: Mapping[str, Sequence[Changed]], lines: int) -> bool:
    """Return whether files get hardly a statement that runs for their lines: annotations, texts, other forms."""
    definitions = [untested[file.path] for file in files]
    runs = sum(each.runs for found in definitions for each in found)
    return all(definitions) and runs * _LINES_OF_RUNNING < lines


def _rewrites(files: Iterable[ChangedFile]) -> bool:
    """Return whether files get another form of what they had: more than half as many lines go as come."""
    changed = list(files)
    added = sum(bool(text.strip()) for file in changed for _, text in file.added_lines())
    return 2 * sum(bool(text.strip()) for file in changed for _, text in file.removed_lines()) > added


def _known_as(changed: Changed, words: Collection[str]) -> str:
    """Return the name by which a test names a definition, its class or one that calls it; nothing if none does."""
    user = next((each for each in changed.users if each in words and not each.startswith("_")), "")
    if user or not changed.owner:
        return user or (changed.name if changed.name in words else "")
    return changed.owner if changed.owner in words and (changed.name.startswith("_") or changed.name in words) else ""


def _is_public(changed: Changed, words: Collection[str]) -> bool:
    """Return whether a definition is public, or part of a public class that no test names."""
    if changed.name.startswith("_") and (not changed.owner or changed.owner in words):
        return False
    return not changed.owner.startswith("_")


def _named(changed: Changed, words: Collection[str]) -> str:
    """Return the class if no test names that, else the definition."""
    if changed.owner and changed.owner in words:
        return f"{changed.owner}.{changed.name}"
    return changed.owner or changed.name


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


CHECK = ChangeCheck(
    without_options(gather),
    relate,
    CheckTraits(literals=None, reads_old=True, works_without_tree=True, on_lines=False),
)
