"""Which uses of names that nothing binds surely raise NameError once Python reaches them.

Others only seem to: another program may give the file its names (a plug-in, a template), a decorator may replace the
text of the function around them, or the code around them expects the error.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches

from review_bot.analysis.project.unbound_names import all_unbound_uses, quiet_nodes
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import blocks, decorator_names, definitions_of, functions_of, last_name
from review_bot.analysis.python.syntax import full_name, imported_names, own_nodes, text_of
from review_bot.changes.codebase import query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.text.lazy_regex import LazyRegex

_OF_HOSTS = frozenset({
    "AdminApp", "AdminConfig", "AdminControl", "AdminTask", "ARGUMENTS", "COMMAND_LINE_TARGETS", "DefaultEnvironment",
    "Environment", "Export", "Gui", "Import", "N_", "Return", "SConscript", "currentAddress", "currentProgram",
    "currentSelection", "dbutils", "display", "displayHTML", "env", "gdb", "get_config", "gettext", "hou", "ic",
    "iface", "lldb", "load_subconfig", "monitor", "ngettext", "npgettext", "pgettext", "pp", "profile", "pyrenderdoc",
    "sc", "snakemake", "snoop", "spark", "sqlContext", "state", "table", "tags", "toAddr",
})  # fmt: skip
"""Names that programs give to scripts, and that libraries add to the built-in ones: SCons, Ghidra, icecream."""
_COMMON = frozenset({"Environment", "env", "monitor", "state", "table", "tags"})
"""Of these, names that mean something else in a module of a package, which no such program runs."""
_OF_PYTHON_2 = frozenset({
    "basestring", "buffer", "cmp", "execfile", "file", "long", "raw_input", "reduce", "reload", "unichr", "unicode",
    "xrange",
})  # fmt: skip
_OF_IMPORTS = frozenset({
    "ABC", "Any", "Callable", "ClassVar", "Counter", "Decimal", "Enum", "F", "Iterable", "Iterator", "List", "Literal",
    "Mapping", "NamedTuple", "Optional", "OrderedDict", "Path", "Protocol", "Sequence", "Tuple", "TypeVar", "TypedDict",
    "Union", "abstractmethod", "asyncio", "cache", "cached_property", "contextmanager", "dataclass", "datetime",
    "defaultdict", "deque", "field", "functools", "itertools", "json", "logging", "lru_cache", "math", "namedtuple",
    "nn", "np", "os", "partial", "pd", "plt", "pytest", "random", "re", "shutil", "subprocess", "sys", "tempfile",
    "threading", "time", "torch", "total_ordering", "unittest", "wraps",
})  # fmt: skip
"""Names that files import from the standard library and the like, and that an author may forget to import."""
_OF_HOSTED = LazyRegex(r"(?i)conf|settings|plugin|extension|add_?on|hook|startup|notebook|ghidra|macro")
"""Paths of files that programs run, perhaps with names of their own."""
_GIVEN = "this module lacks a name as soon as it is imported, so another program may run it and define its names"
_UNSURE = "the code around it may not run as it is written, or may expect the error"
_FEW = 3
"""The most names that a module lacks by mistake; a program that runs a file gives it more."""
_SHORTEST_WORD = 4
"""Letters of a name that may be a misspelt one."""
_ALIKE = 0.8
"""How alike a misspelt name and the right one are at least, as ``difflib`` measures it."""
_OF_TEXTS = frozenset({
    "FunctionType", "__builtins__", "__code__", "__globals__", "_getframe", "builtins", "eval", "f_globals",
    "getsource", "getsourcelines", "locals",
})  # fmt: skip
"""What code needs to run text, or to give functions and scopes other names."""
_PLAIN = frozenset({
    "abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod", "contextmanager", "deleter",
    "final", "fixture", "inference_mode", "lru_cache", "no_grad", "override", "parametrize", "property", "setter",
    "staticmethod", "wraps",
})  # fmt: skip
"""Decorators that run the function as it is written."""
_PLAIN_LIBRARIES = frozenset({"abc", "click", "contextlib", "functools", "pytest", "typer", "typing"})
"""Libraries whose decorators all do."""
_ROUTES = frozenset({"api_route", "delete", "get", "head", "options", "patch", "post", "put", "route", "websocket"})
"""What web applications register functions with, and the path: ``@app.get("/items")``."""
_COMMANDS = frozenset({"callback", "command", "group"})
"""What objects of Click and Typer register functions with."""
_PLAIN_OF_CLASSES = frozenset({"dataclass", "final", "runtime_checkable", "total_ordering", "unique"})
_BASES = frozenset({
    "ABC", "BaseModel", "Enum", "Exception", "Generic", "IntEnum", "Module", "NamedTuple", "Protocol", "RuntimeError",
    "StrEnum", "TestCase", "TypedDict", "ValueError", "object",
})  # fmt: skip
"""Classes whose metaclass gives the body of a class no names."""
_CATCHING = {"NameError": ("NameError", "UnboundLocalError")}
"""What handlers name that expect an error."""
_EXPECTS = LazyRegex(r"(?i)raises|suppress|ignor|expect|skip|fail|catch|patch")
_LEAVES = frozenset({"_exit", "abort", "exit", "fail", "importorskip", "quit", "skip", "xfail"})
_OF_PROGRAMS = LazyRegex(r"(?i)template|cookiecutter|snippet|fixture|test_?data|plugins?/|gen_config")
"""Paths of files whose text a program completes, or that it runs with names of its own."""


def certain_uses(source: SourceFile, uses: Collection[ast.Name]) -> frozenset[int]:
    """Return the ids of the uses that surely fail once Python reaches them. Raises CannotParse."""
    return frozenset(map(id, uses)) - doubts(source, uses).keys()


def doubts(source: SourceFile, uses: Collection[ast.Name]) -> Mapping[int, str]:
    """Return why a use may not fail, as a clause after "because", by the id of each such use. Raises CannotParse."""
    if not uses:
        return {}
    if not source.path.endswith(".py") or _OF_PROGRAMS.search(source.path):
        return {id(use): "another program may complete this file, or run it with names of its own" for use in uses}
    if _runs_text(source.tree):
        return {id(use): "this file can define names at run time, or run text as code" for use in uses}
    named = {each.value for each in nodes_of(source.tree, ast.Constant) if isinstance(each.value, str)}
    hosts = _OF_HOSTS - _COMMON if _is_in_package(source.tree) else _OF_HOSTS
    found = {id(use): reason for use in uses if (reason := _doubt_of_name(use.id, named, hosts))}
    if len(found) < len(uses) and _is_given_names(source):
        return {id(use): found.get(id(use), _GIVEN) for use in uses}
    unsure = _of_doubt(source, "NameError")
    return {**{id(use): _UNSURE for use in uses if id(use) in unsure}, **found}


def _doubt_of_name(name: str, named: Collection[str], hosts: Collection[str]) -> str:
    """Return why a name may exist that no text binds; an empty text if nothing shows that."""
    if name in named:
        return "a string in this file holds the name, so code may define it by that string"
    if name in hosts:
        return "some programs and libraries define this name for the files that they run"
    if name in _OF_PYTHON_2:
        return "Python 2 may run this code"
    return "Python, or a program that runs this file, may define names of this form" if name.startswith("__") else ""


def certain_errors(source: SourceFile, nodes: Collection[ast.AST], error: str = "NameError") -> frozenset[int]:
    """Return the ids of the nodes that surely raise an error once Python reaches them, if nothing but the text decides.

    So do reads of local names without a value, which no other program can give: nothing expects the error, and the code
    runs as it is written. Raises CannotParse.
    """
    if not source.path.endswith(".py") or _OF_PROGRAMS.search(source.path) or _runs_text(source.tree):
        return frozenset()
    return frozenset({*map(id, nodes)} - _of_doubt(source, error) - quiet_nodes(source))


@query
def _of_doubt(source: SourceFile, error: str) -> frozenset[int]:
    return frozenset(id(each) for each in _doubtful(source.tree, error))


def at_import(source: SourceFile, uses: Iterable[ast.Name]) -> list[ast.Name]:
    """Return the uses outside of the bodies of functions. Raises CannotParse."""
    inside = {id(each) for function in source.functions for part in function.body for each in walk(part)}
    return [each for each in uses if id(each) not in inside]


def _is_given_names(source: SourceFile) -> bool:
    """Return whether a file needs a name at its import that it lacks; of one that is not new, whether it did before.

    Another program may give it all of its names then: not those that files usually import or misspell, not in a
    package, and not where a module or a program that runs by itself lacks few.
    """
    try:
        if source.change.status == "added":
            lacked = {each.id for each in at_import(source, all_unbound_uses(source))} - _OF_IMPORTS - {"self", "cls"}
            lacked = {each for each in lacked if not _is_misspelt(each, source.tree)}
            stands_alone = _is_in_package(source.tree) or (len(lacked) <= _FEW and _is_program(source))
            return bool(lacked) and not stands_alone
        before = source.at_base()
        return before is None or bool(at_import(before, all_unbound_uses(before)))
    except CannotRead:
        return True


def _is_in_package(tree: ast.Module) -> bool:
    """Return whether a file has relative imports, which fail where a program runs it as a text."""
    return any(each.level for each in nodes_of(tree, ast.ImportFrom))


def _is_misspelt(name: str, tree: ast.Module) -> bool:
    """Return whether a built-in, or a name that the module itself binds, differs from a name in a letter or two."""
    if len(name) < _SHORTEST_WORD:
        return False
    known = {each for each in (*dir(builtins), *bound_names(tree.body)) if len(each) >= _SHORTEST_WORD}
    return bool(get_close_matches(name, sorted(known), 1, _ALIKE))


def _is_program(source: SourceFile) -> bool:
    """Return whether a file is a module, a program or a test by itself, and no text that another program completes.

    Such texts are short and import nothing, or their path shows that they configure or extend a program.
    """
    if _OF_HOSTED.search(source.path) or not source.path.rpartition("/")[2].removesuffix(".py").isidentifier():
        return False
    return any(isinstance(each, (ast.Import, ast.ImportFrom)) or _is_main(each) for each in source.tree.body)


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(each.id == "__name__" for each in nodes_of(statement.test, ast.Name))


def _runs_text(tree: ast.Module) -> bool:
    """Return whether a file names what gives code other names than its text shows."""
    names = {each.id for each in nodes_of(tree, ast.Name)} | {each.attr for each in nodes_of(tree, ast.Attribute)}
    names |= {name for each in nodes_of(tree, ast.alias) for name in each.name.split(".")}
    return not names.isdisjoint(_OF_TEXTS)


def _doubtful(tree: ast.Module, error: str) -> Iterator[ast.AST]:
    """Yield the nodes of code that may not run as it is written, or where the error is expected."""
    imported = imported_names(tree)
    for definition in definitions_of(tree):
        for decorator in definition.decorator_list:
            yield from _below(nodes_of(decorator, ast.Lambda))  # it may run it with names of its own
    for function in functions_of(tree):
        if not all(_runs_as_written(each, imported) for each in function.decorator_list):
            yield from _below(function.body)
    classes = {each.name: each for each in nodes_of(tree, ast.ClassDef)}
    for owner in classes.values():
        if not _is_plain(owner, classes):
            yield from own_nodes(owner.body)
    for trial in nodes_of(tree, ast.Try):
        caught = {last_name(each) for handler in trial.handlers for each in _types_of(handler)}
        if not caught.isdisjoint({"BaseException", "Exception", "", *_CATCHING.get(error, (error,))}):
            yield from _below(trial.body)
    contexts: list[ast.With | ast.AsyncWith] = [*nodes_of(tree, ast.With), *nodes_of(tree, ast.AsyncWith)]
    for context in contexts:
        if any(_EXPECTS.search(ast.unparse(each.context_expr)) for each in context.items):
            yield from _below(context.body)
    for block in blocks(tree.body):
        end = next((number for number, each in enumerate(block) if _leaves(each)), len(block))
        yield from _below(block[end + 1 :])


def _types_of(handler: ast.ExceptHandler) -> list[ast.expr | None]:
    """Return what a handler catches; None: everything, or a name that may hold anything."""
    if isinstance(handler.type, ast.Tuple):
        return [*handler.type.elts]
    return [handler.type]


def _runs_as_written(decorator: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether a decorator only wraps or registers a function, which is expected to succeed."""
    name = last_name(decorator)
    if name in _PLAIN:
        return True
    call = decorator if isinstance(decorator, ast.Call) else None
    full = full_name(decorator if call is None else call.func, imported) or ""
    library = full.partition(".")[0]
    if library in _PLAIN_LIBRARIES and library in {each.partition(".")[0] for each in imported.values()}:
        return _EXPECTS.search(full) is None
    if call is None or not isinstance(call.func, ast.Attribute):
        return False
    if name in _COMMANDS:
        return not {"click", "typer"}.isdisjoint(each.partition(".")[0] for each in imported.values())
    path = text_of(call.args[0]) if name in _ROUTES and call.args else None
    return path is not None and path.startswith("/")


def _below(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (each for part in body for each in walk(part))


def _is_plain(owner: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """Return whether the body of a class sees its own names alone, as far as its header shows."""
    bases = {last_name(each.value if isinstance(each, ast.Subscript) else each) for each in owner.bases}
    own = {each for each in bases if each in classes and not classes[each].bases and not classes[each].keywords}
    return bases - own <= _BASES and not owner.keywords and decorator_names(owner) <= _PLAIN_OF_CLASSES


def _leaves(statement: ast.stmt) -> bool:
    """Return whether a statement only calls what may end the program or the test."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) in _LEAVES
