"""Which rules apply here. A ``Rulebook`` is all that the engine knows of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Annotated, Literal

from review_bot.assessment.review_areas import FocusMap
from review_bot.contracts.contract import Contract
from review_bot.errors import ConfigError, UsageError
from review_bot.findings import SERIOUS, SEVERITIES, Severity, at_least
from review_bot.fingerprints import statement_part
from review_bot.records import NamedTuple
from review_bot.rules.check import Check
from review_bot.rules.matchers import Checked, PullRequestText
from review_bot.rules.review_topics import AreaEntry, CardEntry, with_topics
from review_bot.rules.rule import Options, Rule
from review_bot.setting import Setting, Text
from review_bot.text.globs import PathPattern, matches_any
from review_bot.text.near_names import did_you_mean

_CARDS = "card/"
"""How the ids of cards begin."""

Suppressions = Literal["head", "base", "requested", "queue"]
"""Which comments that silence a finding count.

``head``: all of them, as the author may write to the repository anyway. Otherwise only those of which the base holds
both the comment and the statement, unchanged: ``base`` by the configuration; ``requested`` since the change comes from
a fork, until a person with write access has approved exactly this head (the caller says ``head`` once that has
happened); ``queue`` in a merge group, where a file is ``vouched`` for if a pull request whose comments count has it so.
"""


class Baseline(NamedTuple):
    """The findings of a baseline: ``statements`` holds the first half of each fingerprint.

    ``of_base``: the baseline belongs to the base, so it holds only findings that the base has. Otherwise it is being
    edited with the change, and may hold findings of the change too.
    """

    statements: frozenset[str] = frozenset()
    of_base: bool = True


class RuleSetting(NamedTuple):
    """What to do with a rule: another severity, another place, other paths."""

    severity: Annotated[Severity | None, Setting("Severity of its findings in this repository.")] = None
    show: Annotated[
        Literal["line", "summary", "count", "off"] | None,
        Setting(
            "Where its findings are shown: `line` (a comment on the line, whatever `comment-on` is), `summary` (a row "
            "of the summary), `count` (their number only; a `warning`, an `error` and what fails the gate keep their "
            "row) or `off` (the rule does not run, as with `off` in place of the mapping). The verdict depends on the "
            "severity alone."
        ),
    ] = None
    values: Annotated[
        tuple[Text, ...],
        Setting(
            "The prefixes that `pr/title-prefix` accepts, or the headings that `pr/missing-section` requires, instead "
            "of the built-in list."
        ),
    ] = ()
    files: Annotated[tuple[PathPattern, ...], Setting("Only files that match one of these patterns.")] = ()
    ignores: Annotated[tuple[PathPattern, ...], Setting("No file that matches one of these patterns.")] = ()


class Paths(NamedTuple):
    """Paths that are not reviewed."""

    ignore: Annotated[tuple[PathPattern, ...], Setting("Path patterns; such files are listed as ignored.")] = ()
    generated: Annotated[
        Literal["review", "leave-out"],
        Setting(
            "Whether files that are generated or vendored at the base are reviewed like others, or left out: "
            "checked for errors only, and listed.",
            order=("leave-out", "review"),
        ),
    ] = "leave-out"


class Skip(NamedTuple):
    """Changes that are checked for errors only. The check names the reason."""

    paths: Annotated[
        tuple[PathPattern, ...], Setting("Skip a change if all of its files match one of these patterns.")
    ] = ()
    authors: Annotated[
        tuple[Text, ...], Setting("Skip pull requests of these authors on GitHub, such as `renovate[bot]`.")
    ] = ()
    labels: Annotated[tuple[Text, ...], Setting("Skip pull requests with one of these labels on GitHub.")] = ()


class Selection(NamedTuple):
    """Which rules are on, where, and what silences them."""

    families: Annotated[
        tuple[Text, ...],
        Setting("Run only rules of these families, such as `errors`.", example="[errors, security, tensor]"),
    ] = ()
    rules: Annotated[
        Mapping[Text, Literal["on", "off", Severity] | RuleSetting],
        Setting(
            "Rules, or patterns such as `style/*`, and what to do with them: `on`, `off`, a severity, or a mapping of "
            "the keys below. A later entry wins: also one that gives a severity or a place to what an earlier one "
            "switched off. A review question is switched `off` likewise: `card/constants`.",
            example="style/*: off\nerrors/swallowed-exception: info\n"
            'memory/item-in-loop:\n  severity: hint\n  ignores: ["tools/**"]',
        ),
    ] = MappingProxyType({})
    paths: Annotated[
        Paths, Setting("Paths that are not reviewed.", example='ignore: ["third_party/**", "**/*_pb2.py"]')
    ] = Paths()
    skip: Annotated[
        Skip,
        Setting(
            "Changes that are checked for errors only: broken imports and calls, syntax errors, secrets, hidden "
            "characters. The check names the reason.",
            example='authors: ["renovate[bot]"]\nlabels: [vendor-update]\npaths: ["docs/**"]',
        ),
    ] = Skip()
    suppressions: Annotated[
        Literal["head", "base"],
        Setting(
            "Which suppressions count: `head` (all) or `base` (only those that are already in the base).",
            order=("head", "base"),
        ),
    ] = "head"
    areas: Annotated[
        tuple[AreaEntry, ...],
        Setting(
            "Subject areas in addition to the built-in ones; reports name those that a change touches.",
            example='- id: scheduler\n  title: Scheduler\n  triggers:\n    - paths: ["**/sched/**"]\n      at-least: 5',
        ),
    ] = ()
    cards: Annotated[
        tuple[CardEntry, ...],
        Setting(
            "Review questions of this repository. They come before the built-in ones; a report shows three.",
            example="- id: card/preemption\n  title: Preemption\n  asks:\n"
            '    - question: "`{name}` holds blocks. What frees them when the request is preempted?"\n'
            "      lines: '(?P<name>\\w+) = self\\.pool\\.allocate\\('\n"
            "      unless:\n        function: '\\bfree\\({name}\\b'",
        ),
    ] = ()


class Rulebook(NamedTuple):
    """The rules that apply, the Python modules behind their checks, and what identifies the set as a whole.

    ``focus``: the areas and cards that show a person where to look. ``narrowed``: rules that a configuration keeps from
    files which they would look at. ``vouched``: paths of files of which all comments count that silence something.
    ``baseline``: None without one. ``left_out``: path of a changed file → why few rules look at it (see
    ``leaves_out``). ``unseen``: names at the base of changed files that were generated or vendored there, so that no
    other rule has seen their text, and new files that are. ``brought``: new files of a change with very many new lines.
    ``contracts``: the repository's own, by the full name of a function.
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
    baseline: Baseline | None = None
    skip: Skip = Skip()
    reviews_generated: bool = False
    left_out: Mapping[str, str] = {}  # sent to a worker; nothing writes to it
    unseen: frozenset[str] = frozenset()
    brought: frozenset[str] = frozenset()
    contracts: Mapping[str, Contract] = {}  # likewise

    @property
    def unsuppressible(self) -> frozenset[str]:
        """The ids of the rules that nothing silences."""
        return frozenset(rule.id for rule in self.rules if not rule.suppressible)

    def ignores(self, path: str) -> bool:
        """Return whether the configuration keeps all rules from a path."""
        return bool(self.ignored_paths) and matches_any(self.ignored_paths, path)

    def passes_over(self, path: str) -> bool:
        """Return whether a changed file is ignored, generated, vendored or skipped."""
        return path in self.left_out or self.ignores(path)

    def leaves_out(self, rule: Rule, path: str) -> bool:
        """Return whether a rule does not look at a changed file because it is generated, vendored or skipped.

        Rules that nothing suppresses look at it, and so do the checks that prove an error: what a vendored module no
        longer defines breaks the code that imports it. So does what the repository itself calls an error.
        """
        if path not in self.left_out:
            return False
        is_sure = isinstance(rule.matcher, Checked) or not rule.builtin or rule.chosen
        return rule.suppressible and not (is_sure and rule.severity == "error")

    def check_of(self, rule: Rule) -> Check | None:
        """Return the check behind a rule; None: the rule is a pattern."""
        return self.load_check(rule.matcher.name) if isinstance(rule.matcher, Checked) else None

    def options_of(self, rule: Rule) -> Options:
        """Return the options that a rule gives its check."""
        return rule.matcher.options if isinstance(rule.matcher, Checked) else {}

    def with_baseline(self, fingerprints: Iterable[str], *, of_base: bool) -> Rulebook:
        """Return this rulebook with a baseline of these fingerprints."""
        statements = frozenset(map(statement_part, fingerprints))
        return self._replace(baseline=Baseline(statements, of_base))


def select(rulebook: Rulebook, selection: Selection, gate: Severity | None = None) -> Rulebook:
    """Return the rulebook with the rules that a selection leaves on.

    ``gate``: the lowest severity that fails. What the repository gives it is never a mere number: a row shows why.
    Raises ConfigError, with its field, for a family or a pattern that names no rule.
    """
    _check_names(rulebook, selection)
    rules = [r for r in rulebook.rules if not selection.families or r.id.partition("/")[0] in selection.families]
    off = {rule.id for rule in rules if rule.opt_in}
    narrowed: set[str] = set()
    graded: set[str] = set()
    changed: dict[str, Rule] = {}
    for pattern, entry in selection.rules.items():
        setting = _setting(entry)
        named = [rule.id for rule in rulebook.rules if fnmatchcase(rule.id, pattern)]
        for rule in rules:
            if rule.id in named:
                _check_setting(setting, rule, pattern)
                by_name = pattern == rule.id
                asked = by_name and (entry == "on" or setting.severity is not None or setting.show is not None)
                changed[rule.id] = _apply(setting, changed.get(rule.id, rule), asked=asked)
                if setting.severity is not None:
                    graded.add(rule.id)
                if setting.files or setting.ignores:
                    narrowed.add(rule.id)
                if setting.show == "off":
                    off.add(rule.id)
                elif by_name or (not rule.opt_in and (entry == "on" or setting.severity or setting.show)):
                    off.discard(rule.id)
    kept = tuple(changed.get(rule.id, rule) for rule in rules if rule.id not in off)
    return rulebook._replace(
        rules=tuple(_listed(rule, gate, graded=rule.id in graded) for rule in kept),
        ignored_paths=selection.paths.ignore,
        narrowed=frozenset(narrowed),
        suppressions=selection.suppressions,
        skip=selection.skip,
        reviews_generated=selection.paths.generated == "review",
        focus=_asking(with_topics(rulebook.focus, selection.areas, selection.cards, rulebook.known_ids), selection),
    )


def _asking(focus: FocusMap, selection: Selection) -> FocusMap:
    """Return areas and cards without the cards that a selection switches off. Raises ConfigError with the field."""
    off: set[str] = set()
    for pattern, entry in selection.rules.items():
        if not pattern.startswith(_CARDS):
            continue
        named = {card.id for card in focus.cards if fnmatchcase(card.id, pattern)}
        if not named:
            known = [card.id for card in focus.cards]
            near = did_you_mean(pattern, known) or f"; known: {', '.join(known)}"
            raise ConfigError(f"there is no card {pattern!r}{near}", field=f"rules.{pattern}")
        if entry not in ("on", "off"):
            raise ConfigError("a card is `on` or `off`: it asks, and has no severity", field=f"rules.{pattern}")
        (off.update if entry == "off" else off.difference_update)(named)
    return focus._replace(cards=tuple(card for card in focus.cards if card.id not in off)) if off else focus


def _check_names(rulebook: Rulebook, selection: Selection) -> None:
    """Raise ConfigError if a family or a pattern of the selection names no rule."""
    ids = [rule.id for rule in rulebook.rules]
    families = {each.partition("/")[0] for each in ids}
    unknown: list[ConfigError] = []
    for family in selection.families:
        if family not in families:
            hint = did_you_mean(family, families) or f"; known: {', '.join(sorted(families))}"
            unknown.append(ConfigError(f"there is no rule family {family!r}{hint}", field="families"))
    for pattern in selection.rules:
        if not pattern.startswith(_CARDS) and not any(fnmatchcase(each, pattern) for each in ids):
            hint = did_you_mean(pattern, [*ids, *(f"{family}/*" for family in families)])
            message = f"there is no rule {pattern!r}{hint or '; see `review-bot rules list`'}"
            unknown.append(ConfigError(message, field=f"rules.{pattern}"))
    if unknown:
        first, *others = unknown
        raise ConfigError(first.message, field=first.field, others=others)


def patterns_in(text: str) -> list[str]:
    """Return the rules, families and patterns that a value of the command line lists, separated by commas."""
    return [part for each in text.split(",") if (part := each.strip())]


def matches(rule_id: str, pattern: str) -> bool:
    """Return whether a pattern selects a rule: its id, a pattern such as ``style/*``, or the name of its family."""
    return fnmatchcase(rule_id, pattern) or rule_id.partition("/")[0] == pattern


def named(rulebook: Rulebook, flag: str, patterns: Iterable[str]) -> frozenset[str]:
    """Return the ids of the rules that are on and match a pattern: an id, ``style/*``, or the name of a family.

    Raises UsageError for a pattern that matches none; ``flag`` is the option that it was given with.
    """
    on = [rule.id for rule in rulebook.rules]
    found: set[str] = set()
    for pattern in patterns:
        matched = {each for each in on if each == pattern} or {each for each in on if matches(each, pattern)}
        if not matched and any(matches(each, pattern) for each in rulebook.known_ids):
            raise UsageError(f"{flag} {pattern}: the configuration switches this rule off")
        if not matched:
            near = did_you_mean(pattern, {*on, *(each.partition("/")[0] for each in on)})
            raise UsageError(f"{flag} {pattern}: no such rule{near or '; `review-bot rules list` shows all rules'}")
        found |= matched
    return frozenset(found)


def _setting(entry: Literal["on", "off", Severity] | RuleSetting) -> RuleSetting:
    if isinstance(entry, RuleSetting):
        return entry
    return RuleSetting(next((each for each in SEVERITIES if each == entry), None), "off" if entry == "off" else None)


def _check_setting(setting: RuleSetting, rule: Rule, pattern: str) -> None:
    """Raise ConfigError for what a rule cannot be given; a pattern gives each rule what it can take."""
    if pattern != rule.id:
        return
    if setting.severity == "error" and rule.advisory:
        raise ConfigError(
            "this rule reads what people write about a change, which never fails the check; it is at most `warning`",
            field=f"rules.{pattern}",
        )
    if setting.values and not _takes_values(rule):
        raise ConfigError("this rule takes no `values`; delete them", field=f"rules.{pattern}")


def _takes_values(rule: Rule) -> bool:
    return (
        rule.opt_in
        and isinstance(rule.matcher, PullRequestText)
        and (rule.matcher.prefixes is not None or rule.matcher.sections is not None)
    )


def _with_values(rule: Rule, values: tuple[str, ...]) -> Rule:
    matcher = rule.matcher
    assert isinstance(matcher, PullRequestText)  # noqa: S101  # only such a rule takes values
    if matcher.prefixes is None:
        return rule._replace(matcher=matcher._replace(sections=values))
    return rule._replace(matcher=matcher._replace(prefixes=values))


def _apply(setting: RuleSetting, rule: Rule, *, asked: bool) -> Rule:
    """Return a rule with a setting. ``asked``: it is asked for by name, whatever a linter reports."""
    if setting.severity == "error" and rule.advisory:
        setting = setting._replace(severity="warning")
    if setting.values and _takes_values(rule):
        rule = _with_values(rule, setting.values)
    if setting.severity is not None:
        stays_counted = rule.show == "count" and setting.severity not in SERIOUS
        rule = rule._replace(
            severity=setting.severity, show=rule.show if stays_counted else "line", chosen=not stays_counted
        )
    if setting.show is not None and setting.show != "off":
        rule = rule._replace(show=setting.show, placed=True)
    if asked:
        rule = rule._replace(mirror=False)
    if setting.files:
        rule = rule._replace(files=setting.files)
    if setting.ignores:
        rule = rule._replace(ignores=rule.ignores + setting.ignores)
    return rule


def _listed(rule: Rule, gate: Severity | None, *, graded: bool) -> Rule:
    """Return a rule that the repository wrote, placed or ``graded`` with rows for all findings that fail the gate."""
    is_own = graded or rule.placed or not rule.builtin
    if rule.show != "count" or rule.severity in SERIOUS or not is_own:
        return rule
    if gate is None or not at_least(rule.severity, gate):
        return rule
    return rule._replace(show="line" if graded and not rule.placed else "summary", chosen=rule.chosen or graded)


def counts_by_severity(rules: tuple[Rule, ...]) -> Mapping[Severity, int]:
    """Count rules by severity, most severe first."""
    return {severity: sum(rule.severity == severity for rule in rules) for severity in SEVERITIES}
