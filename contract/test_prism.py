"""The same story once more, with Prism between the Action and the fake GitHub: a wrong call would be an error at once."""

import re
from contextlib import suppress

from contract.prism import prism
from contract.relay import Relay
from contract.story import ENDINGS, Stage, tell
from fake_github.server import FakeGitHub

AROUND = r"/graphql$|/tarball/|/git/blobs/"
"""What Prism cannot carry: it knows no GraphQL, follows a redirect by itself, and reads bytes as text."""


def test_the_story_goes_through_prism_without_a_violation(story, description, tmp_path, figures):
    calls = [made for made in story.exchanges if not re.search(AROUND, made.target)]
    used = {made.id: made for made in (description.operation(call.method, call.target) for call in calls)}
    with (
        FakeGitHub() as github,
        prism(description.slim(used.values()), github.url, tmp_path) as judged,
        Relay(github.url, through=judged, around=AROUND) as relay,
    ):
        stage = Stage(github, relay, tmp_path)
        with suppress(Exception):  # a story that breaks off shows in its chapters, and the violation says why
            tell(stage)
    refused = [
        f"{made}: {made.answer_headers.get('sl-violations', '')} {made.answer[:2000].decode()}"
        for made in stage.exchanges
        if b"stoplight.io/prism" in made.answer or "sl-violations" in made.answer_headers
    ]
    assert not refused, "\n".join(refused)
    ended = {chapter.name: chapter.code for chapter in stage.chapters}
    assert ended == ENDINGS, "\n".join(made.log for made in stage.chapters if made.code != ENDINGS[made.name])
    assert _said(stage) == _said(story)
    figures["calls through Prism"] = sum(not re.search(AROUND, made.target) for made in stage.exchanges)


def _said(stage):
    """Return what stands in the pull requests at the end of the story, without numbers that any run gives anew."""
    pull = stage.pull_request
    return [(one.path, one.line, one.body) for one in pull.review_comments], len(pull.comments), len(pull.reviews)
