"""``python -m fake_github.demo``: the whole Action on a sample pull request, on a fake GitHub in this process."""

from __future__ import annotations

import argparse
import html
import os
import re
from collections.abc import Sequence
from pathlib import Path

from fake_github import page as pull_request_page
from fake_github.demo.page import Part, render
from fake_github.demo.story import Step, Story
from fake_github.page import Check, content, diff
from fake_github.pictures import picture
from fake_github.server import FakeGitHub
from fake_github.world import ACTIONS_BOT
from review_bot import cli
from review_bot.comments import marker
from review_bot.files.file_writing import NotWritten, write_typed
from review_bot.text import console
from review_bot.text.listing import count

PAGE = "review-bot-demo.html"
DOSSIER = "review-bot-demo"

LEAD = (
    "The Action ran four times on a fake GitHub and wrote every comment by github-actions below. The code is a sample "
    "with planted defects."
)

_MEANING = {0: "the gate passes", 1: "the gate fails on findings", 3: "the review could not be completed"}
_MARKUP = re.compile(r"\*\*|\\(?=[^\w\s])|\u200b")


def main() -> int:
    """Read the command line and run the demo."""
    parser = argparse.ArgumentParser(prog="python -m fake_github.demo", description=__doc__)
    parser.add_argument(
        "--page", metavar="FILE", default=PAGE, help=f"where to leave the pull request as a page (default: {PAGE})"
    )

    parser.add_argument(
        "--dossier", metavar="DIR", default=DOSSIER, help=f"where to leave the dossier (default: {DOSSIER})"
    )
    parser.add_argument("--pictures", metavar="DIR", help="also write the pictures of the README into a folder")
    return run(parser.parse_args())


def run(options: argparse.Namespace) -> int:
    """Run the story, leave its page and the dossier, and return 0 if every review could be completed."""
    steps: list[Step] = []
    parts: list[Part] = []
    known: dict[int, str] = {}
    with FakeGitHub() as github:
        story = Story(github)
        for step in story.steps():
            steps.append(step)
            changes = _print(story, step, known)
            if len(steps) == 1:
                parts.append(_review("First review", story, step, changes))
                if options.pictures:
                    _draw(story, Path(options.pictures), step)
            elif step.event == "pull_request" and len(parts) == 1:
                parts.append(_push(story, steps[1:]))
                parts.append(_review("Second review", story, step, changes))
    again = f"{steps[-1].why}: {count(len(steps[-1].writes), 'write')}"
    parts[-1] = parts[-1]._replace(facts=(*parts[-1].facts, again))
    text = render("A pull request before and after a push", LEAD, parts)
    try:
        write_typed(options.page, text)
    except NotWritten as error:
        raise NotWritten(f"{error}; use --page FILE") from error
    try:
        for name, text in steps[-1].dossier.items():
            write_typed(os.path.join(options.dossier, name), text, makes_folders=True)
    except NotWritten as error:
        raise NotWritten(f"{error}; use --dossier DIR") from error
    console.say(f"{options.page} shows the pull request before and after the push: open it in a browser.")
    page = os.path.join(options.dossier, "report.html")
    console.say(f"{page} is its review as a page; the rest of the dossier is in the same folder.")
    console.say(
        "In a repository of your own: install Review Bot (README.md), then `review-bot review` before you push, and"
    )
    console.say("`review-bot init --workflow trusted` for the Action.")
    return 0 if all(step.code in {0, 1} for step in steps) else 3


def _print(story: Story, step: Step, known: dict[int, str]) -> dict[str, int]:
    """Print a run of the Action, and return how many line comments are ``new`` and ``edited``.

    ``known``: id → text of each comment before the run; brought up to date.
    """
    changes = {"new": 0, "edited": 0}
    console.say(f"{step.why}.")
    meaning = _MEANING.get(step.code, "an error") if step.event == "pull_request" else "an answer, no verdict"
    console.say(
        f"  The Action ends with exit code {step.code}: {meaning}. "
        f"{count(step.reads, 'read')}, {count(len(step.writes), 'write')}."
    )
    if step.code not in {0, 1}:
        console.say(step.log)
    for comment in story.pull.review_comments:
        if known.get(comment.id) != comment.body and comment.author == ACTIONS_BOT:
            word = "edited" if comment.id in known else "new"
            changes[word] += 1
            console.say(f"  {word}: {comment.path}:{comment.line or comment.original_line}  {_first(comment.body)}")
        known[comment.id] = comment.body
    for said in story.pull.comments:
        if said.author == ACTIONS_BOT and known.get(said.id) != said.body:
            is_summary = marker.read(said.body, "review-bot") is not None
            console.say(f"  the {'summary' if is_summary else 'answer'}:\n" + _head(said.body))
        known[said.id] = said.body
    console.say("")
    return changes


def _review(heading: str, story: Story, step: Step, changes: dict[str, int]) -> Part:
    """Return the pull request as a review of it left it."""
    state, colour = ("success", "green") if step.code == 0 else ("failure", "red")
    meaning = _MEANING.get(step.code, "an error")
    facts = [f"The check is {colour}: {meaning}", *_headline(story)]
    facts += [f"{count(changes['new'], 'new line comment')}"] if changes["new"] else []
    facts += [f"{count(changes['edited'], 'line comment')} marked as fixed"] if changes["edited"] else []
    declined = sum(each.minimized is not None for each in story.pull.review_comments)
    facts += [f"{count(declined, 'line comment')} declined and hidden"] if declined else []
    check = Check("Review Bot / review-bot", state, f"{meaning} (exit code {step.code})")
    return Part(f"{heading}: {colour}", state, tuple(facts), content(story.pull, [check]))


def _headline(story: Story) -> list[str]:
    """Return how many findings the summary comment counts: the first sentence below its heading."""
    bodies = [each.body for each in story.pull.comments if marker.read(each.body, "review-bot") is not None]
    return [_head(body).split("\n")[1].strip().partition(". ")[0] for body in bodies]


def _push(story: Story, steps: Sequence[Step]) -> Part:
    """Return what people did before the last of some runs, and what the push changed as a diff."""
    facts = tuple(each.why for each in steps)
    said = "".join(f"<p>{html.escape(fact)}.</p>" for fact in facts)
    return Part("Push", "", facts, said + "".join(diff(file) for file in story.pushed()))


def _draw(story: Story, folder: Path, step: Step) -> None:
    """Write the pictures of the first review: a comment on a line, and the report page."""
    pictures = {
        "comment.svg": picture(
            pull_request_page.render(story.pull),
            title="A comment of Review Bot in the diff of a pull request",
            width=900,
            height=545,
            start='<section class="file"><header><code>halcyon/engine/scheduler.py',
            most_sections=1,
        ),
        "report.svg": picture(
            step.dossier["report.html"],
            title="The report page of the same review",
            width=900,
            height=760,
            parts=("findings",),
        ),
    }
    for name, text in pictures.items():
        write_typed(str(folder / name), text, makes_folders=True)


def _first(body: str) -> str:
    """Return the first line of a comment as plain text."""
    return _MARKUP.sub("", body.split("\n", 1)[0])


def _head(body: str) -> str:
    """Return the beginning of the summary as plain text: verdict, counts, and what is new."""
    lines = [line for line in body.split("\n\n###", 1)[0].split("\n\n<", 1)[0].split("\n") if line]
    return "\n".join("    " + _MARKUP.sub("", line) for line in lines)


if __name__ == "__main__":
    cli.run_process(main)
