"""Turns a part of an HTML page into an SVG picture: text that no browser is needed to make, and that git can compare.

The HTML goes into a ``foreignObject`` as XML, with its style; the picture is clipped to its size. Links, scripts and
styles of the page itself are left out, since a picture has none. Queries of the width are answered here for the
picture's own width: a browser would answer them for the size at which the picture is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from html.parser import HTMLParser

_VOID = frozenset({"br", "col", "hr", "img", "input", "meta", "wbr"})
_DROPPED = frozenset({"script", "style", "head"})
_ATTRIBUTES = {"viewbox": "viewBox"}
_SVG = "http://www.w3.org/2000/svg"
_XHTML = "http://www.w3.org/1999/xhtml"

_WIDTHS = re.compile(r"@media ?\((min|max)-width: ?(\d+)(rem|px)\) ?\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_REM = 16
"""Pixels of a ``rem`` unless a reader's browser says otherwise."""


class _Xml(HTMLParser):
    """Collects a document as XML, without the elements that are dropped."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[str] = []
        self._within_dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED or self._within_dropped:
            self._within_dropped += tag not in _VOID
            return
        if tag == "html":
            return
        given = [(_ATTRIBUTES.get(name, name), value) for name, value in attrs if name not in {"href", "id", "hidden"}]
        if tag in {"svg", "body"}:
            given.append(("xmlns", _SVG if tag == "svg" else _XHTML))
        written = "".join(f' {name}="{escape(name if value is None else value)}"' for name, value in given)
        if not any(name == "hidden" for name, _ in attrs):
            self.parts.append(f"<{tag}{written}{'/' if tag in _VOID else ''}>")
            if tag not in _VOID:
                self._open.append(tag)
        elif tag not in _VOID:
            self._within_dropped = 1

    def handle_endtag(self, tag: str) -> None:
        if self._within_dropped:
            self._within_dropped -= tag not in _VOID
            return
        if tag == "html" or tag in _VOID:
            return
        while self._open:  # what HTML leaves open, such as a list item
            last = self._open.pop()
            self.parts.append(f"</{last}>")
            if last == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._within_dropped:
            self.parts.append(escape(data, quote=False))


def picture(
    page: str,
    *,
    title: str,
    width: int,
    height: int,
    start: str = "",
    most_sections: int = 9,
    parts: Sequence[str] = (),
) -> str:
    """Return an SVG of a page from ``start`` on; ``width`` and ``height`` in pixels.

    ``most_sections``: elements ``section`` that are kept; ``parts``: ids of the parts of a page that are kept, or all.
    """
    style = _at_width("".join(re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL)), width)
    body = page[page.index("<body") :].partition("</html>")[0]
    if start:
        body = f"<body>{body[body.index(start) :]}"
    if parts:
        body = re.sub(r"<nav\b.*?</nav>", "", body, flags=re.DOTALL)
        before, *each = re.split(r'(?=<section id=")', body)
        wanted = tuple(f'<section id="{name}"' for name in parts)
        body = before + "".join(part for part in each if part.startswith(wanted))
    body = "<section".join(body.split("<section")[: most_sections + 1])
    reader = _Xml()
    reader.feed(body)
    reader.handle_endtag("body")
    content = "".join(reader.parts).strip()
    return (
        f'<svg xmlns="{_SVG}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style><![CDATA[{style}]]></style>\n"
        f'<foreignObject width="{width}" height="{height}">\n{content}\n</foreignObject>\n</svg>\n'
    )


def _at_width(style: str, width: int) -> str:
    """Keep the rules of each query of the width that holds at ``width``, and drop the others."""

    def rules(query: re.Match[str]) -> str:
        bound = int(query[2]) * (_REM if query[3] == "rem" else 1)
        return query[4] if (width >= bound if query[1] == "min" else width <= bound) else ""

    return _WIDTHS.sub(rules, style)
