"""Where documents, navigation files, scripts, workflows and strings of code name a path of the repository.

::

    README.md                  ``docs/serve.md`` from the root, ``[serve](docs/serve.md)`` from its own folder
    docs/.nav.yml              ``serve.md``: from the folder of the documents
    docs/_toctree.yml          ``local: serve``: without its suffix
    .github/workflows/a.yml    ``pytest tests/test_serve.py``
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from review_bot.changes.codebase import Snapshot
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_document, is_history, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_NAMES_PATHS = LazyRegex(
    r"(?i)\.(?:md|mdx|markdown|rst|sh|bash|py)$|^\.github/workflows/[^/]+\.ya?ml$|^\.buildkite/.*\.ya?ml$"
    r"|(?:^|/)(?:mkdocs\.ya?ml|\.nav\.yml|_toctree\.yml|codeowners|makefile|manifest\.in)$"
)
_NAVIGATION = LazyRegex(r"(?:^|/)(?:mkdocs\.ya?ml|\.nav\.yml|_toctree\.yml)$")
_PAGE = LazyRegex(r"\.(?:md|mdx|rst|ipynb)$")
_ASIDE = LazyRegex(r"(?i)changelog|release[-_]?notes|(?:^|/)(?:releases?|plans?|history)/")
_PAST_OR_MADE = LazyRegex(
    r"(?i)\b(?:remov|delet|renam|moved?\b|former|previous|deprecat|no longer|used to|replac|legacy|generat|creat"
    r"|download|cp|mv|wget|curl|touch|tee|save|writ|adapted|copied|taken|ported|based on)|[\x22']w[bt]?[\x22']|--output|(?:^|\s)-o\s|>\s*[^\s>]+$|https?://"
)
"""Words of a line about an earlier place of the file, or of one that makes the file."""
_FETCHES = LazyRegex(r"git clone|\brepository:")
_GOES_ON = LazyRegex(r"[\w/-]|\.\w")
_COMMENT = LazyRegex(r"\s*#")


class Mention(NamedTuple):
    """A line, 1-based, of ``file`` that names ``path``."""

    file: str
    line: int
    path: str


def path_mentions(side: Snapshot, paths: Collection[str]) -> Iterator[Mention]:
    """Yield each line of the side that names one of some paths, unless it says that the path is gone or made there."""
    ignored = ignored_by_git(side)
    wanted = [path for path in sorted(paths) if "/" in path and path.rpartition("/")[2] not in ignored]
    for file in sorted(side.paths) if wanted else ():
        if not _NAMES_PATHS.search(file) or _ASIDE.search(file) or is_history(file) or is_vendored(file):
            continue
        text = side.text(file) or ""
        if _FETCHES.search(text) and not is_document(file):
            continue  # a path may be one of the other repository
        for path in wanted:
            held = [written for written in _written(file, path) if written in text]
            if not held or any(f"{folder}/{path}" in side.paths for folder in folders_around(file)):
                continue  # the file of this name in the project of that folder
            for written in held:
                yield from _lines(file, text, written, path)


def folders_around(file: str) -> Iterator[str]:
    """Yield the folders that a file is in, the nearest first, without the root."""
    folder = file.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def ignored_by_git(side: Snapshot) -> str:
    """Return the text of every ``.gitignore`` of a side: a file that it names may be one that a build makes."""
    return "\n".join(side.text(path) or "" for path in side.paths if path.endswith(".gitignore"))


def _written(file: str, path: str) -> list[str]:
    """Return how a file may write a path: from the root, and from where its links and entries start."""
    home = file.rpartition("/")[0]
    if file.endswith(("mkdocs.yml", "mkdocs.yaml")):
        home = f"{home}/docs".lstrip("/")
    found = [path]
    if home and path.startswith(f"{home}/") and (_NAVIGATION.search(file) or is_document(file)):
        near = path.removeprefix(f"{home}/")
        found.append(_PAGE.sub("", near) if file.endswith("_toctree.yml") else near)
    return found


def _lines(file: str, text: str, written: str, path: str) -> Iterator[Mention]:
    """Yield the lines that hold a path as a whole, in the place of a link or an entry if it is a relative one."""
    in_code = not is_document(file)
    near = written != path
    for number, line in enumerate(text.split("\n"), 1):
        at = line.find(written)
        while at >= 0:
            before, after = line[:at].removesuffix("./"), line[at + len(written) :]
            if _is_whole(before, after) and (not near or _is_place(file, before, after)):
                leads = not in_code and before.endswith("](")  # a link is broken whatever the line says
                past = not leads and _PAST_OR_MADE.search(line.replace(written, "")) is not None
                if not past and not (in_code and _COMMENT.match(line)):
                    yield Mention(file, number, path)
                break
            at = line.find(written, at + 1)


def _is_whole(before: str, after: str) -> bool:
    """Return whether a path neither begins nor ends within a longer one."""
    begins = not before or not (before[-1].isalnum() or before[-1] in "_-./")
    return begins and _GOES_ON.match(after) is None


def _is_place(file: str, before: str, after: str) -> bool:
    """Return whether a relative path is the target of a link, or a whole entry of a navigation file."""
    if _NAVIGATION.search(file):
        return before.rstrip()[-1:] in {":", "-", '"', "'"} and not after.strip(" \"'")
    return before.endswith("](") and after[:1] in {")", "#", " "}
