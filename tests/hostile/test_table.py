"""The table of hostile inputs is whole, each row has its test, and the page in docs says the same."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.hostile import table
from tests.some import some

PAGE = Path(__file__).parents[2] / "docs/hostile-input.md"


def test_every_number_from_1_to_84_stands_once() -> None:
    assert [case.number for group in table.GROUPS for case in group.cases] == list(range(1, 85))


@pytest.mark.parametrize("group", table.GROUPS, ids=[group.module for group in table.GROUPS])
def test_every_case_has_its_test(group: table.Group) -> None:
    names = vars(import_module(f"tests.hostile.{group.module}"))
    numbers = [int(match[1]) for name in names if (match := re.match(r"test_([0-9]{2})_", name))]
    assert numbers == [case.number for case in group.cases]


def test_every_group_also_runs_as_a_process() -> None:
    for group in some(table.GROUPS):
        source = (Path(__file__).parent / f"{group.module}.py").read_text(encoding="utf-8")
        assert "run_process(" in source, group.module


def test_the_page_says_what_the_table_says() -> None:
    if os.environ.get("UPDATE_SNAPSHOTS"):
        PAGE.write_text(table.page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == table.page()
