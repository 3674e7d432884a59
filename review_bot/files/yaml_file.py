"""YAML to plain data that remembers its line numbers.

It reads YAML 1.2 core scalars: only ``true`` and ``false`` are booleans (``off`` and ``no`` are text), dates are
text. Aliases, tags and duplicate keys are refused, and so is what is too large or too deep: a file from a pull
request may be hostile.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import did_you_mean

MAX_BYTES = 256 * 1024
MAX_DEPTH = 64

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = LazyRegex(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_LONGEST_INTEGER = 1_000  # Python refuses to read very long ones; such a text stays a text
_FLOAT = LazyRegex(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
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


class LineNumbers:
    r"""Line numbers as git counts them: libyaml also ends a line at CR, NEL, U+2028 and U+2029."""

    def __init__(self, text: str) -> None:
        self._ends = [place.start() for place in re.finditer("\n", text.removesuffix("\n"))]

    def of(self, mark: yaml.Mark) -> int:
        """Return the 1-based line of a mark; behind the text, that of its last line."""
        return self.at(mark.index)

    def at(self, index: int) -> int:
        """Return the 1-based line of a code point; behind the text, that of its last line."""
        return bisect_left(self._ends, index) + 1


def read_yaml(text: str) -> list[Document]:
    """Read all documents of a text. Raises YamlError."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise YamlError(f"the file is larger than {MAX_BYTES // 1024} KiB; split it", None)
    text = text.removeprefix("\ufeff")
    numbers = LineNumbers(text)
    try:
        events: Iterator[Any] = yaml.parse(text, Loader=LOADER)
        return list(_documents(events, numbers))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = numbers.of(mark) if mark else None
        raise YamlError(_words_of(error, text.split("\n")[line - 1] if line else ""), line) from error
    except yaml.reader.ReaderError as error:
        line = numbers.at(error.position) if isinstance(error.position, int) else None
        raise YamlError(f"the character {_shown(error.character)} is not allowed in YAML; remove it", line) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(f"invalid YAML ({error})", None) from error


def _documents(events: Iterator[Any], numbers: LineNumbers) -> Iterator[Document]:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            lines: dict[Path, int] = {}
            node = next(events)
            data = _value(node, events, (), lines, numbers)
            yield Document(data, lines, numbers.of(node.start_mark))


def _value(event: Any, events: Iterator[Any], path: Path, lines: dict[Path, int], numbers: LineNumbers) -> Any:
    line = numbers.of(event.start_mark)
    if isinstance(event, yaml.AliasEvent):
        raise YamlError(f"aliases such as *{event.anchor} are not allowed; repeat the value instead", line)
    if event.tag is not None and event.tag != "!":
        raise YamlError(f"tags such as {event.tag} are not allowed; remove it", line)
    if len(path) > MAX_DEPTH:
        raise YamlError(f"nested deeper than {MAX_DEPTH} levels; make it flatter", line)
    lines.setdefault(path, line)
    if isinstance(event, yaml.ScalarEvent):
        return scalar(event.value) if event.implicit[0] else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Any] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_value(item, events, (*path, len(items)), lines, numbers))
        return items
    mapping: dict[str, Any] = {}
    while not isinstance(key_event := next(events), yaml.MappingEndEvent):
        key_line = numbers.of(key_event.start_mark)
        if not isinstance(key_event, yaml.ScalarEvent):
            raise YamlError("a key must be plain text; write `key: value`", key_line)
        key = key_event.value
        if key in mapping:
            raise YamlError(f"duplicate key {key!r}; remove one", key_line)
        lines[(*path, key)] = key_line
        mapping[key] = _value(next(events), events, (*path, key), lines, numbers)
    return mapping


def scalar(text: str) -> Any:
    """Return the value of a plain scalar: null, a boolean, a number or text, as the core schema of YAML 1.2 says."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text) and len(text) < _LONGEST_INTEGER:
        return int(text, 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _words_of(error: yaml.MarkedYAMLError, line: str) -> str:
    if line[: len(line) - len(line.lstrip())].count("\t"):
        return "YAML cannot be indented with tabs; use spaces"
    context = f" ({error.context})" if error.context else ""
    return f"invalid YAML: {error.problem or 'cannot be parsed'}{context}"


def _shown(character: object) -> str:
    return f"U+{character:04X}" if isinstance(character, int) else repr(character)


def errors_by_entry(errors: Sequence[Mapping[str, Any]], data: Any, keys: Iterable[str] = ()) -> list[tuple[Path, str]]:
    """Return the deepest errors of each key, and of each entry below it: their places and what to do."""
    known = tuple(keys)
    entries: dict[Path, dict[Path, list[Mapping[str, Any]]]] = {}
    for error in errors:
        place = _place(error["loc"], data, missing=error["type"] == "missing")
        entries.setdefault(place[:2], {}).setdefault(place, []).append(error)
    return [
        most_specific_error(each, data, known) for by_place in entries.values() for each in _deepest(by_place).values()
    ]


def _deepest(by_place: Mapping[Path, list[Mapping[str, Any]]]) -> dict[Path, list[Mapping[str, Any]]]:
    """Keep the deepest places of one entry; where a key is not known, it may be the one that is missing."""
    depth = max(map(len, by_place))
    deepest = {place: each for place, each in by_place.items() if len(place) == depth}
    kinds = {error["type"] for each in deepest.values() for error in each}
    if "extra_forbidden" not in kinds:
        return deepest
    return {place: each for place, each in deepest.items() if any(error["type"] != "missing" for error in each)}


def most_specific_error(errors: Sequence[Mapping[str, Any]], data: Any, keys: Iterable[str] = ()) -> tuple[Path, str]:
    """Choose among pydantic's errors the one that lies deepest in ``data``; return its place and what to do.

    ``keys``: those that the grammar has, to name the one that was probably meant.
    """
    places = [_place(error["loc"], data, missing=error["type"] == "missing") for error in errors]
    # A misspelt key makes two errors: one is not known, and another is missing.
    number = max(range(len(errors)), key=lambda n: (len(places[n]), errors[n]["type"] == "extra_forbidden", -n))
    here = places[number]
    kinds = [errors[n] for n in range(len(errors)) if places[n] == here]
    if kinds[0]["type"] == "extra_forbidden":
        near = did_you_mean(str(here[-1]), {*keys} - {here[-1]})  # it may be known elsewhere
        return here, f"the key {str(here[-1])!r} is not known here{near or '; remove it or fix its spelling'}"
    return here, _sentence(kinds, here, _at(data, here[:-1]))


def _place(location: Path, data: Any, *, missing: bool) -> Path:
    """Drop what pydantic adds to a location (names of types in a union) and keep the way through the data."""
    place: list[str | int] = []
    for position, part in enumerate(location):
        inside = _at(data, tuple(place))
        known = part in inside if isinstance(inside, dict) else isinstance(inside, list) and isinstance(part, int)
        if known or (missing and position == len(location) - 1):
            place.append(part)
    return tuple(place)


def _at(data: Any, path: Path) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


LONGEST_SHOWN = 60
"""Characters of a value that a message repeats."""

_WANTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "none_required": "nothing",
}


_TEXTS = {
    "string_too_short": "must not be empty; add a value or remove the key",
    "string_too_long": "must not have more than {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
}


def _sentence(errors: Sequence[Mapping[str, Any]], place: Path, parent: Any) -> str:
    """Say in words what several errors about one value mean together."""
    wanted: list[str] = []
    words: list[str] = []
    for error in errors:
        kind, context = error["type"], error.get("ctx") or {}
        if kind == "extra_forbidden":
            return f"the key {str(place[-1])!r} is not known here; remove it or fix its spelling"
        if kind == "missing":
            return f"the key {str(place[-1])!r} is missing{'' if not parent else ' here'}; add it"
        if kind == "literal_error":
            words += str(context.get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        elif kind in _WANTED:
            wanted.append(_WANTED[kind])
        elif kind in _TEXTS:
            return _TEXTS[kind].format_map({"pattern": "", "max_length": "", **context})
        else:
            return str(error["msg"]).removeprefix("Value error, ")
    if words:
        wanted.insert(0, f"one of {', '.join(dict.fromkeys(words))}")
    given = errors[0].get("input")
    near = did_you_mean(given, words) if isinstance(given, str) else ""
    if not near and "a list" in wanted and isinstance(given, str) and len(given) < LONGEST_SHOWN:
        near = f"; write `{json.dumps([given], ensure_ascii=False)}`"
    return f"must be {' or '.join(dict.fromkeys(wanted))}, not {_kind_of(given)}{near}"


def _kind_of(value: Any) -> str:
    if value is None:
        return "empty"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "a mapping"}
    shown = f" ({value!r})" if isinstance(value, str | int | float) and len(repr(value)) < LONGEST_SHOWN else ""
    return names.get(type(value), type(value).__name__) + shown
