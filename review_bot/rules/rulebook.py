"""Which rules apply here. A ``Rulebook`` is all that the engine knows of rules."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from review_bot.assessment.focus import FocusMap
from review_bot.errors import ConfigError
from review_bot.findings import SEVERITIES, Severity
from review_bot.rules.rule import Rule

Suppressions = Literal["head", "base", "requested"]
"""Which comments that silence a finding count.

``head``: all of them, as the author may write to the repository anyway. ``base``: none on a line that the change adds,
by the configuration. ``requested``: none on such a line until a person with write access has approved exactly this
head, as the change comes from a fork; the caller says ``head`` once that has happened.
"""


class RuleSetting(NamedTuple):
    """What a configuration says of the rules that a pattern (``errors/*``) names."""

    pattern: str
    enabled: bool | None = None
    severity: Severity | None = None
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()


class Selection(NamedTuple):
    """Which rules are on, and where. ``settings`` apply in order; a later one wins."""

    families: tuple[str, ...] = ()
    settings: tuple[RuleSetting, ...] = ()
    ignored_paths: tuple[str, ...] = ()


class Rulebook(NamedTuple):
    """The rules that apply, the Python modules behind their checks, and what identifies the set as a whole.

    ``focus``: the areas and cards that tell a person where to look. ``narrowed``: rules that a configuration keeps from
    files which they would look at.
    """

    rules: tuple[Rule, ...]
    load_check: Callable[[str], Any]
    digest: str
    ignored_paths: tuple[str, ...] = ()
    known_ids: frozenset[str] = frozenset()
    suppressions: Suppressions = "head"
    focus: FocusMap = FocusMap()
    narrowed: frozenset[str] = frozenset()


def select(rulebook: Rulebook, selection: Selection) -> Rulebook:
    """Return the rulebook with the rules that a selection leaves on.

    Raises ConfigError, with its field, for a family or a pattern that names no rule.
    """
    families = {rule.id.partition("/")[0] for rule in rulebook.rules}
    for family in selection.families:
        if family not in families:
            known = ", ".join(sorted(families))
            raise ConfigError(f"there is no rule family {family!r}; known: {known}", field="families")
    rules = [r for r in rulebook.rules if not selection.families or r.id.partition("/")[0] in selection.families]
    off: set[str] = set()
    narrowed: set[str] = set()
    changed: dict[str, Rule] = {}
    for setting in selection.settings:
        named = [rule.id for rule in rulebook.rules if fnmatchcase(rule.id, setting.pattern)]
        if not named:
            message = f"no rule is called {setting.pattern!r}; see `review-bot rules list`"
            raise ConfigError(message, field=f"rules.{setting.pattern}")
        for rule in rules:
            if rule.id in named:
                changed[rule.id] = _apply(setting, changed.get(rule.id, rule))
                if setting.files or setting.ignores:
                    narrowed.add(rule.id)
                if setting.enabled is not None:
                    (off.discard if setting.enabled else off.add)(rule.id)
    kept = tuple(changed.get(rule.id, rule) for rule in rules if rule.id not in off)
    return rulebook._replace(rules=kept, ignored_paths=selection.ignored_paths, narrowed=frozenset(narrowed))


def _apply(setting: RuleSetting, rule: Rule) -> Rule:
    if setting.severity is not None:
        rule = rule._replace(severity=setting.severity)
    if setting.pattern == rule.id and (setting.enabled or setting.severity is not None):
        rule = rule._replace(mirror=False)  # asked for by name: whatever a linter reports
    if setting.files:
        rule = rule._replace(files=setting.files)
    if setting.ignores:
        rule = rule._replace(ignores=rule.ignores + setting.ignores)
    return rule


def counts_by_severity(rules: tuple[Rule, ...]) -> Mapping[Severity, int]:
    """Count rules by severity, gravest first."""
    return {severity: sum(rule.severity == severity for rule in rules) for severity in SEVERITIES}
