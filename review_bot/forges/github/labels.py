"""The label of a pull request that names the decision of its review: ``NAME: DECISION``, one at a time."""

from __future__ import annotations

from collections.abc import Collection

from review_bot.errors import Ambiguous, NotFound
from review_bot.forges.github.client import Client, quote
from review_bot.review.verdict import DECISION_WORDS

_LONGEST_NAME = 30
"""Characters of a name in a label; GitHub takes labels of at most 50."""


def outdated(name: str, decision: str, labels: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the labels to add and to remove so that only that of ``decision`` is left of ours.

    ``name``: of this installation; ``labels``: those that the pull request has. GitHub compares them without case.
    """
    start = name[:_LONGEST_NAME]
    own = {f"{start}: {each}" for each in DECISION_WORDS}
    wanted = f"{start}: {decision}"
    stale = [each for each in labels if each.lower() in own and each.lower() != wanted]
    return [] if wanted in {each.lower() for each in labels} else [wanted], stale


def change(client: Client, repository: str, number: int, added: Collection[str], removed: Collection[str]) -> None:
    """Add and remove labels; GitHub creates one that the repository does not have. Raises Forbidden, ForgeError.

    Sources: https://docs.github.com/en/rest/issues/labels#add-labels-to-an-issue, and there "remove a label".
    """
    address = f"/repos/{repository}/issues/{number}/labels"
    for label in removed:
        try:
            client.send("DELETE", f"{address}/{quote(label)}", None, None)
        except NotFound:
            continue  # someone else was quicker
    if added:
        body = {"labels": [*added]}
        try:
            client.send("POST", address, body, None)
        except Ambiguous:  # a label is there once, however often it is added
            client.send("POST", address, body, None)
