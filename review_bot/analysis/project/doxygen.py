"""The documents that Doxygen makes pages of, which lead to other pages that it makes.

::

    INPUT                  = ../engine guide.md
    USE_MDFILE_AS_MAINPAGE = main_page.md

Source: https://www.doxygen.nl/manual/config.html
"""

from __future__ import annotations

from posixpath import basename, dirname, join, normpath

from review_bot.changes.codebase import Snapshot, query
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_SETTING = LazyRegex(r"(?m)^[ \t]*(INPUT|USE_MDFILE_AS_MAINPAGE)[ \t]*\+?=[ \t]*((?:[^\\\n]|\\\n|\\)*)$")
_WORD = LazyRegex(r'"([^"\n]+)"|([^\s"\\]+)')
_PAGE = LazyRegex(
    r"(?:class|struct|union|interface|namespace|concept|group__|md_|dir_|page_)\w+\.html|\w+_8[a-zA-Z]{1,8}\.html"
    r"|(?:annotated|classes|concepts|deprecated|examples|files|functions|globals|hierarchy|index|modules|namespaces"
    r"|pages|todo|topics)\.html"
)
"""What Doxygen calls the pages of classes, groups and files, and its lists."""


class _Settings(NamedTuple):
    """What the configurations of Doxygen in a tree name: main pages, and files and folders that are read."""

    main_pages: frozenset[str]
    read: tuple[str, ...]


@query
def _settings(side: Snapshot) -> _Settings:
    main, read = set[str](), set[str]()
    for path in sorted(side.paths):
        if basename(path).lower().startswith("doxyfile") or path.endswith(".doxyfile"):
            for key, value in _SETTING.findall(side.text(path) or ""):
                for quoted, plain in _WORD.findall(value):
                    place = normpath(join(dirname(path), quoted or plain))
                    (read if key == "INPUT" else main).add(place)
    return _Settings(frozenset(main), tuple(sorted(read)))


def leads_to_doxygen_page(path: str, target: str, side: Snapshot) -> bool:
    """Return whether a link of a document is to a page which Doxygen makes next to the one of the document.

    The main page may name any such page; what is merely read, one that is called as Doxygen calls its pages.
    """
    page = target.partition("#")[0].removeprefix("./")
    if not page.endswith(".html") or "/" in page:
        return False
    settings = _settings(side)
    if path in settings.main_pages:
        return True
    is_read = any(each in {".", path} or path.startswith(f"{each}/") for each in settings.read)
    return is_read and _PAGE.fullmatch(page) is not None
