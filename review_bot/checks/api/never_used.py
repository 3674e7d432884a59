"""What the change adds and nothing in the tree uses: a function, a constant, an attribute of ``self``.

Public functions of a library count if there are few of them: many are a library that was taken over, or an interface
for other repositories. Every other mention of the name in code, configuration
and documents counts as a use, in comments and strings too. Silent about names that reflection or a base outside the
tree may look up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.class_family import has_known_bases, names_in_family
from review_bot.analysis.facts.members import NAMES_OF_MODULES
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.python.hook_names import is_hook
from review_bot.analysis.python.statements import (
    Function,
    attributes_of_self,
    is_function,
    is_string,
    is_stub,
    last_name,
)
from review_bot.analysis.python.syntax import argument_values, classes, imported_names
from review_bot.analysis.python.working_classes import does_work
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_CONSTANT = LazyRegex(r"_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_EXPECTED = LazyRegex(r"_?PYTEST_|\w*_ARCHIVE_(?:MAP|LIST)$|_\w+_FOR_DOC$")
"""Constants that pytest reads, or that come with every model copied from transformers."""
_PRIVATE = LazyRegex(r"_[a-z]\w*_\w+|_[a-z]\w{5,}")
_OF_WORDS = LazyRegex(r"[a-z][a-z0-9]*_\w+")
_BY_NAME = LazyRegex(r"_?(?:visit|do|on|handle|test|pytest|get|set|load|init|call|process|mp|hf|hook)_[a-z]*(?:_fn)?")
"""Names that dispatchers and launchers put together or expect: ``getattr(self, f"_do_{kind}")``, ``_mp_fn``."""
_OF_MODULES = frozenset(
    {"_save_to_state_dict", "_load_from_state_dict", "_apply", "_get_name", "_replicate_for_data_parallel"}
)
"""Methods of ``torch.nn.Module`` that it calls itself, for subclasses to override."""
_MAIN = LazyRegex(r"(?m)^[ \t\f]*if[ \t\f(]+__name__\b")
_CALLED_FROM_OUTSIDE = LazyRegex(r"_|(?:tests?|pytest|on|setup|teardown|main|run|app|handler|lambda)(?:_|$)")
"""Functions of scripts that a framework calls: tests, hooks of mkdocs, entry points."""
_KEPT = LazyRegex(r"(?i)compatib|deprecat|legacy|backward")
"""Words of the docstring of a function that is kept for code elsewhere."""
_REFLECTS = LazyRegex(
    r"\b(?:globals|locals|vars|dir)\(|__dict__|__slots__|__getstate__|getmembers|import_module|sys\.modules|\bFire\("
    r"|\b(?:get|has|set)attr\([^\n]{0,80}(?:\bf[\"']|[+%]|\.format)|\bf[\"']_\w*\{"
)
"""What may reach a name that no text holds whole: a string with the name would be a mention."""
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:generated|_?version\.py|conf\.py|setup\.py|[^/]*_pb2)")
_TABLES = LazyRegex(r"(?i)(?:^|_)(?:const(?:ants?)?|consts|envs?|types?|defaults|registry|config|settings|tables)\.py$")
"""Files that list values for any code that needs one."""
_OTHER_TEXT = (
    ".toml", ".cfg", ".ini", ".yaml", ".yml", ".json", ".sh", ".md", ".mdx", ".rst", ".cpp", ".cc", ".cu", ".h", ".rs",
    ".jinja", ".ipynb", ".pyx", ".pxd", ".pxi", ".c", ".hpp", ".cuh", ".hip", ".go", ".js", ".ts", ".j2", ".tmpl",
    ".tpl", ".in", ".cmake", ".html", ".txt", "Makefile", "Dockerfile", "justfile",
)  # fmt: skip
_MOST_OTHER_FILES = 4_000
_MOST_CONSTANTS = 2
"""Unused constants of a file; more of them are a table, which is complete on purpose."""
_FEWEST_OF_TABLE = 4
"""Constants of a class, from which on they are a table as well, unless the file uses most of them one by one."""
_NO_THINGS = frozenset({"DEFAULT", "MAX", "MIN", "NUM", "TOTAL"})
_USED_ONE_BY_ONE = 2 / 3
_COMPUTING = frozenset({
    "PIL", "cv2", "einops", "numpy", "packaging", "safetensors", "scipy", "torch", "torch_npu", "torchaudio",
    "torchvision", "tqdm", "triton", "yaml",
})  # fmt: skip
"""Packages that a file may import whose public methods count: others may be given its objects, and call them."""
_MOST_PUBLIC = 3
"""Public functions of a library that one change adds and nothing uses."""
_MOST_NAMES = 300
_READS = frozenset({"int", "float", "str", "bool", "get", "getenv", "getattr", "pop", "len", "tuple", "frozenset"})
"""Calls that convert or look up a value; any other may make an object that has to be kept alive."""


class Added(NamedTuple):
    """A definition on an added line. ``kind``: ``function``, ``public``, ``constant`` or ``attribute``.

    ``owner`` is the class that it belongs to, or empty; ``alone``: no base of the class has to be looked up.
    """

    kind: str
    name: str
    line: int
    owner: str
    alone: bool


_WHAT = {
    "function": "is called nowhere: nothing else in this repository mentions it",
    "public": "is called nowhere in this repository: no test, example or document names it either",
    "constant": "is read nowhere: nothing else in this repository mentions it",
    "attribute": "is set, and nothing in this repository does anything else with it",
}


def gather(source: SourceFile) -> tuple[Added, ...] | None:
    """Return what a file defines on added lines and does not mention again. Raises CannotParse."""
    if (
        not source.added
        or _ASIDE.search(source.path)
        or is_vendored(source.path)
        or _REFLECTS.search(source.text or "")
    ):
        return None
    found = list(_definitions(source))
    constants = [each for each in found if each.kind == "constant"]
    if len(constants) > _MOST_CONSTANTS or _TABLES.search(source.path):
        found = [each for each in found if each.kind != "constant"]
    return tuple(found) or None


def _definitions(source: SourceFile) -> Iterator[Added]:
    """Yield the definitions on added lines whose name the rest of the file does not hold."""
    methods: set[int] = set()
    handed = set(_handed_on(source))
    yield from _constants(source.tree.body, "", alone=True, source=source)
    for owner in classes(source.tree):
        methods.update(id(each) for each in owner.body)
        if not source.any_added(*span_of(owner)):
            continue
        if not all(last_name(each) == "dataclass" for each in owner.decorator_list):
            continue
        alone = has_known_bases(owner)
        # A library that is given the class, or a table of classes, calls and reads what it expects of it.
        if owner.name not in handed:
            functions = [each for each in owner.body if is_function(each)]
            yield from _functions(functions, owner.name, alone=alone, source=source)
            if not _is_table([name for each in owner.body if (name := _constant(each))], source):
                yield from _constants(owner.body, owner.name, alone=alone, source=source)
        if not is_test(source.path):
            yield from _attributes(owner, source, alone=alone)
    others = [each for each in source.functions if id(each) not in methods and not _is_method(each)]
    yield from _functions(others, "", alone=True, source=source)


def _is_table(constants: list[str], source: SourceFile) -> bool:
    used = sum(_mentions(each, source) > 1 for each in constants)
    return len(constants) >= _FEWEST_OF_TABLE and used < _USED_ONE_BY_ONE * len(constants)


def _handed_on(source: SourceFile) -> Iterator[str]:
    """Yield the names that calls are given and that tables hold."""
    given: list[ast.expr] = [each for call in source.nodes(ast.Call) for each in argument_values(call)]
    given += [each for table in source.nodes(ast.Dict) for each in table.values]
    given += [each for table in source.nodes(ast.List) for each in table.elts]
    given += [each for table in source.nodes(ast.Tuple) for each in table.elts]
    yield from (each.id for each in given if isinstance(each, ast.Name))


def _functions(functions: list[Function], owner: str, *, alone: bool, source: SourceFile) -> Iterator[Added]:
    """Yield the private functions, those that only a script can call, and the public ones of a library."""
    in_library = is_library(source.path)
    is_script = not (owner or is_test(source.path) or in_library) and _MAIN.search(source.text or "")
    for each in functions:
        if each.lineno not in source.added or is_hook(each.name) or each.decorator_list or is_stub(each):
            continue
        private = _PRIVATE.fullmatch(each.name) and not _BY_NAME.fullmatch(each.name)
        private = private and each.name not in _OF_MODULES
        own = private or (is_script and not _CALLED_FROM_OUTSIDE.match(each.name))
        public = in_library and _OF_WORDS.fullmatch(each.name) and not _CALLED_FROM_OUTSIDE.match(each.name)
        public = public and each.name not in NAMES_OF_MODULES and not (owner and _serves_others(source))
        kept = _KEPT.search(ast.get_docstring(each) or "")
        if (own or public) and not kept and _mentions(each.name, source) == 1:
            yield Added("function" if own else "public", each.name, each.lineno, owner, alone)


def _serves_others(source: SourceFile) -> bool:
    """Return whether a file imports what may call methods of its objects: none of the tree, and no plain computing."""
    return any(_is_of_others(name, source) for name in imported_names(source.tree).values())


def _is_given_to_library(owner: ast.ClassDef, source: SourceFile) -> bool:
    """Return whether a decorator of a library gets the objects of a class, with the arguments of a method.

    ::

        @dynamic_rope_update            of transformers: reads ``self.original_inv_freq``
        def forward(self, x, position_ids): ...
    """
    imported = imported_names(source.tree)
    decorators = [each for method in owner.body if is_function(method) for each in method.decorator_list]
    names = {next(iter(nodes_of(each, ast.Name))).id for each in decorators if any(nodes_of(each, ast.Name))}
    return any(_is_of_others(imported[name], source) for name in names if name in imported)


def _is_of_others(imported: str, source: SourceFile) -> bool:
    top = imported.partition(".")[0]
    return not (imported.startswith(".") or is_standard(top) or top in _COMPUTING or f"/{top}/" in f"/{source.path}")


def _is_method(function: Function) -> bool:
    """Return whether a function that is not directly in a class is one of its methods all the same."""
    return any(each.arg in {"self", "cls"} for each in function.args.args[:1])


def _constants(body: list[ast.stmt], owner: str, *, alone: bool, source: SourceFile) -> Iterator[Added]:
    found: list[tuple[Added, list[str]]] = []
    row: list[str] = []
    if not owner and _only_lists(body):
        return
    for each in body:
        name = _constant(each)
        if not (name and row and _thing(name) == _thing(row[0])):
            row = []
        if name:
            row.append(name)
            if each.lineno in source.added and _mentions(name, source) == 1:
                found.append((Added("constant", name, each.lineno, owner, alone), row))
    # Values of one thing, one after another, say what it is.
    yield from (each for each, row in found if owner or len(row) < _FEWEST_OF_TABLE)


def _only_lists(body: list[ast.stmt]) -> bool:
    """Return whether a file imports something and sets constants of it, and does nothing else: a loader reads those."""
    rest = [each for each in body if not isinstance(each, (ast.Import, ast.ImportFrom)) and not is_string(each)]
    return len(rest) < len(body) and all(map(_constant, rest))


def _thing(constant: str) -> str:
    """Return the first word of a constant, which may say whose value it is; no ``MAX_`` does."""
    first = constant.strip("_").partition("_")[0]
    return constant if first in _NO_THINGS else first


def _constant(statement: ast.stmt) -> str:
    """Return the name of the constant that a statement sets to a value that makes no object; else an empty text."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            pass
        case _:
            return ""
    alias = isinstance(value, ast.Subscript)  # of a type
    named = _CONSTANT.fullmatch(name) and not _EXPECTED.match(name)
    return name if named and not alias and _is_plain(value) else ""


def _attributes(owner: ast.ClassDef, source: SourceFile, *, alone: bool) -> Iterator[Added]:
    """Yield the attributes of ``self`` that every line of the file with their name sets to a plain value.

    Public ones of two words count where they are computed, in a class that works with its attributes.
    """
    values = {id(target): each.value for each in nodes_of(owner, ast.Assign) for target in each.targets}
    values |= {id(each.target): each.value for each in nodes_of(owner, ast.AnnAssign) if each.value is not None}
    places: dict[str, list[ast.Attribute | ast.Call]] = {}
    public = does_work(owner) and not _is_given_to_library(owner, source)
    for node in attributes_of_self(owner):
        if _PRIVATE.fullmatch(node.attr) or (public and _OF_WORDS.fullmatch(node.attr)):
            places.setdefault(node.attr, []).append(node)
    for call in nodes_of(owner, ast.Call):
        match call:
            case ast.Call(
                func=ast.Name(id="setattr"), args=[ast.Name(id="self"), ast.Constant(value=str(name)), value]
            ):
                if _PRIVATE.fullmatch(name) or (public and _OF_WORDS.fullmatch(name)):
                    places.setdefault(name, []).append(call)
                    values[id(call)] = value
    for name, nodes in places.items():
        stores = [each for each in nodes if isinstance(each, ast.Call) or isinstance(each.ctx, ast.Store)]
        given = [values[id(each)] for each in stores if id(each) in values]
        plain = len(given) == len(stores) and all(map(_is_plain, given))
        if not name.startswith("_") and any(_is_offered(name, each) for each in given):
            continue
        first = next((each.lineno for each in stores if each.lineno in source.added), None)
        if first is not None and plain and len(stores) == len(nodes) == _mentions(name, source):
            yield Added("attribute", name, first, owner.name, alone)


def _is_offered(name: str, value: ast.expr) -> bool:
    """Return whether a public attribute is a constant, or hands on that of a part: both may be for code elsewhere."""
    return last_name(value) == name or not nodes_of(value, ast.Name)


def _is_plain(value: ast.expr) -> bool:
    calls = nodes_of(value, ast.Call)
    other = any(isinstance(each, (ast.Lambda, ast.Await, ast.Yield)) for each in walk(value))
    return not other and all(last_name(each.func) in _READS for each in calls)


def _mentions(name: str, source: SourceFile) -> int:
    text = source.text or ""
    return len(re.findall(rf"\b{name}\b", text)) if name in text else 0


def relate(facts: Mapping[str, tuple[Added, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each definition whose name occurs nowhere else in the tree, and was not in its file before."""
    before = {
        file.path: codebase.base.text(file.base_path) or "" for file in codebase.change.files if file.path in facts
    }
    added = [*each_fact(facts)]
    added = [(path, each) for path, each in added if each.name not in before.get(path, "")]
    if not added or len(added) > _MOST_NAMES:
        return
    side = codebase.head
    homes: dict[str, list[str]] = {}
    for path, held in words_held(side, {each.name for _, each in added}).items():
        for name in held:
            homes.setdefault(name, []).append(path)
    alone = [(path, each) for path, each in added if homes.get(each.name, [path]) == [path]]
    elsewhere = _in_other_texts({each.name for _, each in alone}, side)
    unused = [
        (path, each)
        for path, each in alone
        if each.name not in elsewhere and (each.alone or names_in_family(side, path, each.owner) is not None)
    ]
    is_interface = sum(each.kind == "public" for _, each in unused) > _MOST_PUBLIC
    for path, each in unused:
        if each.kind == "public" and is_interface:
            continue
        name = f"self.{each.name}" if each.kind == "attribute" else each.name
        values = {"name": name, "what": _WHAT[each.kind]}
        yield Hit(each.line, values=values, path=path, statement=f"{each.owner}.{each.name}")


def _in_other_texts(names: set[str], side: Snapshot) -> set[str]:
    """Return the names that configuration, documents or code of other languages hold; all of them if it is too much."""
    paths = [path for path in sorted(side.paths) if path.endswith(_OTHER_TEXT)] if names else []
    if len(paths) > _MOST_OTHER_FILES:
        return names
    found: set[str] = set()
    for path in paths:
        text = side.text(path) or ""
        found.update(name for name in names if name in text)
    return found


CHECK = change_check(gather, relate, CheckTraits(literals=("_",)))
