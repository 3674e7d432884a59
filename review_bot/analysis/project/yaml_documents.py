"""YAML files under review, read as the programs that load them do: with anchors, aliases, merge keys and tags.

Our own configuration has a stricter reader (``yaml_file``). Here everything that a loader accepts is read, so that no
notation hides a value from a rule; what cannot be read raises ``CannotRead`` and makes the file unreviewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.files.yaml_file import LOADER, MAX_DEPTH, LineNumbers, Path, scalar
from review_bot.records import NamedTuple

MOST_VALUES = 100_000
"""Keys and values of a file, each counted as often as an alias repeats it."""

_TYPED = frozenset(f"tag:yaml.org,2002:{name}" for name in ("bool", "float", "int", "null"))


class Twice(NamedTuple):
    """A key that a mapping holds twice. ``line`` is that of the second one, 1-based."""

    key: str
    line: int


class Node(NamedTuple):
    """A value: its plain data, its first line (that of its key in a mapping) and last, and its number of values.

    ``alias``: the line of the alias that stands for it here; None: it is written here. Lines are 1-based.
    """

    data: Any
    line: int
    end: int
    size: int
    inner: Mapping[str | int, Node]
    alias: int | None = None


class YamlDocument(NamedTuple):
    """One document. ``twice``: keys that a mapping holds twice; the last one wins, as for PyYAML."""

    root: Node
    twice: tuple[Twice, ...]
    added: Mapping[int, str]

    @property
    def data(self) -> Any:
        """The plain data."""
        return self.root.data

    def line_of(self, path: Path) -> int:
        """Return the line to report for the value at ``path``, or for its nearest parent that exists."""
        return self.lines_of(path)[0]

    def lines_of(self, path: Path) -> tuple[int, int]:
        """Return the first and last line of a value.

        They are those where it is written, or those of the alias that brings it here if that was added and they were
        not.
        """
        node, alias = self.root, self.root.alias
        for part in path:
            if part not in node.inner:
                break
            node = node.inner[part]
            alias = node.alias if alias is None else alias
        written = any(line in self.added for line in range(node.line, node.end + 1))
        return (alias, alias) if alias is not None and alias in self.added and not written else (node.line, node.end)


def read_documents(source: SourceFile) -> list[YamlDocument]:
    """Read all documents of the new text of a YAML file. Raises CannotRead."""
    text = (source.text or "").removeprefix("\ufeff")
    numbers = LineNumbers(text)
    events: list[Any] = []
    try:
        for event in yaml.parse(text, Loader=LOADER):
            events.append(event)
            if len(events) > MOST_VALUES:
                raise CannotRead(f"more than {MOST_VALUES:,} keys and values")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise CannotRead(f"not YAML: {error.problem}", numbers.of(mark) if mark else None) from error
    except yaml.reader.ReaderError as error:
        line = numbers.at(error.position) if isinstance(error.position, int) else None
        raise CannotRead("not YAML: a character that YAML does not allow", line) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise CannotRead("not YAML") from error
    starts = [number for number, event in enumerate(events) if isinstance(event, yaml.DocumentStartEvent)]
    readers = [_Reader(events, start + 1, numbers) for start in starts]
    return [YamlDocument(reader.read(), tuple(reader.twice), source.added) for reader in readers]


class _Reader:
    """Builds one document from its events. What an alias repeats is shared, and counted each time."""

    def __init__(self, events: list[Any], start: int, numbers: LineNumbers) -> None:
        self._events, self._next, self._numbers = events, start, numbers
        self._anchors: dict[str, Node] = {}
        self.twice: dict[Twice, None] = {}
        self._repeated = 0

    def read(self) -> Node:
        return self._node(0)

    def _node(self, depth: int, key_line: int | None = None) -> Node:
        event = self._take()
        start, finish = event.start_mark, event.end_mark
        line = self._numbers.of(start)
        if depth > MAX_DEPTH:
            raise CannotRead(f"nested deeper than {MAX_DEPTH} levels", line)
        if isinstance(event, yaml.AliasEvent):
            return self._repeat(str(event.anchor), line)
        self._anchors.pop(event.anchor, None)  # within itself, an anchor cannot be repeated
        here = line if key_line is None else key_line
        if isinstance(event, yaml.ScalarEvent):
            end = self._numbers.at(max(start.index, finish.index - 1))
            node = Node(_data(event), here, end, 1, {})
        elif isinstance(event, yaml.SequenceStartEvent):
            items = self._items(depth + 1)
            end = max([here, *(item.end for item in items)])
            node = Node([item.data for item in items], here, end, _size(items), dict(enumerate(items)))
        else:
            inner = self._entries(depth + 1)
            end = max([here, *(each.end for each in inner.values())])
            node = Node({key: each.data for key, each in inner.items()}, here, end, _size(inner.values()), inner)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _take(self) -> Any:
        self._next += 1
        return self._events[self._next - 1]

    def _ends(self, kind: type[yaml.Event]) -> bool:
        ends = isinstance(self._events[self._next], kind)
        self._next += ends
        return ends

    def _repeat(self, anchor: str, line: int) -> Node:
        if anchor not in self._anchors:
            raise CannotRead(f"the alias *{anchor} has no anchor before it", line)
        node = self._anchors[anchor]
        self._repeated += node.size
        if self._repeated > MOST_VALUES:
            raise CannotRead(f"its aliases make more than {MOST_VALUES:,} keys and values", line)
        return node._replace(alias=line)

    def _items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        while not self._ends(yaml.SequenceEndEvent):
            items.append(self._node(depth))
        return items

    def _entries(self, depth: int) -> dict[str | int, Node]:
        inner: dict[str | int, Node] = {}
        merged: list[Node] = []
        while not self._ends(yaml.MappingEndEvent):
            line = self._numbers.of(self._events[self._next].start_mark)
            key = self._key(line)
            value = self._node(depth, line)
            if key == "<<":
                merged += value.inner.values() if isinstance(value.data, list) else [value]
                continue
            if key in inner:
                self.twice[Twice(key, line)] = None
            inner[key] = value
        for each in merged:  # a key that is written out wins, then the first mapping that has it
            for name, found in each.inner.items() if isinstance(each.data, dict) else ():
                inner.setdefault(name, found._replace(alias=each.alias) if found.alias is None else found)
        return inner

    def _key(self, line: int) -> str:
        event = self._events[self._next]
        if not isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            raise CannotRead("a key that is a list, a mapping or a template", line)
        return str(self._node(MAX_DEPTH).data) if isinstance(event, yaml.AliasEvent) else self._text()

    def _text(self) -> str:
        event = self._take()
        if event.anchor is not None:
            line = self._numbers.of(event.start_mark)
            self._anchors[event.anchor] = Node(event.value, line, line, 1, {})
        return str(event.value)


def _size(nodes: Iterable[Node]) -> int:
    return 1 + sum(node.size for node in nodes)


def _data(event: yaml.ScalarEvent) -> Any:
    """Return the value of a scalar. As for PyYAML, ``1_0`` is a number; tags but those of YAML's types say nothing."""
    if not (event.implicit[0] or event.tag in _TYPED):
        return event.value
    plain = event.value.replace("_", "") if event.value.lstrip("+-")[:1].isdecimal() else event.value
    number = scalar(plain)
    return number if isinstance(number, int | float) else scalar(event.value)
