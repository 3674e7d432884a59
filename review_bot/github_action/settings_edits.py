"""A change to the configuration, rules, contracts or baseline: what the next run would make of the new version.

::

    files of the base × change ── after ──▶ files as they are after the merge
    both ── ask ──▶ Edit     in a process of its own, since the new version is hostile

A version that the next run could not use is an error of this change: after the merge every pull request would fail.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname
from typing import Any

from review_bot.changes.pull_request import ChangedFile
from review_bot.checks import catalog
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATHS, OWN_FOLDERS
from review_bot.findings import Examination, Finding
from review_bot.fingerprints import fingerprint
from review_bot.forges.settings_files import Files, SettingsFile
from review_bot.pipeline import Examine
from review_bot.processes.confined_process import Unanswered, ask, printable
from review_bot.records import NamedTuple

RULE = "settings/invalid"
PAGE = "https://github.com/review-bot/review-bot/blob/main/docs/configuration.md"
COMMAND = (sys.executable, "-I", "-m", "review_bot.github_action.settings_worker")

SECONDS = 30.0
"""For both versions."""

LARGEST_ANSWER = 1024 * 1024
"""Bytes."""

MOST_WEAKER = 12
"""Ways in which an edit is weaker that are named."""

_IS_FOLDER = "it is a folder; make it a file"
_ABOVE = (dirname(dirname(OWN_FOLDERS[0])), dirname(OWN_FOLDERS[0]))
_WORDS = {"symlink": "symbolic link", "submodule": "submodule"}


class Mistake(NamedTuple):
    """Why the next run could not use a file."""

    path: str
    line: int | None
    message: str


class Edit(NamedTuple):
    """What an edit of the files ``changed`` comes to. ``weaker``: what the gate no longer asks for, in sentences."""

    changed: tuple[ChangedFile, ...] = ()
    mistake: Mistake | None = None
    weaker: tuple[str, ...] = ()


def named(config: str | None) -> tuple[str, ...]:
    """Return the files that say how to review, besides rules and contracts. ``config``: where the configuration is."""
    return (*((config,) if config is not None else CONFIG_PATHS), BASELINE_PATH)


def edited(files: Iterable[ChangedFile], config: str | None) -> list[ChangedFile]:
    """Return the changed files that configure the next run."""
    return [file for file in files if paths_of([file], config)]


def paths_of(files: Iterable[ChangedFile], config: str | None) -> list[str]:
    """Return the names, old and new ones, under which the next run would look for how to review; sorted."""
    places = (*named(config), *OWN_FOLDERS)
    names = {name for file in files for name in (file.path, file.base_path)}
    return sorted(
        name for name in names if name in _ABOVE or any(name == each or name.startswith(f"{each}/") for each in places)
    )


def after(
    before: Files, changed: Sequence[ChangedFile], contents: Files, config: str | None
) -> dict[str, SettingsFile]:
    """Return the files as they are once the change is merged. ``contents``: those of ``changed`` at the head."""
    files = dict(before)
    for file in changed:
        if file.status in {"deleted", "renamed"}:
            files.pop(file.base_path, None)
    for file in changed:
        if file.status == "deleted":
            continue
        lacking = SettingsFile(b"", "it could not be fetched")
        for path in named(config):
            if file.path == path:
                files[path] = contents.get(path, lacking)
            elif file.path.startswith(f"{path}/"):
                files[path] = SettingsFile(b"", _IS_FOLDER)
        for folder in OWN_FOLDERS:
            if file.path in {*_ABOVE, folder}:
                files[folder] = SettingsFile(b"", f"it is a {_WORDS.get(file.kind, 'file')}; make it a folder")
            elif file.path.startswith(f"{folder}/") and file.path.endswith((".yml", ".yaml")):
                files[file.path] = contents.get(file.path, lacking)
    return files


def compare(
    before: Files,
    now: Files,
    config: str | None,
    changed: Sequence[ChangedFile],
    *,
    command: Sequence[str] = COMMAND,
    seconds: float = SECONDS,
) -> Edit:
    """Return what the next run would make of an edit, found out in a process of its own."""
    request = {"config": config, "before": _written(before, config), "after": _written(now, config)}
    where = next((path for path in named(config) if path in now), BASELINE_PATH)
    files = tuple(changed)
    try:
        answer = ask(
            (*command, *_checks_in(before, now)), json.dumps(request).encode(), seconds=seconds, largest=LARGEST_ANSWER
        )
        return _believed(json.loads(answer), {*now, *named(config)})._replace(changed=files)
    except Unanswered as error:
        return Edit(files, Mistake(where, None, f"the new version could not be checked: {error}"))
    except (ValueError, TypeError, KeyError, RecursionError):
        return Edit(files, Mistake(where, None, "the new version could not be checked: its process ended early"))


def _checks_in(*versions: Files) -> list[str]:
    """Return the checks that files may name: those that the process needs, which can import none once it reads them."""
    text = "\n".join(file.data.decode("utf-8", "replace") for files in versions for file in files.values())
    return [name for name in catalog.names() if name in text]


def examine_with(examine: Examine, edit: Edit) -> Examine:
    """Return what examines a change and adds the finding for a mistake."""
    mistake = edit.mistake
    if mistake is None:
        return examine

    def examine_both(request: ExaminationRequest, /, **options: Any) -> Examination:
        seen = examine(request, **options)
        findings = [*seen.findings, _finding(mistake, edit.changed)]
        return seen._replace(findings=tuple(sorted(findings, key=lambda each: (each.path or "", each.line or 0))))

    return examine_both


def _finding(mistake: Mistake, changed: Sequence[ChangedFile]) -> Finding:
    """Return the finding on the line, or on the edited file if the mistake shows in one that the change leaves."""
    at = next((file for file in changed if f"{mistake.path}/".startswith(f"{file.path}/")), None)
    line, message = mistake.line, mistake.message
    if at is None or at.status == "deleted":
        where = mistake.path + (f":{line}" if line is not None else "")
        at, line, message = at or changed[0], None, f"{where}: {message}"
    inline = line is not None and at.commentable(line)
    return Finding(
        rule=RULE,
        title="Configuration that the next run cannot use",
        severity="error",
        confidence="high",
        aspect="Code Quality",
        path=at.path,
        line=line,
        end_line=line,
        column=None,
        end_column=None,
        side="RIGHT",
        placement="inline" if inline else "summary",
        moved=False,
        message=message if message.endswith((".", "!", "?")) else f"{message}.",
        why="After the merge every pull request would fail with this error.",
        instead="Fix it in this change; `review-bot config check` and `review-bot rules test` check it locally.",
        effort_minutes=5,
        fingerprint=fingerprint(RULE, message, at.base_path, 0),
        url=f"{PAGE}#when-a-change-edits-it",
    )


def _written(files: Files, config: str | None) -> dict[str, list[str | None]]:
    """Return the files that a run reads as JSON takes them."""
    below = tuple(f"{folder}/" for folder in OWN_FOLDERS)
    wanted = {path for path in files if path in {*named(config), *OWN_FOLDERS} or path.startswith(below)}
    return {path: [base64.b64encode(files[path].data).decode(), files[path].problem] for path in sorted(wanted)}


def files_of(written: Mapping[str, Any]) -> dict[str, SettingsFile]:
    """Return the files that ``compare`` sends."""
    return {path: SettingsFile(base64.b64decode(data), problem) for path, (data, problem) in written.items()}


def _believed(answer: Any, paths: set[str]) -> Edit:
    """Return what a process answered, if it can be. Raises Unanswered, ValueError, TypeError, KeyError."""
    if "refused" in answer:
        raise Unanswered(_plain(answer["refused"]))
    mistake = None
    if answer["mistake"] is not None:
        path, line, message = answer["mistake"]
        if path not in paths and path not in OWN_FOLDERS:
            raise ValueError("an unknown path")
        if line is not None and (type(line) is not int or line < 1):
            raise ValueError("no line")
        mistake = Mistake(path, line, _plain(message))
    return Edit(mistake=mistake, weaker=tuple(_plain(each) for each in answer["weaker"][:MOST_WEAKER]))


def _plain(text: Any) -> str:
    if type(text) is not str:
        raise TypeError
    return printable(text)
