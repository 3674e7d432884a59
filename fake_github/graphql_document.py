"""Reads a GraphQL document: operations, fields with aliases and arguments, fragments (spec.graphql.org)."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

TOKEN = re.compile(
    r'(?P<skip>[\s,\ufeff]+|#[^\n]*)|(?P<string>"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*")'
    r"|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>[_A-Za-z]\w*)|(?P<sign>\.\.\.|[!$()\[\]{}:=@|&])"
)


class GraphqlError(Exception):
    """An error as GraphQL tells it; ``kind`` is GitHub's ``type``."""

    def __init__(self, message: str, kind: str | None = None, extensions: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.extensions = extensions


class Variable(NamedTuple):
    """A ``$name`` in an argument."""

    name: str


class Field(NamedTuple):
    """A field that was asked for."""

    key: str
    name: str
    arguments: Mapping[str, Any]
    selections: tuple["Selection", ...]


class Inline(NamedTuple):
    """``... on Type { }``; ``condition`` None: of any type."""

    condition: str | None
    selections: tuple["Selection", ...]


class Spread(NamedTuple):
    """``...Name``."""

    name: str


Selection = Field | Inline | Spread


class Operation(NamedTuple):
    """A query or mutation; ``variables``: type and default by name."""

    kind: str
    name: str | None
    variables: Mapping[str, tuple[str, Any]]
    selections: tuple[Selection, ...]


class Document(NamedTuple):
    """Operations and fragments."""

    operations: tuple[Operation, ...]
    fragments: Mapping[str, Inline]

    def operation(self, name: str | None) -> Operation:
        """Return the operation of a name, or the only one. Raises GraphqlError."""
        found = [one for one in self.operations if name is None or one.name == name]
        if len(found) != 1:
            raise GraphqlError("An operation name is required" if name is None else f'No operation named "{name}"')
        return found[0]


def parse(text: str) -> Document:
    """Read a document. Raises GraphqlError."""
    return _Parser(text).document()


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise GraphqlError(f'Parse error on "{text[at]}"')
            if found.lastgroup != "skip":
                self._tokens.append(found[0])
            at = found.end()
        self._at = 0

    def document(self) -> Document:
        operations, fragments = [], {}
        while self._at < len(self._tokens):
            if self._peek() == "fragment":
                self._next()
                name = self._next()
                self._expect("on")
                fragments[name] = Inline(self._next(), self._selections())
            else:
                operations.append(self._operation())
        return Document(tuple(operations), fragments)

    def _operation(self) -> Operation:
        if self._peek() == "{":
            return Operation("query", None, {}, self._selections())
        kind = self._next()
        if kind not in {"query", "mutation"}:
            raise GraphqlError(f'Parse error on "{kind}" (IDENTIFIER)')
        name = None if self._peek() in {"{", "("} else self._next()
        variables: dict[str, tuple[str, Any]] = {}
        if self._peek() == "(":
            self._next()
            while self._peek() != ")":
                self._expect("$")
                variable = self._next()
                self._expect(":")
                written = self._next()
                if written == "[":
                    while self._peek() != "]":
                        written += self._next()
                    written += self._next()
                if self._peek() == "!":
                    written += self._next()
                default = None
                if self._peek() == "=":
                    self._next()
                    default = self._value()
                variables[variable] = (written, default)
            self._next()
        return Operation(kind, name, variables, self._selections())

    def _selections(self) -> tuple[Selection, ...]:
        self._expect("{")
        found: list[Selection] = []
        while self._peek() != "}":
            found.append(self._selection())
        self._next()
        if not found:
            raise GraphqlError('Parse error on "}" (RCURLY)')
        return tuple(found)

    def _selection(self) -> Selection:
        if self._peek() == "...":
            self._next()
            if self._peek() == "on":
                self._next()
                return Inline(self._next(), self._selections())
            return Inline(None, self._selections()) if self._peek() == "{" else Spread(self._next())
        key = name = self._name()
        if self._peek() == ":":
            self._next()
            name = self._name()
        arguments: dict[str, Any] = {}
        if self._peek() == "(":
            self._next()
            while self._peek() != ")":
                argument = self._name()
                self._expect(":")
                arguments[argument] = self._value()
            self._next()
        return Field(key, name, arguments, self._selections() if self._peek() == "{" else ())

    def _value(self) -> Any:
        token = self._next()
        if token == "$":  # noqa: S105 - a sign of the grammar
            return Variable(self._name())
        if token == "[":  # noqa: S105 - the same
            items = []
            while self._peek() != "]":
                items.append(self._value())
            self._next()
            return items
        if token == "{":  # noqa: S105 - the same
            fields = {}
            while self._peek() != "}":
                name = self._name()
                self._expect(":")
                fields[name] = self._value()
            self._next()
            return fields
        return _scalar(token)

    def _name(self) -> str:
        token = self._next()
        if not (token[0].isalpha() or token[0] == "_"):
            raise GraphqlError(f'Parse error on "{token}"')
        return token

    def _peek(self) -> str:
        if self._at >= len(self._tokens):
            raise GraphqlError("Parse error: unexpected end of document")
        return self._tokens[self._at]

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        found = self._next()
        if found != token:
            raise GraphqlError(f'Parse error on "{found}", expected "{token}"')


def _scalar(token: str) -> Any:
    if token.startswith('"'):
        return token[3:-3] if token.startswith('"""') else json.loads(token)
    if token in {"true", "false", "null"}:
        return {"true": True, "false": False, "null": None}[token]
    if token[0] in "-0123456789":
        return float(token) if "." in token else int(token)
    return token
