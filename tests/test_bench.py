"""The benchmarks' own arithmetic, and the costs of the rules of a small change."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.__main__ import interpreter
from bench.corpus import change_in_tree, change_of_lines
from bench.growth import MOST, Point, excess, fitted, plot, report
from bench.real_changes import clones_in, offences
from bench.rule_costs import DEAREST, SHARED, Cost, Costs, in_own_process, table
from tests.git_repository import GitRepository

SIZES = [10.0, 100.0, 1_000.0, 10_000.0, 100_000.0]


def test_a_straight_line_is_found_and_exceeded_by_nothing():
    line = fitted(SIZES, [20 + 0.02 * size for size in SIZES])
    assert line == pytest.approx((20, 0.02))
    assert excess(SIZES, [20 + 0.02 * size for size in SIZES]) == pytest.approx(1)


@pytest.mark.parametrize("power", [1.25, 1.5, 2])
def test_a_curve_that_grows_faster_than_its_input_exceeds_the_line(power: float):
    values = [20 + 0.02 * size**power for size in SIZES]
    assert excess(SIZES, values) > MOST


def test_the_report_of_a_curve_says_whether_it_is_linear(capsys: pytest.CaptureFixture[str]):
    assert report("added lines", [Point(int(size), 20 + 0.02 * size, 30_000_000) for size in SIZES])
    assert "CPU time over added lines: linear. 20.0 + 20.00 per 1,000" in capsys.readouterr().out
    assert not report("added lines", [Point(int(size), 20 + size**2, None) for size in SIZES])
    assert "CPU time over added lines: NOT LINEAR" in capsys.readouterr().out


def test_the_plot_has_a_dot_for_each_size():
    assert plot({"added lines": [Point(int(size), size, None) for size in SIZES]}).count("<circle") == len(SIZES)


@pytest.mark.parametrize(
    ("seconds", "total", "added", "speed", "is_offence"),
    [
        (0.2, 1.0, 100, 1.0, True),  # a fifth of a long review
        (0.2, 1.0, 100, 0.4, False),  # which is short on the machine of reference
        (0.1, 1.0, 100, 1.0, False),
        (2.1, 20.0, 2_000, 1.0, True),
        (2.1, 20.0, 4_000, 1.0, False),
        (4.1, 40.0, 2_000, 0.5, True),
    ],
)
def test_which_rule_takes_too_much(seconds: float, total: float, added: int, speed: float, is_offence: bool):
    costs = Costs(total, added, (Cost(SHARED, tried=9.0), Cost("api/x", tried=seconds)))
    assert [each.rule for each in offences(costs, "a change", speed)] == (["api/x"] if is_offence else [])


def test_the_costs_of_rules_are_parts_of_the_whole(tmp_path: Path):
    change = change_of_lines(tmp_path / "change", lines=200)
    costs = in_own_process(change)
    assert costs.added == change.added
    assert 0 < sum(cost.total for cost in costs.rules) < costs.total
    assert all(cost.loaded >= 0 and cost.tries + cost.matches > 0 for cost in costs.rules if cost.tried or cost.matched)
    assert len(table(costs)) == 2 + DEAREST + 2


def test_clones_are_found_directly_and_one_level_below(tmp_path: Path):
    for name in ("near", "owner+name/repo"):
        (tmp_path / name).mkdir(parents=True)
        GitRepository(tmp_path / name)
    (tmp_path / "notes").mkdir()
    assert [str(each.relative_to(tmp_path)) for each in clones_in(tmp_path)] == ["near", "owner+name/repo"]


def test_sizes_of_generated_changes_grow_as_asked(tmp_path: Path):
    small, large = (change_of_lines(tmp_path / str(lines), lines=lines).added for lines in (10, 1_000))
    assert 5 <= small <= 40
    assert 800 <= large <= 1_600
    assert change_in_tree(tmp_path / "tree", files=30).files == 2


def test_the_build_of_the_interpreter_is_named():
    assert interpreter().startswith("Python 3.")
    assert "PGO" in interpreter()
