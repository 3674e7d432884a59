"""Which changed files have rules for their language, and how many of those rules ran."""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Examination
from review_bot.review.reach import DOCKERFILE, OTHER_LANGUAGE, FileWithoutRules, LanguageReach, Reach
from review_bot.rules.rule import Rule
from review_bot.rules.scope import in_scope, language_of
from review_bot.text.lazy_regex import LazyRegex

_NAMES = {
    "bash": "shell",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "css": "CSS",
    "hcl": "HCL",
    "html": "HTML",
    "javascript": "JavaScript",
    "json": "JSON",
    "php": "PHP",
    "tsx": "TypeScript",
    "typescript": "TypeScript",
    "yaml": "YAML",
}
"""Languages whose name is not their id with a capital."""

_DATA = LazyRegex(r"(?i)\.(?:json|jsonl|ndjson|csv|tsv|txt|lock)$|(?:^|/)(?:go\.sum|pnpm-lock\.yaml)$")
_DOCKERFILE = LazyRegex(r"(?i)(?:^|[/._-])(?:Docker|Container)file(?:\.[^/]*)?$")
_CODE = LazyRegex(r"(?:^|/)CMakeLists\.txt$")


def reach_of(
    pull_request: PullRequest, examination: Examination, rules: Sequence[Rule], paths: Sequence[str] = ()
) -> Reach:
    """Return how much of a change the rules can judge; with ``paths`` only of what lies at or below one of them.

    A rule is for a language if it names languages, path patterns or a part of the repository that is Python; rules for
    any text, such as those on secrets and hidden characters, make no file one with rules, and count where there are
    others. Data formats need no rules of their own. A rule that failed or lacked what it needs did not run.
    """
    seen = examination
    left_out = {*seen.ignored, *(each.path for each in seen.left_out), *(each.path for each in seen.left_out)}
    left_out |= {*(each.path for each in seen.no_text), *(each.path for each in seen.unreviewed)}
    stopped = {*(each.rule for each in seen.not_run), *(each.rule for each in seen.failures)}
    ran = [rule for rule in rules if rule.id not in stopped and not rule.is_about_all]
    specific = [rule for rule in ran if _is_specific(rule)]
    with_rules: dict[str, list[str]] = {}
    without: list[FileWithoutRules] = []
    data: list[str] = []
    for file in pull_request.files:
        if file.path in left_out or file.kind != "text":
            continue
        if paths and file.path not in paths and not file.path.startswith(tuple(f"{path}/" for path in paths)):
            continue
        language = language_name(file.path)
        if any(in_scope(rule, file.path) for rule in specific):
            with_rules.setdefault(language, []).append(file.path)
        elif _DATA.search(file.path) and not _CODE.search(file.path):
            data.append(file.path)
        else:
            without.append(FileWithoutRules(file.path, language))
    languages = [
        LanguageReach(language, len(paths), sum(any(in_scope(rule, path) for path in paths) for rule in ran))
        for language, paths in with_rules.items()
    ]
    return Reach(
        tuple(sorted(languages, key=lambda each: (-each.files, each.language))),
        tuple(sorted(without)),
        tuple(sorted(data)),
    )


def _is_specific(rule: Rule) -> bool:
    if rule.languages or rule.scope != "any":
        return True
    return bool(rule.files) and not rule.id.startswith("style/")  # such as that a file ends with a newline


def language_name(path: str) -> str:
    """Return the name of a file's language as people write it, ``other`` if neither name nor suffix is known."""
    if _DOCKERFILE.search(path):
        return DOCKERFILE
    if path.endswith(".toml"):
        return "TOML"
    language = language_of(path)
    return OTHER_LANGUAGE if language is None else _NAMES.get(language, language.capitalize())
