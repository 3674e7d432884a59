"""The whole story, and every call of it judged by what GitHub publishes."""

import ast
import json
import re
from collections import Counter
from importlib import resources
from pathlib import Path

import github as pygithub
import pytest

from contract.story import ANONYMOUS, ENDINGS, REPOSITORY
from contract.test_documents import names_in_code
from tests.some import some

WRITES = {"POST", "PATCH", "PUT", "DELETE"}


def rest(exchanges):
    return [made for made in exchanges if not made.target.endswith("/graphql")]


def graphql(exchanges):
    return [made for made in exchanges if made.target.endswith("/graphql")]


@pytest.mark.parametrize("name", ENDINGS)
def test_a_chapter_ends_as_it_has_to(story, name):
    chapter = story.chapter(name)
    assert chapter.code == ENDINGS[name], chapter.log
    assert "Traceback" not in chapter.log


def test_every_chapter_is_told(story):
    assert [chapter.name for chapter in story.chapters] == [*ENDINGS]


def test_every_rest_call_is_one_that_github_describes(story, description, figures):
    said = Counter(
        f"{made.method} {made.target.partition('?')[0]} → {made.status}: {sentence}"
        for made in rest(story.exchanges)
        for sentence in description.violations(made)
    )
    assert not said, "\n".join(f"{count} × {sentence}" for sentence, count in said.items())
    calls = rest(story.exchanges)
    figures["operations"] = len({description.operation(made.method, made.target).id for made in calls})
    figures["requests checked"] = figures["answers checked"] = len(calls)


def test_every_graphql_call_is_one_that_github_describes(story, schema, figures):
    calls = graphql(story.exchanges)
    said = Counter(sentence for made in calls for sentence in schema.of_exchange(made.body, made.answer))
    assert not said, "\n".join(f"{count} × {sentence}" for sentence, count in said.items())
    assert {made.status for made in calls} == {200}
    figures["GraphQL documents"] = len({json.loads(made.body)["query"] for made in calls})
    figures["GraphQL calls checked"] = len(calls)


def test_every_call_says_who_asks_and_what_for(story):
    """https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#headers."""
    nobody = [made for name in ANONYMOUS for made in story.chapter(name).exchanges]
    for made in some(story.exchanges):
        if made in nobody:
            assert "authorization" not in made.headers, made
        else:
            assert made.headers["authorization"].startswith("Bearer gh"), made
        assert made.headers["user-agent"].startswith("review-bot/"), made
        assert made.headers["x-github-api-version"] == "2022-11-28", made
        assert made.headers["accept"].startswith("application/vnd.github"), made


def test_a_run_on_an_unchanged_pull_request_writes_nothing_but_its_status(story):
    wrote = [made for made in rest(story.chapter("again").exchanges) if made.method in WRITES]
    assert [made.target.split("/")[4] for made in wrote] == ["statuses", "statuses"], "pending, then the verdict"
    assert not [made for made in rest(story.chapter("command line").exchanges) if made.method in WRITES]
    for made in graphql([*story.chapter("again").exchanges, *story.chapter("command line").exchanges]):
        assert json.loads(made.body)["query"].lstrip().startswith("query"), made


def test_every_graphql_operation_of_our_code_is_told(story, schema):
    told = {name for made in graphql(story.exchanges) for name in schema.operations(json.loads(made.body)["query"])}
    assert names_in_code() == told


def test_every_path_of_our_code_is_told(story):
    """Each fixed piece of a path in our code is a piece of an address that the story has asked for."""
    targets = [made.target for made in story.exchanges]
    package = Path(str(resources.files("review_bot")))
    files = [*(package / "forges" / "github").glob("*.py")]
    pieces = {piece for file in files for piece in _pieces(ast.parse(file.read_text(encoding="utf-8")))}
    assert len(pieces) >= 15
    assert {piece for piece in pieces if not any(piece in target for target in targets)} == set()


def _pieces(tree):
    """Yield the pieces of addresses at the API: of what is built, those that do not begin at another server."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and not ast.unparse(node).startswith("f'{server_url}"):
            texts = [
                part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            yield from (text for text in texts if re.fullmatch(r"/[a-z_]+(?:/[a-z_]+)*/?", text))


def test_every_payload_is_one_that_github_describes(story, description, figures):
    said = {(event, sentence) for event, payload in story.payloads for sentence in description.of_event(event, payload)}
    assert not said, "\n".join(f"{event}: {sentence}" for event, sentence in sorted(said))
    figures["events checked"] = len(story.payloads)


def test_pygithub_reads_back_what_the_action_wrote(story):
    reader = pygithub.Github(
        auth=pygithub.Auth.Token(story.token), base_url=story.github.url, seconds_between_requests=None
    )
    read = reader.get_repo(REPOSITORY).get_pull(story.pull_request.number)
    ours = story.pull_request
    assert read.head.sha == ours.head_sha

    fields = ("id", "path", "line", "start_line", "side", "subject_type", "body", "original_commit_id")
    told = [tuple(getattr(comment, name) for name in fields) for comment in read.get_review_comments()]
    assert told == [tuple(getattr(comment, name) for name in fields) for comment in ours.review_comments]
    assert {comment.subject_type for comment in ours.review_comments} == {"line", "file"}
    assert any(comment.line is None for comment in ours.review_comments)

    assert [(made.id, made.body) for made in read.get_issue_comments()] == [
        (made.id, made.body) for made in ours.comments
    ]
    assert sum("<!-- review-bot:1 review-bot summary" in comment.body for comment in ours.comments) == 1
    states = [(made.id, made.state, made.commit_id) for made in read.get_reviews()]
    assert states == [(made.id, made.state, made.commit_id) for made in ours.reviews]

    statuses = reader.get_repo(REPOSITORY).get_commit(ours.head_sha).get_combined_status().statuses
    assert [(made.context, made.state) for made in statuses] == [("review-bot", "success")]
    reader.close()
