"""What Prism, between the Action and the fake GitHub, says of the story: a wrong call would have been an error at once."""

import json
import re
from collections import Counter

from contract.prism import AROUND
from contract.story import OPERATIONS


def test_prism_sees_no_violation(story, figures):
    refused = [
        f"{made}: {made.answer_headers.get('sl-violations', '')} {made.answer[:2000].decode()}"
        for made in story.exchanges
        if b"stoplight.io/prism" in made.answer or "sl-violations" in made.answer_headers
    ]
    assert refused == [], "\n".join(refused)
    figures["calls through Prism"] = sum(not re.search(AROUND, made.target) for made in story.exchanges)


def test_every_operation_that_prism_knows_is_used(story, description):
    calls = [made for made in story.exchanges if not re.search(AROUND, made.target)]
    assert {description.operation(made.method, made.target).id for made in calls} == set(OPERATIONS)


def test_prism_passes_on_what_the_action_sends_and_what_the_fake_answers(story):
    passed = Counter(map(_content, story.inner.exchanges))
    assert Counter(map(_content, story.exchanges)) == passed
    assert passed.total() > 100


def _content(made):
    kind = made.answer_headers.get("content-type")
    if kind and "json" in kind:
        return made.method, made.target, _plain(made.body), made.status, kind, _plain(made.answer)
    return made.method, made.target, _plain(made.body), made.status, kind, made.answer


def _plain(body):
    return json.dumps(json.loads(body), sort_keys=True) if body else ""
