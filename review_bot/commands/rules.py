"""``review-bot rules``: list, show and test rules."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from review_bot.checks import catalog
from review_bot.commands.rule_languages import languages_of
from review_bot.commands.settings_source import open_settings
from review_bot.configuration import effective_config, rule_registry
from review_bot.configuration.inputs import Overrides
from review_bot.configuration.rule_pages import digest, page
from review_bot.configuration.rule_registry import RulePage
from review_bot.configuration.rule_trial import examine_case
from review_bot.errors import RuleError, UsageError
from review_bot.files.policy_paths import RULES_FOLDER
from review_bot.findings import SEVERITIES
from review_bot.forges.folder import read_named, yaml_paths
from review_bot.records import NamedTuple
from review_bot.rules.examples import run_examples
from review_bot.rules.matchers import Structural
from review_bot.rules.rule import Rule, Show
from review_bot.rules.rulebook import Rulebook, matches, named
from review_bot.text import console
from review_bot.text.listing import count
from review_bot.text.near_names import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="list rules with severity and title")
    listed.add_argument("patterns", nargs="*", metavar="RULE", help="an id, a family, or a pattern such as 'style/*'")
    listed.add_argument("--family", action="append", metavar="NAME", help="rules of this family; repeatable")
    listed.add_argument("--severity", action="append", choices=SEVERITIES, help="rules of this severity; repeatable")
    listed.add_argument(
        "--language", action="append", metavar="NAME", help="rules for this language, such as python; repeatable"
    )
    listed.add_argument(
        "--placement", action="append", choices=get_args(Show), help="where findings are shown; repeatable"
    )
    listed.add_argument("--origin", choices=("built-in", "own"), help="built-in rules, or the repository's own")
    listed.add_argument("--format", choices=("terminal", "json"), default="terminal", help="what to print")
    show = actions.add_parser("show", help="show what a rule reports, why, and how to fix it")
    show.add_argument("id", metavar="RULE")
    show.add_argument("--all", action="store_true", help="print the whole page: all examples, references, measurements")
    for each in (listed, show):
        each.add_argument(
            "-C",
            dest="folder",
            default=".",
            metavar="DIR",
            help="repository whose own rules and configuration apply (default: the current folder)",
        )
    test = actions.add_parser(
        "test", help="run the examples of rules; print each failure with the start of the example"
    )
    test.add_argument(
        "paths", nargs="*", metavar="PATH", help="a rule file or a folder of them (default: the built-in rules)"
    )


def run(options: argparse.Namespace) -> int:
    """Carry out one action and return the exit code."""
    if options.action == "test":
        return _test(options.paths)
    catalogue = _catalogue(options.folder)
    return _list(options, catalogue) if options.action == "list" else _show(options, catalogue)


class _Catalogue(NamedTuple):
    """The rules as the configuration of a repository sets them. ``off``: those that do not run, by id.

    ``changed``: id → what the configuration says of the rule, in words; ``path``: of the configuration, empty without.
    """

    pages: list[RulePage]
    off: frozenset[str]
    changed: Mapping[str, str]
    path: str


def _catalogue(folder: str) -> _Catalogue:
    """Return the built-in rules and the repository's own, under its configuration. Raises ConfigError, RuleError."""
    with open_settings(folder) as source:
        applied = effective_config.read(source, Overrides())
        pages = rule_registry.builtin_pages() + rule_registry.own_pages(source.own_files(RULES_FOLDER))
    kept = {rule.id: rule for rule in applied.rulebook.rules}
    changed = {rule.id: said for rule in applied.every.rules if (said := _change(rule, kept.get(rule.id)))}
    return _Catalogue(
        [page._replace(rule=kept.get(page.rule.id, page.rule)) for page in pages],
        frozenset(page.rule.id for page in pages if page.rule.id not in kept),
        changed,
        "" if applied.found is None else applied.found.path,
    )


def _change(before: Rule, after: Rule | None) -> str:
    """Return how a configuration changes a rule; an empty text if it does not."""
    if after is None:
        return "" if before.opt_in else "off"
    parts = ["on"] if before.opt_in else []
    if before.severity != after.severity:
        parts.append(f"`{after.severity}` instead of `{before.severity}`")
    if before.show != after.show:
        parts.append(f"shown in `{after.show}` instead of `{before.show}`")
    if before.files != after.files:
        parts.append(f"only in {', '.join(after.files)}")
    if before.ignores != after.ignores:
        parts.append(f"not in {', '.join(each for each in after.ignores if each not in before.ignores)}")
    return "; ".join(parts)


def _list(options: argparse.Namespace, catalogue: _Catalogue) -> int:
    rules = [entry.rule for entry in catalogue.pages]
    rulebook = Rulebook(tuple(rules), load_check=catalog.load, digest="")
    wanted = named(rulebook, "rules list", options.patterns) if options.patterns else {rule.id for rule in rules}
    rows = [_row(rule) for rule in rules]
    filters = _filters(options, rows)
    fitting = [(rule, row) for rule, row in zip(rules, rows, strict=True) if rule.id in wanted and _fits(row, filters)]
    if options.format == "json":
        found = [row | {"enabled": rule.id not in catalogue.off} for rule, row in fitting]
        console.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
        return 0
    chosen = [rule for rule, _ in fitting]
    width = max((len(rule.id) for rule in chosen), default=0)
    for rule in chosen:
        by_default = rule.opt_in and not catalogue.changed.get(rule.id)
        off = " (off by default)" if by_default else " (off)" if rule.id in catalogue.off else ""
        console.say(f"{rule.id:<{width}}  {rule.severity:<7}  {rule.title}{off}")
    of = "" if len(chosen) == len(rules) else f" of {len(rules)}"
    under = f", as {catalogue.path} sets them" if catalogue.path else ""
    console.say(f"\n{len(chosen)}{of} rules{under}. `review-bot rules show RULE` explains a rule.")
    return 0


def _filters(options: argparse.Namespace, rows: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[str]]:
    """Return the values to keep, by column of ``_row``. Raises UsageError for a value that no rule has."""
    filters = {
        "family": options.family,
        "severity": options.severity,
        "languages": options.language,
        "placement": options.placement,
        "origin": options.origin and [options.origin],
    }
    for flag, column in (("--family", "family"), ("--language", "languages")):
        known = {value for row in rows for value in _values(row, column)}
        for value in filters[column] or ():
            if value not in known:
                near = did_you_mean(value, known) or f"; known: {', '.join(sorted(known))}"
                raise UsageError(f"{flag} {value}: no rule matches{near}")
    return {column: values for column, values in filters.items() if values}


def _fits(row: Mapping[str, Any], filters: Mapping[str, Sequence[str]]) -> bool:
    return all(not _values(row, column).isdisjoint(wanted) for column, wanted in filters.items())


def _values(row: Mapping[str, Any], column: str) -> set[str]:
    value = row[column]
    return set(value) if isinstance(value, list) else {value}


def _row(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "family": rule.id.partition("/")[0],
        "title": rule.title,
        "severity": rule.severity,
        "languages": [*languages_of(rule)],
        "placement": rule.show,
        "origin": "built-in" if rule.builtin else "own",
        "aspect": rule.aspect,
        "matcher": rule.kind,
        "message": rule.message,
        "why": rule.why,
        "instead": rule.instead,
        "effort_minutes": rule.effort,
        "suppressible": rule.suppressible,
        "opt_in": rule.opt_in,
        "url": rule.url,
    }


def _show(options: argparse.Namespace, catalogue: _Catalogue) -> int:
    for entry in catalogue.pages:
        if entry.rule.id == options.id:
            console.write(page(entry) if options.all else digest(entry, console.find_terminal().width))
            if said := catalogue.changed.get(options.id):
                console.say(f"{catalogue.path} sets: {said}")
            return 0
    ids = [entry.rule.id for entry in catalogue.pages]
    matching = [each for each in ids if matches(each, options.id)]
    if matching:
        raise UsageError(f"show explains one rule; `review-bot rules list {options.id!r}` lists these {len(matching)}")
    contained = [each for each in ids if options.id.rsplit("/", maxsplit=1)[-1] in each]
    hint = f"; did you mean {contained[0]!r}?" if contained else did_you_mean(options.id, ids)
    if not hint:  # the name without its family
        by_name = {each.rpartition("/")[2]: each for each in ids}
        hint = did_you_mean(options.id, by_name, meant=by_name)
    raise UsageError(f"there is no rule {options.id!r}{hint or '; see `review-bot rules list`'}")


def _test(paths: Sequence[str]) -> int:
    pages = [page for path in paths for page in _pages_at(Path(path))] if paths else rule_registry.builtin_pages()
    number = failed = 0
    for entry in pages:
        bad, good = entry.documentation["bad"], entry.documentation["good"]
        if not bad and not good:
            console.warn(f"{entry.path}: {entry.rule.id}: note: no examples; add metadata.examples.bad and .good")
        suggests = False
        for outcome in run_examples(entry.rule, bad, good, examine_case):
            number += 1
            suggests |= outcome.suggests
            if outcome.problem is not None:
                failed += 1
                console.say(f"{entry.path}: {outcome.name}: {outcome.problem}")
                for line in outcome.start:
                    console.say(f"    {line}")
        matcher = entry.rule.matcher
        if bad and not suggests and isinstance(matcher, Structural) and matcher.fix is not None:
            console.warn(
                f"{entry.path}: {entry.rule.id}: note: its fix applies to none of the bad examples: "
                "with it the text does not parse, or the rule still reports it"
            )
    console.say(f"{count(len(pages), 'rule')}, {count(number, 'example')}, {failed} failed")
    return 1 if failed else 0


def _pages_at(path: Path) -> list[RulePage]:
    if not path.is_dir() and not path.is_file():
        raise UsageError(f"{path}: no such file or folder")
    found = [path / each for each in yaml_paths(str(path), "")] if path.is_dir() else [path]
    files = []
    for each in found:
        if not each.is_file():  # a named pipe, on which this program would wait
            raise RuleError("it is not a regular file", path=each.as_posix())
        files.append((each.as_posix(), read_named(each.as_posix())))
    if f"/{RULES_FOLDER}/" in f"{path.resolve().as_posix()}/":
        return rule_registry.own_pages(files, rule_registry.builtin_rulebook().known_ids)
    return rule_registry.pages_of(files)
