"""Publishing under faults drawn at random: whatever happens, a later run on a working GitHub leaves one of each."""

from __future__ import annotations

import os
from random import Random

from fake_github.faults import Fault, FaultKind
from fake_github.server import FakeGitHub
from review_bot.errors import ForgeError
from review_bot.forges.github.client import Client, Limits
from review_bot.forges.github.publisher import Outcome
from tests.forges.github.scripted_server import VirtualClock
from tests.forges.github.test_publisher import EDIT, LISTS, ON_FILE, REVIEW, SUMMARY, WANTED, Room

PLACES = (
    REVIEW,
    ON_FILE,
    SUMMARY,
    EDIT,
    LISTS,
    ("*", "/**"),
    ("PATCH", "/issues/comments/*"),
    ("DELETE", "/pulls/comments/*"),
)
KINDS: tuple[FaultKind, ...] = ("reset_before", "reset_after", "500", "500_after", "502_html", "502_after", "503_retry_after", "403_secondary", "429", "primary_limit", "truncated_json", "short_body", "html_200", "wrong_shape", "bad_gzip", "404", "401", "403_permission", "stale_list")  # fmt: skip
SCHEDULES = int(os.environ.get("REVIEW_BOT_SCHEDULES", "25"))


def test_random_faults_leave_nothing_double_and_the_next_run_heals_all():
    # A first look that lies about earlier runs cannot be seen through: only the first run, which has none, gets one.
    with FakeGitHub() as github:
        room = Room(github)
        fresh = github.snapshot()
        for seed in range(SCHEDULES):
            random = Random(seed)
            github.restore(fresh)
            foreign = room.pr.comment_as("mallory", "Mine.").id
            outcome = Outcome()
            for run in range(3):
                room.wanted = tuple(each._replace(text=f"Text {random.randrange(2)}.") for each in WANTED)
                room.words = f"Summary {random.randrange(2)}."
                for _ in range(random.randrange(4) if run < 2 else 0):
                    fault = Fault(
                        random.choice(PLACES),
                        random.choice(KINDS if run == 0 else KINDS[:-1]),
                        random.choice((1, 1, 2, None)),
                        random.randrange(3),
                    )
                    github.faults.add(fault)
                room.client.close()
                room.client = Client(
                    github.url, github.token(), clock=VirtualClock(), limits=Limits(call=0.3), random=Random(seed)
                )
                try:
                    outcome = room.publish()
                    assert outcome.problems or not room.plan(room.read(), {}).edits, f"untold, seed {seed}"
                except ForgeError:
                    assert run < 2, f"seed {seed}"
                github.faults.clear()
                room.clock = VirtualClock()
                named = [each.body.rsplit(" ", 2)[1] for each in room.pr.review_comments]
                assert len(named) == len(set(named)), f"double, seed {seed}"
                assert len([each for each in room.pr.comments if each.id != foreign]) <= 1, f"double, seed {seed}"
            assert outcome.problems == (), f"seed {seed}"
            room.check()
            assert [each.body for each in room.pr.comments if each.id == foreign] == ["Mine."]
        room.client.close()
