"""Shows the Markdown of a comment as HTML: CommonMark with tables, strikethrough, task lists and suggested changes.

A page made of a hostile change runs and loads nothing: no images, of HTML only the tags that Review Bot writes, and an
address becomes a link only if it is one of http or https. Everything else is shown as text.
"""

import html
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

_TAGS = re.compile(r"(</?(?:details|summary|sub|del|strong|em|code|kbd)>|<details open>|<br ?/?>)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TASK = re.compile(r"\[([ xX])\] ")


class _Renderer(RendererHTML):
    def html_inline(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        parts = _TAGS.split(tokens[at].content)
        return "".join(part if _TAGS.fullmatch(part) else html.escape(html.unescape(part)) for part in parts)

    def html_block(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        return self.html_inline(tokens, at)

    def s_open(self, *_: Any) -> str:
        return "<del>"

    def s_close(self, *_: Any) -> str:
        return "</del>"

    def link_open(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        url = str(tokens[at].attrs["href"])
        return f'<a href="{html.escape(url)}" rel="noopener">' if url.startswith(("https://", "http://")) else "<a>"

    def table_open(self, *_: Any) -> str:
        return '<table class="text">\n'

    def th_open(self, *_: Any) -> str:
        return "<th>"

    def td_open(self, *_: Any) -> str:
        return "<td>"

    def fence(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        code = tokens[at].content.removesuffix("\n")
        if tokens[at].info.strip() != "suggestion":
            return f"<pre><code>{html.escape(code)}</code></pre>\n"
        rows = "".join(f"<div>+ {html.escape(line)}</div>" for line in code.split("\n")) if tokens[at].content else ""
        rows = rows or "<div>(delete these lines)</div>"
        return f'<div class="suggestion"><b>Suggested change</b><pre>{rows}</pre></div>\n'


_MARKDOWN = MarkdownIt("commonmark", renderer_cls=_Renderer).enable(["table", "strikethrough"]).disable("image")


def render(text: str) -> str:
    """Return the HTML of a comment."""
    tokens = _MARKDOWN.parse(_COMMENT.sub("", text))
    for before, token in pairwise(tokens):
        task = _TASK.match(token.content) if before.type == "paragraph_open" and token.level >= 3 else None
        if task and token.children:
            token.children[0].content = ("☐ " if task[1] == " " else "☑ ") + token.children[0].content[4:]
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})).rstrip("\n")
