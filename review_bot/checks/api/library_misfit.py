"""Calls that a function of a library surely refuses, by its contract.

They pass an unknown argument, an object of a class that it does not take, or arguments that exclude each other, or lack
one. Where a manifest of the base asks for an older version than the contract is about, and where the code itself asks
for the version or handles the error, nothing is reported.
"""

from __future__ import annotations

import ast
from functools import cache

from review_bot.analysis.facts.interface import Parameter, parameters_of
from review_bot.analysis.facts.signatures import form_of, misfit
from review_bot.analysis.project.library_versions import Outdated, asks_for_version, of_versions_in_use
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.python.library_objects import LibraryCall, LibraryObjects
from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import hit_at, is_literal, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.contracts.contract import Requirement
from review_bot.contracts.contract_store import contract_of
from review_bot.contracts.operands import applies, operand_of
from review_bot.rules.check import CheckTraits, change_check


def gather(source: SourceFile) -> tuple[Outdated, ...] | None:
    """Return the calls of one file that are refused. Raises CannotParse."""
    if not source.change.hunks:
        return None
    objects = LibraryObjects(source.tree, source.path)
    found: list[Outdated] = []
    for call in objects.calls(source.touches):
        why, raises = _refusal(call, objects)
        if why and not asks_for_version(source.tree, call.node):
            contract, library = contract_of(call.name), call.name.partition(".")[0]
            since = "" if contract is None else contract.since
            versions = f" from version {since} on" if since and not is_standard(library) else ""
            values = {"function": call.name, "why": why, "raises": raises, "versions": versions}
            found.append(Outdated(hit_at(source, call.node, values=values, path=source.path), library, since))
    return tuple(found) or None


def _refusal(call: LibraryCall, objects: LibraryObjects) -> tuple[str, str]:
    """Return why a call is refused, as a clause, and what it raises."""
    contract = contract_of(call.name)
    if contract is None:
        return "", ""
    if contract.takes is not None:
        form, parameters = form_of(call.node), _parameters(contract.takes)
        why = misfit(form, parameters)
        if why is not None and not (objects.is_of_class(call) and misfit(form.without_first(), parameters) is None):
            return f"this call {why}", "TypeError"
    for each in contract.requires:
        if why := _contradiction(each, call, objects):
            return why, each.raises
    return "", ""


@cache
def _parameters(takes: str) -> tuple[Parameter, ...]:
    function = ast.parse(f"def f({takes}): pass").body[0]
    assert is_function(function)  # noqa: S101  # the reader of contracts has parsed it
    return parameters_of(function, skip_first=False)


def _contradiction(required: Requirement, call: LibraryCall, objects: LibraryObjects) -> str:
    """Return how an argument contradicts a requirement about its class or its presence, as a clause."""
    if not (required.absent or required.not_type) or unpacks(call.node):
        return ""
    given = call.node.args, call.node.keywords
    operand = operand_of(required, *given)
    if operand is None or is_literal(operand, None) or not applies(required, *given):
        return ""
    if required.absent:
        return required.reason
    found = objects.type_of(operand, call.scopes)
    return f"`{ast.unparse(operand)}` is a `{found}`, but {required.reason}" if found in required.not_type else ""


_LIBRARIES = (
    "aiohttp", "argparse", "asyncio", "concurrent", "diffusers", "fastapi", "httpx", "librosa", "logging",
    "multiprocessing", "numpy astype", "pydantic", "queue", "requests", "soundfile", "subprocess", "threading",
)  # fmt: skip

CHECK = change_check(gather, of_versions_in_use, CheckTraits(literals=_LIBRARIES, tree_excuses=True))
