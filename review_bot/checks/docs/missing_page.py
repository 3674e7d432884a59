"""An entry of a navigation file that names a page which is not in the folder of the documents.

::

    docs/.nav.yml              - Serve: guide/serve.md        docs/guide/serve.md
    docs/en/_toctree.yml       local: quantize                docs/en/quantize.md
    mkdocs.yml                 - guide/serve.md               docs/guide/serve.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename, normpath, splitext

from review_bot.analysis.project.path_mentions import ignored_by_git
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_PATH = LazyRegex(r"[\w./-]+")
_PAGES = (".md", ".mdx", ".ipynb", ".rst")
_MAKES_PAGES = LazyRegex(
    r"(?m)^(?:hooks|docs_dir|INHERIT)\s*:|gen-files|gen_files|monorepo|multirepo|macros|docs_structure"
)
"""What a ``mkdocs.yml`` says that reads its pages from somewhere else, or makes some."""
_SETTINGS = LazyRegex(r"(?:^|/)mkdocs\.ya?ml$")
_MADE = LazyRegex(r"(?:^|/)(?:_?api|reference|generated|autoapi)(?:/|$)")
_ALIKE = 0.85
_NAMES_ALIKE = 0.6


class Entry(NamedTuple):
    """An entry on an added line (1-based, as the column): the place of its page, and how it is written."""

    line: int
    column: int
    place: str
    written: str


def gather(source: SourceFile) -> tuple[Entry, ...] | None:
    """Return the entries on added lines of one navigation file."""
    folder, _, name = source.path.rpartition("/")
    if name.startswith("mkdocs."):
        folder = f"{folder}/docs".lstrip("/")
    found: list[Entry] = []
    for number, line in sorted(source.added.items()):
        page = _page(line, is_toctree=name == "_toctree.yml")
        if page:
            place = normpath(f"{folder}/{page}").lstrip("/")
            found.append(Entry(number, line.rindex(page) + 1, place, page))
    return tuple(found) or None


def _page(line: str, *, is_toctree: bool) -> str:
    """Return the relative path of the page that an entry names; empty if it names none."""
    entry = line.partition(" #")[0].strip()
    listed = entry.startswith("- ")
    key, colon, value = entry.removeprefix("- ").rpartition(":")
    if is_toctree and key.strip() != "local":
        return ""
    page = value.strip().strip("\"'")
    wanted = is_toctree or (listed and page.endswith(".md") and (not colon or value.startswith(" ")))
    return page if wanted and _PATH.fullmatch(page) and not page.startswith("/") else ""


def relate(facts: Mapping[str, tuple[Entry, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each entry whose page the head does not hold, where most entries of the file lead to pages."""
    paths = codebase.head.paths
    makes_pages = any(_MAKES_PAGES.search(codebase.head.text(each) or "") for each in paths if _SETTINGS.search(each))
    for path, entries in () if makes_pages else sorted(facts.items()):
        missing = [each for each in entries if not _exists(each.place, paths)]
        text = codebase.head.text(path) or ""
        if (
            not missing
            or _ignored(missing, codebase)
            or 2 * len(missing) > max(2, text.count(".md") + text.count("local:"))
        ):
            continue  # a build makes the pages
        notebooks = {each.rpartition("/")[2].removesuffix(".ipynb") for each in paths if each.endswith(".ipynb")}
        pages = NearNames((each for each in paths if each.endswith(_PAGES)), _ALIKE)
        for each in missing:
            # A build makes pages of notebooks too.
            if not _MADE.search(each.place) and each.place.rpartition("/")[2] not in notebooks:
                near = pages.nearest(each.place)
                meant = f"; the closest one is `{near}`" if near and _is_meant(near, each.place) else ""
                values = {"page": each.place, "meant": meant}
                yield Hit(each.line, column=each.column, values=values, path=path)


def _is_meant(page: str, place: str) -> bool:
    """Return whether the names of two pages are alike, not their folders alone."""
    one, other = (splitext(basename(each))[0] for each in (page, place))
    return bool(NearNames([one], _NAMES_ALIKE).nearest(other))


def _exists(place: str, paths: frozenset[str]) -> bool:
    return place in paths or any(f"{place}{end}" in paths for end in _PAGES)


def _ignored(missing: list[Entry], codebase: Codebase) -> bool:
    """Return whether git ignores a page, as it does what a build makes."""
    ignored = ignored_by_git(codebase.head)
    return any(each.written.rpartition("/")[2] in ignored for each in missing)


CHECK = change_check(gather, relate, CheckTraits(literals=("md", "local")))
