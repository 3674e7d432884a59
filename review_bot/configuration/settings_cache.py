"""A cache of validated configurations between runs.

To validate a configuration takes longer than to review a small change, so the result is kept in the user's cache folder
(``$XDG_CACHE_HOME/review-bot``, else ``~/.cache/review-bot``), by the digest of its text and of the code that read it.
What cannot be written is not kept, and what is damaged, or could have been written by another user, is ignored. On a CI
machine (``CI`` is set) the cache is off, since steps share a home there.
"""

import json
import os
import stat
import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from review_bot.configuration.settings import Settings
from review_bot.processes import typed_json
from review_bot.rules.review_topics import CardEntry
from review_bot.setting import Setting
from review_bot.version import VERSION

MOST_KEPT = 50
"""Files in the cache folder; older ones are removed."""

LARGEST = 1_000_000
"""Bytes of a file that is still read."""


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
        settings: Settings = typed_json.decode(Settings, json.loads(payload))
    except (OSError, ValueError, typed_json.Mismatch):
        return None
    return settings


def keep(text: str, settings: Settings, environment: Mapping[str, str] = os.environ) -> None:
    """Keep what a configuration's text was read as, if that can be done."""
    folder = _folder(environment)
    if folder is None:
        return
    payload = typed_json.encode(settings).encode()
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
    """Return the file name for a text: it changes with the code that declares and reads settings."""
    modules = {Setting.__module__, CardEntry.__module__, *_modules(Settings())}
    reader = os.path.join(os.path.dirname(__file__), "config_file.py")
    paths = {reader, *(sys.modules[each].__file__ or "" for each in modules)}
    stamps = [(os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in sorted(paths)]
    key = f"{VERSION} {stamps}\0{text}"
    return f"settings-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json"


def _modules(record: Any) -> set[str]:
    """Return the modules that declare a record and those within it."""
    inner = (each for each in record if hasattr(each, "_fields"))
    return {type(record).__module__, *(module for each in inner for module in _modules(each))}


def _is_ours(status: os.stat_result, is_kind: Any) -> bool:
    """Return whether a file or folder is of the kind that it should be, and no one else can write to it."""
    others = stat.S_IWGRP | stat.S_IWOTH
    return is_kind(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & others


def _forget_the_oldest(folder: str) -> None:
    with os.scandir(folder) as entries:
        kept = sorted((e.stat().st_mtime_ns, e.path) for e in entries if e.name.startswith("settings-"))
    for _, path in kept[:-MOST_KEPT]:
        os.unlink(path)
