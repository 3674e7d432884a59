"""A configuration, read: the settings of each owner, and which of them the file sets.

A new key is an annotated field of one of these owners, or of a record within one.
"""

from __future__ import annotations

from review_bot.comments.model import Posting
from review_bot.configuration.inputs import Overrides
from review_bot.records import NamedTuple
from review_bot.review.policy import Policy
from review_bot.rules.rulebook import Selection
from review_bot.setting import declared


class Settings(NamedTuple):
    """``given``: fields of the owners that the configuration sets."""

    policy: Policy = Policy()
    selection: Selection = Selection()
    posting: Posting = Posting()
    given: frozenset[str] = frozenset()

    def policy_under(self, overrides: Overrides) -> Policy:
        """Return the policy with, of each setting that the caller has too, the strictest value that is set."""
        changed = {}
        for setting in declared(Policy):
            if setting.field in Overrides._fields:
                own = getattr(self.policy, setting.field) if setting.field in self.given else None
                value = setting.strictest(own, getattr(overrides, setting.field))
                if value is not None:
                    changed[setting.field] = value
        return self.policy._replace(**changed)
