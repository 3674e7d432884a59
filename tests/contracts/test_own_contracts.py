"""A repository's own contracts: how they are bounded, where a mistake is reported, how they add to the built-in ones."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from review_bot.configuration import rule_registry
from review_bot.contracts import contract_store
from review_bot.contracts.contract import Contract
from review_bot.contracts.contract_store import contract_of, names_with_requirements
from review_bot.contracts.own_contracts import MOST_FILES, MOST_FUNCTIONS, read_own_contracts
from review_bot.errors import RuleError
from review_bot.processes import typed_json
from review_bot.result_cache import keys

PATH = ".github/review-bot/contracts/halcyon.yml"
OWN = """\
library: halcyon
contracts:
  - functions: [ops.fold_rows]
    requires:
      - {of: index, at: 1, dtype: [int64], raises: TypeError, reason: "`fold_rows` takes an index of int64"}
"""


@pytest.fixture(autouse=True)
def _builtin_afterwards() -> Iterator[None]:
    yield
    contract_store.use({})


def test_own_contracts_are_found_until_the_next_examination() -> None:
    contract_store.use(read_own_contracts([(PATH, OWN)]))
    own = contract_of("halcyon.ops.fold_rows")
    assert own is not None
    assert own.requires[0].dtype == ("int64",)
    assert "fold_rows" in names_with_requirements()
    assert contract_of("torch.gather") is not None
    contract_store.use({})
    assert contract_of("halcyon.ops.fold_rows") is None
    assert "fold_rows" not in names_with_requirements()


def test_a_function_with_a_built_in_contract_keeps_it_and_may_get_stricter() -> None:
    weaker = """\
library: torch
type: torch.Tensor
contracts:
  - both: [gather, histc]
    returns: {kind: object}
    requires:
      - {of: index, at: 2, dtype: [float32], raises: TypeError, reason: "we say so"}
    effects: [blocks]
"""
    builtin = contract_of("torch.gather")
    assert builtin is not None
    assert builtin.requires
    contract_store.use(read_own_contracts([(PATH, weaker)]))
    found = contract_of("torch.gather")
    assert found is not None
    assert found[: Contract._fields.index("requires")] == builtin[: Contract._fields.index("requires")]
    assert found.requires[: len(builtin.requires)] == builtin.requires
    assert found.requires[-1].reason == "we say so"
    assert found.effects == (*builtin.effects, "blocks")
    other = contract_of("torch.histc")  # of which nothing is built in
    assert other is not None
    assert other.kind == "object"


@pytest.mark.parametrize(
    ("written", "instead", "line", "words"),
    [
        ("[int64]", "[int65]", 5, "contracts.0.requires.0.dtype.0: must be one of bool"),
        ("dtype: [int64], ", "", 5, "contracts.0.requires.0: this requires nothing of the operand"),
        ("raises: TypeError, ", "", 5, "contracts.0.requires.0.raises"),
        ("raises: TypeError", "raises: Type Error", 5, "'Type Error' is not a name of Python"),
        ("reason:", "raeson:", 5, "raeson"),
        ("takes an index", "x" * 400, 5, "at most 200 characters"),
        ("takes an index", "takes\\nan index", 5, "this must be one line"),
        ("at: 1", "at: -2", 5, "contracts.0.requires.0.at: must be -1 or more"),
        ("[ops.fold_rows]", "[ops.fold rows]", 3, "contracts.0.functions.0: 'ops.fold rows' is not a name of Python"),
        ("[ops.fold_rows]", "[" + "a." * 200 + "b]", 3, "contracts.0.functions.0"),
        ("[ops.fold_rows]", "[]", 3, "a contract names `functions`, `methods` or `both`"),
        ("[ops.fold_rows]", "[a, a]", 3, "`halcyon.a` has a contract already, on line 3"),
        (
            "functions: [ops.fold_rows]",
            "methods: [fold_rows]",
            3,
            "type: `methods` need the `type` whose methods they are",
        ),
        ("    requires:", "    none_if: it is full\n    requires:", 3, "`none_if` is for the built-in contracts"),
        ("library: halcyon", "library: ''", 1, "library"),
        ("library: halcyon", "libary: halcyon", 1, "libary"),
        ("library: halcyon", "library: &a halcyon", 1, ""),
        ("contracts:", "contracts: [", None, "invalid YAML"),
        ("contracts:", "- a", None, "invalid YAML"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_field(written: str, instead: str, line: int, words: str) -> None:
    text = OWN.replace(written, instead, 1)
    if "&a" in text:
        text += "  - {functions: [*a]}\n"
    with pytest.raises(RuleError) as caught:
        read_own_contracts([(PATH, text)])
    said = str(caught.value)
    assert said.startswith(f"{PATH}:{line}: " if line and "&a" not in text else f"{PATH}:"), said
    assert words in said


def test_the_same_function_in_two_files_is_a_mistake() -> None:
    with pytest.raises(RuleError) as caught:
        read_own_contracts([(PATH, OWN), ("b.yml", f"# more\n{OWN}")])
    assert str(caught.value) == f"b.yml:4: `halcyon.ops.fold_rows` has a contract already, in {PATH}:3; keep one"


def test_files_and_functions_are_limited() -> None:
    files = [(f"{n}.yml", OWN.replace("halcyon", f"library{n}")) for n in range(MOST_FILES)]
    assert len(read_own_contracts(files)) == MOST_FILES
    with pytest.raises(RuleError, match=r"^last.yml: a repository may have 64 files of contracts"):
        read_own_contracts([*files, ("last.yml", OWN)])
    many = ", ".join(f"f{n}" for n in range(MOST_FUNCTIONS))
    text = f"library: a\ncontracts:\n  - functions: [{many}]\n    effects: [blocks]\n"
    assert len(read_own_contracts([(PATH, text)])) == MOST_FUNCTIONS
    with pytest.raises(RuleError, match=r"^b.yml:3: contracts may describe 2,000 functions; remove some"):
        read_own_contracts(
            [(PATH, text), ("b.yml", OWN.replace("\ncontracts", "\n\ncontracts", 1).replace("\n\n", "\n"))]
        )
    with pytest.raises(RuleError, match="larger than 256 KiB"):
        read_own_contracts([(PATH, OWN + "#" * 300_000)])


def test_the_rules_with_own_contracts_have_another_digest_and_form_in_json() -> None:
    builtin = rule_registry.builtin_rulebook()
    with_own = rule_registry.with_own_contracts(builtin, [(PATH, OWN)])
    stricter = rule_registry.with_own_contracts(builtin, [(PATH, OWN.replace("int64]", "int64, int32]"))])
    assert len({each.digest for each in (builtin, with_own, stricter)}) == 3
    assert "fold_rows" in typed_json.encode(with_own.contracts)
    assert len({keys.of_rulebook(each, "code") for each in (builtin, with_own, stricter)}) == 3
    rule = "id: a\nlanguage: python\nmessage: A.\nrule: {pattern: f($X)}\n"
    both = rule_registry.with_own_rules(with_own, [("a.yml", rule)])
    assert both.contracts == with_own.contracts
    assert json.loads(typed_json.encode(both.contracts))
