"""GitHub's expressions, ``${{ ... }}``: which contexts their value is made of.

::

    ${{ GitHub['event'].Issue.title }}                  github.event.issue.title
    ${{ contains(github.head_ref, 'a') && 'x' || 'y' }}    nothing: only constants become the value

Names do not mind capitals. Source: GitHub, "Evaluate expressions in workflows and actions".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Chain = tuple[str, ...]
"""A context with its properties in lower case: ``("github", "event", "commits", "*", "message")``."""

_TOKEN = LazyRegex(r"\s+|'(?:[^']|'')*'|[A-Za-z_][\w-]*|[-+]?\.?\d[\w.]*|&&|\|\||[=!<>]=|.")
_LITERAL = LazyRegex(r"(?i)'.*'|[-+]?\.?\d.*|true|false|null|nan|infinity")
_DEEPEST = 50
_BINDS = {"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4}
_TELLS_ONLY = frozenset(
    {"contains", "startswith", "endswith", "hashfiles", "success", "failure", "always", "cancelled"}
)
"""Functions whose value holds nothing of what they are given."""


class Expression(NamedTuple):
    """An expression in a text: from where to where, the contexts of its value, and its string literals."""

    start: int
    end: int
    contexts: tuple[Chain, ...]
    literals: tuple[str, ...]


def expressions(text: str) -> Iterator[Expression]:
    """Yield the expressions of a text in its order; one without an end reaches to the end of the text."""
    start = text.find("${{")
    while start >= 0:
        tokens: list[str] = []
        position = start + 3
        while position < len(text) and not text.startswith("}}", position):
            token = _TOKEN.match(text, position)
            position += len(token[0]) if token is not None else 1
            if token is not None and not token[0].isspace():
                tokens.append(token[0])
        yield _expression(start, min(position + 2, len(text)), tokens)
        start = text.find("${{", position)


def is_one_of(chain: Chain, wanted: Sequence[Chain]) -> bool:
    """Return whether a context is one of those wanted; an index that is not a constant may be any property."""
    return any(
        len(chain) >= len(each) and all("*" in pair or pair[0] == pair[1] for pair in zip(chain, each, strict=False))
        for each in wanted
    )


def _expression(start: int, end: int, tokens: list[str]) -> Expression:
    literals = tuple(token[1:-1].replace("''", "'") for token in tokens if token[0] == "'")
    reader = _Reader(tokens)
    contexts: list[Chain] | None
    try:
        contexts = reader.value(0)
    except (IndexError, ValueError):
        contexts = None
    if contexts is None or not reader.is_done():  # not as GitHub writes them: every context may become its value
        contexts = _all_contexts(tokens)
    return Expression(start, end, tuple(dict.fromkeys(contexts)), literals)


def _all_contexts(tokens: list[str]) -> list[Chain]:
    found: list[Chain] = []
    for number, token in enumerate(tokens):
        if token[0].isalpha() and (number == 0 or tokens[number - 1] != "."):
            reader = _Reader(tokens, number + 1)
            try:
                found.append(reader.properties((token.lower(),)))
            except (IndexError, ValueError):
                found.append((token.lower(), *(["*"] * 8)))
    return found


class _Reader:
    """Reads one expression, and keeps only the contexts that its value is made of."""

    def __init__(self, tokens: list[str], first: int = 0) -> None:
        self._tokens, self._next, self._depth = tokens, first, 0

    def is_done(self) -> bool:
        return self._next == len(self._tokens)

    def value(self, binding: int) -> list[Chain]:
        """Return the contexts of an expression whose operators bind more tightly than ``binding``."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError("nested too deeply")
        contexts = self._operand()
        while not self.is_done() and _BINDS.get(self._peek(), 0) > binding:
            operator = self._take()
            right = self.value(_BINDS[operator])
            # `a && b` is b, or an a that is empty; a comparison is true or false.
            if operator == "||":
                contexts.extend(right)
            else:
                contexts = right if operator == "&&" else []
        self._depth -= 1
        return contexts

    def _operand(self) -> list[Chain]:
        token = self._take()
        if token == "!":  # noqa: S105  # an operator
            self.value(_BINDS[">="])
            return []
        if token == "(":  # noqa: S105
            inner = self.value(0)
            self._expect(")")
            extra = self.properties(())
            return [(*chain, *extra) for chain in inner]
        if _LITERAL.fullmatch(token):
            return []
        if not (token[0].isalpha() or token[0] == "_"):
            raise ValueError(token)
        if not self.is_done() and self._peek() == "(":
            called = self._call(token.lower())
            extra = self.properties(())
            return [(*chain, *extra) for chain in called]
        return [self.properties((token.lower(),))]

    def _call(self, name: str) -> list[Chain]:
        contexts: list[Chain] = []
        self._take()
        while self._peek() != ")":
            contexts += self.value(0)
            if self._peek() == ",":
                self._take()
        self._take()
        return [] if name in _TELLS_ONLY else contexts

    def properties(self, chain: Chain) -> Chain:
        """Read ``.name``, ``['name']`` and ``[0]``, and return the chain with them."""
        found = list(chain)
        while not self.is_done() and self._peek() in {".", "["}:
            if self._take() == ".":
                found.append(self._take().lower())
                continue
            if self._tokens[self._next + 1] == "]" and self._peek()[0] == "'":
                found.append(self._take()[1:-1].lower())
            elif self._tokens[self._next + 1] == "]" and self._peek() == "*":
                found.append(self._take())
            else:
                self.value(0)
                found.append("*")
            self._expect("]")
        return tuple(found)

    def _peek(self) -> str:
        return self._tokens[self._next]

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1]

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise ValueError(token)
