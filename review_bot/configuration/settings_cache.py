"""A configuration, read: what ``config.py`` makes of a file, and a memory of it between runs.

To check a configuration takes longer than to review a small change, so the result is kept in the user's cache folder
(``$XDG_CACHE_HOME/review-bot``, else ``~/.cache/review-bot``), by the digest of its text and of the code that read it.
The memory is never in the way: what cannot be written is not kept, and what is damaged, or could have been written by
another user, is not believed. On a CI machine (``CI`` is set) it is not used at all, since steps share a home there.
"""

import json
import os
import stat
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from review_bot.findings import SEVERITIES
from review_bot.review.policy import FAIL_ON, Allowance, FailOn, OnIncomplete, Suppressions
from review_bot.review.presentation import SECTIONS, Presentation, SectionName
from review_bot.rules.rulebook import RuleSetting, Selection
from review_bot.version import VERSION

MOST_KEPT = 50
"""Files in the cache folder; older ones are removed."""

LARGEST = 1_000_000
"""Bytes of a file that is still read."""


class Settings(NamedTuple):
    """A configuration, read. Values that the file does not set are None."""

    selection: Selection
    fail_on: FailOn | None
    on_incomplete: OnIncomplete | None
    unreviewed_ok: tuple[Allowance, ...]
    suppressions: Suppressions | None
    scorecard: bool | None
    presentation: Presentation | None
    own_policy: tuple[str, ...]
    digest: str


def recall(text: str, environment: Mapping[str, str] = os.environ) -> Settings | None:
    """Return what a configuration's text was read as before, or None if that is not known for certain."""
    folder = _folder(environment)
    if folder is None:
        return None
    try:
        if not _is_ours(os.lstat(folder), stat.S_ISDIR):
            return None
        descriptor = os.open(os.path.join(folder, _name(text)), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with open(descriptor, "rb") as stream:
            if not _is_ours(os.fstat(descriptor), stat.S_ISREG):
                return None
            check, _, payload = stream.read(LARGEST).partition(b"\n")
        if check.decode("ascii") != sha256(payload).hexdigest():
            return None
        return _from_data(json.loads(payload))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def keep(text: str, settings: Settings, environment: Mapping[str, str] = os.environ) -> None:
    """Keep what a configuration's text was read as, if that can be done."""
    folder = _folder(environment)
    if folder is None:
        return
    payload = json.dumps(_to_data(settings)).encode()
    temporary = os.path.join(folder, f"{_name(text)}.{os.getpid()}.tmp")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not _is_ours(os.lstat(folder), stat.S_ISDIR):
            return
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(temporary, os.path.join(folder, _name(text)))
        _forget_the_oldest(folder)
    except OSError:
        return


def _folder(environment: Mapping[str, str]) -> str | None:
    if environment.get("CI"):
        return None
    cache = environment.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        home = environment.get("HOME", "")
        if not os.path.isabs(home):
            return None
        cache = os.path.join(home, ".cache")
    return os.path.join(cache, "review-bot")


def _name(text: str) -> str:
    """Return the file name for a text: it changes with the code that reads configurations."""
    status = os.stat(os.path.join(os.path.dirname(__file__), "config_file.py"))
    key = f"{VERSION} {status.st_size} {status.st_mtime_ns}\0{text}"
    return f"settings-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json"


def _is_ours(status: os.stat_result, is_kind: Any) -> bool:
    """Tell whether a file or folder is of the kind that it should be, and nobody else can write to it."""
    others = stat.S_IWGRP | stat.S_IWOTH
    return is_kind(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & others


def _forget_the_oldest(folder: str) -> None:
    with os.scandir(folder) as entries:
        kept = sorted((e.stat().st_mtime_ns, e.path) for e in entries if e.name.startswith("settings-"))
    for _, path in kept[:-MOST_KEPT]:
        os.unlink(path)


def _to_data(settings: Settings) -> dict[str, Any]:
    return {
        "families": settings.selection.families,
        "settings": settings.selection.settings,
        "ignored_paths": settings.selection.ignored_paths,
        "fail_on": settings.fail_on,
        "on_incomplete": settings.on_incomplete,
        "unreviewed_ok": settings.unreviewed_ok,
        "suppressions": settings.suppressions,
        "scorecard": settings.scorecard,
        "presentation": settings.presentation,
        "own_policy": settings.own_policy,
        "digest": settings.digest,
    }


def _from_data(data: Any) -> Settings:
    """Rebuild the settings. Raises ValueError, TypeError or KeyError for anything that ``_to_data`` does not write."""
    if data["fail_on"] not in {None, *FAIL_ON} or data["on_incomplete"] not in {None, "fail", "warn"}:
        raise ValueError("an unknown setting")
    if data["suppressions"] not in {None, "head", "base"}:
        raise ValueError("an unknown setting of suppressions")
    if data["scorecard"] not in {None, True, False}:
        raise ValueError("an unknown setting of the scorecard")
    return Settings(
        selection=Selection(
            _texts(data["families"]), tuple(map(_setting, data["settings"])), _texts(data["ignored_paths"])
        ),
        fail_on=data["fail_on"],
        on_incomplete=data["on_incomplete"],
        unreviewed_ok=tuple(_allowance(*entry) for entry in data["unreviewed_ok"]),
        suppressions=data["suppressions"],
        scorecard=data["scorecard"],
        presentation=None if data["presentation"] is None else _presentation(*data["presentation"]),
        own_policy=_texts(data["own_policy"]),
        digest=_text(data["digest"]),
    )


def _setting(fields: Any) -> RuleSetting:
    pattern, enabled, severity, files, ignores = fields
    if enabled not in {None, True, False} or severity not in {None, *SEVERITIES}:
        raise ValueError("an unknown setting of a rule")
    return RuleSetting(_text(pattern), enabled, severity, _texts(files), _texts(ignores))


def _allowance(path: Any, reason: Any, max_bytes: Any) -> Allowance:
    if not isinstance(max_bytes, int | None):
        raise TypeError("bytes are a number")
    return Allowance(_text(path), _text(reason), max_bytes)


def _presentation(sections: Any, intro: Any, outro: Any) -> Presentation:
    known: dict[str, SectionName] = {name: name for name in SECTIONS}
    return Presentation(tuple(known[_text(name)] for name in sections), _text(intro), _text(outro))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)
