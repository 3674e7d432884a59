"""Worker processes: the answer does not depend on how many there are, and the count of ended tasks comes as they end."""

import os
import time

import pytest

from review_bot.processes.process_pool import run_all


def run(work, *, jobs, tasks=range(20)):
    told: list[int] = []
    results = run_all(
        tuple(tasks), work, lambda task, reason: (task, reason), jobs=jobs, weight=lambda task: task, done=told.append
    )
    return results, told


@pytest.mark.parametrize("jobs", [1, 2, 3, 40])
def test_results_are_in_the_order_of_the_tasks(jobs):
    results, told = run(lambda task: task * task, jobs=jobs)
    assert results == [task * task for task in range(20)]
    assert told == sorted(told)
    assert told[-1] == 20


def test_ended_tasks_are_told_while_workers_are_busy():
    begin, times = time.monotonic(), []
    run_all(
        (1, 2, 3, 4),
        lambda _task: time.sleep(0.1),
        lambda *_: None,
        jobs=2,
        weight=lambda _task: 1,
        done=lambda _: times.append(time.monotonic() - begin),
    )
    assert times[0] < times[-1] - 0.05


def test_a_worker_that_dies_loses_its_tasks_alone():
    results, _ = run(lambda task: os._exit(9) if task == 3 else task, jobs=4)
    lost = [result for result in results if isinstance(result, tuple)]
    assert lost
    assert all(reason == "the worker process ended with status 9" for _, reason in lost)
    assert 3 in {task for task, _ in lost}
    assert len(lost) < 20


def test_large_results_come_back_whole():
    results, _ = run(lambda task: "x" * 300_000 + str(task), jobs=3)
    assert [result[300_000:] for result in results] == [str(task) for task in range(20)]
