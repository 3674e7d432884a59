"""A commit status: the one line beside a commit that a branch rule can require."""

from __future__ import annotations

from typing import Any

from review_bot.errors import Ambiguous
from review_bot.forges.github.client import Client

LONGEST_DESCRIPTION = 140
"""Characters; more is refused: https://github.com/sclorg/testing-farm-as-github-action/pull/187."""

_REPEATS = 3
_PAUSE = 2.0
_STATES = {0: "success", 1: "failure"}


def post(
    client: Client, repository: str, head: str, name: str, exit_code: int, sentence: str, url: str | None = None
) -> None:
    """Set the status ``name`` of a commit; the last one that was set counts. Needs ``statuses: write``.

    ``exit_code``: that of the run; what is neither 0 nor 1 is an ``error``. ``url``: where the details are. Raises
    ForgeError. Source: https://docs.github.com/en/rest/commits/statuses#create-a-commit-status
    """
    line = " ".join(sentence.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1] + "…"
    body: dict[str, Any] = {"state": _STATES.get(exit_code, "error"), "context": name, "description": line}
    if url:
        body["target_url"] = url
    for _ in range(_REPEATS):  # twice the same status is no harm
        try:
            return client.send("POST", f"/repos/{repository}/statuses/{head}", body, None)
        except Ambiguous:
            client.clock.sleep(_PAUSE)
    return client.send("POST", f"/repos/{repository}/statuses/{head}", body, None)
