"""Reads rules from where they are kept: the built-in ones as one compiled blob, a repository's own from its files.

The blob has three lines, each a JSON text: what a review needs; the contracts of libraries, which
``contracts/contract_store.py`` reads; and what is to be read about the rules, which is more than half of it. The blob
of a wheel has no stamp: it is read as it is. An installed package never compiles or writes rules, whatever other
packages lie next to it. In a source checkout the stamp shows when a rule file, a contract or a check changed, and the
blob is compiled again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from review_bot.assessment.review_areas import Area, Ask, FocusMap, ReviewQuestion, Surroundings, Trigger
from review_bot.checks import catalog
from review_bot.contracts import contract_store
from review_bot.contracts.contract_store import BLOB, PACKAGE
from review_bot.errors import InstallationError, RuleError
from review_bot.files.stamp import stamp_of
from review_bot.records import NamedTuple
from review_bot.rules import matchers
from review_bot.rules.precision import NOT_MEASURED, Precision
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = os.path.join(os.path.dirname(PACKAGE), "rules")
FOCUS = "focus.yaml"
CONTRACTS = "contracts"
PRECISION = "evidence/precision.json"
"""The measured figures of the rules, below the folder of rules; `python -m rule_lab docs` generates it."""

_MATCHER = Rule._fields.index("matcher")
_OF_ALTERNATIVES = tuple(map(Rule._fields.index, ("literals", "opening")))

_SUPPRESSION_IDS = frozenset(
    f"suppression/{name}" for name in ("malformed", "expired", "unknown", "new", "requested", "unused")
)


class RulePage(NamedTuple):
    """A rule with its prose and examples, for the catalogue and for ``rules test``, and its measured precision."""

    rule: Rule
    documentation: dict[str, Any]
    path: str
    measured: Precision = NOT_MEASURED


@cache
def builtin_rulebook() -> Rulebook:
    """Return the built-in rules, at least one: those that this process found when it first asked.

    Raises InstallationError if this installation has none, RuleError if a rule file of a source checkout is wrong.
    """
    blob, _ = _builtin_blob()
    rules = tuple(_record(fields) for fields in blob["rules"])
    return _rulebook(rules, blob["digest"])._replace(focus=_focus(blob["focus"]))


def builtin_pages() -> list[RulePage]:
    """Return the built-in rules with their documentation."""
    blob, written = _builtin_blob()
    pages = json.loads(written)
    measured = pages["measured"]
    return [
        RulePage(rule := _record(fields), documentation, path, Precision(*measured.get(rule.id, ())))
        for fields, documentation, path in zip(blob["rules"], pages["documentation"], pages["paths"], strict=True)
    ]


def with_own_rules(rulebook: Rulebook, files: Iterable[tuple[str, str]]) -> Rulebook:
    """Add a repository's own rules: (path, text) of each file. Raises RuleError."""
    pages = own_pages(files, rulebook.known_ids)
    if not pages:
        return rulebook
    rules = (*rulebook.rules, *(page.rule for page in pages))
    digest = sha256(
        json.dumps([rulebook.digest, [_fields(page.rule) for page in pages]], default=list).encode()
    ).hexdigest()
    return _rulebook(rules, digest)._replace(focus=rulebook.focus, contracts=rulebook.contracts)


def with_own_contracts(rulebook: Rulebook, files: Iterable[tuple[str, str]]) -> Rulebook:
    """Add a repository's own contracts: (path, text) of each file. Raises RuleError."""
    from review_bot.contracts.own_contracts import read_own_contracts

    contracts = read_own_contracts(files)
    digest = sha256(json.dumps([rulebook.digest, contracts]).encode()).hexdigest()
    return rulebook._replace(contracts=contracts, digest=digest)


def own_pages(files: Iterable[tuple[str, str]], taken: frozenset[str] = frozenset()) -> list[RulePage]:
    """Read a repository's own rule files. Raises RuleError, also for an id that is ``taken``."""
    from review_bot.rules.rule_file import read_rules

    pages: list[RulePage] = []
    seen = set(taken)
    for path, text in files:
        for compiled in read_rules(text, path, shipped=False, checks=catalog.CHECKS):
            rule: Rule = compiled.rule
            if rule.id in seen:
                whose = "a built-in rule has" if rule.id in taken else "another rule of these files has"
                raise RuleError(
                    f"{whose} the id {rule.id!r}; choose another", path=path, line=compiled.line, field="id"
                )
            seen.add(rule.id)
            pages.append(RulePage(rule, compiled.documentation.model_dump(), path))
    return pages


def pages_of(files: Iterable[tuple[str, str]]) -> list[RulePage]:
    """Read rule files: one below ``rules/`` of a checkout as shipped, any other as a repository's own."""
    from review_bot.rules.rule_file import read_rules

    source = os.path.abspath(SOURCE) + os.sep
    pages: list[RulePage] = []
    for path, text in files:
        shipped = os.path.abspath(path).startswith(source)
        if not shipped:
            pages += own_pages([(path, text)], builtin_rulebook().known_ids)
            continue
        compiled = read_rules(text, path, shipped=shipped, checks=catalog.CHECKS)
        pages += [RulePage(each.rule, each.documentation.model_dump(), path) for each in compiled]
    return pages


def compile_rules(folder: Path, stamp: str = "") -> bytes:
    """Compile a folder of shipped rules, ``<family>/<name>.yaml`` each, with areas, cards and figures, to the blob.

    The folder of contracts is next to it. Raises RuleError.
    """
    from review_bot.configuration.focus_file import read_focus
    from review_bot.contracts.contract_file import compile_contracts
    from review_bot.rules.rule_file import read_rules

    rules: list[Rule] = []
    documentation: list[dict[str, Any]] = []
    paths: list[str] = []
    content = sha256()
    for path in sorted(folder.glob("*/*.yaml")):
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        content.update(f"{name}\0{text}\0".encode())
        compiled = read_rules(text, f"{folder.name}/{name}", shipped=True, checks=catalog.CHECKS)
        if len(compiled) != 1 or compiled[0].rule.id != name.removesuffix(".yaml"):
            raise RuleError(
                f"a shipped file contains one rule, with the id {name.removesuffix('.yaml')}", path=name, line=1
            )
        rules.append(compiled[0].rule)
        documentation.append(compiled[0].documentation.model_dump())
        paths.append(f"{folder.name}/{name}")
    focus = FocusMap()
    if (folder / FOCUS).exists():
        text = (folder / FOCUS).read_text(encoding="utf-8")
        content.update(f"{FOCUS}\0{text}\0".encode())
        focus = read_focus(text, f"{folder.name}/{FOCUS}", [rule.id for rule in rules])
    contracts = compile_contracts(folder.parent / CONTRACTS)
    content.update(json.dumps(contracts).encode())
    blob = {"digest": content.hexdigest(), "stamp": stamp, "rules": [*map(_fields, rules)], "focus": focus}
    pages = {"documentation": documentation, "paths": paths, "measured": _measured(folder / PRECISION)}
    lines = (json.dumps(each, ensure_ascii=True, separators=(",", ":")) for each in (blob, contracts, pages))
    return "\n".join(lines).encode()


def _measured(path: Path) -> dict[str, Precision]:
    """Return the figures by rule, none without the file. Raises RuleError."""
    try:
        measured = json.loads(path.read_text(encoding="utf-8"))
        return {rule: Precision(**figures) for rule, figures in measured.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        problem = f"the figures cannot be read ({error}); generate them with `python -m rule_lab docs`"
        raise RuleError(problem, path=path.as_posix()) from error


_NO_RULES = (
    "this installation of Review Bot has no built-in rules (builtin_rules.json is missing, damaged or empty), so "
    "nothing can be reviewed; reinstall it, such as with `pip install --force-reinstall review-bot`"
)


def _builtin_blob() -> tuple[dict[str, Any], bytes]:
    """Return the first line of the blob, with at least one rule, and the last unread. Raises InstallationError."""
    first, rest = _kept_or_compiled()
    if not first["rules"]:
        raise InstallationError(_NO_RULES)
    return first, rest.partition(b"\n")[2]


def _kept_or_compiled() -> tuple[dict[str, Any], bytes]:
    blob: dict[str, Any] | None = None
    with suppress(FileNotFoundError, ValueError), open(BLOB, "rb") as stream:
        first = json.loads(stream.readline())
        if isinstance(first, dict) and isinstance(first.get("stamp"), str) and "rules" in first:
            blob = first
            if not blob["stamp"]:
                return blob, stream.read()
        if not is_checkout():
            raise InstallationError(_NO_RULES)
        stamp = _stamp()
        if blob is not None and blob["stamp"] == stamp:
            return blob, stream.read()
    if not is_checkout():
        raise InstallationError(_NO_RULES)
    return _compiled_again(_stamp())


def is_checkout() -> bool:
    """Return whether this package lies in its own source tree, with ``pyproject.toml`` and the rules."""
    try:
        with open(os.path.join(os.path.dirname(PACKAGE), "pyproject.toml"), encoding="utf-8") as stream:
            return '\nname = "review-bot"\n' in stream.read(100_000) and os.path.isdir(SOURCE)
    except (OSError, UnicodeDecodeError):
        return False


def _compiled_again(stamp: str) -> tuple[dict[str, Any], bytes]:
    from pathlib import Path

    compiled = compile_rules(Path(SOURCE), stamp)
    temporary = Path(f"{BLOB}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(compiled)
        temporary.replace(BLOB)
    except OSError:
        temporary.unlink(missing_ok=True)  # a read-only checkout compiles at each start
    first, _, rest = compiled.partition(b"\n")
    result: dict[str, Any] = json.loads(first)
    return result, rest


def _stamp() -> str:
    """Return what changes with the rules, the contracts, the figures, and the code that reads or runs them."""
    folders = ("analysis", "assessment", "checks", "configuration", "contracts", "rules")
    return stamp_of(SOURCE, contract_store.SOURCE, *(os.path.join(PACKAGE, name) for name in folders))


def _rulebook(rules: tuple[Rule, ...], digest: str) -> Rulebook:
    known = frozenset(rule.id for rule in rules) | _SUPPRESSION_IDS
    return Rulebook(rules, catalog.load, digest, known_ids=known)


def _fields(rule: Rule) -> list[Any]:
    fields: list[Any] = list(rule)
    fields[_MATCHER] = matchers.to_json(rule.matcher)
    return fields


def _record(fields: list[Any]) -> Rule:
    values = [tuple(each) if each.__class__ is list else each for each in fields]
    for index in _OF_ALTERNATIVES:
        values[index] = _alternatives(values[index])
    values[_MATCHER] = matchers.from_json(fields[_MATCHER])
    return Rule._make(values)


def _focus(fields: list[Any]) -> FocusMap:
    areas, cards, triggers = fields
    return FocusMap(
        tuple(Area._make(map(_plain, each)) for each in areas),
        tuple(
            card._replace(asks=tuple(Ask._make(each) for each in card.asks))
            for card in (ReviewQuestion._make(map(_plain, each)) for each in cards)
        ),
        tuple(
            trigger._replace(
                literals=_alternatives(trigger.literals),
                where=Surroundings._make(trigger.where),
                unless=Surroundings._make(trigger.unless),
            )
            for trigger in (Trigger._make(map(_plain, each)) for each in triggers)
        ),
    )


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _alternatives(found: Any) -> tuple[tuple[str, ...], ...] | None:
    return None if found is None else tuple(map(tuple, found))
