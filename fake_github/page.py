"""Shows a pull request as HTML, as a person would see it: checks, conversation, comments in the diff.

The page is in one file, loads nothing and runs no script.
"""

import html
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fake_github import anchors, markdown_html
from fake_github.git_store import FileDiff
from fake_github.repository import FakePullRequest
from fake_github.shapes import STATUS_WORDS
from fake_github.world import IssueComment, Review, ReviewComment

STATE_SIGNS = {"success": "✓", "failure": "✗", "error": "✗", "pending": "●"}


class Check(NamedTuple):
    """The check of a job: its name, ``success`` or ``failure``, and one line."""

    name: str
    state: str
    text: str


Threads = Sequence[tuple[ReviewComment, str]]
"""First comments of threads on a file, each with the HTML of its thread."""


def render(pull: FakePullRequest, checks: Sequence[Check] = ()) -> str:
    """Return the page of a pull request. ``checks``: as in `content`."""
    return document(f"{pull.record.title} · {pull.repository.full_name}#{pull.record.number}", content(pull, checks))


def document(title: str, body: str, style: str = "") -> str:
    """Return a page of its own. ``title`` is plain text, ``body`` HTML; ``style`` is added to the page's."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8") + style
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>\n'
        f"<body>{body}</body></html>\n"
    )


def content(pull: FakePullRequest, checks: Sequence[Check] = ()) -> str:
    """Return a pull request as it is now. ``checks``: those of jobs, which the fake GitHub does not know."""
    record, repository = pull.record, pull.repository
    change = repository.hosting.pull_change(repository.record, record)
    latest = {one.context.lower(): one for one in repository.statuses(record.head_sha)}
    rows = [*checks, *(Check(one.context, one.state, one.description or "") for one in latest.values())]
    added, removed = sum(file.added for file in change.files), sum(file.removed for file in change.files)
    state = "merged" if record.merged else "draft" if record.draft and record.state == "open" else record.state
    title = f"{html.escape(record.title)} <i>#{record.number}</i>"
    branch = f"{html.escape(record.head_owner)}:{html.escape(record.head_ref)}"
    author = html.escape(record.author or "ghost")
    opening = (
        f'<h1>{title}</h1><p><span class="state {state}">{state.capitalize()}</span> <b>{author}</b> wants to merge '
        f"<code>{branch}</code> into <code>{html.escape(record.base_ref)}</code> "
        f'<span class="right"><ins>+{added}</ins> <del>&minus;{removed}</del></span></p>'
    )
    body = [
        opening,
        *_conversation(pull),
        *_checks(rows),
        f"<h2>Files changed ({len(change.files)})</h2>",
        *(diff(file, _threads(pull, file)) for file in change.files),
    ]
    return "".join(body)


def diff(file: FileDiff, threads: Threads = ()) -> str:
    """Return the diff of a file with the threads on it."""
    return "".join(_file(file, threads))


def _conversation(pull: FakePullRequest) -> Iterator[str]:
    record = pull.record
    if record.body:
        yield _box(record.author, "opened this", markdown_html.render(record.body))
    entries: list[IssueComment | Review] = [*pull.comments, *pull.reviews]
    for entry in sorted(entries, key=lambda one: one.id):
        if isinstance(entry, IssueComment):
            yield _comment(entry, "commented")
            continue
        outdated = [
            one for one in pull.review_comments if one.review == entry.id and one.outdated and not one.in_reply_to
        ]
        words = {"APPROVED": "approved", "CHANGES_REQUESTED": "asked for changes"}.get(entry.state, "reviewed")
        if entry.body or outdated or entry.state != "COMMENTED":
            content = markdown_html.render(entry.body) + "".join(_outdated(pull, one) for one in outdated)
            yield _box(entry.author, f"{words} {entry.commit_id[:7]}", content)


def _outdated(pull: FakePullRequest, comment: ReviewComment) -> str:
    where = html.escape(f"{comment.path}, line {comment.original_line}")
    hunk = "\n".join(comment.diff_hunk.split("\n")[-4:])
    return (
        f'<details class="outdated"><summary>{where} <i>Outdated</i>{_resolved(pull, comment)}</summary>'
        f"<pre>{html.escape(hunk)}</pre>{_thread(pull, comment)}</details>"
    )


def _checks(rows: Sequence[Check]) -> Iterator[str]:
    if rows:
        yield '<section class="checks">'
        for row in rows:
            sign = STATE_SIGNS.get(row.state, "●")
            yield (
                f'<div><span class="{html.escape(row.state)}">{sign}</span> <b>{html.escape(row.name)}</b> '
                f"{html.escape(row.text)}</div>"
            )
        yield "</section>"


def _threads(pull: FakePullRequest, file: FileDiff) -> Threads:
    first = [one for one in pull.review_comments if one.path == file.path and one.in_reply_to is None]
    return [(one, _thread(pull, one)) for one in first]


def _file(file: FileDiff, threads: Threads) -> Iterator[str]:
    name = html.escape(file.path if file.previous is None else f"{file.previous} → {file.path}")
    word = STATUS_WORDS[file.status]
    yield f'<section class="file"><header><code>{name}</code> <i>{word}</i> '
    yield f'<span class="right"><ins>+{file.added}</ins> <del>&minus;{file.removed}</del></span></header>'
    yield "".join(thread for one, thread in threads if one.subject_type == "file" and not one.outdated)
    if not file.patch:
        yield f"<p>{'Binary file' if file.binary else 'No change of text'}.</p></section>"
        return
    placed: dict[tuple[str, int | None], list[str]] = {}
    for one, thread in threads:
        if one.subject_type != "file" and one.line is not None:
            placed.setdefault((one.side, one.line), []).append(thread)
    rows, known = file.patch.split("\n"), {line.position: line for line in anchors.lines(file.patch)}
    yield "<table>"
    for position, text in enumerate(rows):
        line = known.get(position)
        if line is None:
            yield f'<tr class="hunk"><td></td><td></td><td>{html.escape(text)}</td></tr>'
            continue
        kind = {"+": "added", "-": "removed", " ": ""}[line.sign]
        old, new = "" if line.sign == "+" else line.old, "" if line.sign == "-" else line.new
        yield f'<tr class="{kind}"><td>{old}</td><td>{new}</td><td>{html.escape(text)}</td></tr>'
        here = [] if line.sign == "-" else placed.get(("RIGHT", line.new), [])
        here = here + ([] if line.sign == "+" else placed.get(("LEFT", line.old), []))
        for thread in here:
            yield f'<tr><td colspan="3" class="talk">{thread}</td></tr>'
    yield "</table></section>"


def _thread(pull: FakePullRequest, first: ReviewComment) -> str:
    answers = [one for one in pull.review_comments if one.in_reply_to == first.id]
    lines = "" if first.start_line is None else f" on lines {first.start_line} to {first.line}"
    boxes = "".join(_comment(one, "commented" + (lines if one is first else "")) for one in [first, *answers])
    return f"{_resolved(pull, first)}{boxes}"


def _comment(one: IssueComment | ReviewComment, words: str) -> str:
    content = markdown_html.render(one.body)
    if one.minimized is None:
        return _box(one.author, words, content)
    return (
        f'<details class="hidden"><summary>Hidden as {html.escape(one.minimized.lower())}</summary>{content}</details>'
    )


def _resolved(pull: FakePullRequest, comment: ReviewComment) -> str:
    thread = pull.repository.record.threads.get(comment.thread)
    return ' <span class="state merged">Resolved</span>' if thread is not None and thread.resolved else ""


def _box(author: str | None, words: str, content: str) -> str:
    login = html.escape(author or "ghost")
    tag = ' <span class="bot">bot</span>' if login.endswith("[bot]") else ""
    name = login.removesuffix("[bot]")
    return f"<article><header><b>{name}</b>{tag} {html.escape(words)}</header><div>{content}</div></article>"
