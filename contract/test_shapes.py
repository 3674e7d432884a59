"""What GitHub may leave null or leave out, our client can read: each shape against each legal variant of an answer."""

import json
from types import GenericAlias
from typing import Any

import pytest

from contract.description import Exchange
from contract.story import REPOSITORY
from review_bot.comments.model import PublicationSettings
from review_bot.configuration.inputs import Overrides
from review_bot.forges.github import wire
from review_bot.forges.github.client import Client
from review_bot.forges.github.event import CommandTarget
from review_bot.forges.github.wire import ApiFailure, Reply
from review_bot.github_action import chat_commands, review_run
from review_bot.github_action.review_run import Job
from review_bot.sandbox.worker_client import Worker


class Watched(Client):
    """Our client, remembering as what each answer is read."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.rest = []
        self.graphql = []

    def get(self, path, shape, *rest):
        self.rest.append(("GET", path, shape))
        return super().get(path, shape, *rest)

    def get_all(self, path, shape, *rest):
        self.rest.append(("GET", path, GenericAlias(list, (shape,))))
        return super().get_all(path, shape, *rest)

    def send(self, method, path, body, shape, **rest):
        self.rest.append((method, path, shape))
        return super().send(method, path, body, shape, **rest)

    def query(self, document, variables, shape, **rest):
        self.graphql.append((document, shape))
        return super().query(document, variables, shape, **rest)

    def mutate(self, document, variables, shape):
        self.graphql.append((document, shape))
        return super().mutate(document, variables, shape)


@pytest.fixture(scope="module")
def watched(story):
    """Read and answer once more, in this process, and return the client that did; the story stays as it was."""
    saved = story.github.snapshot()
    story.pull_request.push(
        {"halcyon/again.py": "import os\n\nvalue = os.path.join\n", "docs/marks.md": "<<<<<<< ours\n"}
    )
    settings = PublicationSettings(resolve_threads=True, request_changes=True)
    job = Job(REPOSITORY, story.pull_request.number, publication=settings)
    command = CommandTarget(REPOSITORY, story.pull_request.number, 1, "ada", "/review-bot rerun")
    with Watched(story.github.url, story.token, graphql_url=story.github.graphql_url) as client, Worker() as worker:
        review_run.publish(client, job, review_run.review(client, job, worker))
        chat_commands.answer(client, command, "review-bot", "https://github.com", Overrides())
    story.github.restore(saved)
    return client


def read(shape, body, *, is_graphql):
    """Return why an answer cannot be read as a shape, or None."""
    reply = Reply(200, {"content-type": "application/json"}, json.dumps(body).encode(), "https://api.github.com/")
    try:
        if is_graphql:
            wire.decode_graphql(reply, shape, "the answer", 0.0)
        else:
            wire.decode(reply, shape, "the answer")
    except ApiFailure as failure:
        return str(failure)
    return None


def test_whatever_github_may_leave_null_or_out_is_read(story, watched, description, figures):
    longest: dict[str, Exchange] = {}
    for made in story.exchanges:
        if not made.target.endswith("/graphql") and 200 <= made.status < 300 and made.answer:
            operation = description.operation(made.method, made.target)
            longest[operation.id] = max(made, longest.get(operation.id, made), key=lambda one: len(one.answer))
    refused = {}
    for method, path, shape in watched.rest:
        operation = description.operation(method, path)
        if shape is None or operation.id not in longest:
            continue
        made = longest[operation.id]
        for where, variant in description.variants(operation, made.status, json.loads(made.answer)):
            figures["variants read"] = figures.get("variants read", 0) + 1
            problem = read(shape, variant, is_graphql=False)
            if problem:
                refused[operation.id, where] = problem
    assert not refused


def test_whatever_graphql_may_leave_null_is_read(story, watched, schema, figures):
    told: dict[str, list[tuple[str, Any]]] = {}
    for made in story.exchanges:
        if made.target.endswith("/graphql"):
            request = json.loads(made.body)
            (name,) = schema.operations(request["query"])
            told.setdefault(name, []).append((request["query"], json.loads(made.answer)))
    refused = {}
    for document, shape in watched.graphql:
        for asked, answer in told[schema.operations(document)[0]]:
            for where, variant in schema.variants(asked, answer["data"]):
                figures["variants read"] = figures.get("variants read", 0) + 1
                problem = read(shape, {"data": variant}, is_graphql=True)
                if problem:
                    refused[schema.operations(document)[0], where] = problem
    assert not refused


def test_what_github_never_leaves_out_is_missed(watched, description):
    """The judge can say no: a file without a name is none."""
    shape = next(shape for method, path, shape in watched.rest if path.endswith("/files"))
    row = {"sha": None, "filename": "a.py", "status": "added", "additions": 1, "deletions": 0, "changes": 1}
    assert read(shape, [row], is_graphql=False) is None
    assert read(shape, [{**row, "filename": None}], is_graphql=False)
    told = {description.operation(method, path).id for method, path, shape in watched.rest if shape is not None}
    assert {"pulls/get", "pulls/list-files", "pulls/list-review-comments", "issues/list-comments"} <= told
    assert {"git/get-tree", "repos/compare-commits-with-basehead", "pulls/create-review", "pulls/list-reviews"} <= told
