"""Reads a JSON file that one of our commands wrote, and that may hold anything by now."""

from __future__ import annotations

import json
import os
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from review_bot.errors import UsageError
from review_bot.files.yaml_file import most_specific_error
from review_bot.records import NamedTuple

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that are read; a report of 50,000 findings takes about as many."""

_Model = TypeVar("_Model", bound=BaseModel)


class FileFormat(NamedTuple):
    """What a file should be: a word for it, the ``schema`` it names, and the command that writes one."""

    word: str
    schema: str
    command: str
    largest: int = LARGEST


def read(path: str, kind: FileFormat, model: type[_Model], *, flag: str = "") -> _Model:
    """Return what a file of a kind holds. Raises UsageError with ``flag``, the file and the field."""
    named = f"{flag} {path}".strip()
    write = f"create it with `{kind.command}`"
    data = _data(path, named, kind, write)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != kind.schema:
        found = f"its schema is {schema[:80]!r}" if isinstance(schema, str) else "it has no schema"
        raise UsageError(f"{named}: not a {kind.word} of schema {kind.schema}: {found}; {write}")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        place, sentence = most_specific_error(error.errors(), data)
        raise UsageError(f"{named}: {'.'.join(str(part) for part in place)}: {sentence}") from error


def _data(path: str, named: str, kind: FileFormat, write: str) -> Any:
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise UsageError(f"{named}: not a regular file; {write}")
        with open(path, "rb") as stream:
            text = stream.read(kind.largest + 1)
    except OSError as error:
        raise UsageError(f"{named}: cannot read the file: {error.strerror}") from error
    if len(text) > kind.largest:
        raise UsageError(f"{named}: the file is larger than {kind.largest >> 20} MiB; leave it out")
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{named}: not valid JSON ({error}); {write}") from error
    except RecursionError as error:
        raise UsageError(f"{named}: not a {kind.word}: nested too deeply; {write}") from error
