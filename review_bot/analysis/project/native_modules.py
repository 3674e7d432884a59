"""The modules for Python that sources in C and Rust define."""

from __future__ import annotations

from functools import lru_cache

from review_bot.changes.codebase import Snapshot, query
from review_bot.text.lazy_regex import LazyRegex

NATIVE_SOURCE = LazyRegex(r"\.(?:pyx|pxd|c|cc|cpp|cxx|cu|rs|go|mm|hip)$")
OF_C = LazyRegex(r"\.(?:c|cc|cpp|cxx|cu|mm|hip)$")
_COMMENT = LazyRegex(r"(?s)\"(?:[^\"\\\n]|\\.)*\"?|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)")
_DEFINED_MODULE = LazyRegex(
    r"\b(?:(?:PYBIND11_(?:MODULE|PLUGIN)|NB_MODULE|BOOST_PYTHON_MODULE|REGISTER_EXTENSION)\s*\(\s*(\w+)"
    r"|PyInit_(\w+)|(TORCH_LIBRARY(?:_FRAGMENT)?)\b)"
)
_RUST_MODULE = LazyRegex(r"#\[pymodule\b[^\]]{0,200}\]\s*(?:pub\s+)?(?:fn|mod)\s+(\w+)")


def defines_module(text: str, name: str | None = None) -> bool:
    """Return whether a source in C defines a module for Python; ``name``: of that name, or of a macro's."""
    for of_macro, of_function, library in _DEFINED_MODULE.findall(_without_comments(text)):
        found = of_macro or of_function
        if name is None or library or found == name or (of_macro and found.isupper()):
            return True
    return False


@query
def is_in_source(side: Snapshot, name: str) -> bool:
    """Return whether a source in C or Rust defines a module of this name, wherever the build puts it."""
    texts = (side.text(path) or "" for path in sorted(side.paths) if NATIVE_SOURCE.search(path))
    return any(name in text and _names_module(text, name) for text in texts)


def _names_module(text: str, name: str) -> bool:
    """Return whether a source in C or Rust defines a module for Python by this very name."""
    found = [
        *_DEFINED_MODULE.findall(_without_comments(text)),
        *((each, "", "") for each in _RUST_MODULE.findall(text)),
    ]
    return any(name in {of_macro, of_function} for of_macro, of_function, _ in found)


@lru_cache(maxsize=8)
def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)


def rust_modules(text: str) -> list[str]:
    """Return the names of the modules that a source in Rust defines, comments aside."""
    return _RUST_MODULE.findall(_without_comments(text))
