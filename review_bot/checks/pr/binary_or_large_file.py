"""A binary file that the change adds, and whose name suggests weights, an archive, a video or a build product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_HEAVY = LazyRegex(
    r"(?i)\.(?:(?P<weights>safetensors|ckpt|pth?|onnx|gguf)|(?P<data>npz|h5|bin)|(?P<archive>tar|tgz|gz|zip|whl)"
    r"|(?P<product>so|dylib|dll|exe|cubin|fatbin)|(?P<video>mp4|mov|avi|mkv))$"
)
_A_HABIT = 10
_OF_ITS_FOLDER = 2
"""Files of one kind from which on the folder above a file, or its own, is their place."""
_WORDS = {
    "weights": "contains model weights",
    "data": "contains weights or other data",
    "archive": "is an archive",
    "product": "is a build product",
    "video": "is a video",
}


def gather(source: SourceFile) -> str | None:
    """Return what a new binary file holds, as far as its name shows. Pointers of Git LFS are no binaries."""
    if source.change.kind != "binary" or source.change.status not in {"added", "copied"}:
        return None
    match = _HEAVY.search(source.path)
    return None if match is None else _WORDS[str(match.lastgroup)]


def relate(facts: Mapping[str, str], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit about each file, unless its folder, or the one above that, is where the base keeps such files."""
    for path, what in sorted(facts.items()):
        suffix = path[path.rfind(".") :]
        own = path.rpartition("/")[0]
        homes = ((own, _OF_ITS_FOLDER), (own.rpartition("/")[0], _A_HABIT))
        if codebase.available and any(_keeps(home, suffix, count, codebase) for home, count in homes if home):
            continue
        yield Hit(None, values={"what": what}, path=path, statement="")


def _keeps(folder: str, suffix: str, count: int, codebase: Codebase) -> bool:
    """Return whether the base has so many files of a kind below a folder."""
    kept = (each for each in codebase.base.paths if each.startswith(f"{folder}/") and each.endswith(suffix))
    return len([*islice(kept, count)]) == count


CHECK = change_check(
    gather,
    relate,
    CheckTraits(literals=None, reads_text=False, new_names=True, works_without_tree=True, on_lines=False),
)
