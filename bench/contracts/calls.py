"""Makes the calls that contract files list, and compares their results with what the files say."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageOps
import torch

from bench.contracts.call_result import CallResult
from bench.contracts.claims import false_claims
from bench.contracts.library_facts import OF_TENSORS, unraised
from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.values import Names, Value
from review_bot.contracts.contract_file import ContractEntry, ContractFile, names_of, read_contracts

FOLDER = Path(__file__).resolve().parent.parent.parent / "contracts"
_HEAD = "import torch\nimport numpy as np\nimport torch.nn.functional as F\nimport PIL.Image\n"


def call_all(folder: Path = FOLDER) -> Iterator[CallResult]:
    """Make every call of the files whose libraries can be imported here. Raises RuleError."""
    for path in sorted(folder.glob("*.yaml")):
        file = read_contracts(path.read_text(encoding="utf-8"), path.name)
        if file.library not in OF_TENSORS:
            continue
        for entry in file.contracts:
            for call in _calls(file, entry):
                yield CallResult(path.name, call, tuple(_problems(call)))
            expected = {each.raises for each in entry.requires}
            for call in _failing(file, entry):
                yield CallResult(path.name, call, tuple(unraised(call, _operands(), expected)))


def _calls(file: ContractFile, entry: ContractEntry) -> Iterator[str]:
    for name, is_method in names_of(file, entry):
        last = name.rpartition(".")[2]
        subject = {"numpy": "a", "PIL": "im"}.get(file.library, "x")
        plain = name.replace("numpy.", "np.", 1)
        for example in entry.examples:
            given = example.removeprefix("$")
            if example == given:
                yield example
            elif is_method:
                yield f"{subject}.{last}{given or '()'}"
            elif entry.both:
                inside = given[1:-1] if given else ""
                yield f"{plain}({subject}{', ' if inside else ''}{inside})"
            else:
                yield plain + given


def _failing(file: ContractFile, entry: ContractEntry) -> Iterator[str]:
    for example in entry.fails:
        for name, _ in names_of(file, entry) if "$" in example else [("", False)]:
            yield example.replace("$", name.replace("numpy.", "np.", 1))


def _operands() -> dict[str, Any]:
    return {
        "torch": torch,
        "np": np,
        "x": torch.rand(2, 3, 4) + 0.5,
        "i": torch.arange(24).reshape(2, 3, 4),
        "a": np.arange(24.0).reshape(2, 3, 4),
        "im": PIL.Image.new("RGB", (4, 3)),
        "PIL": PIL,
    }


def _problems(call: str) -> Iterator[str]:
    """Yield how the result of a call differs from its contract, and that it raises."""
    claim = claim_of(call)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            real = eval(call, _operands())  # noqa: S307  # a call from our own file
    except Exception as error:  # noqa: BLE001  # whatever the library raises is the answer
        yield f"it raises {type(error).__name__}: {error}"
        return
    yield from false_claims(claim, real, {})


def claim_of(call: str) -> Value:
    """Return what the analysis says of a call on ``x``, ``i`` and ``a``."""
    sizes = ("2", "3", "4")
    names = Names(
        {
            "x": Value("tensor", dtype="float32", device="cpu", sizes=sizes, dense=True),
            "i": Value("tensor", dtype="int64", device="cpu", sizes=sizes, dense=True),
            "a": Value("array", dtype="float64", sizes=sizes, dense=True),
            "im": Value("object", type="PIL.Image.Image"),
        }
    )
    return value_of(ast.parse(call, mode="eval").body, names, imported_names(ast.parse(_HEAD)))
