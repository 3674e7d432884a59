"""The rules and the policy of a run: built-in rules, the repository's own rules and contracts, its configuration.

Where a setting of the caller (a flag, an input) and the configuration differ, the stricter one applies.
"""

from __future__ import annotations

from review_bot.changes.source import SettingsSource
from review_bot.configuration import rule_registry
from review_bot.configuration.inputs import Overrides
from review_bot.configuration.settings import Settings
from review_bot.configuration.settings_cache import keep, recall
from review_bot.errors import ConfigError
from review_bot.files.cache_folder import CacheFolder
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATH, CONFIG_PATHS, CONTRACTS_FOLDER, RULES_FOLDER
from review_bot.linters.delegation import Linters
from review_bot.records import NamedTuple
from review_bot.review.policy import Policy
from review_bot.rules.rulebook import Rulebook, select


class EffectiveConfig(NamedTuple):
    """What applies to a run. ``rulebook``: the rules that are on; ``every``: those that are off, too.

    ``baseline``: fingerprint → reason. ``found``: the configuration; None if there is none. ``linters``: what the
    repository's own linters report; their files are read only if that is needed.
    """

    rulebook: Rulebook
    every: Rulebook
    policy: Policy
    baseline: dict[str, str]
    found: Configuration | None
    linters: Linters

    @property
    def settings(self) -> Settings:
        """What the configuration sets, or the built-in values."""
        return Settings() if self.found is None else self.found.settings


class Configuration(NamedTuple):
    """A configuration as it was found: its path, its text, and what the text sets."""

    path: str
    text: str
    settings: Settings

    def choose(self, rulebook: Rulebook, policy: Policy | None = None) -> Rulebook:
        """Return the rules that are on. Raises ConfigError with file and line for one that does not exist.

        ``policy``: what holds in the end, if it is not that of the configuration alone.
        """
        try:
            return select(rulebook, self.settings.selection, (policy or self.settings.policy).gate)
        except ConfigError as error:
            from review_bot.configuration import config_file  # knows the lines

            raise config_file.located(error, self.text, self.path) from error


def read(
    source: SettingsSource,
    overrides: Overrides,
    text: str | None = None,
    *,
    builtin: Rulebook | None = None,
    cache: CacheFolder | None = None,
) -> EffectiveConfig:
    """Return what applies. ``text``: a configuration that was read already; ``builtin``: the built-in rules, if read.

    ``cache``: where a validated configuration is kept from run to run. Raises ConfigError, RuleError.
    """
    every = read_rules(source, builtin)
    found = read_configuration(source, overrides, text, cache)
    baseline = _baseline(source)
    if baseline:
        every = every.with_baseline(baseline, of_base=True)
    settings = Settings() if found is None else found.settings
    own = {RULES_FOLDER: any(not rule.builtin for rule in every.rules), CONTRACTS_FOLDER: every.contracts}
    added = "".join(f", with {folder}/" for folder, has in own.items() if has)
    policy = settings.policy_under(overrides)._replace(
        source=f"built-in (no {CONFIG_PATH}){added}" if found is None else found.path
    )
    return EffectiveConfig(
        select(every, settings.selection, policy.gate) if found is None else found.choose(every, policy),
        every,
        policy,
        baseline,
        found,
        Linters(source.settings),
    )


def read_rules(source: SettingsSource, builtin: Rulebook | None = None) -> Rulebook:
    """Return the built-in rules with the repository's own rules and contracts. Raises ConfigError, RuleError."""
    rulebook = builtin or rule_registry.builtin_rulebook()
    own = source.own_files(RULES_FOLDER)
    if own:
        rulebook = rule_registry.with_own_rules(rulebook, own)
    contracts = source.own_files(CONTRACTS_FOLDER)
    return rule_registry.with_own_contracts(rulebook, contracts) if contracts else rulebook


def read_configuration(
    source: SettingsSource, overrides: Overrides, text: str | None = None, cache: CacheFolder | None = None
) -> Configuration | None:
    """Return the configuration, None if there is none. Raises ConfigError."""
    path = overrides.config or CONFIG_PATH
    if text is None:
        found = {each: source.settings(each) for each in ((path,) if overrides.config else CONFIG_PATHS)}
        present = {each: content for each, content in found.items() if content is not None}
        if len(present) > 1:
            raise ConfigError(f"{CONFIG_PATHS[0]} exists too; delete one of them", path=CONFIG_PATHS[1])
        if not present and overrides.config is not None:
            raise ConfigError("file not found; correct the name or omit it", path=path)
        if not present:
            return None
        [(path, text)] = present.items()
    settings = None if cache is None else recall(text, cache)
    if settings is None:
        from review_bot.configuration import config_file  # pydantic and YAML cost more than a small review

        settings = config_file.read(text, path)
        if cache is not None:
            keep(text, settings, cache)
    return Configuration(path, text, settings)


def _baseline(source: SettingsSource) -> dict[str, str]:
    text = source.settings(BASELINE_PATH)
    if text is None:
        return {}
    from review_bot.review import baseline

    return baseline.read(text, BASELINE_PATH)
