"""What a change keeps although it removes the last reader: a private function, an attribute or a key.

A removed line read a key if it passed the key to a function, unless that only declares an option, logs it, or takes it
as a default. Every other mention of the word in the tree's Python counts as a reader, in strings too. Silent about
names that reflection may look up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from review_bot.analysis.facts.class_family import has_known_bases
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.composed_reads import read_by_composed_name
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words
from review_bot.analysis.python.class_kin import are_kin
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import argument_values, class_at, dotted
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.effects import logs
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_KEY = LazyRegex(r"[A-Za-z][\w.-]*[_.-][\w.-]*")
_SHORTEST_KEY = 12
_FEWEST_LITERAL = 6
"""Characters of an f-string that are written out, from which on it says what it may give."""
_TENSOR = LazyRegex(r".*\.(?:weight|bias|scale|zeros)")
"""Names of tensors in a checkpoint, which code puts together: ``f"{prefix}.weight"``."""
_REGISTERS = LazyRegex(r"(?:create|register|declare|define)_|(?:Counter|Gauge|Histogram|Summary)$")
"""Functions that make what a key names, such as a metric, and do not use it."""
_DECLARES = LazyRegex(
    r"(?:add_argument|add_option|set_defaults|argument|option|DEFINE_\w+|Argument|Body|Option|Query|\w*[Ff]ield)$"
)
"""Functions that declare an option or a field: its default, its choices and its help look nothing up."""
_GIVEN = frozenset({"default", "value"})
"""Keywords for what a field holds until someone changes it."""
_FALLBACKS = {"get": 1, "getattr": 2, "getenv": 1, "pop": 1, "setdefault": 1}
"""Function → the place of what it gives, or sets, where it finds nothing."""
_CALLED_BY_NAME = LazyRegex(r"_?(?:visit|do|on|handle|test|get|set|forward|load|init|call|process)_|__")
"""Names that dispatchers put together: ``getattr(self, f"visit_{kind}")``."""
_ON_PURPOSE = LazyRegex(r"(?i)\bdeprecated\b|\bkept\b|\bno longer\b|\bcompat")
"""What the lines of a definition say that is left for later, or for others."""
_HEADER = LazyRegex(r"[A-Z][a-z]*(?:-[A-Z][a-z]*)+")
"""Names of headers, such as ``Content-Type``, which the other side of a connection reads."""
_KNOWN_BASES = frozenset(
    {
        "ABC",
        "BaseModel",
        "Dataset",
        "Enum",
        "Exception",
        "Generic",
        "Module",
        "NamedTuple",
        "Protocol",
        "TestCase",
        "Thread",
        "object",
    }
)
"""Bases that ask no object for what its class alone has."""
_MOST_WORDS = 300
_MOST_MENTIONS = 4


class Read(NamedTuple):
    """A word that a removed line read. ``key``: as a string, else as the name of a function or attribute.

    ``owner``: the class around it, if it is an attribute of ``self``.
    """

    word: str
    line: int
    key: bool
    owner: str = ""


def gather(source: SourceFile) -> tuple[Read, ...] | None:
    """Return what removed lines read, unless a new comment names it: such code is only switched off."""
    if not source.removed or not is_library(source.path):
        return None
    if (tree := source.known_old_tree) is None:
        return None
    found: dict[str, Read] = {}
    passed = {id(value) for call in nodes_of(tree, ast.Call) for value in _looked_up(call)}
    for node in walk(tree):
        if getattr(node, "lineno", None) not in source.removed:
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and not _CALLED_BY_NAME.match(node.attr):
            owner = class_at(node.lineno, tree) if dotted(node.value) == "self" else ""
            found.setdefault(node.attr, Read(node.attr, node.lineno, key=False, owner=owner))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id.startswith("_"):
            found.setdefault(node.id, Read(node.id, node.lineno, key=False))
        elif isinstance(node, ast.Constant) and id(node) in passed and _is_key(node.value):
            found.setdefault(node.value, Read(node.value, node.lineno, key=True))
    set_aside = "\n".join(text.partition("#")[2] for text in source.added.values())
    return tuple(each for word, each in sorted(found.items()) if word not in set_aside) or None


def _looked_up(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call may use as the name of something: no default, and nothing that it only declares or logs."""
    name = last_name(call.func)
    is_text = logs(call) and name != "log"  # log("name", value) reports a metric
    registers = _REGISTERS.match(name) and not name.startswith("create_")  # create_model("name") may look it up
    if not (is_text or registers or _DECLARES.match(name)):
        fallback = _FALLBACKS.get(name)
        yield from (value for place, value in enumerate(call.args) if place != fallback)
        yield from (each.value for each in call.keywords if each.arg not in _GIVEN)


def _is_key(value: object) -> TypeGuard[str]:
    """Return whether a constant is text long enough to be found again as what it names."""
    if not isinstance(value, str) or len(value) < _SHORTEST_KEY:
        return False
    if _TENSOR.fullmatch(value) or _HEADER.fullmatch(value):
        return False
    return _KEY.fullmatch(value) is not None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit, on the old side, for what one file lost that one other place still has."""
    reads = {each.word: (path, each) for path, each in each_fact(facts)}
    if len(reads) > _MOST_WORDS:
        return
    added = "\n".join(line for file in codebase.change.files for _, line in file.added_lines())
    reads = {word: each for word, each in reads.items() if not (each[1].key and word in added)}  # else it has moved
    if any(each.key for _, each in reads.values()):
        forms = _added_forms(codebase)
        reads = {
            word: (path, each)
            for word, (path, each) in reads.items()
            if not (each.key and any(_gives(form, word) for form in forms))
        }
    attributes = {word for word, (_, each) in reads.items() if not each.key}
    for word in read_by_composed_name(codebase.head, attributes):
        del reads[word]
    parts = {word: re.split(r"[.-]", word)[0] for word in reads}  # the search knows words alone
    held: dict[str, list[str]] = {}
    for path, found in words_held(codebase.head, parts.values()).items():
        text = codebase.head.text(path) or ""
        for word, part in parts.items():
            if part in found and word in text:
                held.setdefault(word, []).append(path)
    left: dict[tuple[str, str, str], list[tuple[Read, int]]] = {}
    for word, paths in sorted(held.items()):
        origin, read = reads[word]
        home = paths[0] if read.key else origin
        if home not in paths or (home == origin) is read.key or (len(paths) > 1 and not word.startswith("_")):
            continue
        if is_library(home) and (place := _kept(read, codebase.head.tree(home), codebase.head)) is not None:
            what, line = place
            if not all(path == home or _is_another(read, path, origin, codebase) for path in paths):
                continue
            if _ON_PURPOSE.search("\n".join((codebase.head.text(home) or "").split("\n")[line - 1 : line + 4])):
                continue
            left.setdefault((origin, home, what), []).append((read, line))
    for (origin, home, what), each in sorted(left.items()):
        words = names_in_words(read.word for read, _ in each)
        line = min(line for _, line in each)
        where = f"{home}:{line}" if len(each) == 1 else home
        elsewhere = any(len(held[read.word]) > 1 for read, _ in each)  # a private name of others, too
        if what == "names":  # what registers or lists it may export it, so that others read it
            subject = "no other Python code of this repository names"
        else:
            subject = f"{'nothing in this file' if elsewhere else 'no Python code of this repository'} reads"
        values = {"subject": subject, "names": words, "place": f"`{where}`", "what": what}
        related = tuple(Related(home, number, f"`{read.word}`") for read, number in each[:MOST_RELATED])
        yield Hit(
            min(read.line for read, _ in each), side="LEFT", path=origin, values=values, related=related,
            statement=f"{home} {words}",
        )  # fmt: skip


def _added_forms(codebase: Codebase) -> list[list[str | None]]:
    """Return the parts of the f-strings on added lines: their texts, and None for what they fill in."""
    found: list[list[str | None]] = []
    for file in codebase.change.files:
        tree = codebase.head.tree(file.path) if file.path.endswith(".py") else None
        added = {number for number, _ in file.added_lines()}
        for node in () if tree is None else nodes_of(tree, ast.JoinedStr):
            parts = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
            if node.lineno in added and sum(len(part or "") for part in parts) >= _FEWEST_LITERAL:
                found.append(parts)
    return found


def _gives(form: list[str | None], word: str) -> bool:
    """Return whether an f-string can give a text: ``f"DiT-{size}.pt"`` gives ``DiT-XL.pt``."""
    place = 0
    for number, part in enumerate(form):
        at = word.find(part or "", place)
        if at < 0 or (number == 0 and at > 0):
            return False
        place = at + len(part or "")
    return form[-1] is None or word.endswith(form[-1])


def _is_another(each: Read, path: str, origin: str, codebase: Codebase) -> bool:
    """Return whether a private word in another file is its own: it defines it, or names it of ``self`` alone.

    A class below or above the one that defines it, or sets it, names that one's.
    """
    text = codebase.head.text(path) or ""
    defines = re.search(rf"\bdef[ \t]+{each.word}\b", text) is not None
    others = re.sub(rf"\bself\.{each.word}\b", "", text)
    if not defines and (others == text or re.search(rf"\b{each.word}\b", others) is not None):
        return False
    tree = codebase.head.tree(origin)
    owners = set() if tree is None else {class_at(line, tree) for line, _ in _mentions(each.word, tree)}
    other = codebase.head.tree(path)
    theirs = set() if other is None else {class_at(line, other) for line, _ in _mentions(each.word, other)}
    below = (one.path == path for owner in owners - {""} for one in subclasses(codebase.head, owner))
    above = (one.path == origin for owner in theirs - {""} for one in subclasses(codebase.head, owner))
    return not any(below) and not any(above)


def _is_of_tree(name: str, tree: ast.Module, side: Snapshot) -> bool:
    """Return whether every class of this name in a file inherits from known classes, or from some of the tree."""
    for owner in (each for each in nodes_of(tree, ast.ClassDef) if each.name == name):
        bases = [] if has_known_bases(owner) else [last_name(each) for each in owner.bases]
        for base in bases:
            defines = re.compile(rf"(?m)^[ \t]*class[ \t]+{re.escape(base)}\b")
            files = files_with(side, [base], ".py") if base and base not in _KNOWN_BASES else []
            if base not in _KNOWN_BASES and not any(defines.search(side.text(path) or "") for path in files):
                return False
    return True


def _kept(read: Read, tree: ast.Module | None, side: Snapshot) -> tuple[str, int] | None:
    """Return what a file still does with a word, and where, if every mention of it does just that."""
    mentions = [] if tree is None else sorted(_mentions(read.word, tree))
    doing = {what for _, what in mentions}
    if len(mentions) > _MOST_MENTIONS or len(doing) != 1:
        return None
    line, what = mentions[0]
    if what == "reads" or (what == "names") is not read.key or (what == "defines" and len(mentions) > 1):
        return None
    if what == "sets" and tree is not None and not class_at(line, tree):
        return None  # the function becomes a method of a class elsewhere, which may read it: `Pool.start = start`
    if what == "sets" and tree is not None and not _is_of_tree(class_at(line, tree), tree, side):
        return None  # what the class inherits from may read it, also a private name: `_name` of Keras
    if what == "sets" and tree is not None and read.owner and not are_kin(read.owner, class_at(line, tree), tree):
        return None  # the attribute of another class, which the removed line did not read
    return what, line


class _Index(NamedTuple):
    """What of a tree is asked for each word: its nodes by the name that they hold, and its strings.

    ``entries`` and ``statements`` are the ids of entries of tables and names of what is registered, and of what is set.
    """

    named: Mapping[str, list[Any]]
    strings: list[ast.Constant]
    entries: frozenset[int]
    statements: frozenset[int]


@kept_on_node
def _index(tree: ast.Module) -> _Index:
    named: dict[str, list[Any]] = {}
    strings: list[ast.Constant] = []
    for node in walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                named.setdefault(name, []).append(node)
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
                named.setdefault(name, []).append(node)
            case ast.arg(arg=str(name)) | ast.keyword(arg=str(name)):
                named.setdefault(name, []).append(node)
            case ast.Constant(value=str()):
                strings.append(node)
    tables: list[ast.List | ast.Tuple | ast.Set] = [
        *nodes_of(tree, ast.List),
        *nodes_of(tree, ast.Tuple),
        *nodes_of(tree, ast.Set),
    ]
    compared = {id(each) for compare in nodes_of(tree, ast.Compare) for each in compare.comparators}
    entries = {id(each) for table in tables if id(table) not in compared for each in table.elts}
    given = {id(each) for call in nodes_of(tree, ast.Call) for each in argument_values(call)}
    given |= {id(each.value) for each in nodes_of(tree, ast.Return) if each.value is not None}
    entries |= {id(each) for table in nodes_of(tree, ast.Dict) if id(table) not in given for each in table.keys}
    calls = (call for call in nodes_of(tree, ast.Call) if call.args and _REGISTERS.match(last_name(call.func)))
    entries |= {id(call.args[0]) for call in calls}
    statements = {id(each.targets[0]) for each in nodes_of(tree, ast.Assign) if len(each.targets) == 1}
    statements |= {id(each.target) for each in nodes_of(tree, ast.AnnAssign)}
    return _Index(named, strings, frozenset(entries), frozenset(statements))


def _mentions(word: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold a word, and what each does: ``names``, ``defines`` or ``sets`` it, or ``reads`` it.

    An entry of a table names a key. A private function that nothing decorates is defined; an attribute of ``self`` is
    set by a statement of its own.
    """
    index = _index(tree)
    for node in index.named.get(word, ()):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, "defines" if word.startswith("_") and not node.decorator_list else "reads"
            case ast.Attribute():
                sets = id(node) in index.statements and dotted(node.value) == "self"
                yield node.lineno, "sets" if sets else "reads"
            case _:
                yield node.lineno, "reads"
    part = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for each in index.strings:
        text = str(each.value)
        if word in text and part.search(text):
            yield each.lineno, "names" if text == word and id(each) in index.entries else "reads"


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
