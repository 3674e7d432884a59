"""Reads a repository's own contracts: the files below ``.github/review-bot/contracts`` (docs/contracts.md).

They come from where the configuration comes from, never from the change. They add to what is known: a function that has
a built-in contract keeps it, and its own one can only require more of it (``Contract.strengthened``).
"""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.contracts.contract import Contract
from review_bot.contracts.contract_file import located_contracts
from review_bot.errors import RuleError

MOST_FILES = 64
MOST_FUNCTIONS = 2_000
"""Functions and methods that the files of one repository may describe."""


def read_own_contracts(files: Iterable[tuple[str, str]]) -> dict[str, Contract]:
    """Return full name → contract: (path, text) of each file. Raises RuleError with file, line and field."""
    found: dict[str, Contract] = {}
    where: dict[str, str] = {}
    for number, (path, text) in enumerate(files, 1):
        if number > MOST_FILES:
            raise RuleError(f"a repository may have {MOST_FILES} files of contracts; merge some of them", path=path)
        for name, (contract, line) in located_contracts(text, path).items():
            if contract.none_if:
                raise RuleError("`none_if` is for the built-in contracts; remove it", path=path, line=line)
            if name in found:
                problem = f"`{name}` has a contract already, in {where[name]}; keep one"
                raise RuleError(problem, path=path, line=line)
            if len(found) == MOST_FUNCTIONS:
                raise RuleError(
                    f"contracts may describe {MOST_FUNCTIONS:,} functions; remove some", path=path, line=line
                )
            found[name], where[name] = contract, f"{path}:{line}"
    return found
