"""The records of contracts; ``contract_file.py`` reads them, ``contract_store.py`` finds them by name."""

from __future__ import annotations

from review_bot.records import NamedTuple


class Requirement(NamedTuple):
    """What one operand of a call must be, or the call raises ``raises``.

    ``of`` is ``self`` or the name of a parameter, ``at`` its position without ``self``; -1: by name alone. An empty
    field requires nothing. ``device`` is ``cpu``; ``axes``: how many there may be; ``forward``: no stride is negative.
    ``like``: the operand must agree with ``self``, or with the first argument, in its ``dtype``, its ``device`` or
    ``both``, or with the ``argument`` ``device``. It holds for calls with ``least_arguments`` and, unless 0,
    ``most_arguments``, ``without`` a keyword of that name, and ``when`` an argument, whose name comes first, is one of
    the texts that follow; ``passed`` if it is passed at all. ``not_type``: classes that it must not be of. ``absent``:
    it must not be passed, except as None. ``reason`` is a clause in Markdown.
    """

    of: str
    at: int = -1
    dtype: tuple[str, ...] = ()
    not_dtype: tuple[str, ...] = ()
    device: str = ""
    contiguous: bool = False
    axes: tuple[int, ...] = ()
    no_grad: bool = False
    forward: bool = False
    writable: bool = False
    like: str = ""
    least_arguments: int = 0
    most_arguments: int = 0
    when: tuple[str, ...] = ()
    without: str = ""
    passed: str = ""
    not_type: tuple[str, ...] = ()
    absent: bool = False
    raises: str = ""
    reason: str = ""


class Contract(NamedTuple):
    """What a function gives, needs and does.

    ``kind`` of what it returns: ``tensor``, ``array``, ``pair``, ``bytes``, ``coroutine`` or ``object``, maybe of a
    ``type``; empty: unknown. ``dtype`` and ``device`` are alternatives, of which the first that applies counts:
    ``argument`` (the keyword of that name, if it is passed), ``same`` (as the operand), ``kept`` (so if it is
    floating), ``quotient`` (and some floating one of an integer), ``promoted`` (of all operands), ``default`` (the
    process's), or a value. ``sizes``, ``layout`` and ``memory`` name how they follow from the call
    (docs/contracts.md). ``items``: of how many parts the returned tuple is; with ``items_with`` only if one of these
    arguments is passed. ``effects``: words such as ``writes self``, ``synchronises``, ``blocks``. ``none_if``: a
    clause that says when it returns None; if ``none_up_to`` is not 0, only a call with as many arguments or fewer
    does. ``takes``: its parameters without ``self``, as Python writes them; None: unknown. ``gone``: the version from
    which on the library does not have it; ``instead``: what to use then, as a clause. ``since``: the oldest version
    for which all this holds. A ``coroutine`` of which ``type`` is known gives an object of it when it is awaited.
    """

    kind: str = ""
    dtype: tuple[str, ...] = ()
    device: tuple[str, ...] = ()
    sizes: str = ""
    layout: str = ""
    memory: str = ""
    type: str = ""
    selects: bool = False
    read_only: str = ""
    grad: str = ""
    items: tuple[str, ...] = ()
    items_with: tuple[str, ...] = ()
    requires: tuple[Requirement, ...] = ()
    effects: tuple[str, ...] = ()
    none_if: str = ""
    none_up_to: int = 0
    is_method: bool = False
    takes: str | None = None
    gone: str = ""
    instead: str = ""
    since: str = ""

    def strengthened(self, other: Contract) -> Contract:
        """Return this contract with what another one asks for too: its requirements and effects, after its own.

        What the function returns is taken from the other one only if this one does not say it.
        """
        returns = self if self.kind else other
        return returns._replace(
            requires=(*self.requires, *(each for each in other.requires if each not in self.requires)),
            effects=(*self.effects, *(each for each in other.effects if each not in self.effects)),
            none_if=self.none_if or other.none_if,
            none_up_to=self.none_up_to if self.none_if else other.none_up_to,
            is_method=self.is_method,
            takes=other.takes if self.takes is None else self.takes,
        )
