"""Shows the Markdown that Review Bot writes as HTML: headings, lists, tasks, tables, fences, links, ``<details>``.

No more than that; everything else is shown as text, so that a page made of a hostile change runs nothing. An address
becomes a link only if it is one of http or https.
"""

import html
import re
from collections.abc import Iterator

_TAGS = r"</?(?:details|summary|sub|del|strong|em|code|kbd)>|<details open>|<br ?/?>"
_CODE = r"(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
_INSIDE = r"(?:\\.|`+[^`]*`+|[^\\`])"
_INLINE = re.compile(
    rf"\\(?P<sign>[!-/:-@\[-`{{-~])|{_CODE}"
    rf"|\[(?P<text>(?:\\.|`+[^`]*`+|[^\]\\`])*)\]\((?P<url>[^)\s]*)\)"
    rf"|\*\*(?P<bold>{_INSIDE}+?)\*\*|~~(?P<gone>{_INSIDE}+?)~~"
    rf"|(?P<tag>{_TAGS})|(?P<entity>&(?:\w+|#\d+|#x[0-9a-fA-F]+);)",
    re.DOTALL,
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w-]*)\s*$")
_ITEM = re.compile(r"^(\s*)(-|\d{1,9}\.) (?:\[(?P<tick>[ xX])\] )?(?P<text>.*)$")
_TABLE = re.compile(r"^\|(?: ?:?-{3,}:? ?\|)+$")
_CELL = re.compile(r"(?:\\.|`+[^`]*`+|[^|\\])+")
_HEADING = re.compile(r"^(#{1,6}) (.*)$")


def render(text: str) -> str:
    """Return the HTML of a comment."""
    return "\n".join(_blocks(_COMMENT.sub("", text).split("\n")))


def inline(text: str) -> str:
    """Return the HTML of one line of text."""
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        parts += [html.escape(text[at : found.start()]), _piece(found)]
        at = found.end()
    return "".join([*parts, html.escape(text[at:])])


def _piece(found: re.Match[str]) -> str:
    if found["sign"]:
        return html.escape(found["sign"])
    if found["code"]:
        code = found["code"].replace("\n", " ")
        is_padded = code[:1] == code[-1:] == " " and code.strip()
        return f"<code>{html.escape(code[1:-1] if is_padded else code)}</code>"
    if found["url"] is not None:
        text = inline(found["text"])
        is_web = found["url"].startswith(("https://", "http://"))
        return f'<a href="{html.escape(found["url"])}" rel="noopener">{text}</a>' if is_web else text
    for name, tag in (("bold", "strong"), ("gone", "del")):
        if found[name]:
            return f"<{tag}>{inline(found[name])}</{tag}>"
    return found[0]


def _blocks(lines: list[str]) -> Iterator[str]:
    at, paragraph, lists = 0, list[str](), list[str]()  # the names of the lists that are open

    def close(to: int = 0) -> Iterator[str]:
        if paragraph:
            words = inline("\n".join(paragraph))
            is_block = bool(lists) or words.startswith(("<details", "</details", "<summary"))
            yield words if is_block else f"<p>{words}</p>"
            paragraph.clear()
        while len(lists) > to:
            yield f"</li></{lists.pop()}>"

    while at < len(lines):
        line = lines[at]
        at += 1
        fence, item, heading = _FENCE.match(line), _ITEM.match(line), _HEADING.match(line)
        if fence:
            end = next((row for row in range(at, len(lines)) if lines[row].strip() == fence[1]), len(lines))
            yield from close(len(lists))
            yield _fenced(fence[2], lines[at:end])
            at = end + 1
        elif item:
            wanted = len(item[1]) // 2 + 1
            yield from close(min(len(lists), wanted))
            if wanted > len(lists):
                lists.append("ul" if item[2] == "-" else "ol")
                yield f"<{lists[-1]}><li>"
            else:
                yield "</li><li>"
            box = "" if item["tick"] is None else "☐ " if item["tick"] == " " else "☑ "
            paragraph.append(box + item["text"])
        elif heading:
            yield from close()
            yield f"<h{len(heading[1])}>{inline(heading[2])}</h{len(heading[1])}>"
        elif line.startswith("|") and at < len(lines) and _TABLE.match(lines[at]):
            end = next((row for row in range(at, len(lines)) if not lines[row].startswith("|")), len(lines))
            yield from close()
            yield _table(line, lines[at + 1 : end])
            at = end
        elif not line.strip():
            yield from close(len(lists) if at < len(lines) and lines[at].startswith("  ") else 0)
        elif line.startswith(("<details", "</details", "<summary")):
            yield from close()
            yield inline(line)
        else:
            paragraph.append(line.strip())
    yield from close()


def _table(head: str, rows: list[str]) -> str:
    def cells(line: str, tag: str) -> str:
        found = _CELL.findall(line.strip().removeprefix("|"))
        return "<tr>" + "".join(f"<{tag}>{inline(cell.strip())}</{tag}>" for cell in found) + "</tr>"

    return f'<table class="text">{cells(head, "th")}{"".join(cells(row, "td") for row in rows)}</table>'


def _fenced(language: str, lines: list[str]) -> str:
    code = html.escape("\n".join(lines))
    if language != "suggestion":
        return f"<pre><code>{code}</code></pre>"
    rows = "".join(f"<div>+ {html.escape(line)}</div>" for line in lines) or "<div>(delete these lines)</div>"
    return f'<div class="suggestion"><b>Suggested change</b><pre>{rows}</pre></div>'
