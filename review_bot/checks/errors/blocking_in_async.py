"""A blocking call in an async function, where the file shows that its event loop has other work meanwhile.

In the handling of a request, each client waits for it; that is a rule of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.event_loop import EventLoop
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.contracts.contract_store import effects_of, is_own
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each such call: if ``serving``, those in the handling of requests, else the others. Raises CannotParse."""
    imported = imported_names(source.tree)
    loop: EventLoop | None = None
    for function in source.nodes(ast.AsyncFunctionDef):
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call):
                continue
            called = full_name(node.func, imported)
            if called is None or not _is_known_to_linters(called):
                continue
            loop = loop or EventLoop(source, imported)
            is_serving = loop.serves_requests(function) and not loop.is_setup(function)
            if loop.has_other_work(function) and is_serving == bool(options["serving"]):
                yield hit_at(source, node, values={"called": called, "async": function.name})


def _is_known_to_linters(name: str) -> bool:
    effects = effects_of(name)
    return "blocks" in effects and "collective" not in effects and not is_own(name)


CHECK = file_check(
    examine,
    CheckTraits(
        literals=tuple(f"async {word}" for word in ("sleep", "requests", "httpx", "subprocess", "os", "ray", "urllib"))
    ),
)
