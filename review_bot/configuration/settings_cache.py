"""A cache of validated configurations between runs.

To validate a configuration takes longer than to review a small change, so a local review keeps the result in the user's
cache folder (``files/cache_folder.py``), by the digest of its text and of the code that read it.
"""

import json
import os
import sys
from hashlib import sha256
from typing import Any

from review_bot.configuration.settings import Settings
from review_bot.files import cache_folder
from review_bot.files.cache_folder import CacheFolder
from review_bot.files.stamp import stamp_of
from review_bot.processes import typed_json
from review_bot.rules.review_topics import CardEntry
from review_bot.setting import Setting
from review_bot.version import VERSION

MOST_KEPT = 50
"""Files in the cache folder; older ones are removed."""

LARGEST = 1_000_000
"""Bytes of a file that is still read."""

_PREFIX = "settings-"
_FILES = os.path.dirname(cache_folder.__file__)


def recall(text: str, folder: CacheFolder) -> Settings | None:
    """Return what a configuration's text was read as before, or None if that is not known for certain."""
    content = folder.read(_name(text), LARGEST)
    if content is None:
        return None
    try:
        settings: Settings = typed_json.decode(Settings, json.loads(content))
    except (ValueError, typed_json.Mismatch):
        return None
    return settings


def keep(text: str, settings: Settings, folder: CacheFolder) -> None:
    """Keep what a configuration's text was read as, if that can be done."""
    folder.write(_name(text), typed_json.encode(settings).encode())
    folder.trim(_PREFIX, most_files=MOST_KEPT, most_bytes=MOST_KEPT * LARGEST)


def _name(text: str) -> str:
    """Return the file name for a text: it changes with the code that declares and reads settings."""
    modules = {Setting.__module__, CardEntry.__module__, *_modules(Settings())}
    readers = {os.path.join(os.path.dirname(__file__), "config_file.py"), os.path.join(_FILES, "yaml_file.py")}
    paths = {*readers, *(sys.modules[each].__file__ or "" for each in modules)}
    key = f"{VERSION} {stamp_of(*sorted(paths))}\0{text}"
    return f"{_PREFIX}{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json"


def _modules(record: Any) -> set[str]:
    """Return the modules that declare a record and those within it."""
    inner = (each for each in record if hasattr(each, "_fields"))
    return {type(record).__module__, *(module for each in inner for module in _modules(each))}
