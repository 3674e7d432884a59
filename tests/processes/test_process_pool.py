"""Child processes: results in order whatever their number, progress as tasks end, and limits that cost one task each."""

import math
import os
import signal
import time

import pytest

from review_bot.commands import source_options
from review_bot.errors import Interrupted
from review_bot.processes.process_pool import Bounds, ProcessPool, run_in_process

MEMORY = 2 * 1024**3


def as_it_is(_task, data):
    return data


def run(work, *, jobs=1, tasks=tuple(range(20)), pool=None, **options):
    done: list[int] = []
    results = (pool or ProcessPool())(
        tasks, work, lambda task, reason: (task, reason), jobs=jobs, weight=int, done=done.append, **options
    )
    return results, done


@pytest.mark.parametrize("read", [None, as_it_is])
@pytest.mark.parametrize("jobs", [1, 2, 3, 40])
def test_results_are_in_the_order_of_the_tasks(jobs, read):
    results, done = run(lambda task: task * task, jobs=jobs, read=read)
    assert results == [task * task for task in range(20)]
    assert done == sorted(done)
    assert done[-1] == 20


def test_this_process_gives_the_same_results():
    assert run(lambda task: task * task, pool=run_in_process) == (
        [task * task for task in range(20)],
        list(range(1, 21)),
    )


def test_no_task_has_no_result():
    assert run(lambda task: task, tasks=()) == ([], [])


def test_more_shares_than_jobs_are_worked_on_in_turn():
    results, done = run(lambda _task: os.getpid(), jobs=2, shares=5)
    assert len(set(results)) == 5
    assert done[-1] == 20


def test_progress_comes_while_children_are_busy():
    begin, times = time.monotonic(), []
    ProcessPool()(
        (1, 2, 3, 4),
        lambda _task: time.sleep(0.1),
        lambda *_: None,
        jobs=2,
        done=lambda _: times.append(time.monotonic() - begin),
    )
    assert times[0] < times[-1] - 0.05


@pytest.mark.parametrize("read", [None, as_it_is])
def test_a_child_that_dies_loses_the_task_it_was_at_alone(read):
    results, _ = run(lambda task: os._exit(9) if task == 3 else task, jobs=4, read=read)
    assert results == [*range(3), (3, "analysis ended with status 9"), *range(4, 20)]


def test_an_exception_costs_one_task():
    results, _ = run(lambda task: 1 // (task - 3), jobs=2)
    assert [result for result in results if isinstance(result, tuple)] == [(3, "analysis failed: ZeroDivisionError")]


def test_a_signal_to_a_child_ends_all():
    def work(_task):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)

    with pytest.raises(Interrupted):
        run(work, jobs=2)


@pytest.mark.parametrize("read", [None, as_it_is])
def test_large_results_come_back_whole(read):
    results, _ = run(lambda task: "x" * 300_000 + str(task), jobs=3, read=read)
    assert [result[300_000:] for result in results] == [str(task) for task in range(20)]


def test_what_an_untrusted_child_prints_does_not_reach_this_process(capfd):
    results, _ = run(lambda task: os.write(2, b"noise\n") and task, tasks=(1, 2), read=as_it_is)
    assert results == [1, 2]
    assert capfd.readouterr() == ("", "")


def limited(tasks, seconds, total, waits=10):
    def work(task):
        while task == "endless":
            pass
        while task == "waiting":
            time.sleep(0.1)
        return task.upper()

    pool = ProcessPool(Bounds(seconds, time.monotonic() + total, total, MEMORY, waits))
    return pool(tasks, work, lambda task, reason: f"{task}: {reason}", read=as_it_is)


def test_a_task_over_its_time_is_lost_and_the_next_ones_are_done():
    reason = "needed more than 0.2 s of processor time"
    assert limited(["a", "endless", "b"], 0.2, 60, waits=300) == ["A", f"endless: {reason}", "B"]


def test_each_task_has_its_own_processor_time():
    def work(task):
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        return task

    pool = ProcessPool(Bounds(0.08, waits=100))
    assert pool([1, 2, 3], work, lambda _task, reason: reason, read=as_it_is) == [1, 2, 3]


def test_a_task_may_wait_longer_than_its_processor_time_but_not_for_ever():
    def work(task):
        time.sleep(task)
        return task

    pool = ProcessPool(Bounds(0.2))
    assert pool([0.3], work, lambda _task, reason: reason, read=as_it_is) == [0.3]
    assert limited(["a", "waiting", "b"], 0.1, 60) == ["A", "waiting: took longer than 1 s", "B"]


def test_all_tasks_end_with_the_total_time():
    begin = time.monotonic()
    found = limited(["a", "endless", "b"], 60, 1)
    assert time.monotonic() - begin < 20
    assert found[0] == "A"
    assert [each.partition(": ")[2] for each in found[1:]] == [
        "the time limit for the whole change, 1 s, was exceeded"
    ] * 2


def test_no_process_starts_after_the_total_time():
    pool = ProcessPool()
    pool.end_by(time.monotonic() - 1)
    pool.end_by(math.inf)
    results, done = run(lambda task: task, pool=pool, tasks=(1, 2))
    assert [task for task, _ in results] == [1, 2]
    assert done == []


def test_a_local_review_has_limits():
    assert (source_options.FILE_SECONDS, source_options.TOTAL_SECONDS) == (30, 600)
