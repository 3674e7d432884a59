"""The rules and the policy of a run: built-in rules, the repository's own rules and contracts, its configuration.

Where a setting of the caller (a flag, an input) and the configuration differ, the stricter one applies.
"""

from __future__ import annotations

from review_bot.changes.source import SettingsSource
from review_bot.comments.model import Display
from review_bot.configuration import rule_registry
from review_bot.configuration.inputs import Overrides
from review_bot.configuration.settings import Settings
from review_bot.configuration.settings_cache import keep, recall
from review_bot.errors import ConfigError
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATH, CONFIG_PATHS, CONTRACTS_FOLDER, RULES_FOLDER
from review_bot.linters.delegation import Linters
from review_bot.records import NamedTuple
from review_bot.review.policy import Policy
from review_bot.rules.rulebook import Rulebook, select


class EffectiveConfig(NamedTuple):
    """What applies to a run. ``baseline``: fingerprint → reason; ``configured``: a configuration was found.

    ``linters``: what the repository's own linters report; their files are read only if that is needed.
    """

    rulebook: Rulebook
    policy: Policy
    baseline: dict[str, str]
    configured: bool
    linters: Linters
    display: Display = Display()


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
    source: SettingsSource, overrides: Overrides, text: str | None = None, builtin: Rulebook | None = None
) -> EffectiveConfig:
    """Return what applies. ``text``: a configuration that was read already; ``builtin``: the built-in rules, if read.

    Raises ConfigError, RuleError.
    """
    rulebook = builtin or rule_registry.builtin_rulebook()
    own = source.own_files(RULES_FOLDER)
    if own:
        rulebook = rule_registry.with_own_rules(rulebook, own)
    contracts = source.own_files(CONTRACTS_FOLDER)
    if contracts:
        rulebook = rule_registry.with_own_contracts(rulebook, contracts)
    found = read_configuration(source, overrides, text)
    baseline = _baseline(source)
    if baseline:
        rulebook = rulebook.accepting(baseline, of_base=True)
    settings = Settings() if found is None else found.settings
    added = "".join(
        f", with {folder}/" for folder, files in ((RULES_FOLDER, own), (CONTRACTS_FOLDER, contracts)) if files
    )
    policy = settings.policy_under(overrides)._replace(
        source=f"built-in (no {CONFIG_PATH}){added}" if found is None else found.path
    )
    return EffectiveConfig(
        select(rulebook, settings.selection, policy.gate) if found is None else found.choose(rulebook, policy),
        policy,
        baseline,
        configured=found is not None,
        linters=Linters(source.settings),
        display=settings.display,
    )


def read_configuration(source: SettingsSource, overrides: Overrides, text: str | None = None) -> Configuration | None:
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
    settings = recall(text)
    if settings is None:
        from review_bot.configuration import config_file  # pydantic and YAML cost more than a small review

        settings = config_file.read(text, path)
        keep(text, settings)
    return Configuration(path, text, settings)


def _baseline(source: SettingsSource) -> dict[str, str]:
    text = source.settings(BASELINE_PATH)
    if text is None:
        return {}
    from review_bot.review import baseline

    return baseline.read(text, BASELINE_PATH)
