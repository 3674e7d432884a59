"""The limits of time: a task that does not end costs itself alone."""

import time

from review_bot.commands import source_options
from review_bot.sandbox.supervisor import Bounds, Supervisor

MEMORY = 2 * 1024**3


def work(task):
    while task == "endless":
        pass
    return task.upper()


def run(tasks, seconds, total, jobs=1):
    supervisor = Supervisor(Bounds(seconds, time.monotonic() + total, total, MEMORY))
    return supervisor(tasks, work, lambda task, reason: f"{task}: {reason}", jobs=jobs, read=str)


def test_a_task_over_its_time_is_lost_and_the_next_ones_are_done():
    assert run(["a", "endless", "b"], 0.5, 60) == ["A", "endless: took longer than 0.5 s", "B"]


def test_all_tasks_end_with_the_total_time():
    begin = time.monotonic()
    found = run(["a", "endless", "b"], 60, 1)
    assert time.monotonic() - begin < 20
    assert found[0] == "A"
    assert all("1 s" in each for each in found[1:])


def test_a_local_review_has_limits():
    assert (source_options.FILE_SECONDS, source_options.TOTAL_SECONDS) == (30, 600)
