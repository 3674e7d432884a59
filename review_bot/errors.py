"""Every error that Review Bot raises on purpose.

::

    ReviewBotError            exit 3, unless a subclass says otherwise
    ├── InstallationError exit 3: this installation lacks a part of its own
    ├── UsageError            exit 2: the command line, a revision or a folder is wrong
    │   └── NoRepository              the folder is in no git repository
    ├── ConfigError           exit 2: a configuration or baseline file is wrong
    ├── RuleError             exit 2: a rule file is wrong
    ├── DiffError             exit 3: a diff cannot be read
    └── ForgeError            exit 3: git or GitHub did not give what was asked for
        ├── Unreachable       E-NET         no connection, or it broke
        ├── ServerBroken      E-GITHUB      GitHub answers with an error of its own (5xx)
        ├── RateLimited       E-RATE        a limit holds for longer than this run may wait
        ├── TokenRefused      E-TOKEN       the token is missing, wrong or expired
        ├── Forbidden         E-PERMISSION  the token is good and may not do this
        ├── NotFound          E-GONE        what was asked for is not there, or not for this token
        ├── Rejected          E-REJECTED    GitHub understood and refuses (422, 409)
        ├── BadData           E-BADDATA     an answer that is not what GitHub's description promises
        │   └── TooLarge                    an answer that is larger than this run takes
        ├── IncompleteChange  E-INCOMPLETE  the change cannot be read whole
        ├── Ambiguous         E-AMBIGUOUS   a write may or may not have taken place
        └── Superseded        E-SUPERSEDED  the head of the pull request has moved

"The review found problems" is a verdict, not an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar


class ReviewBotError(Exception):
    """An error that the user can fix; its text says what happened, where, and what to do now."""

    exit_code = 3


class InstallationError(ReviewBotError):
    """A part of the package itself is missing or damaged."""


class Interrupted(KeyboardInterrupt):
    """A signal, by its number, asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class UsageError(ReviewBotError):
    """The command line names something that does not exist or does not fit together."""

    exit_code = 2


class NoRepository(UsageError):
    """A folder is in no git repository."""


class LocatedError(ReviewBotError):
    """An error in a file that a person wrote; ``line`` is 1-based, ``field`` is dotted.

    ``others``: more errors in the same file; the text has a line for each.
    """

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        path: str = "",
        line: int | None = None,
        field: str = "",
        others: Sequence[LocatedError] = (),
    ) -> None:
        self.message, self.path, self.line, self.field, self.others = message, path, line, field, tuple(others)
        where = path + (f":{line}" if line is not None else "")
        first = ": ".join(part for part in (where, field, message) if part)
        super().__init__("\n".join([first, *map(str, self.others)]))


_Located = TypeVar("_Located", bound=LocatedError)


def together(found: Iterable[_Located]) -> _Located:
    """Return several errors, at least one, as one, in the order of their lines."""
    first, *others = sorted(found, key=lambda each: each.line or 0)
    return type(first)(first.message, path=first.path, line=first.line, field=first.field, others=others)


class ConfigError(LocatedError):
    """A configuration or baseline file cannot be used."""


class RuleError(LocatedError):
    """A rule file cannot be used."""


class DiffError(ReviewBotError):
    """A diff cannot be read; the text names the line of the diff where that shows."""


class ForgeError(ReviewBotError):
    """The place that holds the change did not answer as it should; ``code`` names the kind for logs and documents."""

    code = "E-FORGE"


class Unreachable(ForgeError):
    """GitHub could not be reached, or the connection broke."""

    code = "E-NET"


class ServerBroken(ForgeError):
    """GitHub answered with an error of its own."""

    code = "E-GITHUB"


class RateLimited(ForgeError):
    """A limit of GitHub holds for longer than this run may wait."""

    code = "E-RATE"


class TokenRefused(ForgeError):
    """The token is missing, wrong or expired."""

    code = "E-TOKEN"


class Forbidden(ForgeError):
    """The token is good and may not do this."""

    code = "E-PERMISSION"


class NotFound(ForgeError):
    """What was asked for is not there, or this token may not see it."""

    code = "E-GONE"


class Rejected(ForgeError):
    """GitHub understood the request and refuses it; ``messages`` are GitHub's own words, untrusted text."""

    code = "E-REJECTED"

    def __init__(self, message: str, messages: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.messages = messages


class BadData(ForgeError):
    """An answer is not what GitHub's description promises: no JSON, another shape, too large, another host."""

    code = "E-BADDATA"


class TooLarge(BadData):
    """An answer is larger than this run takes."""


class IncompleteChange(ForgeError):
    """The change cannot be read whole, so that nothing can be said of it."""

    code = "E-INCOMPLETE"


class Ambiguous(ForgeError):
    """A write was sent and its answer was lost: it may or may not have taken place; read before you repeat it."""

    code = "E-AMBIGUOUS"


class Superseded(ForgeError):
    """The head of the pull request moved while it was reviewed; the newer run decides."""

    code = "E-SUPERSEDED"
