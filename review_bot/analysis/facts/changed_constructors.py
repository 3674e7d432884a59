"""The constructors that a change gives other parameters: of the classes that it edits, and of those below them.

::

    @dataclass
    class Base:
        name: str
        heads: int          added: the constructors of Base and Config have a new parameter
    @dataclass
    class Config(Base):
        size: int

What a call of a class runs is found on both sides, so it does not matter whether fields, bases or a method decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import Signature
from review_bot.changes.codebase import Codebase
from review_bot.records import NamedTuple

_MOST_BELOW = 400
"""Classes of the base below an edited one whose constructors are compared; what a change adds cannot use it up."""


class ChangedConstructor(NamedTuple):
    """A constructor with other parameters. ``path``: of the edited class, where the line of ``signature`` is.

    ``heir``: the class whose objects it makes, if another class defines it.
    """

    symbol: Symbol
    signature: ChangedSignature
    path: str
    heir: str


def changed_constructors(edited: Iterable[tuple[Symbol, int]], codebase: Codebase) -> Iterator[ChangedConstructor]:
    """Yield the constructors that are not what they were. ``edited``: classes, each with its line at the head."""
    old, new, owners = call_targets(codebase.base), call_targets(codebase.head), dict(edited)
    compared: set[Symbol] = set()
    for owner, line in owners.items():
        below = () if owner in compared else subclasses(codebase.base, owner.name)[:_MOST_BELOW]
        for made in (owner, *(Symbol(each.path, each.definition.name) for each in below)):
            if made in compared:
                continue
            compared.add(made)
            before, after = _constructor(made, old), _constructor(made, new)
            if before is None or after is None or before.parameters == after.parameters:
                continue
            found = ChangedSignature(
                after.name, line, (before.parameters,), (after.parameters,), hollow=after.hollow, plain=True
            )
            symbol = new.called(made) or made
            is_own = made in {symbol, Symbol(symbol.path, symbol.name.rpartition(".")[0])}
            yield ChangedConstructor(symbol, found, owner.path, "" if is_own else made.name)


def _constructor(owner: Symbol, targets: CallTargets) -> Signature | None:
    if targets.class_of(owner) is None:
        return None
    symbol = targets.called(owner)
    return None if symbol is None else targets.signature(symbol)
