"""``review-bot config``: check a configuration, print or write the schemas."""

from __future__ import annotations

import argparse
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from review_bot.commands import config_effects
from review_bot.commands.settings_source import open_settings
from review_bot.comments.model import Posting
from review_bot.configuration import config_file, effective_config, reference
from review_bot.configuration.effective_config import EffectiveConfig
from review_bot.configuration.inputs import Overrides
from review_bot.files.file_writing import write_typed
from review_bot.files.policy_paths import CONFIG_PATH, CONTRACTS_FOLDER, RULES_FOLDER
from review_bot.findings import at_least
from review_bot.forges.folder import read_named
from review_bot.reports import json_schema
from review_bot.review.policy import Policy
from review_bot.rules.rule import Rule, place_of
from review_bot.rules.rulebook import counts_by_severity
from review_bot.text import console
from review_bot.text.listing import count

SCHEMAS = {"docs/config.schema.json": config_file.schema, "docs/report-v1.schema.json": json_schema.schema}
"""Generated file → what makes it."""

PARTS = {
    "docs/configuration.md": ("## Keys\n\n", "\n## ", reference.key_table),
    "docs/action.md": ("## Inputs\n\n", "\n## ", reference.input_table),
    "action.yml": ("\ninputs:\n", "outputs:\n", reference.action_inputs),
}
"""File with a generated part → what precedes it, what follows it, and what makes it."""


MOST_EXCEPTIONS = 3
"""Rules of a family that may be on where the line that it is off names them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="validate a configuration and the repository's own rules")
    check.add_argument("file", nargs="?", metavar="FILE", help=f"the configuration (default: {CONFIG_PATH})")
    check.add_argument(
        "-C", dest="folder", default=".", metavar="DIR", help="the repository (default: the current folder)"
    )
    schema = actions.add_parser("schema", help="print the JSON Schema of the configuration, for editors")
    schema.add_argument("--write", action="store_true", help="write the schemas and tables of a checkout instead")
    schema.add_argument("--check", action="store_true", help="fail if one of them is out of date")


def run(options: argparse.Namespace) -> int:
    """Carry out one action and return the exit code."""
    if options.action == "check":
        return _check(options.folder, options.file)
    if options.write or options.check:
        return _generate(check=options.check)
    console.write(_text(config_file.schema()))
    return 0


def _check(folder: str, name: str | None) -> int:
    """Read what ``review`` would, or the configuration called ``name`` in its place, and print what it sets."""
    with open_settings(folder) as source:
        applied = effective_config.read(source, Overrides(config=name), None if name is None else read_named(name))
        rules, contracts = (len(source.own_files(each)) for each in (RULES_FOLDER, CONTRACTS_FOLDER))
    if rules:
        console.say(f"{RULES_FOLDER}: {count(rules, 'valid rule file')} of your own")
    if contracts:
        described = f"{count(len(applied.every.contracts), 'function')} described"
        console.say(f"{CONTRACTS_FOLDER}: {count(contracts, 'valid file')} of contracts, {described}")
    own_rules = [rule for rule in applied.every.rules if not rule.builtin]
    for line in (*_described(applied), *config_effects.notes(applied.settings, own_rules, folder)):
        console.say(line)
    return 0


def _described(applied: EffectiveConfig) -> Iterator[str]:
    """Yield what a configuration sets, a line for each part."""
    if applied.found is None:
        yield f"{CONFIG_PATH}: not found, so the built-in policy applies; `review-bot init` writes one"
        return
    settings, before, after = applied.settings, applied.every.rules, applied.rulebook.rules
    counts = ", ".join(f"{count} {severity}" for severity, count in counts_by_severity(after).items())
    yield f"{applied.found.path}: valid; {len(after)} of {len(before)} rules are on ({counts})"
    yield from config_effects.gate_and_posting(settings)
    yield from config_effects.scope(settings)
    yield from effects(before, after, settings.policy, settings.posting)


def effects(before: Iterable[Rule], after: Iterable[Rule], policy: Policy, posting: Posting) -> Iterator[str]:
    """Yield for each rule of the repository's own, and each that it changed, what it does: the gate, and the place."""
    known, kept = {rule.id: rule for rule in before}, {rule.id: rule for rule in after}
    yield from _off([name for name, rule in known.items() if not rule.opt_in], kept)
    for rule in kept.values():
        if rule != known.get(rule.id) or not rule.builtin or rule.opt_in:
            fails = policy.fail_on != "never" and at_least(rule.severity, policy.fail_on) and not rule.advisory
            gate = "fails the check" if fails else "does not fail the check"
            yield f"  {rule.id}: {rule.severity}, {gate}, {_place(rule, posting)}{_files(rule, known.get(rule.id))}"


def _files(rule: Rule, before: Rule | None) -> str:
    """Return the paths that a rule of the repository looks at, or that the configuration limits another one to."""
    only = rule.files if before is None or not rule.builtin or rule.files != before.files else ()
    known = () if before is None or not rule.builtin else before.ignores
    out = [each for each in rule.ignores if each not in known]
    return (f", only in {', '.join(only)}" if only else "") + (f", not in {', '.join(out)}" if out else "")


def _off(known: Sequence[str], kept: Container[str]) -> Iterator[str]:
    """Yield the rules that are off; a family of which none or few are on is one line."""
    families: dict[str, list[str]] = {}
    for name in known:
        families.setdefault(name.partition("/")[0], []).append(name)
    for family, names in families.items():
        off = [name for name in names if name not in kept]
        on = [name for name in names if name in kept]
        if len(off) == len(names) > 1:
            yield f"  {family}/*: off ({len(off)} rules)"
        elif len(on) <= MOST_EXCEPTIONS < len(off):
            yield f"  {family}/*: off ({len(off)} rules) except {', '.join(on)}"
        else:
            yield from (f"  {name}: off" for name in off)


def _place(rule: Rule, posting: Posting) -> str:
    lowest = posting.comment_on
    place = place_of(rule, rule.severity, lowest)
    if place == "count":
        return "counted only"
    if posting.comments != "line" or place_of(rule, "error") != "line":
        return "row of the summary"
    if place == "line":
        return "comment on the line where it names one" if rule.kind == "check" else "comment on the line"
    low = "a hint" if rule.severity == "hint" else f"below `comment-on: {lowest}`"
    return f"row of the summary ({low})"


def _generate(*, check: bool) -> int:
    """Write the generated documentation below the current folder, or say what is out of date."""
    made = {name: _text(schema()) for name, schema in SCHEMAS.items()}
    for name, (before, after, part) in PARTS.items():
        head, _, rest = Path(name).read_text(encoding="utf-8").partition(before)
        made[name] = f"{head}{before}{part()}{rest[rest.index(after) :]}"
    stale = 0
    for name, text in made.items():
        path = Path(name)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if check:
            console.say(f"{name}: out of date; run `review-bot config schema --write`")
        else:
            write_typed(name, text, makes_folders=True)
            console.say(f"{name}: written")
    console.say(f"{len(made)} generated files, {stale} {'out of date' if check else 'changed'}")
    return 1 if check and stale else 0


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
