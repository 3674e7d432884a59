"""Calls that the change adds or edits, and that the function they run surely refuses.

A file is looked at by itself first: what its own definitions, or the header of an imported one, seem to refuse is
looked up again in the whole tree (see ``call_targets``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import alias_of
from review_bot.analysis.facts.signatures import CallForm, Signature, form_of, misfit, signatures
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of
from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.statements import Function
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.python_parsing import CannotParse, parse_python
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_MOST_HEADERS = 400
"""Imported functions whose header is read for the sake of one change."""


class Source(NamedTuple):
    """Where a name was imported from: ``from ..module import name`` has ``level`` 2."""

    module: str
    level: int
    name: str


class Suspect(NamedTuple):
    """A call that may not fit. ``source`` is None where the file's own definitions already rule it out."""

    line: int
    column: int
    name: str
    form: CallForm
    source: Source | None


def gather(source: SourceFile) -> tuple[Suspect, ...] | None:
    """Return the added or edited calls of one file that its own definitions refuse, or that run what it imports."""
    if not source.change.hunks:
        return None
    calls = [call for call in source.nodes(ast.Call) if source.touches(call.lineno, call.end_lineno or call.lineno)]
    if not calls:
        return None
    imports = _imports(source)
    own = _Definitions(source.tree)
    found: list[Suspect] = []
    for call in calls:
        function = call.func
        if isinstance(function, ast.Name):
            if function.id in imports:
                origin = imports[function.id]
                found.append(Suspect(call.lineno, call.col_offset, function.id, form_of(call), origin))
            elif function.id in own.unclear or _refused(call, own.called(function.id)):
                found.append(Suspect(call.lineno, call.col_offset, function.id, form_of(call), None))
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.value.id in imports:
                origin = _inside(imports[function.value.id], function.attr)
                found.append(Suspect(call.lineno, call.col_offset, function.attr, form_of(call), origin))
            elif function.value.id == "self" and (
                function.attr in own.unclear or _refused(call, own.methods(function.attr))
            ):
                found.append(Suspect(call.lineno, call.col_offset, function.attr, form_of(call), None))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that is refused by what it surely runs."""
    headers, targets, certainty = _Headers(codebase.head), call_targets(codebase.head), CallCertainty(codebase)
    for path, suspects in sorted(facts.items()):
        wanted = {
            (each.line, each.column): each for each in suspects if each.source is None or headers.refuse(path, each)
        }
        file = targets.file(path) if wanted else None
        for call in () if file is None else file.calls(frozenset(each.name for each in wanted.values())):
            if file is None or (call.node.lineno, call.node.col_offset) not in wanted:
                continue
            run = targets.run(file, call)
            if run is None or any(each.hollow for each in run.signatures):
                continue
            symbol, signature, why = run.symbol, run.signatures[0], run.misfit
            if why is not None:
                yield Hit(
                    call.node.lineno,
                    values={"name": symbol.name, "why": why, "path": symbol.path, "line": str(signature.line)},
                    path=path,
                    related=(Related(symbol.path, signature.line, "the definition that is called"),),
                    severity=None if certainty.of(file, call, run) else "warning",
                )


def _inside(module: Source, name: str) -> Source:
    """Return a name of an imported module."""
    inner = ".".join(part for part in (module.module, module.name) if part)
    return Source(inner, module.level, name)


def _imports(source: SourceFile) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            if alias.asname and not (is_standard(top := alias.name.partition(".")[0]) or top in WELL_KNOWN):
                module, _, name = alias.name.rpartition(".")
                found[alias.asname] = Source(module, 0, name)
    for node in source.nodes(ast.ImportFrom):
        top = (node.module or "").partition(".")[0]
        if node.level or not (is_standard(top) or top in WELL_KNOWN):
            for alias in node.names:
                found[alias.asname or alias.name] = Source(node.module or "", node.level, alias.name)
    return found


class _Definitions:
    """What a file itself defines, for its calls."""

    def __init__(self, tree: ast.Module) -> None:
        self._signatures = signatures(tree.body)
        self._methods: dict[str, list[Signature]] = {}
        for qualified, signature in self._signatures.items():
            owner, _, name = qualified.rpartition(".")
            if owner:
                self._methods.setdefault(name, []).append(signature)
        known = {qualified.rpartition(".")[2] for qualified in self._signatures}
        functions: list[Function] = [*nodes_of(tree, ast.FunctionDef), *nodes_of(tree, ast.AsyncFunctionDef)]
        aliases = filter(None, map(alias_of, nodes_of(tree, ast.Assign)))
        self.unclear = frozenset({each.name for each in functions} - known | {name for name, _ in aliases})

    def called(self, name: str) -> list[Signature]:
        """Return the function of this name, or the ``__init__`` of the class, if there is one."""
        signature = self._signatures.get(name) or self._signatures.get(f"{name}.__init__")
        return [] if signature is None else [signature]

    def methods(self, name: str) -> list[Signature]:
        """Return the methods of this name, of whatever class."""
        return self._methods.get(name, [])


def _refused(call: ast.Call, own: list[Signature]) -> bool:
    """Return whether there are definitions, and all of them refuse a call."""
    return bool(own) and all(misfit(form_of(call), each.parameters) is not None for each in own)


class _Headers:
    """The headers of imported functions and classes, found without parsing whole modules."""

    def __init__(self, side: Snapshot) -> None:
        self._side, self._tree = side, module_tree(side)
        self._known: dict[tuple[str, str], Signature | None] = {}

    def refuse(self, path: str, suspect: Suspect) -> bool:
        """Return whether what a call imports, as far as one header shows, does not take it."""
        source = suspect.source
        if source is None:
            return True
        for place in places_of(source.module, source.level, path, self._tree):
            for file in self._tree.at(place).files:
                signature = self._header(file, source.name)
                if signature is not None:
                    return misfit(suspect.form, signature.parameters) is not None
                if re.search(rf"\b{re.escape(source.name)}\b", self._side.text(file) or ""):
                    return True
        return False

    def _header(self, file: str, name: str) -> Signature | None:
        key = (file, name)
        if key not in self._known:
            full = len(self._known) >= _MOST_HEADERS
            self._known[key] = None if full else _read_header(self._side.text(file) or "", name)
        return self._known[key]


def _read_header(text: str, name: str) -> Signature | None:
    """Return the signature of a top-level function, or of the ``__init__`` of a class, from its header alone."""
    start = re.search(rf"^(?:(?:async[ ]+)?def|class)[ ]+{re.escape(name)}\b", text, re.MULTILINE)
    if start is None:
        return None
    begin = start.start()
    if start[0].startswith("class"):
        end = re.compile(r"^[^\s#)]", re.MULTILINE).search(text, start.end())
        inner = re.compile(r"^    def __init__\(", re.MULTILINE).search(
            text, start.end(), end.start() if end else len(text)
        )
        if inner is None:
            return None
        begin = inner.start()
    close = re.compile(r"\)[ \t]*(?:->[^\n]{0,300})?:[ \t]*(?:#[^\n]*)?$", re.MULTILINE).search(text, begin)
    if close is None:
        return None
    header = text[begin : close.end()]
    above = "class _:\n" if header.startswith(" ") else ""
    try:
        body = parse_python(f"{above}{header}\n        pass\n").body
    except CannotParse:
        return None
    return next(iter(signatures(body).values()), None)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("(",)))
