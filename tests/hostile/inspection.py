"""What must hold after every run, whatever the pull request holds: log, outputs, Markdown, other people's comments.

Nothing here uses the code that it judges. The runner's two grammars of workflow commands are written anew from what
actions/runner does (src/Runner.Common/ActionCommand.cs): the newer ``::name key=value,...::data`` after leading blanks,
the older ``##[name key=value;...]data`` anywhere in a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from fake_github.repository import FakePullRequest
from fake_github.world import IssueComment, ReviewComment
from tests.action import Result

BOT = "github-actions[bot]"
OUTPUTS = {
    "verdict": r"no-findings|comments|changes-required|incomplete|",
    "passed": r"true|false",
    "score": r"[0-9.]*",
    "findings": r"[0-9]+",
    "errors": r"[0-9]+",
    "warnings": r"[0-9]+",
    "report-file": r"review-bot-report/report\.json",
    "sarif-file": r"review-bot-report/report\.sarif",
    "summary-url": r"(?:https://github\.com/octo/halcyon/pull/[0-9]+#issuecomment-[0-9]+)?",
}
KEYS = {"file", "line", "endLine", "col", "title"}
TITLE = re.compile(
    r"(?:error|warning|info|hint)%3A .+ \([a-z0-9/-]+\)|Not reviewed|Review incomplete|Review Bot"
    r"|Rule failed \([a-z0-9/-]+\)"
)
HEADING = re.compile(
    r"Review Bot: [a-z ]+|Review Bot: nothing to review|Errors \(must fix\)|Warnings \(should fix\)|Could not be reviewed|Merge criteria|Next steps"
)
TAGS = {"<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>", "<br>"}
HIDDEN = re.compile(
    r"<!-- review-bot:(?:1 [a-z0-9-]+ (?:summary|inline|file)|rule|settled|ledger|tick (?:card|criterion)/[a-z-]+)[ -;=?-~]* -->"
)
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees; the zero-width space is missing: it is what keeps mentions and links apart."""

LINKING = re.compile(
    r"@(?=[\w-])|(?<!&)#(?=\d)|\bGH-(?=\d)|(?<![0-9A-Za-z])[0-9A-Fa-f]{7,40}(?![0-9A-Za-z])|https?://|www\.(?=[\w-])",
    re.IGNORECASE,
)
"""What GitHub makes links of in running text: people, issues, commits, addresses."""


class Command(NamedTuple):
    """A workflow command as the runner reads it."""

    name: str
    properties: dict[str, str]
    data: str


def commands(log: str) -> Iterator[Command]:
    """Yield every command that the runner finds in a log, whether it knows its name or not."""
    for line in re.split(r"\r\n|\r|\n", log):
        found = _new_form(line) or _old_form(line)
        if found is not None:
            yield found


def _new_form(line: str) -> Command | None:
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    return Command(name, dict(_pairs(rest, ",")), line[end + 2 :])


def _old_form(line: str) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, rest = line[start + 3 : end].partition(" ")
    return Command(name, dict(_pairs(rest, ";")), line[end + 1 :])


def _pairs(text: str, separator: str) -> Iterator[tuple[str, str]]:
    for part in text.split(separator):
        key, sign, value = part.partition("=")
        if sign:
            yield key.strip(), value


def check_log(log: str) -> None:
    """Check that the runner finds our own annotations and nothing else, and that no character is unseen."""
    assert "##[" not in log
    for command in commands(log):
        assert command.name in {"error", "warning", "notice"}, command
        assert set(command.properties) <= KEYS, command
        assert TITLE.fullmatch(command.properties["title"]), command
    assert UNSAFE.search(log.replace("\n", "")) is None


def annotated(log: str) -> list[tuple[str, str | None, str | None]]:
    """Return (kind, file, line) of every annotation, the file as the runner reads it."""
    found = []
    for command in commands(log):
        path = command.properties.get("file")
        for sign, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            path = None if path is None else path.replace(sign, char)
        found.append((command.name, path, command.properties.get("line")))
    return found


def check_outputs(result: Result) -> None:
    """Check that the file of outputs holds our names and nothing of a pull request."""
    path = result.folder / "output"
    for line in path.read_bytes().decode().split("\n")[:-1]:
        name, sign, value = line.partition("=")
        assert sign, line
        assert re.fullmatch(OUTPUTS[name], value), line
    assert set(result.outputs) <= set(OUTPUTS)


def _parsed(text: str) -> Iterator[Token]:
    """Yield the tokens of a text as GitHub reads it: CommonMark with tables and strikethrough, HTML allowed."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in reader.parse(text):
        yield token
        yield from token.children or ()


def code_spans(text: str) -> list[str]:
    """Return what stands in code spans."""
    return [token.content for token in _parsed(text) if token.type == "code_inline"]


def fences(text: str) -> list[tuple[str, str]]:
    """Return (language, content) of each fenced block of code."""
    return [(token.info, token.content) for token in _parsed(text) if token.type == "fence"]


def text_of(text: str) -> str:
    """Return what a person reads, one line for each block."""
    lines = [
        "".join(child.content for child in token.children or ())
        for token in _parsed(text)
        if token.type == "inline" and token.children
    ]
    return "\n".join(lines).replace("\u200b", "")


def check_markdown(text: str, html: str) -> None:
    """Check that a text has no link, picture, mention, heading or HTML beside those of our own templates."""
    assert len(text.encode()) <= 1_000_000
    assert UNSAFE.search(text.replace("\n", "")) is None
    heading = False
    for token in _parsed(text):
        assert token.type != "image", token.content
        if token.type in {"html_block", "html_inline"}:
            for part in re.findall(r"<!--.*?-->|<[^>]*>", token.content):
                assert part in TAGS or HIDDEN.fullmatch(part), part
            rest = re.sub(r"<!--.*?-->|<[^>]*>", "", token.content)
            assert "<" not in rest, token.content
            assert LINKING.search(rest) is None, token.content
        if token.type == "link_open":
            address = str(token.attrs["href"])
            assert re.fullmatch(
                re.escape(html) + r"/octo/halcyon/pull/[0-9]+/files#diff-[0-9a-f]{64}(?:[RL][0-9]+)?", address
            ) or re.fullmatch(
                r"https://github\.com/[\w.-]+/[\w.-]+/blob/[\w.-]+/docs/(?:rules/[a-z0-9/-]+\.md|(?:suppressions\.md#[a-z]+|scorecard\.md))",
                address,
            ), address
        if token.type in {"heading_open", "heading_close"}:
            heading = token.type == "heading_open"
        if heading and token.type == "inline":
            assert HEADING.fullmatch(token.content), token.content
        if token.type == "text":
            assert LINKING.search(token.content) is None, token.content
        if token.type == "code_inline":
            assert re.search("@(?!\u200b)", token.content) is None, token.content
        if token.type == "fence":
            assert token.info in {"suggestion", "text"}, token.info
        assert token.type != "code_block", token.content


def of_others(pr: FakePullRequest) -> list[tuple[object, ...]]:
    """Return everything that somebody else has written: who, what, and when it was touched last."""
    return [(one.id, one.author, one.body, one.updated) for one in said_in(pr) if one.author != BOT]


def said_in(pr: FakePullRequest) -> list[IssueComment | ReviewComment]:
    """Return every comment of a pull request."""
    return [*pr.comments, *pr.review_comments]


def check_secret(token: str, result: Result, *told: list[str]) -> None:
    """Check that the token stands nowhere: log, outputs, page, reports, comments, bodies and addresses of calls."""
    texts = [result.log, result.summary, str(result.outputs)]
    texts += [path.read_text(errors="replace") for path in result.folder.rglob("*") if path.is_file()]
    for text in (*texts, *(one for many in told for one in many)):
        assert token not in text
