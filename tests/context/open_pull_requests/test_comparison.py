"""What two pull requests are to one another, told from their files alone."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

import pytest

from review_bot.changes.open_pull_requests import OpenPullRequest, OpenPullRequests, TheirFile, Want, WorkedOn
from review_bot.changes.pull_request import ChangedFile, Hunk, PullRequest, Status
from review_bot.context.open_pull_requests.change_imports import (
    ChangeImport,
    ChangeImports,
    Imports,
    imports_of_change,
    imports_of_hunks,
    lacking,
)
from review_bot.context.open_pull_requests.comparison import compare_pull_requests, wanted
from review_bot.reports.content.overlaps import merge_order, overlap_sentences
from tests.growth import SUPERLINEAR, growth
from tests.reviews import finding

Sides = Mapping[str, tuple[str | None, str | None]]
"""Path → the text before and after; None where there is no file."""

ENGINE = "class Engine:\n    def step(self):\n        return 1\n\n    def stop(self):\n        return 2\n\n\ndef load():\n    return 3\n"


def _file(path: str, old: str | None, new: str | None) -> ChangedFile:
    """Return a change with one hunk without context for each edit."""
    before, after = (old or "").splitlines(), (new or "").splitlines()
    hunks = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            lines = [f"-{line}" for line in before[i1:i2]] + [f"+{line}" for line in after[j1:j2]]
            hunks.append(Hunk(i1 + (i2 > i1), i2 - i1, j1 + (j2 > j1), j2 - j1, tuple(lines)))
    status: Status = "added" if old is None else "deleted" if new is None else "modified"
    return ChangedFile(
        path,
        None if old is None else path,
        status,
        "text",
        tuple(hunks),
        sum(line[0] == "+" for hunk in hunks for line in hunk.lines),
        sum(line[0] == "-" for hunk in hunks for line in hunk.lines),
    )


class Open:
    """Other pull requests that are plain data."""

    def __init__(self, pulls: Mapping[int, Sides], *, unread: frozenset[str] = frozenset()) -> None:
        work: dict[tuple[bool, bool], WorkedOn] = {
            (True, False): "added",
            (False, True): "deleted",
            (False, False): "modified",
        }
        self.ones = OpenPullRequests(
            len(pulls),
            tuple(
                OpenPullRequest(
                    number,
                    f"Number {number}",
                    "h",
                    "f",
                    tuple(TheirFile(path, work[old is None, new is None]) for path, (old, new) in sides.items()),
                )
                for number, sides in pulls.items()
            ),
        )
        self._pulls, self._unread = pulls, unread

    def listed(self) -> OpenPullRequests:
        return self.ones

    def text(self, want: Want) -> str | None:
        return None if want.path in self._unread else self._pulls[want.number][want.path][want.side == "head"]

    def renamed_away(self, number: int, /) -> frozenset[str]:
        return frozenset()


def _meet(ours: Sides, theirs: Mapping[int, Sides], *findings, unread=frozenset()):
    change = PullRequest(tuple(_file(path, old, new) for path, (old, new) in ours.items()))
    side = imports_of_change(change, lambda path: ours[path][1])
    return compare_pull_requests(side, findings, Open(theirs, unread=unread))


def _facts(overlaps):
    return [
        (each.number, each.relation, each.subject, each.path, each.line, each.their_line) for each in overlaps.found
    ]


def _lacks_module(module, path, line):
    return finding("api/missing-module-import", path=path, line=line, missing=(module,))


def _lacks_names(names, path, line):
    return finding("api/missing-name-import", path=path, line=line, missing=names)


def test_the_pull_request_that_adds_a_module_is_the_prerequisite():
    overlaps = _meet(
        {"pkg/run.py": (None, "import os\nfrom pkg.outputs import Output\n")},
        {7: {"pkg/outputs.py": (None, "class Output: ...\n")}, 8: {"pkg/other.py": (None, "")}},
        _lacks_module("pkg.outputs", "pkg/run.py", 2),
    )
    assert _facts(overlaps) == [(7, "adds-module", "pkg.outputs", "pkg/run.py", 2, None)]
    assert overlaps.order == (7, 0)
    assert overlaps.looked_at == 2


def test_of_several_that_bring_it_the_one_that_is_least_in_the_way_is_named_and_the_others_beside_it():
    run = "from pkg.outputs import Output\n"
    overlaps = _meet(
        {"pkg/run.py": (None, run)},
        {
            5: {"pkg/outputs.py": (None, "A = 1\n"), "pkg/run.py": (None, "x = 1\n")},
            7: {"pkg/outputs/__init__.py": (None, "A = 1\n")},
        },
        _lacks_module("pkg.outputs", "pkg/run.py", 1),
    )
    first = overlaps.found[0]
    assert (first.number, first.also) == (7, (5,))
    assert _facts(overlaps)[1] == (5, "same-file", "pkg/run.py", "pkg/run.py", None, None)


def test_a_relative_import_looks_beside_the_file():
    overlaps = _meet(
        {"src/pkg/sub/run.py": (None, "from ..outputs import Output\n")},
        {7: {"src/pkg/outputs.py": (None, "")}, 8: {"pkg/outputs.py": (None, "")}},
        _lacks_module("pkg.outputs", "src/pkg/sub/run.py", 1),
    )
    assert [each.number for each in overlaps.found] == [7]


@pytest.mark.parametrize(
    ("statement", "brought"),
    [
        ("import pkg.models", True),
        ("from pkg.models import qwen", True),
        ("from pkg.models import Model", False),
        ("import pkg.mod", False),
    ],
)
def test_a_folder_of_modules_is_a_module_too(statement, brought):
    module = statement.split()[1]
    overlaps = _meet(
        {"pkg/run.py": (None, f"{statement}\n")},
        {7: {"pkg/models/qwen.py": (None, "class Model: ...\n")}},
        _lacks_module(module, "pkg/run.py", 1),
    )
    assert [each.number for each in overlaps.found] == ([7] if brought else [])


def test_a_name_that_another_adds_to_its_module():
    overlaps = _meet(
        {"pkg/run.py": (None, "from pkg.engine import (\n    Engine,\n    Payload,\n)\n")},
        {7: {"pkg/engine.py": (ENGINE, ENGINE + "\n\nclass Payload:\n    x = 1\n")}},
        _lacks_names(("Payload",), "pkg/run.py", 3),
    )
    assert _facts(overlaps) == [(7, "adds-name", "pkg.engine.Payload", "pkg/run.py", 3, 13)]


def test_without_a_finding_nobody_is_a_prerequisite():
    ours = {"pkg/run.py": (None, "from pkg.outputs import Output\n")}
    assert _meet(ours, {7: {"pkg/outputs.py": (None, "")}}).found == ()


def test_both_change_a_function_and_the_lines_are_those_of_the_change():
    overlaps = _meet(
        {"pkg/engine.py": (ENGINE, "import os\n" + ENGINE.replace("return 2", "return 20"))},
        {
            7: {"pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 22"))},
            8: {"pkg/engine.py": (ENGINE, ENGINE.replace("return 3", "return 33"))},
        },
    )
    assert _facts(overlaps) == [(7, "same-function", "Engine.stop", "pkg/engine.py", 7, 6)]
    assert overlaps.order == ()


def test_the_same_edit_on_both_sides_is_no_meeting():
    edited = ENGINE.replace("return 2", "return 20")
    assert _meet({"pkg/engine.py": (ENGINE, edited)}, {7: {"pkg/engine.py": (ENGINE, edited)}}).found == ()


def test_a_method_that_one_deletes_and_the_other_edits():
    without = ENGINE.replace("    def stop(self):\n        return 2\n\n", "")
    overlaps = _meet(
        {"pkg/engine.py": (ENGINE, without)}, {7: {"pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 9"))}}
    )
    assert _facts(overlaps) == [(7, "changes-removed", "pkg/engine.py:Engine.stop", "pkg/engine.py", None, 6)]


def test_a_method_that_one_edits_and_the_other_deletes():
    without = ENGINE.replace("    def stop(self):\n        return 2\n\n", "")
    edited = ENGINE.replace("return 2", "return 9")
    overlaps = _meet({"pkg/engine.py": (ENGINE, edited)}, {7: {"pkg/engine.py": (ENGINE, without)}})
    assert _facts(overlaps) == [(7, "removes-changed", "pkg/engine.py:Engine.stop", "pkg/engine.py", 6, None)]


def test_a_module_or_name_that_goes_away_and_is_imported_here():
    old = "import os\n"
    overlaps = _meet(
        {"pkg/run.py": (old, old + "from pkg.engine import load\nimport pkg.cache\n")},
        {
            7: {"pkg/engine.py": (ENGINE, ENGINE.replace("def load", "def read")), "pkg/cache.py": ("", None)},
            8: {"pkg/engine.py": (ENGINE, ENGINE + "\n")},
            9: {"pkg/cache.py": ("", None), "pkg/cache/__init__.py": (None, "")},
        },
    )
    assert _facts(overlaps) == [
        (7, "removes-used", "pkg.engine.load", "pkg/run.py", 2, 9),
        (7, "removes-used", "pkg.cache", "pkg/run.py", 3, None),
    ]
    assert overlaps.order == (0, 7)


def test_an_import_that_is_older_or_expects_to_fail_is_not_said():
    text = "from pkg.engine import load\n"
    guarded = text + "try:\n    import pkg.engine\nexcept ImportError:\n    pass\n"
    assert _meet({"pkg/run.py": (text, guarded)}, {7: {"pkg/engine.py": (ENGINE, None)}}).found == ()


def test_files_that_one_removes_and_the_other_edits():
    overlaps = _meet(
        {"pkg/a.py": ("x = 1\n", "x = 2\n"), "pkg/b.py": ("", None)},
        {7: {"pkg/a.py": ("x = 1\n", None), "pkg/b.py": ("", "y = 1\n")}},
    )
    assert [fact[1:5] for fact in _facts(overlaps)] == [
        ("removes-changed", "pkg/a.py", "pkg/a.py", 1),
        ("changes-removed", "pkg/b.py", "pkg/b.py", None),
    ]


def test_prerequisites_come_in_the_order_in_which_they_need_each_other():
    overlaps = _meet(
        {"pkg/run.py": (None, "import pkg.early\nimport pkg.late\n")},
        {
            7: {"pkg/early.py": (None, "from pkg.late import x\n")},
            9: {"pkg/late.py": (None, "x = 1\n")},
        },
        _lacks_module("pkg.early", "pkg/run.py", 1),
        _lacks_module("pkg.late", "pkg/run.py", 2),
    )
    assert overlaps.order == (9, 7, 0)
    assert overlaps.cycles == ()


def test_those_that_need_each_other_are_named():
    overlaps = _meet(
        {"pkg/run.py": (None, "import pkg.new\nimport pkg.old\n")},
        {7: {"pkg/new.py": (None, ""), "pkg/old.py": ("", None)}},
        _lacks_module("pkg.new", "pkg/run.py", 1),
    )
    assert overlaps.cycles == ((0, 7),)
    assert overlaps.order == (7, 0)


def test_what_could_not_be_read_is_a_limit():
    edited = ENGINE.replace("return 2", "return 20")
    overlaps = _meet(
        {"pkg/engine.py": (ENGINE, edited)},
        {7: {"pkg/engine.py": (ENGINE, edited + "x = 1\n")}},
        unread=frozenset({"pkg/engine.py"}),
    )
    assert overlaps.found == ()
    assert overlaps.limits == ("Some files that both this change and another pull request edit were not read: #7.",)


def test_of_what_is_missing_fifty_are_looked_for():
    modules = [f"pkg.m{number}" for number in range(60)]
    overlaps = _meet(
        {"pkg/run.py": (None, "".join(f"import {module}\n" for module in modules))},
        {7: {f"{module.replace('.', '/')}.py": (None, "") for module in modules}},
        *(_lacks_module(module, "pkg/run.py", line) for line, module in enumerate(modules, start=1)),
    )
    assert len(overlaps.found) == 50
    assert overlaps.limits == ("Only the first 50 missing modules and names were looked up.",)


def test_a_huge_file_is_not_compared():
    huge = ENGINE + f"X = '{'x' * 400_000}'\n"
    overlaps = _meet(
        {"pkg/engine.py": (huge, huge.replace("return 2", "return 20"))},
        {7: {"pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 3"))}},
    )
    assert overlaps.found == ()


def test_what_is_wanted_is_what_a_comparison_reads():
    ours: Sides = {
        "pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 20")),
        "pkg/run.py": (None, "from pkg.outputs import Output\nfrom pkg.sched import step\n"),
    }
    theirs = {
        7: {
            "pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 3")),
            "pkg/outputs.py": (None, "Output = 1\n"),
            "pkg/sched.py": ("step = 1\n", "stop = 1\n"),
            "pkg/elsewhere.py": ("", "x = 1\n"),
            "README.md": ("a\n", "b\n"),
        }
    }
    change = PullRequest(tuple(_file(path, old, new) for path, (old, new) in ours.items()))
    wants = wanted(change, imports_of_hunks(change), Open(theirs).ones)
    assert [(want.side, want.path) for want in wants[:5]] == [
        ("head", "pkg/outputs.py"),
        ("head", "pkg/sched.py"),
        ("merge_base", "pkg/sched.py"),
        ("head", "pkg/engine.py"),
        ("merge_base", "pkg/engine.py"),
    ]


def test_what_is_said_of_them():
    overlaps = _meet(
        {
            "pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 20").replace("return 3", "return 30")),
            "pkg/run.py": (None, "import pkg.new\n"),
            "pkg/a.py": ("x = 1\n", "x = 2\n"),
        },
        {
            7: {
                "pkg/engine.py": (ENGINE, ENGINE.replace("return 2", "return 8").replace("return 3", "return 9")),
                "pkg/a.py": ("x = 1\n", None),
                "pkg/run.py": (None, "x = 1\n"),
            },
            8: {"pkg/new.py": (None, "1\n"), "pkg/c.py": (None, "")},
            9: {"pkg/new.py": (None, "")},
        },
        _lacks_module("pkg.new", "pkg/run.py", 1),
    )
    assert [(each.number, each.said) for each in overlap_sentences(overlaps.found)] == [
        (
            9,
            "adds the module `pkg.new` (`pkg/new.py`), which `pkg/run.py:1` imports; merge it first (also added by #8)",
        ),
        (7, "removes `pkg/a.py`, which this change edits"),
        (7, "also adds `pkg/run.py`, with different contents"),
        (
            7,
            "also changes `pkg/engine.py`: `Engine.stop` (line 6 there, 6 here) and `load` (line 10 there, 10 here)",
        ),
    ]
    assert merge_order(overlaps) == "Suggested merge order: #9, this one."


def test_imports_of_twenty_thousand_hunks_are_read_in_no_time():
    hunks = tuple(Hunk(2 * at, 1, 2 * at, 1, (f"-x{at}", f"+import a{at}")) for at in range(1, 20_001))
    change = PullRequest((ChangedFile("a.py", None, "modified", "text", hunks, len(hunks), len(hunks)),))
    assert [each.line for each in imports_of_hunks(change).all] == [hunk.new_start for hunk in hunks]


def test_many_missing_modules_and_imports_of_other_files_need_linear_time():
    def look(size: int) -> None:
        imports = [ChangeImport("pkg/other.py", line, line, "os", "", (), guarded=False) for line in range(size)]
        side = ChangeImports(PullRequest(()), Imports(imports), lambda _path: None)
        assert not [*lacking(side, [_lacks_module("pkg.gone", "pkg/run.py", line) for line in range(1, size)])]

    assert growth(look, 400) < SUPERLINEAR
