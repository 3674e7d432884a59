"""Runs a rule against its own examples: each bad one must make it fire, each good one must not.

An example is one of:

- the text of a new file (at a path that fits the rule's scope and language)
- a small diff, when it begins with ``diff --git`` or ``---``
- ``{path, code}``: a new file of that name
- ``{base: {path: text}, head: {path: text}}``: the tree before, and what the change writes (null: deletes); with
  ``title``, ``body`` and ``commits`` (messages), the pull request has these
- ``{title: text}``, ``{body: text}`` or ``{commits: [text]}``: these alone

A text may be ``{first: text, line: text, times: number}`` too: ``first``, then ``line`` over and over.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from review_bot.changes import patching, unified_diff
from review_bot.changes.pull_request import ChangedFile, CommitMessage, PullRequest
from review_bot.changes.repository import Repository
from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.rules.rule import Rule
from review_bot.rules.scope import in_scope

ExamineCase = Callable[[Rule, "Case"], tuple[list[Finding], str | None]]
"""Runs one rule over a case; returns its findings and, if it could not run, why."""

_SAMPLE_NAMES = {"python": "package/module.py", "yaml": "package/settings.yaml", "bash": "package/start.sh"}
MOST_LINES = 3
"""Lines of an example that name it."""

_DIFF_STARTS = ("diff --git ", "--- ")


class Case(NamedTuple):
    """An example as a change: the pull request, both texts of each file by index, and the tree."""

    pull_request: PullRequest
    new: Mapping[int, str | None]
    old: Mapping[int, str | None]
    repository: Repository


class Outcome(NamedTuple):
    """How one example went; ``problem`` is None if it went as it should.

    ``suggests``: a finding has a suggestion. ``start``: the first lines of the example.
    """

    name: str
    problem: str | None
    suggests: bool = False
    start: tuple[str, ...] = ()


def run_examples(rule: Rule, bad: list[Any], good: list[Any], examine: ExamineCase) -> Iterator[Outcome]:
    """Yield an outcome for each example, named ``<rule-id>-bad-1``."""
    for kind, examples in (("bad", bad), ("good", good)):
        for number, example in enumerate(examples, 1):
            outcome = _run(rule, example, examine, is_bad=kind == "bad")
            yield outcome._replace(name=f"{rule.id}-{kind}-{number}", start=first_lines(example))


def _run(rule: Rule, example: Any, examine: ExamineCase, *, is_bad: bool) -> Outcome:
    """Return how one example goes, without its name."""
    try:
        case = make_case(rule, example)
        findings, trouble = examine(rule, case._replace(repository=_asked_for(rule, case.repository)))
    except Exception as error:  # noqa: BLE001  # any fault of the example is the result
        return Outcome("", f"cannot run: {type(error).__name__}: {error}")
    if trouble:
        return Outcome("", trouble)
    if not findings and (path := _missed_path(rule, example)):
        return Outcome(
            "",
            f"the rule does not look at {path!r}, where an example without a path is; write it as "
            "{path: ..., code: ...} with a path that `files` and `ignores` let in",
        )
    if is_bad and not findings:
        return Outcome("", "the rule does not fire on it")
    if not is_bad and findings:
        first = findings[0]
        return Outcome("", f"the rule fires on line {first.line}: {first.message}")
    return Outcome("", None, any(finding.suggestion is not None for finding in findings))


def first_lines(example: Any, most: int = MOST_LINES) -> tuple[str, ...]:
    """Return the first lines of an example that are not empty; of a tree, the path of each file before its text."""
    lines: list[str] = []
    if isinstance(example, Mapping):
        code = {example.get("path", ""): example["code"]} if "code" in example else {}
        for path, text in {**code, **(example.get("head") or {})}.items():
            first = text.get("first", "") if isinstance(text, Mapping) else text
            lines += [f"{path}:"] * bool(path) + str("(deleted)" if first is None else first).split("\n")
        lines += [f"{key}: {example[key]}" for key in _WRITTEN if key in example]
    else:
        lines = str(example).split("\n")
    filled = [line.rstrip() for line in "\n".join(lines).split("\n") if line.strip()]
    return (*filled[:most], *["..."] * (len(filled) > most))


def _asked_for(rule: Rule, repository: Repository) -> Repository:
    """Return what a review with this rule alone knows of the tree: what the rule ``needs``, and no more."""
    return repository._replace(texts_available="text" in rule.needs) if rule.needs else Repository()


def _missed_path(rule: Rule, example: Any) -> str:
    """Return the path of an example that names none, if the rule does not look at it; else an empty text."""
    names_none = isinstance(example, str) and not example.startswith(_DIFF_STARTS)
    names_none = names_none or (isinstance(example, Mapping) and "code" in example and not example.get("path"))
    path = sample_path(rule)
    return path if names_none and not rule.is_about_all and not in_scope(rule, path) else ""


def make_case(rule: Rule, example: Any) -> Case:
    """Turn an example into a change. Raises ValueError if it is not one of the four forms."""
    if isinstance(example, str):
        if example.startswith(_DIFF_STARTS):
            return _from_diff(example)
        return _from_trees({}, {sample_path(rule): example})
    if not isinstance(example, Mapping):
        raise ValueError("an example is text or a mapping")  # noqa: TRY004  # the caller reports any of our errors alike
    if set(example) <= {"path", "code"} and "code" in example:
        return _from_trees({}, {str(example.get("path") or sample_path(rule)): str(example["code"])})
    if set(example) <= {"base", "head", *_WRITTEN} and set(example) & {"head", *_WRITTEN}:
        case = _from_trees(texts_of(example.get("base") or {}), texts_of(example.get("head") or {}))
        return case._replace(pull_request=_described(case.pull_request, example))
    raise ValueError(
        f"an example has {{path, code}}, {{base, head}}, or title, body and commits, not {{{', '.join(example)}}}"
    )


_WRITTEN = ("title", "body", "commits")


def _described(change: PullRequest, example: Mapping[str, Any]) -> PullRequest:
    """Return the change of an example with what people wrote about it; one with a description has a title."""
    title, body, messages = (example.get(key) for key in _WRITTEN)
    if body is not None and title is None:
        title = "A change"
    commits = messages and tuple(CommitMessage(f"{number:040x}", text) for number, text in enumerate(messages, 1))
    return change._replace(title=title, body=body, commits=commits)


def texts_of(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole texts of an example's tree by path; None for a file that is deleted."""
    return {
        path: f"{text.get('first', '')}{text['line'] * text['times']}" if isinstance(text, Mapping) else text
        for path, text in tree.items()
    }


def sample_path(rule: Rule) -> str:
    """Return a path that fits a rule's scope and language."""
    if rule.scope == "tests":
        return "tests/test_module.py"
    if rule.languages and rule.languages[0] in _SAMPLE_NAMES:
        return _SAMPLE_NAMES[rule.languages[0]]
    if rule.scope in {"library", "all"} or not rule.languages:
        return "package/module.py"
    from review_bot.rules.scope import LANGUAGE_SUFFIXES

    return "package/module" + LANGUAGE_SUFFIXES[rule.languages[0]][0]


def _from_diff(text: str) -> Case:
    parsed = unified_diff.parse_diff(text)
    if parsed.unreviewed:
        raise ValueError(parsed.unreviewed[0].reason)
    new = {n: patching.apply("", f.hunks) if f.status == "added" else None for n, f in enumerate(parsed.files)}
    paths = frozenset(file.path for file in parsed.files if file.status != "deleted")
    old = frozenset(file.base_path for file in parsed.files if file.status != "added")
    return Case(PullRequest(parsed.files), new, {}, Repository(paths, old, available=True))


def _from_trees(base: Mapping[str, str], head: Mapping[str, str | None]) -> Case:
    after = {**base, **{path: text for path, text in head.items() if text is not None}}
    for path in [path for path, text in head.items() if text is None]:
        after.pop(path, None)
    files: list[ChangedFile] = []
    for path in sorted(head):
        before_text, after_text = base.get(path), after.get(path)
        if before_text == after_text:
            continue
        hunks = unified_diff.read_hunks(_diff(before_text or "", after_text or ""))
        added, removed = unified_diff.counts(hunks)
        files.append(
            ChangedFile(
                path=path,
                old_path=None if before_text is None else path,
                status="added" if before_text is None else "deleted" if after_text is None else "modified",
                kind="text",
                hunks=hunks,
                added=added,
                removed=removed,
                old_mode="000000" if before_text is None else "100644",
                new_mode="000000" if after_text is None else "100644",
            )
        )
    repository = Repository(frozenset(after), frozenset(base), after.get, base.get, available=True)
    return Case(
        PullRequest(tuple(files)),
        {number: after.get(file.path) for number, file in enumerate(files)},
        {number: base.get(file.path) for number, file in enumerate(files)},
        repository,
    )


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(patching.split_lines(before), patching.split_lines(after), "a", "b")
    ended = (line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in list(lines)[2:])
    return "".join(ended)
