"""Files of contracts: what they may hold, and where a mistake is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_bot.contracts.contract_file import compile_contracts, read_contracts
from review_bot.contracts.contract_store import contract_of, names_with_requirements, record_of
from review_bot.errors import RuleError

GOOD = """\
library: halcyon
since: "1.0"
type: halcyon.Wave
contracts:
  - both: [fold]
    returns: {dtype: [argument, same], sizes: same}
    requires:
      - {of: index, at: 1, dtype: [int64], raises: RuntimeError, reason: "`fold` takes an index of int64"}
  - functions: [read]
    returns: {kind: pair, items: [wave, rate]}
    takes: "path, *, rate=None"
    gone: "2.0"
"""


def test_a_function_and_a_method_count_positions_from_their_own_first_argument(tmp_path: Path) -> None:
    (tmp_path / "halcyon.yaml").write_text(GOOD)
    compiled = {name: record_of(fields) for name, fields in compile_contracts(tmp_path)["halcyon"].items()}
    assert sorted(compiled) == ["halcyon.Wave.fold", "halcyon.fold", "halcyon.read"]
    assert compiled["halcyon.fold"].requires[0].at == 1
    assert compiled["halcyon.Wave.fold"].requires[0].at == 0
    assert compiled["halcyon.Wave.fold"].is_method
    assert compiled["halcyon.fold"].dtype == ("argument", "same")
    assert compiled["halcyon.read"].items == ("wave", "rate")
    assert compiled["halcyon.read"].takes == "path, *, rate=None"
    assert (compiled["halcyon.read"].since, compiled["halcyon.read"].gone) == ("1.0", "2.0")


@pytest.mark.parametrize(
    ("written", "instead", "line", "field"),
    [
        ("[int64]", "[int65]", 8, "contracts.0.requires.0.dtype.0"),
        ("sizes: same", "sizes: equal", 6, "contracts.0.returns.sizes"),
        ("of: index", "off: index", 8, "contracts.0.requires.0.of"),
        ("functions: [read]", "functions: []", 9, "contracts.1"),
        ("functions: [read]", "functions: [fold]", 9, "contracts.1"),
        ("type: halcyon.Wave\n", "", 4, "type"),
        ("library: halcyon\n", "", 1, "library"),
        ("path, *, rate=None", "path, *", 11, "contracts.1.takes"),
        ("path, *, rate=None", "path): import os\ndef g(", 11, "contracts.1.takes"),
        ('gone: "2.0"', 'gone: "two"', 12, "contracts.1.gone"),
        ("since", "sinse", 2, "sinse"),
    ],
)
def test_a_mistake_is_reported_with_line_and_field(written: str, instead: str, line: int, field: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_contracts(GOOD.replace(written, instead, 1), "contracts/halcyon.yaml")
    text = str(caught.value)
    assert text.startswith(f"contracts/halcyon.yaml:{line}: "), text
    assert field in text, text


@pytest.mark.parametrize("text", ["", "- a\n", "library: [\n", "a: 1\n---\nb: 2\n"])
def test_what_is_no_single_mapping_is_rejected(text: str) -> None:
    with pytest.raises(RuleError):
        read_contracts(text, "contracts/halcyon.yaml")


def test_the_shipped_contracts_are_found_by_full_name() -> None:
    gather = contract_of("torch.gather")
    assert gather is not None
    assert gather.requires[0].dtype == ("int32", "int64")
    assert contract_of("torch.nothing") is None
    assert contract_of("halcyon.fold") is None
    assert contract_of("torch") is None
    assert {"gather", "numpy", "embedding"} <= names_with_requirements()
