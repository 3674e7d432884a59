"""``review-bot rules``: list, show and test rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from review_bot.commands.rule_pages import page
from review_bot.commands.rule_trial import examine_case
from review_bot.configuration import rule_registry
from review_bot.configuration.rule_registry import RulePage
from review_bot.errors import UsageError
from review_bot.files.policy_paths import RULES_FOLDER
from review_bot.rules.examples import run_examples
from review_bot.rules.matchers import Structural
from review_bot.text import console
from review_bot.text.near_names import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="list all rules with severity and title").add_argument(
        "-C",
        dest="folder",
        default=".",
        metavar="DIR",
        help="repository whose own rules are listed too (default: the current folder)",
    )
    show = actions.add_parser("show", help="show what a rule reports, why, and how to fix it")
    show.add_argument("id", metavar="ID")
    show.add_argument(
        "-C",
        dest="folder",
        default=".",
        metavar="DIR",
        help="repository with its own rules (default: the current folder)",
    )
    test = actions.add_parser("test", help="run the examples of rules; print one line per failure")
    test.add_argument(
        "path", nargs="?", metavar="PATH", help="a rule file or a folder of them (default: the built-in rules)"
    )


def run(options: argparse.Namespace) -> int:
    """Carry out one action and return the exit code."""
    if options.action == "list":
        return _list(_pages(options.folder))
    if options.action == "show":
        return _show(options.id, _pages(options.folder))
    return _test(options.path)


def _pages(folder: str) -> list[RulePage]:
    pages = rule_registry.builtin_pages()
    own = Path(folder) / RULES_FOLDER
    if own.is_dir():
        pages += rule_registry.own_pages(rule_registry.read_folder(own), frozenset(page.rule.id for page in pages))
    return pages


def _list(pages: list[RulePage]) -> int:
    width = max(len(page.rule.id) for page in pages)
    for entry in pages:
        console.say(f"{entry.rule.id:<{width}}  {entry.rule.severity:<7}  {entry.rule.title}")
    console.say(f"\n{len(pages)} rules. `review-bot rules show ID` explains a rule.")
    return 0


def _show(rule_id: str, pages: list[RulePage]) -> int:
    for entry in pages:
        if entry.rule.id == rule_id:
            console.write(page(entry))
            return 0
    ids = [entry.rule.id for entry in pages]
    contained = [each for each in ids if rule_id.rsplit("/", maxsplit=1)[-1] in each]
    hint = f"; did you mean {contained[0]!r}?" if contained else did_you_mean(rule_id, ids)
    raise UsageError(f"there is no rule {rule_id!r}{hint or '; see `review-bot rules list`'}")


def _test(path: str | None) -> int:
    pages = rule_registry.builtin_pages() if path is None else _pages_at(Path(path))
    count = failed = 0
    for entry in pages:
        bad, good = entry.documentation["bad"], entry.documentation["good"]
        if not bad and not good:
            console.warn(f"{entry.path}: {entry.rule.id}: note: no examples; add metadata.examples.bad and .good")
        suggests = False
        for outcome in run_examples(entry.rule, bad, good, examine_case):
            count += 1
            suggests |= outcome.suggests
            if outcome.problem is not None:
                failed += 1
                console.say(f"{entry.path}: {outcome.name}: {outcome.problem}")
        matcher = entry.rule.matcher
        if bad and not suggests and isinstance(matcher, Structural) and matcher.fix is not None:
            console.warn(
                f"{entry.path}: {entry.rule.id}: note: its fix applies to none of the bad examples: "
                "with it the text does not parse, or the rule still reports it"
            )
    rules = "1 rule" if len(pages) == 1 else f"{len(pages)} rules"
    console.say(f"{rules}, {count} examples, {failed} failed")
    return 1 if failed else 0


def _pages_at(path: Path) -> list[RulePage]:
    if path.is_dir():
        files = rule_registry.read_folder(path)
    elif path.is_file():
        files = [(path.as_posix(), rule_registry.read_rule_file(path))]
    else:
        raise UsageError(f"{path}: no such file or folder")
    if f"/{RULES_FOLDER}/" in f"{path.resolve().as_posix()}/":
        return rule_registry.own_pages(files, rule_registry.builtin_rulebook().known_ids)
    return rule_registry.pages_of(files)
