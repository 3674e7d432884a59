"""``python -m rule_lab docs``: generates the precision figures, the catalogue of rules and the README's table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from review_bot.commands import rule_languages
from review_bot.configuration import rule_registry
from review_bot.configuration.rule_pages import page
from review_bot.configuration.rule_registry import RulePage
from review_bot.files.file_writing import write_typed
from review_bot.findings import SEVERITIES
from review_bot.rules.precision import NOT_MEASURED
from review_bot.text import console
from rule_lab import measuring
from rule_lab.label_files import EVIDENCE, read_all

DOCS = "docs/rules"
README = "README.md"
"""Holds the table of languages between two marks."""

PRECISION = f"rules/{rule_registry.PRECISION}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")


def run(options: argparse.Namespace) -> int:
    """Write the files, or compare them, and return 1 if one of them is out of date."""
    check: bool = options.check
    measured = measuring.measure(read_all(Path(EVIDENCE)))
    entries = [
        each._replace(measured=measured.get(each.rule.id, NOT_MEASURED)) for each in rule_registry.builtin_pages()
    ]
    folder = Path(DOCS)
    wanted = {folder / name: text for name, text in catalogue(entries).items()}
    wanted[Path(PRECISION)] = measuring.render(measured)
    if Path(README).is_file():
        wanted[Path(README)] = _with_table(Path(README).read_text(encoding="utf-8"), language_table(entries))
    stale = []
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not check:
                write_typed(str(path), text, makes_folders=True)
    for path in sorted(folder.rglob("*.md")):
        if path not in wanted:
            stale.append(path)
            if not check:
                path.unlink()
    for path in stale:
        console.say(f"{path}: {'out of date; run `python -m rule_lab docs`' if check else 'written'}")
    console.say(f"{len(wanted)} files, {len(stale)} {'out of date' if check else 'changed'}")
    return 1 if check and stale else 0


LANGUAGES = {
    "python": "Python",
    "notebook": "Jupyter notebooks",
    "cuda": "CUDA and C++",
    "stage-config": "Stage configurations (YAML)",
    "requirements": "Requirements and `pyproject.toml`",
    "dockerfile": "Dockerfiles",
    "shell": "Shell scripts",
    "workflow": "GitHub workflows",
    "markdown": "Markdown",
    rule_languages.ANY: "Every text file, file names, the change as a whole",
}
"""Language of a rule → what the README calls it."""


def language_table(entries: Sequence[RulePage]) -> str:
    """Return the Markdown table of languages with the number of rules of each severity; a rule may be in several."""
    rows = []
    for language, name in LANGUAGES.items():
        rules = [each.rule for each in entries if language in rule_languages.languages_of(each.rule)]
        counts = [sum(rule.severity == severity for rule in rules) for severity in SEVERITIES]
        rows.append(f"| {name} | {len(rules)} | {' | '.join(str(number or '') for number in counts)} |\n")
    heads = " | ".join(f"`{severity}`" for severity in SEVERITIES)
    return f"| Language | Rules | {heads} |\n| --- | ---: | ---: | ---: | ---: | ---: |\n{''.join(rows)}"


def _with_table(text: str, table: str) -> str:
    before, mark, rest = text.partition("<!-- languages -->\n")
    return f"{before}{mark}{table}{rest[rest.index('<!-- /languages -->') :]}"


def catalogue(entries: Sequence[RulePage]) -> dict[str, str]:
    """Return every page by its name below the catalogue's folder, the index as ``README.md``."""
    pages = {f"{entry.rule.id}.md": page(entry) for entry in entries}
    rows = [
        f"| [{entry.rule.id}]({entry.rule.id}.md) | {entry.rule.title} | `{entry.rule.severity}` |" for entry in entries
    ]
    pages["README.md"] = (
        "# Rules\n\nGenerated from `rules/` by `python -m rule_lab docs`.\n\n"
        "| Rule | What | Severity |\n| --- | --- | --- |\n" + "\n".join(rows) + f"\n\n{len(entries)} rules.\n"
    )
    return pages
