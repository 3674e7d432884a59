"""A text compared with one that it never is.

::

    kind = device.kind.lower()
    if kind == "TPU v4": ...                        `kind` has no capital letters
    if platform.system() == "windows": ...          it is `Windows`
    if os.path.splitext(path)[1] in ("png", "gif")  it begins with a dot
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import assignments_of, targets_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, source_text, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_CAPITALS = LazyRegex("[A-Z]")
_SMALL = LazyRegex("[a-z]")
_CASES = {
    "lower": ("has no capital letters", _CAPITALS),
    "casefold": ("has no capital letters", _CAPITALS),
    "upper": ("has no small letters", _SMALL),
}
_KEEPING = frozenset({"strip", "lstrip", "rstrip"})
_SYSTEM = LazyRegex("(?i)linux|darwin|windows|win32|win64|macos|mac|osx")
_KNOWN = {
    "platform.system": ("is a name such as `Linux`, `Darwin` or `Windows`", ("Linux", "Darwin", "Windows")),
    "os.name": ("is `posix` or `nt`", ()),
    "sys.platform": ("is a name such as `linux`, `darwin` or `win32`", ("linux", "darwin", "win32")),
}
_PARTS = {
    "startswith": "starts with",
    "endswith": "ends with",
    "removeprefix": "starts with",
    "removesuffix": "ends with",
}
_PARTS.update(dict.fromkeys(("count", "find", "index", "replace", "rfind", "split"), "contains"))
_LONGEST = 60


class _Fact(NamedTuple):
    """What is known of a text: in words, which texts it cannot be, and whether no part of it can be one either."""

    words: str
    excludes: Callable[[str], object]
    of_parts: bool


_Facts = tuple[_Fact, ...]


class _Scope:
    """What the local names of a function, or the names of a module, are known to hold."""

    def __init__(self, tree: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, imported: Mapping[str, str]) -> None:
        self.nodes = list(own_nodes(tree.body))
        self._imported = imported
        counts = binding_counts(tree)
        self._values = {
            each.targets[0].id: each.value
            for each in self.nodes
            if isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and counts[each.targets[0].id] == 1
        }

    def facts(self, value: ast.expr) -> _Facts:
        """Return what is known of a value."""
        if isinstance(value, ast.Name):
            value = self._values.get(value.id, value)
        found: list[_Fact] = []
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            case = _CASES.get(value.func.attr)
            if case is None and value.func.attr not in _KEEPING:
                break
            if case is not None:
                if value.args or value.keywords:
                    break
                found.append(_Fact(case[0], case[1].search, of_parts=True))
            value = value.func.value
        return (*found, *self._of_system(value, changed=bool(found)), *self._of_suffix(value))

    def _of_system(self, value: ast.expr, *, changed: bool) -> Iterator[_Fact]:
        called = isinstance(value, ast.Call) and not value.args
        name = full_name(value.func if isinstance(value, ast.Call) else value, self._imported)
        if name in _KNOWN and not changed and called == (name == "platform.system"):
            words, known = _KNOWN[name]
            yield _Fact(words, lambda text: text not in known and _SYSTEM.fullmatch(text), of_parts=False)

    def _of_suffix(self, value: ast.expr) -> Iterator[_Fact]:
        whole: ast.expr | None = None
        if (isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) and value.slice.value == 1) or (
            isinstance(value, ast.Attribute) and value.attr == "suffix"
        ):
            whole = value.value
        if isinstance(whole, ast.Call):
            name = full_name(whole.func, self._imported)
            if name == ("os.path.splitext" if isinstance(value, ast.Subscript) else "pathlib.Path"):
                yield _Fact("is empty or begins with a dot", lambda text: text[:1] not in {"", "."}, of_parts=False)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each comparison with such a text, and each key that no look-up of its table finds. Raises CannotParse."""
    imported = imported_names(source.tree)
    tables = _Tables(source)
    for scope in (_Scope(each, imported) for each in (source.tree, *source.functions)):
        for node in scope.nodes:
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                yield from _compared(source, scope, tables, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                verb = _PARTS.get(node.func.attr)
                if verb is not None:
                    yield from _reported(
                        source, node, node.func.value, _parts(scope, node.func.value), verb, node.args[0]
                    )
                elif node.func.attr == "get":
                    tables.look_up(node.func.value, node.args[0], scope.facts(node.args[0]))
            elif isinstance(node, ast.Subscript):
                tables.look_up(node.value, node.slice, scope.facts(node.slice))
    yield from tables.hits()


def _compared(source: SourceFile, scope: _Scope, tables: _Tables, node: ast.Compare) -> Iterator[Hit]:
    left, right = node.left, node.comparators[0]
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        value, text = (right, left) if text_of(left) is not None else (left, right)
        yield from _reported(source, node, value, scope.facts(value), "equals", text)
    elif isinstance(node.ops[0], (ast.In, ast.NotIn)):
        if text_of(left) is not None:
            yield from _reported(source, node, right, _parts(scope, right), "contains", left)
        elif isinstance(right, ast.Name):
            tables.look_up(right, left, scope.facts(left))
        else:
            yield from _reported(source, node, left, scope.facts(left), "equals", right)


def _parts(scope: _Scope, value: ast.expr) -> _Facts:
    return tuple(each for each in scope.facts(value) if each.of_parts)


def _reported(
    source: SourceFile, node: ast.expr, value: ast.expr, facts: _Facts, verb: str, texts: ast.expr
) -> Iterator[Hit]:
    found = _excluded(facts, texts.elts if isinstance(texts, (ast.List, ast.Set, ast.Tuple)) else [texts])
    if found is not None:
        yield hit_at(source, node, values=_values(source, value, found[0], verb, found[1]))


def _excluded(facts: _Facts, texts: list[ast.expr]) -> tuple[_Fact, ast.expr] | None:
    """Return the first text that a value cannot be, with the reason; not one that is listed in small letters too."""
    known = {text_of(each) for each in texts}
    for fact in facts:
        for each in texts:
            text = text_of(each)
            if text and fact.excludes(text) and not known & ({text.lower(), text.upper(), f".{text}"} - {text}):
                return fact, each
    return None


def _values(source: SourceFile, value: ast.expr, fact: _Fact, verb: str, text: ast.expr) -> dict[str, str]:
    name = " ".join(source_text(source, value).split())
    return {"name": name[:_LONGEST], "fact": fact.words, "verb": verb, "text": str(text_of(text))[:_LONGEST]}


class _Tables:
    """The dictionaries and lists of texts that a file names once, and what is looked up in them."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        counts = binding_counts(source.tree)
        self._texts: dict[str, list[ast.expr]] = {}
        for each in assignments_of(source.tree):
            target = targets_of(each)[0]
            if isinstance(target, ast.Name) and counts[target.id] == 1:
                if isinstance(each.value, ast.Dict):
                    self._texts[target.id] = [key for key in each.value.keys if key is not None]
                elif isinstance(each.value, (ast.List, ast.Set, ast.Tuple)):
                    self._texts[target.id] = each.value.elts
        self._found: dict[str, list[tuple[ast.expr, _Facts]]] = {}

    def look_up(self, table: ast.expr, value: ast.expr, facts: _Facts) -> None:
        """Take note of a look-up."""
        if isinstance(table, ast.Name) and table.id in self._texts:
            self._found.setdefault(table.id, []).append((value, facts))

    def hits(self) -> Iterator[Hit]:
        """Yield one for each table of which all uses are look-ups that never find one of its texts."""
        for name, found in self._found.items():
            uses = [each for each in self._source.nodes(ast.Name) if each.id == name and isinstance(each.ctx, ast.Load)]
            excluded = [_excluded(facts, self._texts[name]) for _value, facts in found]
            if len(uses) != len(found) or None in excluded or excluded[0] is None:
                continue
            (value, _facts), (fact, text) = found[0], excluded[0]
            key_added = text.lineno in self._source.added
            node, other = (text, value) if key_added else (value, text)
            related = (
                Related(self._source.path, other.lineno, "is looked up here" if key_added else "is listed here"),
            )
            yield hit_at(self._source, node, values=_values(self._source, value, fact, "equals", text), related=related)


CHECK = file_check(
    examine, CheckTraits(literals=("lower", "upper", "casefold", "platform", "name", "splitext", "suffix"))
)
