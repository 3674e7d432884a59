"""YAML to plain data that remembers its line numbers; the only user of PyYAML.

It reads YAML 1.2 core scalars: only ``true`` and ``false`` are booleans (``off`` and ``no`` are text), dates are
text. Aliases, tags and duplicate keys are refused, and so is what is too large or too deep: a file from a pull
request may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

MAX_BYTES = 256 * 1024
MAX_DEPTH = 64

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_CONSTANTS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

Path = tuple[str | int, ...]


class YamlError(Exception):
    """The text is not YAML that we accept; ``line`` is 1-based."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class Document(NamedTuple):
    """One YAML document: its data, and the 1-based line on which the value at each path begins."""

    data: Any
    lines: Mapping[Path, int]
    line: int

    def line_of(self, path: Path) -> int:
        """Return the line of the value at ``path``, or of its nearest parent that has one."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, self.line)


def read_yaml(text: str) -> list[Document]:
    """Read all documents of a text. Raises YamlError."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise YamlError(f"the file is larger than {MAX_BYTES // 1024} KiB", None)
    try:
        events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        return list(_documents(events))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or "this is not YAML", mark.line + 1 if mark else None) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else None
        raise YamlError(f"character {error.character!r} is not allowed in YAML", line) from error
    except yaml.YAMLError as error:
        raise YamlError(str(error), None) from error


def _documents(events: Iterator[Any]) -> Iterator[Document]:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            lines: dict[Path, int] = {}
            node = next(events)
            yield Document(_value(node, events, (), lines), lines, node.start_mark.line + 1)


def _value(event: Any, events: Iterator[Any], path: Path, lines: dict[Path, int]) -> Any:
    line = event.start_mark.line + 1
    if isinstance(event, yaml.AliasEvent):
        raise YamlError(f"aliases such as *{event.anchor} are not allowed; write the value out", line)
    if event.tag is not None and event.tag != "!":
        raise YamlError(f"tags such as {event.tag} are not allowed; remove it", line)
    if len(path) > MAX_DEPTH:
        raise YamlError(f"nested deeper than {MAX_DEPTH} levels", line)
    lines.setdefault(path, line)
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Any] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_value(item, events, (*path, len(items)), lines))
        return items
    mapping: dict[str, Any] = {}
    while not isinstance(key_event := next(events), yaml.MappingEndEvent):
        key_line = key_event.start_mark.line + 1
        if not isinstance(key_event, yaml.ScalarEvent):
            raise YamlError("a key must be plain text", key_line)
        key = key_event.value
        if key in mapping:
            raise YamlError(f"the key {key!r} stands here twice", key_line)
        lines[(*path, key)] = key_line
        mapping[key] = _value(next(events), events, (*path, key), lines)
    return mapping


def _scalar(text: str) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text, 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
