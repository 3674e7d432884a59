"""What a call runs: a function or method of the tree, and how the arguments reach it."""

from __future__ import annotations

from review_bot.analysis.facts.signatures import CallForm, Signature, misfit
from review_bot.records import NamedTuple

IMPLICIT = frozenset({"__init__", "__call__", "forward"})
"""Methods that a call runs without naming them: by the class, or by an object (``forward``: by a module of torch)."""


class Symbol(NamedTuple):
    """A top-level function or class, or with a dot in its name a method, by the file that defines it."""

    path: str
    name: str


class Run(NamedTuple):
    """What a call runs. ``signatures``: one of these, where more than one definition has the name.

    ``form`` is how the arguments reach it, with those of ``functools.partial``; ``names`` are those on the way to it.
    ``by_class``: a method that is called by its class, ``Cache.get(cache, key)``, and so is passed the object.
    """

    symbol: Symbol
    signatures: tuple[Signature, ...]
    form: CallForm
    names: frozenset[str] = frozenset()
    by_class: bool = False

    @property
    def misfit(self) -> str | None:
        """Why the call surely fails, in words, or None."""
        found = [self._misfit(each) for each in self.signatures]
        return None if None in found else found[0]

    @property
    def refuses_object(self) -> bool:
        """Whether Python passes the object, or to a class method the class, and no parameter takes it."""
        return all(map(self._refuses, self.signatures))

    def _refuses(self, signature: Signature) -> bool:
        return signature.takes_no_object and (signature.binding == "class" or not self.by_class)

    def _misfit(self, signature: Signature) -> str | None:
        if self._refuses(signature):
            return f"passes the {'class' if signature.binding == 'class' else 'object'}, which no parameter takes"
        return misfit(self.form, signature.by_class if self.by_class else signature.parameters)
