"""Names that a library does not have any more, by its contract: ``np.NaN``, ``from pydantic import BaseSettings``.

Modules are such names too: ``from transformers.deepspeed import HfDeepSpeedConfig``.

Where a manifest asks for an older version, and where the code asks for the version, nothing is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.library_versions import Outdated, asks_for_version, of_versions_in_use
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.python.library_objects import LibraryObjects
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.contracts.contract_store import contract_of, names_gone
from review_bot.rules.check import CheckTraits, change_check


def gather(source: SourceFile) -> tuple[Outdated, ...] | None:
    """Return the names that are gone and that a file reads or imports on added lines. Raises CannotParse."""
    if not source.change.hunks:
        return None
    gone, found = names_gone(), list[Outdated]()
    read: list[tuple[ast.Import | ast.ImportFrom | ast.Attribute, str]] = [
        (node, name)
        for node in source.nodes(ast.ImportFrom)
        if node.module and not node.level
        for name in (*(f"{node.module}.{alias.name}" for alias in node.names), *_modules(node.module))
    ]
    read += [(node, name) for node in source.nodes(ast.Import) for alias in node.names for name in _modules(alias.name)]
    if any(node.attr in gone for node in source.nodes(ast.Attribute)):
        objects = LibraryObjects(source.tree, source.path)
        read += [
            (node, objects.named(node, scopes) or objects.member(node, scopes))
            for node, scopes in objects.nodes()
            if isinstance(node, ast.Attribute) and node.attr in gone
        ]
    for node, name in read:
        contract = contract_of(name)
        if contract is None or not contract.gone or not source.touches(*span_of(node)):
            continue
        if not asks_for_version(source.tree, node):
            instead = f"use {contract.instead}" if contract.instead else "nothing has taken its place"
            library = name.partition(".")[0]
            version = f"Python {contract.gone}" if is_standard(library) else f"version {contract.gone} of the library"
            values = {"name": name, "version": version, "instead": instead}
            found.append(Outdated(hit_at(source, node, values=values, path=source.path), library, contract.gone))
    return tuple(found) or None


def _modules(name: str) -> Iterator[str]:
    """Yield the modules that an import of one runs after the library's own: it and the packages around it."""
    parts = name.split(".")
    yield from (".".join(parts[:depth]) for depth in range(2, len(parts) + 1))


_LIBRARIES = (
    "PIL", "asyncio", "diffusers", "huggingface_hub", "inspect", "librosa", "numpy", "pydantic", "torchaudio",
    "transformers",
)  # fmt: skip

CHECK = change_check(gather, of_versions_in_use, CheckTraits(literals=_LIBRARIES, tree_excuses=True))
