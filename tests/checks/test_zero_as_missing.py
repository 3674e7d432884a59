from __future__ import annotations

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    ("code", "zero"),
    [
        ("request.seed or default.seed", "a valid seed"),
        ("tokenizer.pad_token_id or tokenizer.eos_token_id", "a valid token id"),
        ("worker.local_rank or -1", "the first index"),
        # These may be no valid values: a server may refuse the temperature, and no adapter has the rank.
        ("request.temperature or 0.01", "like None"),
        ("adapter.lora_rank or -1", "like None"),
        ("result.score or float('-inf')", "like None"),
    ],
)
def test_zero_is_called_valid_where_it_surely_is(code: str, zero: str) -> None:
    place, _, other = code.partition(" or ")

    (found,) = findings_of("errors/zero-as-missing", f"x = {code}\n")

    said = f"`{place}` is tested by its truth value, so zero, {zero}, is replaced by `{other}`."
    assert found.message == said
