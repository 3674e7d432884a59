"""Finds contracts by the full name of a function: ``torch.zeros``, ``torch.Tensor.view``.

A library is read when the first of its functions is asked for, so that a file without torch costs nothing. While a
change is examined, the contracts of its repository are found too (``use``).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType
from typing import Any

from review_bot.contracts.contract import Contract, Requirement

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOB = os.path.join(PACKAGE, "builtin_rules.json")
"""The compiled rules; their second line holds the contracts, as JSON: library → name → contract."""
SOURCE = os.path.join(os.path.dirname(PACKAGE), "contracts")


_own: ContextVar[Mapping[str, Contract]] = ContextVar("own_contracts", default=MappingProxyType({}))


def contract_of(name: str) -> Contract | None:
    """Return the contract of a function by its full name, or None."""
    own = _own.get().get(name)
    return _builtin(name) if own is None else own


def effects_of(name: str) -> tuple[str, ...]:
    """Return the effects of a function by its full name, none if it has no contract."""
    contract = contract_of(name)
    return () if contract is None else contract.effects


def is_own(name: str) -> bool:
    """Return whether the repository under review has a contract of its own for a function."""
    return name in _own.get()


def has_own() -> bool:
    """Return whether the repository under review has contracts of its own."""
    return bool(_own.get())


def use(contracts: Mapping[str, Contract]) -> None:
    """Find a repository's own contracts too, until the next call; a function with a built-in one may get stricter."""
    found = {}
    for name, contract in contracts.items():
        builtin = _builtin(name)
        found[name] = contract if builtin is None else builtin.strengthened(contract)
    _own.set(found)


def _builtin(name: str) -> Contract | None:
    library, dot, _ = name.partition(".")
    return _library(library).get(name) if dot and library in _texts() else None


def read() -> None:
    """Read the compiled contracts now; a process that gives up its rights may not be able to later."""
    _texts()


def names_with_requirements() -> frozenset[str]:
    """Return the last parts of the names of functions that require something, or whose result cannot be written to."""
    names = (name.rpartition(".")[2] for name, each in _own.get().items() if each.requires or each.read_only)
    return _last_parts("requires", "read_only").union(names)


def names_gone() -> frozenset[str]:
    """Return the last parts of the names that built-in contracts say their library does not have any more."""
    return _last_parts("gone")


@cache
def _last_parts(*fields: str) -> frozenset[str]:
    """Return the last parts of the names whose built-in contract says something in one of these fields."""
    at = [*map(Contract._fields.index, fields)]
    return frozenset(
        name.rpartition(".")[2]
        for functions in _texts().values()
        for name, values in functions.items()
        if any(values[each] for each in at)
    )


@cache
def _library(name: str) -> dict[str, Contract]:
    return {each: record_of(fields) for each, fields in _texts()[name].items()}


def record_of(fields: list[Any]) -> Contract:
    """Return a contract from its fields as JSON holds them."""
    values = [tuple(each) if isinstance(each, list) else each for each in fields]
    at = Contract._fields.index("requires")
    values[at] = tuple(
        Requirement._make(tuple(part) if isinstance(part, list) else part for part in each) for each in fields[at]
    )
    return Contract._make(values)


@cache
def _texts() -> dict[str, dict[str, list[Any]]]:
    """Return the compiled contracts; in a source checkout, compiled now if a file is newer than the blob."""
    newest = _newest_source()
    try:
        with open(BLOB, "rb") as stream:
            if os.fstat(stream.fileno()).st_mtime >= newest:
                stream.readline()
                found: dict[str, dict[str, list[Any]]] = json.loads(stream.readline())
                return found
    except (OSError, ValueError):
        pass  # the rule registry reports a damaged installation
    if not newest:
        return {}
    from pathlib import Path

    from review_bot.contracts.contract_file import compile_contracts

    compiled: dict[str, dict[str, list[Any]]] = json.loads(json.dumps(compile_contracts(Path(SOURCE))))
    return compiled


def _newest_source() -> float:
    """Return when the newest file of contracts was written, 0 without any: an installed package has none."""
    try:
        with os.scandir(SOURCE) as listed:
            return max((each.stat().st_mtime for each in listed if each.name.endswith(".yaml")), default=0.0)
    except OSError:
        return 0.0
