"""The Markdown page of a rule, made from the rule itself."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from review_bot.comments.model import Posting
from review_bot.configuration.rule_registry import RulePage
from review_bot.configuration.rule_trial import examine_case
from review_bot.engine.base_findings import may_be_brought_about
from review_bot.errors import ReviewBotError
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.findings import SEVERITY_WORDS
from review_bot.records import NamedTuple
from review_bot.rules.examples import make_case
from review_bot.rules.matchers import Checked, PullRequestText, RemovedCode, Structural
from review_bot.rules.rule import Rule, place_of
from review_bot.text.listing import count

_LINES = {
    "first": "where the first line of a match was added",
    "any": "where any line of a match was added",
    "most": "where more than half of the lines of a match were added",
    "file": "in changed files",
}
_BROUGHT_ABOUT = ", or where there was no such match before the change"
"""What a change is also answerable for, besides the lines that it adds."""
_BY_RELATION = "where the change causes it"
"""Of checks that compare the change with the rest of the tree: the check decides, and not the engine by lines."""

_SCOPES = {
    "library": "library code (Python outside tests, examples, benchmarks, docs, scripts and tools)",
    "tests": "Python tests",
    "all": "all Python files",
    "any": "all files",
}

_LIKE_C = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp")
_NAMES = {"cpp": "C++", "yaml": "YAML", "json": "JSON", "toml": "TOML", "typescript": "TypeScript"}
"""Languages whose name is not their id with a capital."""

_MOST_GLOBS = 4
"""Path patterns of a rule that are named."""

_OUTSIDE = {
    "library": "tests, examples, benchmarks, scripts and tools",
    "tests": "code outside tests",
    "all": "files that are not Python",
    "any": "",
}
_SHOWN = {
    "line": "comments on the line",
    "summary": "in the summary only",
    "count": "counted in the summary",
}
_MOST_LINES = 30
"""Of an example that has more than twice as many, the first ones are shown."""

_PLACE = re.compile(r"\{\{ (\w+) \}\}")
"""What a check fills in; a page shows its name."""

_METAVARIABLE = re.compile(r"\${1,3}([A-Z_][A-Z_0-9]*)")

_WRITTEN = {"title": "the title", "body": "the description", "commit": "the commit messages (merges excepted)"}
"""What a rule reads of what people write."""


def page(entry: RulePage) -> str:
    """Return the page of one rule."""
    rule, documentation = entry.rule, entry.documentation
    parts = [
        f"# {rule.id}\n",
        f"**{rule.title}**\n",
        f"{_facts(rule)}\n",
        *([f"{documentation['lowered']}\n"] if documentation["lowered"] else []),
        "## What it reports\n",
        f"{_message(entry)}\n",
        f"Applies to {_where(rule)}.\n",
    ]
    if rule.why:
        parts += ["## Why\n", f"{rule.why}\n"]
    if rule.instead:
        parts += ["## Instead\n", _PLACE.sub(r"[\1]", rule.instead) + "\n"]
    for title, examples in (("Reported", documentation["bad"]), ("Fine", documentation["good"])):
        if examples:
            parts.append(f"## {title}\n")
            parts += [_example(example, rule.languages) for example in examples]
    if rule.opt_in:
        parts += ["## How to switch it on\n", f"Name it in `{CONFIG_PATH}`:\n\n```yaml\nrules:\n  {rule.id}: on\n```\n"]
    parts += ["## When to ignore it\n", f"{_exceptions(entry)}\n", "## How to suppress it\n"]
    if rule.suppressible and not rule.on_lines:
        parts.append(
            "The finding is not on a line of the new code, so no comment can suppress it. Turn the rule off in "
            f"`{CONFIG_PATH}`:\n\n```yaml\nrules:\n  {rule.id}: off\n```\n"
        )
    elif rule.suppressible:
        parts.append(f"Write a comment on the line or above it, with a reason:\n\n```\n{_suppression(rule)}\n```\n")
    else:
        parts.append("This rule cannot be suppressed by a comment.\n")
    if rule.mirrors and rule.on_lines:
        parts.append(f"`# noqa: {rule.mirrors[0]}` also suppresses it: the rule mirrors {', '.join(rule.mirrors)}.\n")
    if rule.mirror:
        parts.append(
            "Where the repository configures a linter that reports one of these codes, the rule is left to that linter "
            "(docs/linters.md).\n"
        )
    if references := documentation["references"]:
        parts += ["## References\n", "\n".join(f"- {reference}" for reference in references) + "\n"]
    parts += ["## Measured\n", f"{_measured(entry)}\n"] if rule.builtin else []
    return "\n".join(parts)


class Explanation(NamedTuple):
    """The texts that a rule has for all its findings; empty where a text names values of one finding.

    ``suppression``: the comment that suppresses a finding, empty if none does.
    """

    reports: str
    instead: str
    exceptions: str
    suppression: str


def explanation(entry: RulePage) -> Explanation:
    """Return the answer to a question about a finding of a rule."""
    rule = entry.rule
    return Explanation(
        "" if _PLACE.search(rule.message) or _quotes(rule) else rule.message,
        "" if _PLACE.search(rule.instead) else rule.instead,
        _exceptions(entry),
        _suppression(rule) if rule.suppressible and rule.on_lines else "",
    )


def _quotes(rule: Rule) -> bool:
    """Return whether the message quotes what a pattern matched, such as `$NAME`."""
    return isinstance(rule.matcher, Structural | RemovedCode) and _METAVARIABLE.search(rule.message) is not None


def _message(entry: RulePage) -> str:
    """Return what a rule reports, with what it quotes of the first example, or else with the names of these places."""
    rule = entry.rule
    if not _quotes(rule):
        return _PLACE.sub(r"[\1]", rule.message)
    for example in entry.documentation["bad"][:1]:
        with suppress(ValueError, ReviewBotError):  # the example is none
            found, _ = examine_case(rule, make_case(rule, example))
            if found:
                return f"{found[0].message} Names and values are those of the first example."
    return _METAVARIABLE.sub(r"[\1]", rule.message)


def _suppression(rule: Rule) -> str:
    """Return the comment in the notation of the rule's files; ``#`` for those of several kinds."""
    directive = f"review-bot: ignore[{rule.id}] the reason"
    if rule.files and all(each.endswith(_LIKE_C) for each in rule.files):
        return f"// {directive}"
    if rule.files and all(each.endswith((".md", ".markdown", ".mdx")) for each in rule.files):
        return f"<!-- {directive} -->"
    return f"# {directive}"


_SHORT_EXAMPLE = {"Reported": 10, "Fine": 8}
"""Lines of an example in a digest."""
_CONTEXT = 2
"""Unchanged lines around a change in a digest."""


def digest(entry: RulePage, width: int = 80) -> str:
    """Return what fits on a screen: the defect, why it matters, what to do, one example of each kind."""
    rule, documentation = entry.rule, entry.documentation
    lines = [f"{rule.id}: {rule.title}", f"{_facts(rule)}", ""]

    def paragraph(label: str, text: str) -> None:
        if text:
            filled = _PLACE.sub(r"[\1]", text)
            lines.extend(textwrap.wrap(f"{label}{filled}", min(width, 100), subsequent_indent="  "))

    paragraph("Severity: ", documentation["lowered"])
    paragraph("Reports: ", _message(entry))
    paragraph("Where: ", _where(rule))
    paragraph("Why: ", rule.why)
    paragraph("Instead: ", rule.instead)
    for title, examples in (("Reported", documentation["bad"]), ("Fine", documentation["good"])):
        if examples:
            shown = _digest_of_example(examples[0])
            most = _SHORT_EXAMPLE[title]
            cut = ["..."] if len(shown) > most else []
            lines += ["", f"{title}:", *(f"    {line}" for line in (*shown[:most], *cut))]
    lines.append("")
    if rule.suppressible and rule.on_lines:
        lines.append(f"Suppress: {_suppression(rule)}")
    switch = "on" if rule.opt_in else "off"
    lines.append(f"Turn {switch}: rules: {{{rule.id}: {switch}}} in {CONFIG_PATH}")
    more = len(documentation["bad"]) + len(documentation["good"])
    lines.append(f"More: review-bot rules show {rule.id} --all ({count(more, 'example')}, exceptions, measurements)")
    return "\n".join(lines) + "\n"


def _facts(rule: Rule) -> str:
    facts = (
        f"`{rule.severity}` ({SEVERITY_WORDS[rule.severity]})",
        f"{rule.confidence} confidence",
        rule.aspect,
        f"about {rule.effort} min to fix",
        _shown(rule),
        *(["off by default"] if rule.opt_in else []),
    )
    return " · ".join(facts)


def _shown(rule: Rule) -> str:
    """Return where findings appear with the built-in ``comment-on``, as ``config check`` does for a configuration."""
    place = place_of(rule, rule.severity, Posting().comment_on)
    if place == "summary" and place_of(rule, rule.severity) == "line":
        return f"in the summary; on the line with `comment-on: {rule.severity}`"
    return _SHOWN[place]


def _digest_of_example(example: Any) -> list[str]:
    """Return the lines of an example that are not blank; of one with two sides, what changed and then the rest."""
    trees = () if isinstance(example, str) else (example.get("base"), example.get("head"))
    base, head = trees or (None, None)
    if not isinstance(base, Mapping) or not isinstance(head, Mapping) or _has_repeated_lines(base, head):
        return [line for line in _example(example, ()).split("\n") if line and not line.startswith("```")]
    lines = []
    for path, new in head.items():
        old = base.get(path)
        if new is None:
            lines.append(f"`{path}` is deleted")
        elif old is None:
            lines += [f"New, `{path}`:", *new.split("\n")]
        else:
            changed = list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=_CONTEXT))
            lines += [f"Changed, `{path}`:", *(line for line in changed[2:] if line[1:].strip() and line[0] != "@")]
    for path, text in base.items():
        if path not in head and text.strip():
            lines += [f"Unchanged, `{path}`:", *text.split("\n")]
    return [line for line in lines if line.strip()]


def _has_repeated_lines(*trees: Mapping[str, Any]) -> bool:
    return any(isinstance(text, Mapping) for tree in trees for text in tree.values())


def _where(rule: Rule) -> str:
    if isinstance(rule.matcher, PullRequestText):
        return _WRITTEN[rule.matcher.where]
    if rule.is_about_all:
        return "the change as a whole"
    if rule.reads_names:
        return f"the names of {_files_of(rule)}"
    if not rule.on_lines:
        return _files_of(rule)
    if isinstance(rule.matcher, Checked) and not rule.matcher.per_file and rule.lines != "file":
        return f"{_files_of(rule)}, {_BY_RELATION}"
    return f"{_files_of(rule)}, {_LINES[rule.lines]}{_BROUGHT_ABOUT if may_be_brought_about(rule) else ''}"


def _files_of(rule: Rule) -> str:
    """Return the files that a rule reads."""
    what = _SCOPES[rule.scope]
    if rule.scope == "any" and rule.languages:
        what = f"all {' and '.join(_NAMES.get(each, each.capitalize()) for each in rule.languages)} files"
    if not rule.files:
        return what
    shown = [f"`{glob}`" for glob in rule.files[:_MOST_GLOBS]]
    more = len(rule.files) - len(shown)
    match = "matches" if rule.scope == "library" else "match"
    return f"{what.removeprefix('all ')} that {match} {', '.join(shown)}{f' or {more} more patterns' if more else ''}"


def _exceptions(entry: RulePage) -> str:
    """Return when to ignore the rule: its own words, else what follows from its scope and its good examples."""
    rule, documentation = entry.rule, entry.documentation
    if documentation["exceptions"]:
        return str(documentation["exceptions"])
    said = [_OUTSIDE[rule.scope]] if not rule.is_about_all else []
    if rule.required_imports:
        said.append(f"files that do not import {' or '.join(f'`{name}`' for name in rule.required_imports)}")
    if rule.ignores:
        said.append(f"files that match {', '.join(f'`{glob}`' for glob in rule.ignores)}")
    said += ["the examples under *Fine*"] if documentation["good"] else []
    silent = f"Not reported: {_listed([each for each in said if each])}. " if any(said) else ""
    fact = "The message can be proved from the text" if documentation["provable"] else "The rule reads only the text"
    then = (
        "suppress the finding with that reason"
        if rule.suppressible and rule.on_lines
        else "explain it in the description"
    )
    return f"{silent}{fact}; if you know why the code is right here, {then}."


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"


def _measured(entry: RulePage) -> str:
    """Return the measured precision of the rule on findings in real pull requests."""
    found = entry.measured
    if not found.judged:
        return "No finding of this rule in a real pull request has been judged yet."
    hits, where = count(found.judged, "hit"), count(found.repositories, "repository", "repositories")
    judged = f"{hits} judged in {where} (two annotators each), {found.true} true, {found.useful} useful"
    if 0 < found.shown < found.judged:
        judged += f"; {count(found.shown, 'line comment')}, {found.shown_useful} useful"
    gone = f" {count(found.gone, 'more is', 'more are')} no longer reported and not counted." if found.gone else ""
    return (
        f"{judged}: {100 * found.share:.0f} % useful, and with 95 % certainty at least {100 * found.lower:.0f} %."
        f"{gone} How findings are judged: docs/evidence.md."
    )


def _example(example: Any, languages: tuple[str, ...]) -> str:
    language = languages[0] if languages else ""
    if isinstance(example, str):
        return _fenced(example, "diff" if example.startswith(("diff --git ", "--- ")) else language)
    if "code" in example:
        return f"`{example.get('path', 'a file')}`:\n\n" + _fenced(str(example["code"]), language)
    parts = []
    for side, tree in (("Before", example.get("base")), ("After", example.get("head"))):
        if isinstance(tree, Mapping):
            for path, text in tree.items():
                if text is None:
                    parts.append(f"{side}, `{path}` is deleted\n")
                elif isinstance(text, Mapping):
                    shown = _fenced(f"{text.get('first', '')}{text['line']}", language)
                    parts.append(f"{side}, `{path}`, the last line {text['times']} times:\n\n" + shown)
                else:
                    parts.append(f"{side}, `{path}`:\n\n" + _fenced(str(text), language))
    described = (name for name in ("title", "body") if name in example)
    parts += [f"The pull request's {name}:\n\n" + _fenced(example[name], "") for name in described]
    parts += [f"A commit's message:\n\n{_fenced(message, '')}" for message in example.get("commits", ())]
    return "\n".join(parts)


def _fenced(code: str, language: str) -> str:
    lines = code.rstrip().split("\n")
    left_out = f"\n{len(lines) - _MOST_LINES:,} more lines.\n" if len(lines) > 2 * _MOST_LINES else ""
    shown = "\n".join(lines[:_MOST_LINES] if left_out else lines)
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}{language}\n{shown}\n{fence}\n{left_out}"
