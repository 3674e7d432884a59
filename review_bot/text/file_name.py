r"""File names that are not UTF-8, which git stores as bytes.

In this program such a byte is half a surrogate pair, as ``surrogateescape`` makes it (``\xe9`` is U+DCE9), so that
``os.fsencode`` and git get the name back as it is, and no two names become one. What leaves the program is text:

=========================================  =======================
terminal, log, Markdown, HTML, JSON        ``lat\xe9in.py``
SARIF and other addresses                  ``lat%E9in.py``
patches                                    ``"lat\351in.py"``
expressions of rules, and GitHub itself    ``lat�in.py``
=========================================  =======================
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

SHOWN_ALIKE = "in reports its name looks like the name of another file; rename one of them"

_FIRST, _LAST = 0xDC80, 0xDCFF
_MATCHED = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def matched(path: str) -> str:
    """Return a name as expressions see it, each byte that is not UTF-8 as U+FFFD; positions stay as they are."""
    return path if path.isascii() else path.translate(_MATCHED)


def shown(path: str) -> str:
    r"""Return a name as reports show it, each byte that is not UTF-8 as ``\xNN``."""
    if path.isascii():
        return path
    return "".join(f"\\x{ord(c) - 0xDC00:02x}" if _FIRST <= ord(c) <= _LAST else c for c in path)


@lru_cache(maxsize=4096)
def to_bytes(path: str) -> bytes:
    """Return the bytes of a name; half a pair that stands for no byte, which git never returns, is encoded as UTF-8."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def shown_alike(paths: Iterable[str]) -> Iterator[str]:
    """Yield each name that is not UTF-8 and looks in reports like another of these names."""
    names = set(paths)
    return (path for path in sorted(names) if not path.isascii() and shown(path) != path and shown(path) in names)
