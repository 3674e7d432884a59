"""Compares what contracts say of parameters, removed names and refused calls with the libraries that are installed."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

from bench.contracts.call_result import CallResult
from review_bot.analysis.project.requirements import version_of
from review_bot.contracts.contract_file import ContractEntry, ContractFile, names_of, read_contracts

OF_TENSORS = frozenset({"torch", "numpy", "PIL"})
"""Libraries whose calls ``calls.py`` makes."""
_ABSENT = object()


def check_facts(folder: Path) -> Iterator[CallResult]:
    """Compare the facts of each file whose library can be imported here. Raises RuleError."""
    for path in sorted(folder.glob("*.yaml")):
        file = read_contracts(path.read_text(encoding="utf-8"), path.name)
        if file.library == "builtins" or not _can_import(file.library):
            continue
        for entry in file.contracts:
            for name, is_method in names_of(file, entry):
                if entry.takes is not None:
                    yield CallResult(path.name, name, tuple(_of_parameters(name, entry.takes, is_method=is_method)))
                if entry.gone is not None and _is_reached(file.library, entry.gone) and _found(name) is not _ABSENT:
                    yield CallResult(
                        path.name, name, (f"it is there, though {file.library} is newer than {entry.gone}",)
                    )
                elif entry.gone is not None:
                    yield CallResult(path.name, name, ())
            if file.library not in OF_TENSORS:
                yield from _refused(path.name, file, entry)


def _can_import(library: str) -> bool:
    try:
        importlib.import_module(library)
    except ImportError:
        return False
    return True


def _is_reached(library: str, version: str) -> bool:
    module = importlib.import_module(library)
    installed = version_of(getattr(module, "__version__", f"{sys.version_info[0]}.{sys.version_info[1]}"))
    wanted = version_of(version)
    return installed is not None and wanted is not None and installed >= wanted


def _found(name: str) -> Any:
    """Return what a full name stands for; its first parts may be modules that are imported by themselves."""
    parts = name.split(".")
    found: Any = importlib.import_module(parts[0])
    warnings.simplefilter("ignore")
    for number, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError):
            try:
                found = importlib.import_module(".".join(parts[:number]))
            except ImportError:
                return _ABSENT
        except Exception:  # noqa: BLE001  # pydantic raises errors of its own for what it has no more
            return _ABSENT
    return found


def _of_parameters(name: str, takes: str, *, is_method: bool) -> Iterator[str]:
    """Yield what the function takes and the contract does not: that would be called refused."""
    function = _found(name)
    if function is _ABSENT:
        yield "it is not there"
        return
    scope: dict[str, Any] = {}
    exec(f"def f({takes}): pass", scope)  # noqa: S102  # from our own file
    stated = inspect.signature(scope["f"]).parameters
    try:
        real = [*inspect.signature(function).parameters.values()]
    except ValueError:
        return  # built in, without a signature; `fails` shows what it refuses
    real = real[1:] if is_method or (real and real[0].name == "self") else real
    stated_kinds = {each.kind for each in stated.values()}
    takes_any = inspect.Parameter.VAR_KEYWORD in stated_kinds
    by_place = [each for each in real if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}]
    stated_by_place = [
        each for each in stated.values() if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}
    ]
    if len(by_place) > len(stated_by_place) and inspect.Parameter.VAR_POSITIONAL not in stated_kinds:
        yield f"it takes {len(by_place)} arguments by position"
    for each in real:
        if each.kind in {each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY} and each.name not in stated and not takes_any:
            yield f"it takes `{each.name}`"
    open_ended = any(each.kind in {each.VAR_POSITIONAL, each.VAR_KEYWORD} for each in real)
    for each in stated.values():
        if each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}:
            known = next((one for one in real if one.name == each.name), None)
            if (known is None and not open_ended) or (known is not None and known.default is not known.empty):
                yield f"it does not require `{each.name}`"


def _refused(path: str, file: ContractFile, entry: ContractEntry) -> Iterator[CallResult]:
    """Yield the calls that must raise."""
    expected = {each.raises.rpartition(".")[2] for each in entry.requires} | (
        {"TypeError", "ValueError"} if entry.takes is not None else set()
    )
    modules = {
        "asyncio": asyncio,
        "np": importlib.import_module("numpy"),
        "sys": sys,
        "futures": importlib.import_module("concurrent.futures"),
    }
    modules[file.library] = importlib.import_module(file.library)
    for example in entry.fails:
        for name, _ in names_of(file, entry) if "$" in example else [("", False)]:
            scope = {**modules, "_function": _found(name) if name else None}
            call = example.replace("$", "_function")
            yield CallResult(path, example.replace("$", name), tuple(unraised(call, scope, expected)))


def unraised(call: str, scope: dict[str, Any], expected: set[str]) -> Iterator[str]:
    """Yield that a call, made in an empty folder, does not raise one of the errors that its contract says."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger().handlers.clear()
        try:
            eval(call, scope)  # noqa: S307  # a call from our own file
        except BaseException as error:  # noqa: BLE001  # whatever the library raises is the answer
            if type(error).__name__ not in expected:
                yield f"it raises {type(error).__name__} ({error}) and not {' or '.join(sorted(expected))}"
        else:
            yield "it does not raise"
