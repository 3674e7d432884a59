"""A block that only moved is known again: in its file, in another, at another depth; and order plays no part."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import permutations
from types import FrameType
from typing import Any

import pytest

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.engine.moved_code import find_moved
from tests.engine.cases import review
from tests.growth import SUPERLINEAR, growth

BLOCK = "def load(path):\n    with open(path) as stream:\n        data = bad(stream)\n    return data\n"
REST = "import os\n\n\ndef other():\n    return os.getcwd()\n"


def moved_flags(result):
    return [
        (finding.path, finding.line, finding.moved) for finding in result.findings if finding.rule == "own/bad-call"
    ]


def test_a_block_that_moves_to_another_file():
    result = review({"a.py": REST, "b.py": REST + BLOCK}, {"a.py": REST + BLOCK, "b.py": REST})
    assert moved_flags(result) == [("b.py", 8, True)]


def test_a_block_that_moves_inside_its_file():
    many = "".join(f"name_{n} = {n}\n" for n in range(40))
    result = review({"a.py": many + BLOCK + REST}, {"a.py": BLOCK + many + REST})
    assert moved_flags(result) == [("a.py", 43, True)]


def test_a_block_that_moves_into_a_class():
    inside = "class Reader:\n" + "".join("    " + line + "\n" for line in BLOCK.splitlines())
    result = review({"a.py": inside}, {"a.py": BLOCK})
    assert moved_flags(result) == [("a.py", 4, True)]


def test_a_block_with_one_other_line_is_moved_but_for_that_line():
    other = BLOCK.replace("bad(stream)", "bad(stream, 1)")
    result = review({"a.py": REST, "b.py": other}, {"a.py": REST + BLOCK})
    assert moved_flags(result) == [("b.py", 3, False)]


def test_two_lines_or_twenty_brackets_are_no_block():
    assert not moved_flags(review({"b.py": "x = 1\nbad(x)\n"}, {"a.py": "x = 1\nbad(x)\n"}))[0][2]
    brackets = ")\n)\n)\n]\n"
    files = review({"a.py": "", "b.py": "x = 1\n" + brackets}, {"a.py": "x = 1\n" + brackets})
    assert files.findings == ()


def test_a_copy_is_not_moved():
    result = review({"b.py": BLOCK}, {"a.py": BLOCK})
    assert moved_flags(result) == [("b.py", 3, False)]


def test_the_order_of_files_plays_no_part():
    from review_bot.rules.examples import make_case
    from tests.engine.cases import rulebook_of

    base = {"a.py": BLOCK + REST, "b.py": REST + BLOCK, "c.py": REST}
    case = make_case(
        rulebook_of().rules[0],
        {"base": base, "head": {"a.py": REST, "b.py": REST, "c.py": BLOCK + REST, "d.py": BLOCK}},
    )
    answers = set()
    for files in permutations(case.pull_request.files):
        moved = find_moved(files)
        by_path = {
            files[index].path: (frozenset(moved.added.get(index, ())), frozenset(moved.removed.get(index, ())))
            for index in range(len(files))
        }
        answers.add(frozenset(by_path.items()))
    assert len(answers) == 1


def test_the_cost_of_equal_lines_grows_with_their_number():
    line = "    value = value + 1  # the same line again and again\n"

    def look(size: int) -> None:
        review({"a.py": line * size + "x = 1\n"}, {"a.py": "y = 2\n" + line * size + line * 30})

    assert growth(look, 500) < SUPERLINEAR


def steps(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call runs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


ONE, TWO = "value = compute(1)\n", "other = compute(2)\n"
REPEATED = {
    "one line": (lambda n: ONE * n, lambda n: ONE * n),
    "two lines": (lambda n: (ONE + TWO) * n, lambda n: (ONE + TWO) * n),
    "more than were removed": (lambda n: ONE * (n // 2), lambda n: ONE * n),
    "brackets": (lambda n: ")\n" * n, lambda n: ")\n" * n + "]\n"),
    "brackets in runs": (lambda n: (")\n" * 40 + "x\n") * (n // 40), lambda n: (")\n" * 40 + "y\n") * (n // 40)),
    "longer and longer": (
        lambda n: "".join("(\n" * length + "x\n" for length in range(3, int(n**0.5))),
        lambda n: "(\n" * n,
    ),
}


@pytest.mark.parametrize("name", REPEATED)
def test_the_search_for_moved_lines_takes_steps_in_proportion_to_the_change(name: str):
    def searched(lines: int) -> int:
        removed, added = REPEATED[name][0](lines), REPEATED[name][1](lines)
        files = [
            ChangedFile("a.txt", None, "deleted", "text", (_hunk("-", removed),), old_mode="100644"),
            ChangedFile("b.txt", None, "added", "text", (_hunk("+", added),), new_mode="100644"),
        ]
        return steps(lambda: find_moved(files))

    assert searched(1_600) < 2.5 * searched(800)


def _hunk(sign: str, text: str) -> Hunk:
    lines = tuple(f"{sign}{line}" for line in text.splitlines())
    return Hunk(1, len(lines), 0, 0, lines) if sign == "-" else Hunk(0, 0, 1, len(lines), lines)


def test_lines_that_repeat_are_moved_as_one_block():
    many = "value = bad(1)\n" * 30
    result = review({"a.py": REST, "b.py": many}, {"a.py": REST + many})
    assert [finding.moved for finding in result.findings if finding.rule == "own/bad-call"] == [True] * 30


def test_what_only_asks_the_tree_for_excuses_is_moved_and_what_depends_on_it_is_not():
    rules = (
        "id: own/trust\nlanguage: python\nmessage: m\ncheck: {name: security/trust-remote-code}\n"
        "metadata: {needs: [tree, text]}\n---\n"
        "id: own/unused\nlanguage: python\nmessage: m\ncheck: {name: api/never-used}\nmetadata: {needs: [tree, text]}\n"
    )
    loads = BLOCK.replace("bad(stream)", "AutoModel.from_pretrained(stream, trust_remote_code=True)")
    unused = "MOST_PIXELS_READ = 50_000\n\n\n"
    result = review({"a.py": REST, "b.py": unused + loads}, {"a.py": REST + loads}, rules=rules)
    assert {(each.rule, each.moved) for each in result.findings} == {("own/trust", True), ("own/unused", False)}


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ("library-name-gone", "import numpy as np\nrows = np.array([1, 2, 3])\nprint(np.Inf, rows)\n"),
        ("library-misfit", "import requests\naddress = input()\nrequests.get(address, follow_redirects=True)\n"),
    ],
)
def test_a_moved_use_of_a_library_is_moved_though_manifests_may_excuse_it(check: str, code: str):
    rules = f"id: own/library\nlanguage: python\nmessage: m\ncheck: {{name: api/{check}}}\nmetadata: {{needs: [tree, text]}}\n"
    result = review({"a.py": REST, "b.py": code}, {"a.py": REST + code}, rules=rules)
    assert [each.moved for each in result.findings if each.rule == "own/library"] == [True]
