"""ast-grep rules over the text of a file; with ``statements.py`` the only user of ``ast_grep_py``.

``find`` answers what ``ast-grep scan`` would answer: raw matches over the whole text, before anything is kept to
changed lines. Lines and columns are 1-based here, columns in code points, as the binding counts them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from ast_grep_py import SgNode, SgRoot

from review_bot.changes.vocabulary import Alternatives
from review_bot.records import NamedTuple
from review_bot.rules.rule import quoted
from review_bot.rules.statements import statement_around
from review_bot.text.lazy_regex import LazyRegex

CONFIG_KEYS = ("rule", "constraints", "utils", "transform")
"""What the binding takes of a rule file. It knows no ``rewriters``, so what they transform is left out of messages."""

_PLACE = LazyRegex(r"\$\$\$([A-Z_0-9]+)|\$\$?([A-Z_0-9]+)")
_LOOK_BACK = 512
"""Characters before a match in which ast-grep looks for the start of its line to learn the indentation."""

_PARTS_OF_HTML = {"script_element": "javascript", "style_element": "css"}
_HTML_NAMES = {"js": "javascript", "ts": "typescript"}


class Match(NamedTuple):
    """One match: its place, the statement it is in, and what its meta-variables hold."""

    line: int
    column: int
    end_line: int
    end_column: int
    node: SgNode

    @property
    def statement(self) -> str:
        """The text of the statement around the match."""
        return statement_around(self.node).text

    @property
    def statement_line(self) -> int:
        """The first line of that statement."""
        return statement_around(self.node).line

    @property
    def statement_end(self) -> int:
        """The last line of that statement."""
        return statement_around(self.node).end_line


class NestedTooDeeply(RecursionError):
    """Code in which each node lies inside a thousand others: rules that look up and down would take hours."""


DEEPEST = 400
SMALL = 2_000
"""Levels, and code points: a part smaller than this may be as deep as it likes."""

_NOT_PARSED = {"rule": {"any": [{"kind": "ERROR"}, {"regex": "^$"}]}}
"""Nodes that the parser could not make sense of, and tokens that it put in: they have no text."""

WIDEST_ERROR = 5_000
"""Parts that the parser could not put together, such as brackets that are not closed."""


class Tree:
    """The parsed text of one file, for any number of rules.

    ``host`` is the language of the file when the rules are for a part of it: the scripts and styles of HTML.
    """

    def __init__(self, text: str, language: str, host: str | None = None) -> None:
        self._text, self._language, self._host = text, language, host
        self._holds: dict[str, bool] = {}

    @cached_property
    def _roots(self) -> list[SgRoot]:
        """Its syntax trees, parsed when the first rule may match."""
        is_part = self._host == "html" and self._language != "html"
        parts = _parts_of_html(self._text, self._language) if is_part else [self._text]
        return [SgRoot(part, self._language) for part in parts]

    @cached_property
    def too_deep(self) -> bool:
        """Whether parts that are not small are nested too deeply for rules that look up and down."""
        return len(self._text) >= SMALL and any(_too_deep(root.root()) for root in self._roots)

    @cached_property
    def not_parsed(self) -> int | None:
        """The line (1-based) of the smallest part that the parser could not make sense of, or None."""
        nodes = [node for root in self._roots for node in root.root().find_all(dict(_NOT_PARSED))]  # type: ignore[call-overload]
        parts = [(len(node.text()), node.range().start.line + 1) for node in nodes if node.parent() is not None]
        return min(parts)[1] if parts else None

    @cached_property
    def misread_stars(self) -> tuple[int, ...]:
        """Where a star is that Python reads before a call, and the parser as of what is called: ``x = *load(a), b``."""
        if "*" not in self._text or self._language != "python":
            return ()
        splats = (node for root in self._roots for node in root.root().find_all(kind="list_splat"))
        found = ((node, node.parent()) for node in splats)
        return tuple(
            node.range().start.index
            for node, parent in found
            if parent is not None
            and parent.kind() in {"call", "attribute", "subscript"}
            and parent.range().start.index == node.range().start.index
        )

    @cached_property
    def _folded(self) -> str:
        return self._text.casefold()

    def may_hold(self, alternatives: Alternatives | None) -> bool:
        """Return whether one of the alternatives (see ``required_literals.of_parsed``) is in the text."""
        return alternatives is None or any(all(map(self._has, each)) for each in alternatives)

    def _has(self, literal: str) -> bool:
        known = self._holds.get(literal)
        if known is None:
            found = literal[2:] in self._folded if literal.startswith("~~") else literal[1:] in self._text
            known = self._holds[literal] = found
        return known

    def find(self, config: Mapping[str, Any], held: Alternatives | None = None) -> Iterator[Match]:
        """Yield every match of a rule, in the order of the text. Raises NestedTooDeeply.

        ``held``: what the text must hold for the rule to match.
        """
        if not self.may_hold(held):
            return
        if self.too_deep:
            raise NestedTooDeeply
        for root in self._roots:
            for node in root.root().find_all(dict(config)):  # type: ignore[call-overload]
                yield _match(node)


def _too_deep(root: SgNode) -> bool:
    """Return whether parts that are not small lie deeper than ``DEEPEST``; only those are walked, so it is quick."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        children = node.children()
        if depth > DEEPEST or (len(children) > WIDEST_ERROR and node.kind() == "ERROR"):
            return True
        # Its text shows how large a child is; its range would count the columns of a long line each time.
        waiting += [(child, depth + 1) for child in children if len(child.text()) >= SMALL]
    return False


def _parts_of_html(text: str, language: str) -> list[str]:
    """Return the text once for each script (or style) in a language, all but that part blanked out."""
    parts = []
    root = SgRoot(text, "html").root()
    for kind, usual in _PARTS_OF_HTML.items():
        for element in root.find_all(kind=kind):
            content = next((child for child in element.children() if child.kind() == "raw_text"), None)
            if content is None:
                continue
            said = _lang_attribute(element) or usual
            if _HTML_NAMES.get(said, said) == language:
                span = content.range()
                start, end = span.start.index, span.end.index
                parts.append(_blank(text[:start]) + text[start:end] + _blank(text[end:]))
    return parts


def _lang_attribute(element: SgNode) -> str | None:
    for attribute in element.find_all(kind="attribute"):
        name, value = attribute.find(kind="attribute_name"), attribute.find(kind="attribute_value")
        if name is not None and name.text() == "lang" and value is not None:
            return value.text()
    return None


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class Template(NamedTuple):
    """A ``message`` or ``fix`` with the names that the rule's ``transform`` makes.

    ``unknown`` are those among them that only ast-grep's own program can make (with rewriters).
    """

    text: str
    transformed: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()


def template(text: str, transform: Mapping[str, Any] | None) -> Template:
    """Make a template for a rule with this ``transform``."""
    made = transform or {}
    unknown: set[str] = set()
    for _ in made:  # one transformation may take what another makes
        unknown |= {name for name, how in made.items() if _needs_rewriters(how) or _source_of(how) in unknown}
    return Template(text, frozenset(made), frozenset(unknown))


def _needs_rewriters(how: Any) -> bool:
    return "rewrite" in how if isinstance(how, Mapping) else str(how).lstrip().startswith("rewrite")


def _source_of(how: Any) -> str:
    if isinstance(how, Mapping):
        how = next((str(value.get("source", "")) for value in how.values() if isinstance(value, Mapping)), "")
    place = _PLACE.search(str(how))
    return (place[1] or place[2]) if place else ""


def expand_message(message: Template, match: Match, source: str) -> str:
    """Put what ``$NAME`` and ``$$$NAME`` hold in their places, as ast-grep does; an empty one gives nothing.

    Between backticks those of the code become apostrophes.
    """
    return _expand(message, match, source, quoted)


def expand_fix(fix: Template, match: Match, source: str) -> str | None:
    """Return the text that takes the place of a match, indented as ast-grep does; None if we cannot make it."""
    if any((place[1] or place[2]) in fix.unknown for place in _PLACE.finditer(fix.text)):
        return None
    return _indented(_expand(fix, match, source), 0, _indent_at(source, match.node.range().start.index))


def _expand(
    text: Template,
    match: Match,
    source: str,
    form: Callable[[re.Match[str], str], str] = lambda _place, value: value,
) -> str:
    def value(place: re.Match[str]) -> str:
        several, single = place.groups()
        indent = _indent_at(text.text, place.start())
        if single in text.unknown:
            return place[0]
        if single in text.transformed:
            return _indented(match.node.get_transformed(single) or "", 0, indent)
        if several:
            nodes = match.node.get_multiple_matches(several)
        else:
            node = match.node.get_match(single)
            nodes = [] if node is None else [node]
        if not nodes:
            return ""
        start, end = nodes[0].range().start.index, nodes[-1].range().end.index
        return _indented(source[start:end], _indent_at(source, start), indent)

    return _PLACE.sub(lambda place: form(place, value(place)), text.text)


def _indent_at(text: str, index: int) -> int:
    """Count the blanks at the start of the line that holds ``index``; 0 if its start is too far away to see."""
    start = max(0, index - _LOOK_BACK)
    line_start = text.rfind("\n", start, index) + 1
    if line_start == 0 and start > 0:
        return 0
    line = text[line_start:index]
    return len(line) - len(line.lstrip(" "))


def _indented(text: str, old: int, new: int) -> str:
    """Shift all lines but the first from one indentation to another."""
    if "\n" not in text or old == new:
        return text
    first, *rest = text.split("\n")
    if new > old:
        return "\n".join([first, *(" " * (new - old) + line for line in rest)])
    surplus = " " * (old - new)
    return "\n".join(line.removeprefix(surplus) for line in [first, *rest])


def count_errors(text: str, language: str) -> int:
    """Count the places of a text that the parser could not make sense of, or where it put in what is missing."""
    count, waiting = 0, [SgRoot(text, language).root()]
    while waiting:
        node = waiting.pop()
        children = node.children()
        # The binding does not say what is missing: a token without text, which is none of the file's own.
        count += node.kind() == "ERROR" or (not children and not node.text() and node.parent() is not None)
        waiting += children
    return count


def refusal(config: Mapping[str, Any], language: str) -> str | None:
    """Return why ast-grep refuses a rule, or None if it takes it."""
    try:
        SgRoot("", language).root().find_all(dict(config))  # type: ignore[call-overload]
    except BaseException as error:  # the binding panics through BaseException
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        return words_of(error)
    return None


def words_of(error: BaseException) -> str:
    """Return an error of the binding in one line: the last of its causes, without its stack."""
    text = str(error).partition("Stack backtrace:")[0]
    last = re.split(r"^[ \t]*\d+: ", text.rpartition("Caused by:")[2], flags=re.MULTILINE)[-1]
    lines = [line.strip() for line in last.splitlines()]
    return " ".join(line for line in lines if line and set(line) != {"^"}).rstrip(".") or type(error).__name__


def named(error: BaseException) -> str:
    """Return any error in one line behind its class, without the paths of the machine in a stack of the binding."""
    return f"{type(error).__name__}: {words_of(error)}"


def _match(node: SgNode) -> Match:
    span = node.range()
    return Match(
        line=span.start.line + 1,
        column=span.start.column + 1,
        end_line=span.end.line + 1,
        end_column=span.end.column + 1,
        node=node,
    )
