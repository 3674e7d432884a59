"""What tests may run without its name: what a decorator enters in a table that they read, and what a command runs.

::

    @register(Encoder)                      the decorator does ``PORTED[cls] = port``,
    class PortedEncoder: ...                and a test goes through ``PORTED``

    model-tool = model_tool.cli:main        an entry point of the project,
    run(["model-tool", "convert"])          which a test runs
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import MANIFESTS
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import is_function, parameter_names
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_ENTERS = frozenset({"register", "registers", "registered", "registry"})
"""Words of the names of decorators that enter what they decorate in a table."""
_ADDS = frozenset({"add", "append", "register", "setdefault", "update"})
_ENTRY_POINT = LazyRegex(r"(?<![\w.-])([A-Za-z][\w.-]{0,60})[\"']?[ \t]{0,20}=[ \t]{0,20}[\"']?(\w[\w.]{0,100}):\w")
_TESTS = LazyRegex(r"\bdef test|\bTestCase\b")
_STARTS = LazyRegex(r"subprocess|Popen|pexpect|check_(?:call|output)|execute|\brun\w*\(|\binvoke\(|\bsystem\(")
_MOST_FILES = 20


class Registered(NamedTuple):
    """A definition that a decorator enters in a table. ``mentions``: the names in it."""

    name: str
    decorator: str
    mentions: frozenset[str]


def registered(body: Iterable[ast.stmt]) -> Iterator[Registered]:
    """Yield the definitions of a module's top level that a decorator enters in a table."""
    for node in body:
        if not is_function(node) and not isinstance(node, ast.ClassDef):
            continue
        for mark in node.decorator_list:
            decorator = dotted(mark.func if isinstance(mark, ast.Call) else mark) or ""
            if not _ENTERS.isdisjoint(words_in(decorator.rpartition(".")[2])):
                yield Registered(node.name, decorator, frozenset(each.id for each in nodes_of(node, ast.Name)))


def reached_by_table(found: Iterable[Registered], words: Collection[str], side: Snapshot) -> frozenset[str]:
    """Return the names of what is in a table that tests name (``words``), and the names that it mentions itself."""
    reached: set[str] = set()
    for each in found if words else ():
        if not words_of_tables(side, each.decorator).isdisjoint(words):
            reached |= {each.name, *each.mentions}
    return frozenset(reached)


@query
def words_of_tables(side: Snapshot, decorator: str) -> frozenset[str]:
    """Return the names of the tables in which a decorator enters something: ``TABLE`` of ``TABLE.register``."""
    owner, _, name = decorator.rpartition(".")
    if owner and owner.rpartition(".")[2].isupper():
        return frozenset({owner.rpartition(".")[2]})
    defines = re.compile(rf"\bdef[ \t]+{re.escape(name)}\b")
    paths = [path for path in files_with(side, [name], ".py") if defines.search(side.text(path) or "")]
    found: set[str] = set()
    for path in paths[:_MOST_FILES]:
        tree = side.tree(path)
        for function in nodes_of(tree, ast.FunctionDef) if tree is not None else ():
            if function.name == name:
                found |= _filled_by(function)
    return frozenset(found)


def _filled_by(function: ast.FunctionDef) -> set[str]:
    """Return the tables that a function puts something into, its own parameters and those inside it aside."""
    stored = (each.value for each in nodes_of(function, ast.Subscript) if isinstance(each.ctx, ast.Store))
    calls = (each.func for each in nodes_of(function, ast.Call) if isinstance(each.func, ast.Attribute))
    filled = [*stored, *(each.value for each in calls if each.attr in _ADDS)]
    inner = (each for each in nodes_of(function, ast.FunctionDef))
    taken = parameter_names(function).union(*map(parameter_names, inner))
    return {each.id for each in filled if isinstance(each, ast.Name)} - taken


def command_of_tests(side: Snapshot, texts: Iterable[str], paths: Collection[str]) -> str:
    """Return a command of the project that tests run and that some files may be a part of; empty: none."""
    starting = [text for text in texts if _STARTS.search(text) and _TESTS.search(text)]
    for name, package in _entry_points(side).items():
        runs = re.compile(rf"[\[(]\s*[\"']{re.escape(name)}[\"']|[\"']{re.escape(name)} [a-z{{-]")
        if any(package in path.split("/") for path in paths) and any(map(runs.search, starting)):
            return name
    return ""


@query
def _entry_points(side: Snapshot) -> Mapping[str, str]:
    """Return the commands that the manifests declare, each with the top-level package that it runs."""
    found: dict[str, str] = {}
    for path in sorted(path for path in side.paths if path.rpartition("/")[2] in MANIFESTS):
        text = side.text(path) or ""
        if "scripts" in text:
            found.update((name, module.partition(".")[0]) for name, module in _ENTRY_POINT.findall(text))
    return found
