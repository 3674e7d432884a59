"""The process that reads an edited configuration: ``python -I -m review_bot.github_action.settings_worker CHECK...``.

Started by ``settings_edits`` alone, with the names of checks that occur in the files. The new version is the text of a
change, and native code compiles its patterns and regular expressions: that happens here, without token, environment
and rights. One JSON object comes on standard input and one is answered on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import Any

from review_bot.checks import catalog
from review_bot.configuration import effective_config, rule_registry
from review_bot.configuration.effective_config import EffectiveConfig
from review_bot.configuration.inputs import Overrides
from review_bot.contracts.contract import Contract
from review_bot.errors import LocatedError, ReviewBotError
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATH, CONTRACTS_FOLDER, RULES_FOLDER
from review_bot.findings import SEVERITIES
from review_bot.forges.settings_files import Files, SettingsFile, SettingsFiles
from review_bot.github_action.settings_edits import files_of
from review_bot.processes import confinement
from review_bot.review.policy import Policy
from review_bot.rules.rulebook import Rulebook, Selection
from review_bot.setting import declared
from review_bot.text.listing import count

MEMORY = 768 * 1024 * 1024
"""Bytes that the process may take."""

CPU_SECONDS = 30

LATE = ("ctypes",)

_RULE = f"{RULES_FOLDER}/a.yml"
_CONTRACT = f"{CONTRACTS_FOLDER}/a.yml"
_REHEARSALS: tuple[tuple[str, bytes], ...] = (
    (CONFIG_PATH, b"rules:\n  style/*: off\npaths:\n  ignore: ['x/**/[a-z]']\n"),
    (CONFIG_PATH, b"rules: [\n"),
    (CONFIG_PATH, b"fail-in: error\n"),
    (CONFIG_PATH, b"rules:\n  nothing/*: off\n"),
    (CONFIG_PATH, b"paths: {ignore: ['[']}\n"),
    (CONFIG_PATH, b"\xff"),
    (BASELINE_PATH, b'{"schema": "review-bot/baseline/v1", "findings": []}'),
    (BASELINE_PATH, b"{"),
    (_RULE, b"id: a\nlanguage: python\nmessage: A.\nrule: {all: [{pattern: f($X)}, {regex: a+}]}\n"),
    (_RULE, b"id: a\nlanguage: python\nmessage: A.\nrule: {pattern: f($X}\n"),
    (_RULE, b"id: a\nlanguage: python\nmessage: A.\nrule: {kind: nothing}\n"),
    (_RULE, b"id: a\nlanguage: nothing\nmessage: A.\nrule: {pattern: f($X)}\n"),
    (_RULE, b"id: b\nmessage: B.\ntext: {regex: 'b+', where: added}\n"),
    (_RULE, b"id: b\nmessage: B.\ntext: {regex: 'b(', where: added}\n"),
    (
        _CONTRACT,
        b"library: a\ncontracts: [{functions: [b], requires: [{of: c, dtype: [int8], raises: E, reason: d}]}]\n",
    ),
    (_CONTRACT, b"library: a\ncontracts: [{functions: [b], returns: {dtype: [int7]}}]\n"),
)
"""Read before rights are given up, so that all is imported that reading, and naming a mistake, import late."""


def main() -> None:
    """Answer one request and end. Does not return."""
    code = 1
    try:
        for name in LATE:
            import_module(name)
        for name in catalog.names():  # listed as long as folders can be
            if name in sys.argv:
                catalog.load(name)
        builtin = rule_registry.builtin_rulebook()
        for path, data in _REHEARSALS:
            _read({path: SettingsFile(data)}, None, builtin)
        confinement.give_up_privileges()
        request = json.loads(sys.stdin.buffer.read())  # from our parent, which made us
        confinement.limit_resources(memory=MEMORY, cpu_seconds=CPU_SECONDS, descriptors=8)
        confinement.forbid_children()
        sys.stdout.write(json.dumps(_compare(request, builtin)))
        sys.stdout.flush()
        code = 0
    except BaseException as error:  # noqa: BLE001  # the border: nothing but a sentence leaves it
        sys.stdout.write(json.dumps({"refused": f"{type(error).__name__}: {error}"}))
        sys.stdout.flush()
    finally:
        os._exit(code)


def _compare(request: dict[str, Any], builtin: Rulebook) -> dict[str, Any]:
    config = request["config"]
    now = _read(files_of(request["after"]), config, builtin)
    if isinstance(now, list):
        return {"mistake": now, "weaker": []}
    before = _read(files_of(request["before"]), config, builtin)
    return {"mistake": None, "weaker": [] if isinstance(before, list) else weaker(before, now)}


def _read(files: Files, config: str | None, builtin: Rulebook) -> EffectiveConfig | list[Any]:
    """Return what files say, as a run reads them, or the mistake in them: path, line, message."""
    path = config or CONFIG_PATH
    try:
        if config is not None and config not in files:
            return [path, None, "there is no such file; the input config names it"]
        return effective_config.read(SettingsFiles(files), Overrides(config), builtin=builtin)
    except LocatedError as error:
        said = f"{error.field}: {error.message}" if error.field else error.message
        return [error.path or path, error.line, said]
    except ReviewBotError as error:
        return [path, None, str(error)]
    except BaseException as error:  # noqa: BLE001  # a pattern that makes native code panic is a mistake too
        return [path, None, f"it cannot be read ({type(error).__name__}: {error})"]


def weaker(before: EffectiveConfig, now: EffectiveConfig) -> list[str]:
    """Return, in sentences, what a gate no longer asks for."""
    rulebooks = before.rulebook, now.rulebook
    return [*_weaker_policy(before, now), *_weaker_rules(*rulebooks), *_weaker_contracts(*rulebooks)]


def _weaker_policy(before: EffectiveConfig, now: EffectiveConfig) -> list[str]:
    said = []
    owners = ((Policy, before.policy, now.policy), (Selection, before.rulebook, now.rulebook))
    for record, *both in owners:
        for setting in (each for each in declared(record) if each.order):
            then, new = (getattr(each, setting.field) for each in both)
            if setting.strictest(then, new) != new:
                said.append(f"`{setting.name}` goes from {then} to {new}")
    more = {
        "may stay unreviewed": {each.path for each in now.policy.unreviewed_ok}
        - {each.path for each in before.policy.unreviewed_ok},
        "has its own policy": {*now.policy.own_policy} - {*before.policy.own_policy},
        "is ignored": {*now.rulebook.ignored_paths} - {*before.rulebook.ignored_paths},
        "is skipped": {each for part in now.rulebook.skip for each in part}
        - {each for part in before.rulebook.skip for each in part},
    }
    if before.rulebook.reviews_generated and not now.rulebook.reviews_generated:
        said.append("generated and vendored files are left out")
    said += [f"`{pattern}` {what}" for what, patterns in more.items() for pattern in sorted(patterns)]
    accepted = len(now.baseline.keys() - before.baseline.keys())
    if accepted:
        said.append(f"the baseline accepts {accepted} more")
    return said


def _weaker_rules(before: Rulebook, now: Rulebook) -> list[str]:
    rules = {rule.id: rule for rule in now.rules}
    off = [rule.id for rule in before.rules if rule.id not in rules]
    lighter = [
        f"{rule.id} ({rule.severity} to {rules[rule.id].severity})"
        for rule in before.rules
        if rule.id in rules and SEVERITIES.index(rules[rule.id].severity) > SEVERITIES.index(rule.severity)
    ]
    narrower = [
        rule.id
        for rule in before.rules
        if rule.id in rules and (rules[rule.id].files, rules[rule.id].ignores) != (rule.files, rule.ignores)
    ]
    shown = ("line", "summary", "count")
    quieter = [
        f"{rule.id} ({rule.show} to {rules[rule.id].show})"
        for rule in before.rules
        if rule.id in rules and shown.index(rules[rule.id].show) > shown.index(rule.show)
    ]
    groups = {"off": off, "lighter": lighter, "shown less": quieter, "limited to other files": narrower}
    return [f"{count(len(ids), 'rule')} {what}: {_listed(ids)}" for what, ids in groups.items() if ids]


def _said(contract: Contract) -> set[object]:
    """Return what a contract says from which findings follow."""
    return {*contract.requires, *contract.effects}


def _weaker_contracts(before: Rulebook, now: Rulebook) -> list[str]:
    """Name the functions of which a gate no longer knows, or no longer requires, something."""
    lost = []
    for name, contract in before.contracts.items():
        new = now.contracts.get(name)
        if new is None or not _said(contract) <= _said(new):
            lost.append(f"`{name}`")
    return [f"the contracts require less of {count(len(lost), 'function')}: {_listed(lost)}"] if lost else []


def _listed(ids: list[str]) -> str:
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


if __name__ == "__main__":
    main()
