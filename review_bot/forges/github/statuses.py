"""A commit status: the line on a commit that a branch rule can require."""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from typing import Any

from review_bot.errors import Ambiguous, ForgeError
from review_bot.forges.github.client import Client

LONGEST_DESCRIPTION = 140
"""Characters; more is refused: https://github.com/sclorg/testing-farm-as-github-action/pull/187."""

_REPEATS = 3
_PAUSE = 2.0
_STATES = {0: "success", 1: "failure"}
_PENDING = "The review is running."
_OTHER_BASE = "The base of the pull request was changed."
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._/-]{0,99}")


class CommitStatus:
    """The status of one run: pending from the first ``begin`` on, until ``end`` sets what the run came to.

    ``name``: of the set-up. ``url``: where the details are. Needs ``statuses: write``.
    """

    def __init__(self, client: Client, repository: str, name: str, url: str | None = None) -> None:
        self._client, self._repository, self._name, self._url = client, repository, name, url
        self._place: tuple[str, str] | None = None

    @property
    def begun(self) -> bool:
        """Whether commit and context are known."""
        return self._place is not None

    def at(self, head: str, base: str, default: str | None) -> None:
        """Name the commit, the base branch of the change, and the default branch as far as it is known."""
        self._place = head, context(self._name, base, default)

    def begin(self, head: str, base: str, default: str | None) -> None:
        """Set the status to pending, so that no earlier result is valid during this run.

        If the base is another branch than in an earlier ``begin``, the status for that one becomes an error.
        One that cannot be set is left: then the end cannot be set either, and that fails the run.
        """
        before, place = self._place, (head, context(self._name, base, default))
        if place == before:
            return
        with suppress(ForgeError):
            if before is not None:
                self._set("error", _OTHER_BASE, best_effort=True)
        self._place = place
        with suppress(ForgeError):
            self._set("pending", _PENDING, best_effort=True)

    def end(self, exit_code: int, sentence: str) -> None:
        """Set the result. What is neither 0 nor 1 is an ``error``. Raises ForgeError."""
        self._set(_STATES.get(exit_code, "error"), sentence)

    def _set(self, state: str, sentence: str, *, best_effort: bool = False) -> None:
        if self._place is not None:
            post(self._client, self._repository, *self._place, state, sentence, self._url, best_effort=best_effort)


def context(name: str, base: str, default: str | None) -> str:
    """Return the context of a status: the name alone for the default branch, else with the base branch.

    A status earned on a commit against one base branch must not pass for another. GitHub compares contexts without
    regard to case (https://docs.github.com/en/rest/commits/statuses#create-a-commit-status), so a branch name that is
    not plain lower case, or long, is followed by a digest of it; no branch name contains a space.
    """
    if default is None or base == default:
        return name
    if _PLAIN_NAME.fullmatch(base):
        return f"{name} ({base})"
    return f"{name} ({base[:100]} {sha256(base.encode('utf-8', 'surrogatepass')).hexdigest()[:12]})"


def post(
    client: Client,
    repository: str,
    head: str,
    context: str,
    state: str,
    sentence: str,
    url: str | None = None,
    *,
    best_effort: bool = False,
) -> None:
    """Set the status ``context`` of a commit; the last one that was set counts. Needs ``statuses: write``.

    ``url``: where the details are. ``best_effort``: as with ``Client.send``. Raises ForgeError. Source:
    https://docs.github.com/en/rest/commits/statuses#create-a-commit-status
    """
    line = " ".join(sentence.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1] + "…"
    body: dict[str, Any] = {"state": state, "context": context, "description": line}
    if url:
        body["target_url"] = url
    path = f"/repos/{repository}/statuses/{head}"
    for _ in range(0 if best_effort else _REPEATS):  # setting the same status twice does no harm
        try:
            return client.send("POST", path, body, None)
        except Ambiguous:
            client.clock.sleep(_PAUSE)
    return client.send("POST", path, body, None, best_effort=best_effort)
