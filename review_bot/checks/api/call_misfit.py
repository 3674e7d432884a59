"""Calls that the change adds or edits, or whose import it edits, and that the function they run surely refuses.

A file is looked at by itself first: calls of what it defines or imports are looked up in the whole tree (see
``call_targets``).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.called_names import CalledNames
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import Run, Symbol
from review_bot.analysis.facts.started_calls import starters_in
from review_bot.analysis.project.module_definitions import brings_module
from review_bot.analysis.project.module_names import is_open, modules
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.unbound_names import has_star, quiet_nodes
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import caught_lines, imports_of, is_function, last_name
from review_bot.analysis.python.syntax import bound_name, dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_KERNELS = frozenset({"kernel", "func", "prim_func"})
"""Decorators of Warp, Taichi, CuTe and TVM that read the text of a function."""


class Suspect(NamedTuple):
    """A call that may not fit. ``module`` and ``level``: where its name is imported from.

    ``module`` is None where the file itself defines it or has several meanings for it, and for a method of an object.
    ``kept``: the change edits only the import, and the file had this path at the base. ``is_module``: the name may be
    that of a module, which cannot be called; ``imported``: what is imported from ``module`` then.
    """

    line: int
    column: int
    name: str
    module: str | None
    level: int = 0
    kept: str = ""
    is_module: bool = False
    imported: str = ""


def gather(source: SourceFile) -> tuple[Suspect, ...] | None:
    """Return the added or edited calls of one file that may run what it defines or imports, or a method.

    Of what an edited import brings, those are returned too that the change leaves as they are.
    """
    if not source.change.hunks:
        return None
    calls = [(call, _is_touched(source, call)) for call in source.nodes(ast.Call)]
    edited = _edited_imports(source)
    if not edited and not any(touched for _, touched in calls):
        return None
    names, starters = CalledNames(source), starters_in(source.tree)
    found: list[Suspect] = []
    for call, touched in calls:
        name, root = last_name(call.func), names.root(call)
        origin = names.imports.get(root)
        if not touched:
            if root in edited:
                module, level = origin or (None, 0)
                found.append(Suspect(call.lineno, call.col_offset, name, module, level, source.change.base_path))
        elif name in starters or (origin is None and names.may_be_own(call)):
            found.append(Suspect(call.lineno, call.col_offset, name, None))
        elif origin is not None:
            found.append(Suspect(call.lineno, call.col_offset, name, *origin))
    return (*found, *_called_modules(source, names, [call for call, touched in calls if touched])) or None


def _called_modules(source: SourceFile, names: CalledNames, calls: Iterable[ast.Call]) -> Iterator[Suspect]:
    """Yield the calls of a name that only imports of one thing bind: a module of the standard library or of the tree.

    ::

        import datetime                     from . import scheduler
        datetime(2030, 1, 1)                scheduler()
    """
    called = {call.func.id for call in calls if isinstance(call.func, ast.Name)} & names.imports.keys()
    imported = Counter[str]()
    origins: dict[str, set[tuple[str, int, str]]] = {}
    for whole in source.nodes(ast.Import):
        for alias in whole.names:
            imported[bound_name(alias)] += 1
            module = alias.name if alias.asname else bound_name(alias)
            origins.setdefault(bound_name(alias), set()).add((module, 0, ""))
    for part in source.nodes(ast.ImportFrom):
        for alias in part.names:
            imported[bound_name(alias)] += 1
            origins.setdefault(bound_name(alias), set()).add((part.module or "", part.level, alias.name))
    bound = binding_counts(source.tree) if called else imported
    known = {name for name in called if len(origins[name]) == 1 and bound[name] == imported[name]}
    found = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in known]
    if not found or has_star(source) or is_open(source.tree, source.path):
        return
    expected = caught_lines(source.nodes(ast.Try), frozenset({"TypeError"}))
    quiet = quiet_nodes(source)
    for call in found:
        if call.lineno not in expected and id(call) not in quiet:
            module, level, name = next(iter(origins[last_name(call.func)]))
            found_as = Suspect(call.lineno, call.col_offset, last_name(call.func), module, level, is_module=True)
            yield found_as._replace(imported=name)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that is refused by what it surely runs."""
    tree, targets, certainty = module_tree(codebase.head), call_targets(codebase.head), CallCertainty(codebase)
    for path, suspects in sorted(facts.items()):
        for each in (each for each in suspects if each.is_module):
            if not brings_module(path, each.module or "", each.level, each.imported, modules(codebase.head)):
                continue
            module = f"{'.' * each.level}{each.module or ''}{'.' * bool(each.module and each.imported)}{each.imported}"
            message = f"`{each.name}` is the module `{module}` here, and a module cannot be called."
            instead = "Call what the module holds, or import that."
            yield Hit(each.line, values={}, path=path, message=message, instead=instead, subject=each.name)
        others = [each for each in suspects if not each.is_module]
        own = (each for each in others if each.module is None or places_of(each.module, each.level, path, tree))
        for file, call, each in calls_at(
            targets, path, {(each.line, each.column, each.name): each for each in own}, hidden=True
        ):
            if (found := targets.run_or_start(file, call)) is None:
                continue
            call, run = found  # noqa: PLW2901  # the call that it starts
            if any(one.hollow for one in run.signatures) or is_patched(file, call, run, targets):
                continue
            if _is_in_kernel(file, call, targets) or _is_stored_here(call) or _is_bound_for_each_object(targets, run):
                continue
            symbol, signature, why = run.symbol, run.signatures[0], run.misfit
            if why is None or not tree.is_meant(symbol.path, path) or certainty.is_for_subclass(file, call, run):
                continue
            if each.kept and not _fitted_before(call, run, each.kept, codebase):
                continue
            is_certain = certainty.of(file, call, run)
            if is_certain or not certainty.fits_below(run):
                yield Hit(
                    call.node.lineno,
                    values={"name": symbol.name, "why": why, "path": symbol.path, "line": str(signature.line)},
                    path=path,
                    related=(Related(symbol.path, signature.line, "the definition that is called"),),
                    severity=None if is_certain else "warning",
                    subject=f"{why} ({symbol.path}:{symbol.name})",
                )


def _is_touched(source: SourceFile, node: ast.expr | ast.stmt) -> bool:
    return source.touches(*span_of(node))


def _edited_imports(source: SourceFile) -> frozenset[str]:
    """Return the names that the imports bind of which the change adds a line."""
    return frozenset(
        bound_name(alias) for each in imports_of(source.tree) if _is_touched(source, each) for alias in each.names
    )


def _fitted_before(call: Call, run: Run, path: str, codebase: Codebase) -> bool:
    """Return whether the base has a call only as this one, and it ran another function, which is still there.

    Where the function is the same, or is gone, the rule on callers left behind says so.
    """
    before, after = call_targets(codebase.base), call_targets(codebase.head)
    file = before.file(path)
    if file is None:
        return False
    written = plain(call.written or call.node)
    alike = [each for each in file.calls(frozenset({last_name(call.node.func)})) if plain(each.node) == written]
    found = [before.run_or_start(file, each) for each in alike]
    ran = [each[1] for each in found if each is not None]
    return bool(alike) and all(
        one.misfit is None and one.symbol != run.symbol and after.signature(one.symbol) is not None for one in ran
    )


def _is_in_kernel(file: CodeFile, call: Call, targets: CallTargets) -> bool:
    """Return whether a call is in a function whose text is compiled, where names may be those of another language."""
    decorators = (each for scope in call.scopes for each in getattr(scope, "decorator_list", ()))
    return any(
        last_name(each.func if isinstance(each, ast.Call) else each) in _KERNELS
        and not targets.keeps_parameters(file, each)  # one that only hands on what it gets compiles nothing
        for each in decorators
    )


def _is_stored_here(call: Call) -> bool:
    """Return whether a function around a call gives the object another method: ``engine.start = Mock()``."""
    called = dotted(call.node.func) or ""
    return "." in called and any(
        dotted(target) == called
        for scope in call.scopes
        if is_function(scope)
        for each in nodes_of(scope, ast.Assign)
        for target in each.targets
    )


def _is_bound_for_each_object(targets: CallTargets, run: Run) -> bool:
    """Return whether a class gives its objects a method with arguments: ``self.run = partial(self.run, fast=True)``."""
    owner, _, method = run.symbol.name.rpartition(".")
    node = targets.class_of(Symbol(run.symbol.path, owner)) if owner else None
    return node is not None and any(
        dotted(each.targets[0]) == f"self.{method}"
        and isinstance(each.value, ast.Call)
        and last_name(each.value.func) == "partial"
        for each in nodes_of(node, ast.Assign)
    )


CHECK = change_check(gather, relate, CheckTraits(literals=("(",), doubted=True))
