"""The one place that writes HTML. Every text is escaped here; what is written elsewhere is never taken for markup.

Only ``Html`` is markup, and only this module makes it. An element takes the attributes that are listed here: none that
runs a script or holds style, and no address but one of ``https`` or a place on the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from review_bot.reports import wording
from review_bot.text.console import disarm

_ATTRIBUTES = frozenset(
    {
        *("aria-atomic", "aria-controls", "aria-hidden", "aria-label", "aria-labelledby", "aria-live", "role"),
        *("charset", "content", "href", "http-equiv", "lang", "name", "rel"),
        *("class", "colspan", "hidden", "id", "open", "scope", "tabindex", "translate"),
        *("data-aspect", "data-file", "data-label", "data-rule", "data-severity"),
        *("for", "placeholder", "type", "value"),
        *("d", "height", "rx", "viewBox", "width", "x", "y"),
    }
)
_VOID = frozenset({"br", "col", "input", "link", "meta", "hr"})
_BLOCKS = frozenset({"head", "h1", "h2", "h3", "p", "li", "ul", "ol", "tr", "table", "dl", "div", "details", "section"})
"""A line ends after these, so that a page can be read and compared as text."""

_ANCHOR = re.compile(r"#[A-Za-z0-9=&%./_~-]*")
_ADDRESS = re.compile(r"https://[!-~]+")


class Html(str):
    """Finished markup. It cannot stand in an f-string, where it would become a text and be escaped once more."""

    __slots__ = ()

    def __format__(self, _: str) -> str:
        """Refuse, see above."""
        raise TypeError("markup goes into elements, not into a text")


Content = str | int | None | Iterable["Content"]
Attributes = Mapping[str, str | int | bool | None]
NOTHING = Html("")


def text(value: str) -> Html:
    """Return text in one line that reads as it is written, whatever it holds."""
    return Html(escape(disarm(value)))


def code(value: str) -> Html:
    """Return a line of code: as ``text``, its tabs kept."""
    return Html(escape(disarm(value) if "\t" not in value else "\t".join(map(disarm, value.split("\t")))))


def lines(value: str) -> Html:
    """Return lines of code."""
    return Html("\n".join(map(code, value.split("\n"))))


def prose(value: str) -> Html:
    """Return a sentence; what stands between single backticks becomes code."""
    parts = re.split(r"(?<!`)`([^`\n]+)`(?!`)", wording.one_line(value))
    return join(element("code", None, part) if number % 2 else text(part) for number, part in enumerate(parts) if part)


def path(value: str) -> Html:
    """Return a path, or a place in it, as code that may go on in the next line after a slash."""
    return Html("<code>" + text(value).replace("/", "/<wbr>") + "</code>")


def join(contents: Iterable[Content], between: str = "") -> Html:
    """Return contents one after the other, with a text between them."""
    return Html(escape(between).join(map(_content, contents)))


def element(name: str, attributes: Attributes | None = None, *contents: Content) -> Html:
    """Return an element. Raises ValueError for an attribute that a page of ours does not have."""
    opened = name if attributes is None else name + "".join(_attribute(*pair) for pair in attributes.items())
    if name in _VOID:
        return Html(f"<{opened}>")
    end = "\n" if name in _BLOCKS else ""
    return Html(f"<{opened}>{''.join(map(_content, contents))}</{name}>{end}")


def inline(name: str, body: str) -> Html:
    """Return our own style or script as it is. Raises ValueError for one that could end before its end."""
    if name not in {"style", "script"} or "</" in body or "<!--" in body:
        raise ValueError(f"this cannot be embedded in <{name}>")
    return Html(f"<{name}>{body}</{name}>")


def link(address: str, *contents: Content, **attributes: str) -> Html:
    """Return a link to a place on the page or to an address of https; else its contents alone."""
    if _ANCHOR.fullmatch(address):
        return element("a", {"href": address, **attributes}, *contents)
    if not _ADDRESS.fullmatch(address):
        return join(contents)
    return element("a", {"href": address, "rel": "noreferrer noopener", **attributes}, *contents)


def _content(value: Content) -> str:
    if isinstance(value, Html):
        return value
    if isinstance(value, str):
        return escape(disarm(value))
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else "".join(map(_content, value))


def _attribute(name: str, value: str | int | bool | None) -> str:  # noqa: FBT001  # as HTML has it
    if value is None or value is False:
        return ""
    if name not in _ATTRIBUTES:
        raise ValueError(f"no page of ours has the attribute {name!r}")
    if name == "href" and not (_ANCHOR.fullmatch(str(value)) or _ADDRESS.fullmatch(str(value)) or value == "data:,"):
        raise ValueError(f"no page of ours leads to {value!r}")
    return f" {name}" if value is True else f' {name}="{escape(disarm(str(value)))}"'
