"""What the documents of a project mention: flags, settings, models."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from review_bot.changes.repository import Repository
from review_bot.text.lazy_regex import LazyRegex

_DOCUMENT = LazyRegex(r"(?i)\.(?:md|rst|mdx|adoc|ipynb)$|^docs?/.*\.(?:txt|inc|yaml|yml|sh|py)$")
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:\.[^/]+|tests?|third_?party|vendor|node_modules|archive)/|(?:^|/)changelog")
_TOKEN = LazyRegex(r"--[A-Za-z][\w-]*|\w{3,}")
CALL = LazyRegex(r"(?<!self)\.([A-Za-z]\w*)\(")
"""A method that is called on something else than the object itself."""
_MADE_FROM_CODE = LazyRegex(r"(?i)argparse|sphinx[-_]click|mkdocs-click|automodule::|autodoc_pydantic|autoclass::")


class _Said(NamedTuple):
    """What one document says."""

    tokens: frozenset[str]
    called: frozenset[str]
    made_from_code: bool


@lru_cache(maxsize=4096)
def _read(text: str) -> _Said:
    """Read a document; the same one is read again where fixes are tried out."""
    tokens, called = frozenset(_TOKEN.findall(text)), frozenset(CALL.findall(text))
    return _Said(tokens, called, _MADE_FROM_CODE.search(text) is not None)


class Mentions:
    """The words and flags of all documents, each with the document that says most of such things."""

    def __init__(self, repository: Repository) -> None:
        self._places: dict[str, list[str]] = {}
        self.called: set[str] = set()
        """The methods that a document shows how to call."""
        self.made_from_code = False
        """Whether documents are generated from the code, so that a word in no file may be on a page all the same."""
        for path in sorted(repository.head_paths):
            if not _DOCUMENT.search(path) or _ASIDE.search(path):
                continue
            said = _read(repository.head_text(path) or "")
            self.made_from_code = self.made_from_code or said.made_from_code
            self.called |= said.called
            for token in said.tokens:
                self._places.setdefault(token, []).append(path)

    def of(self, name: str) -> list[str]:
        """Return the documents that mention a name; a flag also counts under the name of its value."""
        found = list(self._places.get(name, ()))
        if name.startswith("--"):
            written = name[2:]
            found += self._places.get(f"--{written.replace('-', '_')}", ())
            found += self._places.get(f"--{written.replace('_', '-')}", ())
            value = written.replace("-", "_")
            found += self._places.get(value, ()) if "_" in value else ()
        return found


@lru_cache(maxsize=1)
def mentions(repository: Repository) -> Mentions:
    """Return what the documents of the head mention; the rules of one review share it."""
    return Mentions(repository)
