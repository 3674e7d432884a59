"""A block that only moved is known again: in its file, in another, at another depth; and order plays no part."""

from __future__ import annotations

from itertools import permutations

from review_bot.engine.moved_code import find_moved
from tests.engine.cases import review

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


def test_a_very_long_file_of_equal_lines_takes_no_time():
    line = "    value = value + 1  # the same line again and again\n"
    review({"a.py": line * 4_000 + "x = 1\n"}, {"a.py": "y = 2\n" + line * 4_000 + line * 300})
