"""Shares of the work of ``python -m tests.faults``, each for a process of its own; counts and breaches come back."""

from __future__ import annotations

from collections import Counter

from tests.faults import cases, command_line, invariants, killing, schedules
from tests.faults.scenes import Stage

Found = tuple[Counter[str], list[str]]
"""How much was tried, by name, and every breach."""


def scripted(first: int, step: int, every: int) -> Found:
    """Play each ``step``-th of the scripted faults, of which only each ``every``-th counts."""
    counts: Counter[str] = Counter()
    breaches = []
    with Stage() as stage:
        for case in list(cases.scripted(stage))[::every][first::step]:
            counts[case.group] += 1
            breaches += [f"{case.name}: {words}" for words in invariants.of_case(stage, case)]
    return counts, breaches


def random(first: int, end: int, step: int) -> Found:
    """Play schedules by their numbers."""
    counts: Counter[str] = Counter()
    breaches = []
    with schedules.Field() as field:
        for seed in range(first, end, step):
            played = schedules.play(field, seed)
            counts += Counter(schedules=1, runs=played.runs, faults=played.faults)
            breaches += [f"schedule {seed}: {words}" for words in played.breaches]
    return counts, breaches


def processes(every: int) -> Found:
    """Play what needs processes of its own: some are killed, some told to end, some are the command line."""
    counts: Counter[str] = Counter()
    breaches = []
    with Stage() as stage:
        for index, (scene, number) in list(enumerate(killing.MOMENTS))[::every]:
            how = killing.WAYS[index % len(killing.WAYS)]
            counts["ended processes"] += 1
            found = killing.play(stage, scene, number, how)
            breaches += [f"{scene}: {how.name} at call {number}: {words}" for words in found]
        for case in command_line.CASES[::every]:
            counts[case.group] += 1
            breaches += [f"{case.group}: {case.name}: {words}" for words in command_line.play(stage, case)]
    return counts, breaches
