"""Writes of one run: each ends in its result, in a refusal that the caller handles, or in the end of all writing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from review_bot.errors import Ambiguous, Forbidden, ForgeError, NotFound, Rejected, Superseded
from review_bot.forges.github.clock import Clock

MOST_AMBIGUOUS = 3

HEAD_GOOD_FOR = 10.0
"""Seconds after which the head is asked for again before something is said of it."""

_TOO_MUCH = re.compile(r"submitted too quickly|spam|abuse", re.IGNORECASE)


class Stop(Exception):
    """Nothing more can be written in this run."""


class Again(Exception):
    """Things are not as the plan took them to be: read, and plan again."""


class GuardedWrites:
    """Runs writes. ``problems``: what could not be written, in sentences; ``read_only``: nothing could.

    ``head``: the commit that was reviewed; ``still_head``: returns whether it still is the head.
    """

    def __init__(self, clock: Clock, head: str, still_head: Callable[[], bool]) -> None:
        self._clock, self._head, self._still_head = clock, head, still_head
        self._head_seen = clock.now()
        self.problems: list[str] = []
        self.read_only = self._wrote = False
        self._ambiguous = 0

    def check_head(self, *, good_for: float = HEAD_GOOD_FOR) -> None:
        """Raise Superseded if the head has moved; asked only if the last answer is older than so many seconds."""
        if good_for and self._clock.now() - self._head_seen <= good_for:
            return
        try:
            is_head = self._still_head()
        except Superseded:
            raise
        except ForgeError as error:
            self.stop(f"Not everything could be posted ({error.code}): {error}")
        if not is_head:
            raise Superseded(
                f"the pull request moved on from `{self._head[:12]}` while its review was being posted; "
                "the run for the new commit decides"
            )
        self._head_seen = self._clock.now()

    def run(self, call: Callable[[], Any], *, is_creation: bool = False, may_be_forbidden: bool = False) -> Any:
        """Run a write. Raises Rejected, NotFound of what is not created here, Again, Stop."""
        try:
            result = call()
        except Ambiguous as error:
            self._ambiguous += 1
            if self._ambiguous > MOST_AMBIGUOUS:
                self.stop(f"GitHub's responses are inconclusive ({error.code}): {error}")
            raise Again from error
        except Rejected as error:
            if _TOO_MUCH.search(str(error)):
                self.stop(f"GitHub currently accepts no more comments ({error.code}): {error}")
            raise
        except (Forbidden, NotFound) as error:
            if may_be_forbidden or (isinstance(error, NotFound) and not is_creation):
                raise
            self.read_only = not self._wrote
            self.stop(f"Review Bot could not comment, which needs `pull-requests: write` ({error.code}): {error}")
        except ForgeError as error:
            self.stop(f"Not everything could be posted ({error.code}): {error}")
        self._wrote = True
        return result

    def stop(self, problem: str) -> NoReturn:
        """Record a problem that ends all writing, and raise Stop."""
        self.problems.append(problem)
        raise Stop
