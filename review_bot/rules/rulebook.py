"""Which rules apply here. A ``Rulebook`` is all that the engine knows of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

from review_bot.assessment.focus import FocusMap
from review_bot.errors import ConfigError
from review_bot.findings import SEVERITIES, Severity
from review_bot.fingerprints import statement_part
from review_bot.rules.check import Check
from review_bot.rules.rule import Rule
from review_bot.text.near_names import did_you_mean

Suppressions = Literal["head", "base", "requested", "queue"]
"""Which comments that silence a finding count.

``head``: all of them, as the author may write to the repository anyway. Otherwise only those of which the base holds
both the comment and the statement, unchanged: ``base`` by the configuration; ``requested`` since the change comes from
a fork, until a person with write access has approved exactly this head (the caller says ``head`` once that has
happened); ``queue`` in a merge group, where a file is ``vouched`` for if a pull request whose comments count has it so.
"""


class Accepted(NamedTuple):
    """The findings that a baseline accepts: ``statements`` holds the first half of each fingerprint.

    ``of_base``: the baseline belongs to the base, so it accepts only findings that the base has. Otherwise it is being
    edited with the change, and may accept findings of the change too.
    """

    statements: frozenset[str] = frozenset()
    of_base: bool = True


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
    files which they would look at. ``vouched``: paths of files of which all comments count that silence something.
    ``accepted``: None without a baseline.
    """

    rules: tuple[Rule, ...]
    load_check: Callable[[str], Check]
    digest: str
    ignored_paths: tuple[str, ...] = ()
    known_ids: frozenset[str] = frozenset()
    suppressions: Suppressions = "head"
    focus: FocusMap = FocusMap()
    narrowed: frozenset[str] = frozenset()
    vouched: frozenset[str] = frozenset()
    accepted: Accepted | None = None

    def check_of(self, rule: Rule) -> Check | None:
        """Return the check behind a rule; None: the rule is a pattern."""
        return self.load_check(rule.matcher["name"]) if rule.kind == "check" else None

    def accepting(self, fingerprints: Iterable[str], *, of_base: bool) -> Rulebook:
        """Return this rulebook with a baseline of these fingerprints."""
        statements = frozenset(map(statement_part, fingerprints))
        return self._replace(accepted=Accepted(statements, of_base))


def select(rulebook: Rulebook, selection: Selection) -> Rulebook:
    """Return the rulebook with the rules that a selection leaves on.

    Raises ConfigError, with its field, for a family or a pattern that names no rule.
    """
    families = {rule.id.partition("/")[0] for rule in rulebook.rules}
    for family in selection.families:
        if family not in families:
            hint = did_you_mean(family, families) or f"; known: {', '.join(sorted(families))}"
            raise ConfigError(f"there is no rule family {family!r}{hint}", field="families")
    rules = [r for r in rulebook.rules if not selection.families or r.id.partition("/")[0] in selection.families]
    off: set[str] = set()
    narrowed: set[str] = set()
    changed: dict[str, Rule] = {}
    for setting in selection.settings:
        named = [rule.id for rule in rulebook.rules if fnmatchcase(rule.id, setting.pattern)]
        if not named:
            near = did_you_mean(setting.pattern, (rule.id for rule in rulebook.rules))
            message = f"no rule is called {setting.pattern!r}{near or '; see `review-bot rules list`'}"
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
