"""What is counted in the lines that a change adds to a file."""

from __future__ import annotations

import pytest

from review_bot.assessment.review_areas import FocusMap, Surroundings, Trigger
from review_bot.changes.profile import FileProfile
from review_bot.engine.constructs import MOST_TRIED
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.rules.examples import make_case
from tests.engine.cases import review, rulebook_of


def counted(head, base=None, *, path="halcyon/model.py", rules="id: own/call\nlanguage: python\nrule: {kind: call}\n"):
    """Count a change of one file, which a rule reads whole if it holds a call."""
    examination = review({path: head}, {path: base} if base is not None else {}, rules=rules)
    assert len(examination.profiles) == 1
    return examination.profiles[0]


MODULE = '''\
"""What this is for."""

# A comment of its own.
import os  # a comment behind code


class Model:
    def __init__(self, size: int, name):
        self.size = size

    @property
    def width(self) -> int:
        """The width."""
        def local(x):
            return x
        return local(self.size)

    class Inner:
        """Inside."""

    async def load(self, *paths: str, strict=True, **options):
        return os.stat(paths[0])


class _Hidden:
    def method(self, a: int) -> None:
        print(a)


if os.name == "posix":
    def chosen(a, /, b: int, *, c) -> int:
        return a + b + c
'''


def test_docstrings_of_what_is_public_are_counted():
    profile = counted(MODULE)
    # The module, Model, width, Inner, load, chosen; __init__, local and _Hidden are not.
    assert (profile.documented, profile.definitions) == (3, 6)


def test_type_hints_of_every_function_are_counted():
    # __init__ 1 of 2, width 1 of 1, local 0 of 2, load 1 of 4, method 2 of 2, chosen 2 of 4.
    profile = counted(MODULE)
    assert (profile.annotated, profile.slots) == (7, 15)


OVERLOADS = '''\
import typing


@typing.overload
def scale(size: int, by) -> int: ...
@typing.overload
def scale(size: str, by) -> str: ...
def scale(size, by: int):
    """Return it times as large."""
    return call(size, by)
'''


def test_stubs_of_overloads_are_left_out_of_the_measures():
    profile = counted("x = 1\n" + OVERLOADS, "x = 1\n")

    assert (profile.documented, profile.definitions) == (1, 1)
    assert (profile.annotated, profile.slots) == (1, 3)


def test_blank_lines_and_comments_are_no_code():
    assert counted("x = 1\n\n   \n# a comment\n    # another\ny = '#'\n").code_lines == 2


def test_only_what_is_added_counts():
    base = '"""Old."""\n\n\ndef old(a, b):\n    return call(a)\n'
    head = base + "\n\ndef new(a: int) -> int:\n    return call(a)\n"
    assert counted(head, base) == FileProfile(0, code_lines=2, definitions=1, annotated=2, slots=2)


def test_code_of_tests_is_counted_apart():
    assert counted("def test_it():\n    call()\n", path="tests/test_it.py") == FileProfile(0, test_lines=2)


@pytest.mark.parametrize("path", ["examples/run.py", "docs/page.md", "scripts/build.sh"])
def test_what_users_do_not_run_is_no_code(path):
    assert counted("value = call()\n", path=path) == FileProfile(0)


def test_what_cannot_be_parsed_has_lines_and_no_definitions():
    assert counted("def broken(:\n    call()\n") == FileProfile(0, code_lines=2)


def test_a_file_that_no_rule_reads_is_counted_by_its_lines_alone():
    book = rulebook_of("id: own/word\ntext: {regex: nowhere}\n")
    change = {"base": {"halcyon/a.py": "x = 1\n"}, "head": {"halcyon/a.py": "x = 1\n" + MODULE}}
    case = make_case(book.rules[0], change)
    plan = make_plan(case.pull_request, book)

    assert (plan.tasks, plan.counted) == ((), (0,))
    examination = examine(ExaminationRequest(case.pull_request, plan, Texts({}, {}), case.repository, book))
    assert examination.profiles == (FileProfile(0, code_lines=21),)


def test_a_file_without_text_is_not_counted():
    assert review({"halcyon/a.py": None}, {"halcyon/a.py": ""}).profiles == ()


ANY = Trigger(None, None, scope="any")


def matched(trigger, head, base=None, path="halcyon/model.py"):
    book = rulebook_of()._replace(focus=FocusMap(triggers=(trigger,)))
    examination = review({path: head}, {path: base} if base is not None else {}, rulebook=book)
    return [match for profile in examination.profiles for match in profile.matches]


def matches(trigger, head, base=None, path="halcyon/model.py"):
    return [(match.lines, match.line) for match in matched(trigger, head, base, path)]


def test_lines_of_code_that_match_are_counted():
    split = ANY._replace(lines=r"\.view\(", literals=(("view",),))
    head = "# x.view(1)\ny = x.view(2)\nz = 1\nw = y.view(3).view(4)\n"
    assert matches(split, head) == [(2, 2)]
    assert matches(split, "y = x.reshape(2)\n") == []


def test_the_place_is_code_and_an_import_only_where_there_is_nothing_else():
    scheduler = ANY._replace(lines=r"\bScheduler\b")
    imported = "from engine import Scheduler\n"
    assert matches(scheduler, f"{imported}\n\ndef run(scheduler: Scheduler): ...\n") == [(2, 4)]
    assert matches(scheduler, imported) == [(1, 1)]


def test_without_an_expression_every_line_of_code_counts():
    assert matches(ANY, "# no\nx = 1\n\ny = 2\n") == [(2, None)]


def test_paths_and_scope_are_obeyed():
    assert matches(ANY._replace(scope="tests"), "x = 1\n") == []
    assert matches(ANY._replace(paths=("engine/**",)), "x = 1\n") == []
    assert matches(ANY._replace(ignores=("halcyon/**",)), "x = 1\n") == []


KEEP = ANY._replace(lines=r"(?P<name>self\.\w+)\[(?P<key>\w+)\] = ", quotes=True)
STORE = """\
class Pool:
    def add(self, key, block):
        self.blocks[key] = block

    def drop(self, key):
        del self.blocks[key]
"""


def names(trigger, head, base=None, path="halcyon/model.py"):
    return [(match.line, dict(match.names)) for match in matched(trigger, head, base, path)]


def test_a_construct_is_found_with_the_names_in_it():
    assert names(KEEP, STORE) == [(3, {"name": "self.blocks", "key": "key"})]


def test_without_a_group_the_line_itself_names_something():
    for line, name in [
        ("cache = allocate(batch)", "cache"),
        ("def allocate(self): ...", "allocate"),
        ("class Cache: ...", "Cache"),
        ("x.zeros(3)", "x.zeros"),
    ]:
        assert names(ANY._replace(lines=".", quotes=True), f"{line}\n") == [(1, {"name": name})]
    assert names(ANY._replace(lines=".", quotes=True), "1, 2\n") == []


@pytest.mark.parametrize(
    ("condition", "asked"),
    [
        ({}, True),
        ({"unless": Surroundings(file="del {name}")}, False),
        ({"unless": Surroundings(file="del {key}")}, True),
        ({"unless": Surroundings(function="del {name}")}, True),
        ({"unless": Surroundings(function="def add")}, False),
        ({"unless": Surroundings(line="block$")}, False),
        ({"where": Surroundings(function="def add", line="block$")}, True),
        ({"where": Surroundings(function="def add", line="nothing")}, False),
        ({"where": Surroundings(file="def drop"), "unless": Surroundings(function="def drop")}, True),
    ],
)
def test_what_surrounds_a_line_decides_whether_it_raises_the_question(condition, asked):
    assert bool(names(KEEP._replace(**condition), STORE)) is asked


def test_a_name_is_searched_as_it_is_written():
    head = "self.blocks[key] = 1\nselfxblocks = 2\n"
    assert names(KEEP._replace(unless=Surroundings(file="{name} = |{name}x")), head) != []
    assert names(KEEP._replace(unless=Surroundings(file="^{name}\\[")), head) == []


def test_an_unchanged_line_a_comment_an_import_and_a_docstring_raise_none():
    word = ANY._replace(lines=r"(?P<name>Pool)", quotes=True)
    head = '"""Pool.\n\nA Pool.\n"""\n\nfrom pools import Pool\n\n# Pool\nx = 1\nPool()\n'
    assert names(word, head) == [(10, {"name": "Pool"})]
    assert names(word, head, head.replace("x = 1\n", "")) == []


def test_a_function_that_cannot_be_read_may_hold_the_answer():
    asked = KEEP._replace(unless=Surroundings(function="del {name}"))
    assert names(asked, STORE) != []
    assert names(asked, STORE + "def broken(:\n") == []


def test_in_other_files_the_whole_file_stands_for_the_function():
    eager = ANY._replace(lines=r"(?P<name>eager): true", quotes=True, unless=Surroundings(function="graphs"))
    assert names(eager, "eager: true\n", path="stage.yaml") == [(1, {"name": "eager"})]
    assert names(eager, "eager: true\nno: graphs\n", path="stage.yaml") == []


def test_of_many_lines_a_few_are_tried():
    head = "".join(f"self.b{number}[key] = 1\n" for number in range(5_000))
    assert matched(KEEP, head)[0].lines == MOST_TRIED


def test_a_long_name_names_nothing():
    assert names(KEEP, f"self.{'b' * 200}[key] = 1\n") == []


def test_hints_of_what_only_moves_or_is_wrapped_are_not_added():
    before = "def load(path, strict):\n    return path\n\n\ndef store(path):\n    return path\n"
    after = (
        "import os\n\n\ndef store(path):\n    return path\n\n\ndef load(\n    path,\n    strict,\n):\n    return path\n"
    )

    profile = counted(after, before, rules="id: own/return\nlanguage: python\nrule: {kind: return_statement}\n")
    assert profile.slots == 0
    profile = counted(f"{after}\n\ndef fresh(path: str):\n    return path\n", before)
    assert (profile.annotated, profile.slots) == (1, 2)
