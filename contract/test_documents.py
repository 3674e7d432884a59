"""Every GraphQL document in our code, judged by GitHub's schema."""

import importlib
import re
from pathlib import Path

import pytest

import review_bot

_OPERATION = re.compile(r"\b(?:query|mutation) ([A-Z]\w*)\s*[({]")
_BEGINNING = re.compile(r"\s*(?:query|mutation|subscription)\b[^{]*\{")


def _sources():
    """Return the files of the package that hold GraphQL, by module; the fake GitHub aside."""
    root = Path(review_bot.__path__[0])
    files = {
        file.relative_to(root.parent): file.read_text("utf-8")
        for file in root.rglob("*.py")
        if "demo" not in file.parts
    }
    return {".".join(file.with_suffix("").parts): text for file, text in files.items() if _OPERATION.search(text)}


_DOCUMENTS = [
    pytest.param(value, id=f"{module.__name__.rpartition('.')[2]}.{name}")
    for module in map(importlib.import_module, _sources())
    for name, value in vars(module).items()
    if isinstance(value, str) and _BEGINNING.match(value)
]


@pytest.mark.parametrize("document", _DOCUMENTS)
def test_a_document_is_one_that_github_understands(schema, document):
    assert [*schema.of_document(document)] == []


def names_in_code():
    """Return the names of all GraphQL operations that our code writes, those that it builds included."""
    return {name for text in _sources().values() for name in _OPERATION.findall(text)}


def test_documents_are_found():
    assert len(_DOCUMENTS) >= 3
    assert len(names_in_code()) >= len(_DOCUMENTS)
