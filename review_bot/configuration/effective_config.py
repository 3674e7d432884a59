"""The rules and the policy that hold for one run: built-in rules, a repository's own, its configuration, and wishes.

Where a setting of the caller (a flag, an input) and the configuration differ, the stricter one holds.
"""

from __future__ import annotations

from typing import NamedTuple

from review_bot.changes.source import SettingsSource
from review_bot.configuration import rule_registry
from review_bot.configuration.settings_cache import Settings, keep, recall
from review_bot.errors import ConfigError
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATH, CONFIG_PATHS, RULES_FOLDER
from review_bot.linters.delegation import Linters
from review_bot.review.policy import FailOn, OnIncomplete, Policy, strictest_fail_on, strictest_on_incomplete
from review_bot.review.presentation import Presentation
from review_bot.rules.rulebook import Rulebook, select


class Wishes(NamedTuple):
    """What the caller sets. ``config``: another path of the configuration, in the same source."""

    fail_on: FailOn | None = None
    on_incomplete: OnIncomplete | None = None
    config: str | None = None


class GroundRules(NamedTuple):
    """What holds for a run. ``baseline``: fingerprint → reason; ``configured``: a configuration was found.

    ``linters``: what the repository's own linters answer for; their files are read if that is ever asked.
    ``own_policy``: patterns of the base branches that have their own.
    """

    rulebook: Rulebook
    policy: Policy
    baseline: dict[str, str]
    configured: bool
    linters: Linters
    own_policy: tuple[str, ...] = ()


class Configuration(NamedTuple):
    """A configuration as it was found: its path, its text, and what the text sets."""

    path: str
    text: str
    settings: Settings


def read(
    source: SettingsSource, wishes: Wishes, text: str | None = None, builtin: Rulebook | None = None
) -> GroundRules:
    """Return what holds. ``text``: a configuration that was read already; ``builtin``: the built-in rules, if read.

    Raises ConfigError, RuleError.
    """
    rulebook = builtin or rule_registry.builtin_rulebook()
    own = source.own_rules(RULES_FOLDER)
    if own:
        rulebook = rule_registry.with_own_rules(rulebook, own)
    found = read_configuration(source, wishes, text)
    baseline = _baseline(source)
    if baseline:
        rulebook = rulebook.accepting(baseline, of_base=True)
    if found is None:
        policy = Policy(
            fail_on=strictest_fail_on(wishes.fail_on),
            on_incomplete=strictest_on_incomplete(wishes.on_incomplete),
            source=f"built-in (no {CONFIG_PATH})",
        )
        return GroundRules(rulebook, policy, baseline, configured=False, linters=Linters(source.settings))
    settings = found.settings
    policy = Policy(
        fail_on=strictest_fail_on(settings.fail_on, wishes.fail_on),
        on_incomplete=strictest_on_incomplete(settings.on_incomplete, wishes.on_incomplete),
        unreviewed_ok=settings.unreviewed_ok,
        scorecard=settings.scorecard is not False,
        source=found.path,
        digest=settings.digest,
        presentation=settings.presentation or Presentation(),
    )
    try:
        chosen = select(rulebook, settings.selection)
        rulebook = chosen._replace(suppressions=settings.suppressions or "head")
    except ConfigError:
        from review_bot.configuration import config_file  # it knows the line to blame

        rulebook = config_file.choose(rulebook, settings, found.text, found.path)
    return GroundRules(
        rulebook,
        policy,
        baseline,
        configured=True,
        linters=Linters(source.settings),
        own_policy=settings.own_policy,
    )


def read_configuration(source: SettingsSource, wishes: Wishes, text: str | None = None) -> Configuration | None:
    """Return the configuration, None if there is none. Raises ConfigError."""
    path = wishes.config or CONFIG_PATH
    if text is None:
        found = {each: source.settings(each) for each in ((path,) if wishes.config else CONFIG_PATHS)}
        present = {each: content for each, content in found.items() if content is not None}
        if len(present) > 1:
            raise ConfigError(f"{CONFIG_PATHS[0]} exists too; delete one of them", path=CONFIG_PATHS[1])
        if not present and wishes.config is not None:
            raise ConfigError("there is no such file; correct the name or leave it out", path=path)
        if not present:
            return None
        [(path, text)] = present.items()
    settings = recall(text)
    if settings is None:
        from review_bot.configuration import (
            config_file,  # pydantic and YAML cost more than a review: only for a text not yet known
        )

        settings = config_file.read(text, path)
        keep(text, settings)
    return Configuration(path, text, settings)


def _baseline(source: SettingsSource) -> dict[str, str]:
    text = source.settings(BASELINE_PATH)
    if text is None:
        return {}
    from review_bot.review import baseline

    return baseline.read(text, BASELINE_PATH)
