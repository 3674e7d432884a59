"""Calls that the change adds or edits, and that the function they run surely refuses.

A file is looked at by itself first: what its own definitions seem to refuse, and what it imports, is looked up in the
whole tree (see ``call_targets``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import alias_of
from review_bot.analysis.facts.signatures import Signature, form_of, misfit, signatures
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of
from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.statements import Function, last_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit


class Suspect(NamedTuple):
    """A call that may not fit. ``module`` and ``level``: where its name is imported from.

    ``module`` is None where the file's own definitions already refuse the call.
    """

    line: int
    column: int
    name: str
    module: str | None
    level: int = 0


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
        owner = function.value if isinstance(function, ast.Attribute) else function
        name = function.attr if isinstance(function, ast.Attribute) else last_name(function)
        if not isinstance(owner, ast.Name):
            continue
        if owner.id in imports:
            found.append(Suspect(call.lineno, call.col_offset, name, *imports[owner.id]))
        elif (owner is function or owner.id == "self") and (
            name in own.unclear or _refused(call, own.called(name) if owner is function else own.methods(name))
        ):
            found.append(Suspect(call.lineno, call.col_offset, name, None))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that is refused by what it surely runs."""
    tree, targets, certainty = module_tree(codebase.head), call_targets(codebase.head), CallCertainty(codebase)
    for path, suspects in sorted(facts.items()):
        own = (each for each in suspects if each.module is None or places_of(each.module, each.level, path, tree))
        wanted = {(each.line, each.column): each.name for each in own}
        file = targets.file(path) if wanted else None
        for call in () if file is None else file.calls(frozenset(wanted.values())):
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


def _imports(source: SourceFile) -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            if alias.asname and not (is_standard(top := alias.name.partition(".")[0]) or top in WELL_KNOWN):
                found[alias.asname] = (alias.name, 0)
    for node in source.nodes(ast.ImportFrom):
        top = (node.module or "").partition(".")[0]
        if node.level or not (is_standard(top) or top in WELL_KNOWN):
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module or "", node.level)
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


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("(",)))
