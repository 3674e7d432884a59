"""Shows the pull request of the demo before and after its push as one page: a contents list, then each part."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fake_github import page


class Part(NamedTuple):
    """A part of the story: a heading, the facts of it in a line each, and the HTML below.

    ``state``: ``success`` or ``failure`` of the check, empty where no review ran.
    """

    heading: str
    state: str
    facts: tuple[str, ...]
    content: str


def render(title: str, lead: str, parts: Sequence[Part]) -> str:
    """Return the page. Its contents list shows the parts with their facts, so that the outcome is seen at once."""
    cards, sections = "", ""
    for number, part in enumerate(parts, 1):
        sign = page.STATE_SIGNS.get(part.state, "↑")
        heading = f'<span class="{part.state}">{sign}</span> {number}. {html.escape(part.heading)}'
        facts = "".join(f"<li>{html.escape(fact)}</li>" for fact in part.facts)
        cards += f'<li class="card {part.state}"><a href="#part-{number}">{heading}</a><ul>{facts}</ul></li>'
        sections += f'<h1 class="part {part.state}" id="part-{number}">{heading}</h1>'
        sections += f'<div class="moment">{part.content}</div>'
    opening = f'<h1 class="title">{html.escape(title)}</h1><p>{html.escape(lead)}</p><ol class="cards">{cards}</ol>'
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return page.document(title, opening + sections, style)
