"""Whose lines a report speaks of: names from containers, other folders and other systems."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.coverage.added_lines import Coverage, FileCoverage, Report, measure, wanted
from tests.coverage.reports import Model, cobertura, lcov, read

TREE = (
    "setup.py",
    "src/halcyon/cache.py",
    "src/halcyon/worker/cache.py",
    "src/halcyon/worker/ünïcode.py",
    "src/halcyon/once.py",
)
ADDED = {path: frozenset({1, 2, 3}) for path in TREE}
HITS = {1: 1, 2: 0}
NONE = "The coverage report `r` names none of the changed files; check that its paths are relative to the repository's root."
UNCLEAR = "The coverage report `r` has a file name that fits more than one file of the repository; these lines are not counted."


def found(*reports: bytes, added=ADDED, paths=TREE) -> Coverage:
    said = [Report("r", read(report, wanted(added))) for report in reports]
    return measure(added, said, paths, frozenset(added))


NAMES = {
    "src/halcyon/cache.py": "src/halcyon/cache.py",
    "./src/halcyon/cache.py": "src/halcyon/cache.py",
    "src/./x/../halcyon//cache.py": "src/halcyon/cache.py",
    "src\\halcyon\\worker\\cache.py": "src/halcyon/worker/cache.py",
    "D:\\a\\halcyon\\halcyon\\src\\halcyon\\cache.py": "src/halcyon/cache.py",
    "/home/runner/work/halcyon/halcyon/src/halcyon/cache.py": "src/halcyon/cache.py",
    "/app/src/halcyon/worker/cache.py": "src/halcyon/worker/cache.py",
    "build/src/halcyon/once.py": "src/halcyon/once.py",
    "halcyon/cache.py": "src/halcyon/cache.py",
    "worker/cache.py": "src/halcyon/worker/cache.py",
    "once.py": "src/halcyon/once.py",
    "src/halcyon/worker/ünïcode.py": "src/halcyon/worker/ünïcode.py",
    "setup.py": "setup.py",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("write", [lcov, cobertura])
def test_a_name_is_matched_by_the_longest_part_that_the_repository_has(write, name):
    assert found(write({name: HITS})).files == (FileCoverage(NAMES[name], 1, (2,)),)


def test_sources_tell_namesakes_apart():
    report = cobertura({"cache.py": HITS}, ["/w/src/halcyon/worker"])
    assert found(report).files == (FileCoverage("src/halcyon/worker/cache.py", 1, (2,)),)


@pytest.mark.parametrize(
    "report",
    [
        lcov({"cache.py": HITS}),
        cobertura({"cache.py": HITS}),
        cobertura({"cache.py": HITS}, ["/elsewhere"]),
        cobertura({"cache.py": HITS, "other.py": HITS}, ["/elsewhere", "/somewhere"]),
    ],
)
def test_a_name_that_fits_several_files_counts_for_none(report):
    assert found(report) == Coverage((), (), (UNCLEAR,))


def test_a_file_at_the_root_and_one_that_was_installed_are_not_told_apart():
    report = lcov({"/work/setup.py": HITS, "/usr/lib/python3/setuptools/setup.py": HITS})
    assert found(report) == Coverage((), (), (UNCLEAR,))


def test_namesakes_that_did_not_change_are_not_taken_for_those_that_did():
    added = {"src/halcyon/cache.py": frozenset({1})}
    assert found(lcov({"src/halcyon/worker/cache.py": HITS}), added=added) == Coverage((), (), (NONE,))
    assert found(lcov({"cache.py": HITS}), added=added).problems == (UNCLEAR,)
    assert found(lcov({"cache.py": HITS}), added=added, paths=None).measurable == 1, "the rest is not known here"


def test_other_paths_are_said():
    assert found(lcov({"lib/none.py": HITS})) == Coverage((), (), (NONE,))
    assert not found(lcov({"lib/none.py": HITS})).usable


def test_reports_are_merged_and_a_line_that_ran_in_one_has_run():
    one, other = {"src/halcyon/cache.py": {1: 1, 2: 0}}, {"/app/src/halcyon/cache.py": {2: 5, 3: 0, 4: 0}}
    assert found(lcov(one), cobertura(other)).files == (FileCoverage("src/halcyon/cache.py", 2, (3,)),)


def test_only_added_lines_count():
    model: Model = {"src/halcyon/cache.py": {1: 0, 2: 1, 7: 0}}
    coverage = found(lcov(model), added={"src/halcyon/cache.py": frozenset({2, 5})})
    assert (coverage.covered, coverage.measurable) == (1, 1)


def test_changed_files_that_no_report_names_are_said_once_others_are_named():
    coverage = found(lcov({"src/halcyon/cache.py": HITS}))
    assert coverage.unnamed == ("setup.py", "src/halcyon/once.py", "src/halcyon/worker/cache.py", TREE[3])
    assert coverage.notices == ("4 changed code files are in no coverage report and could not be measured.",)


def test_the_name_of_a_report_cannot_leave_its_code():
    assert "`a'b`" in measure(ADDED, [Report("a`b", "is empty")], TREE).problems[0]


def _in_many_folders(paths: int, deep: int) -> Model:
    return {f"{number}/" + "a/" * deep + "cache.py": HITS for number in range(paths)}


def test_names_and_sources_of_a_thousand_folders_cost_no_more_than_they_are_long():
    """Code under review writes such reports: each end of each name below each source would be hours."""
    sources = [f"/{number}/" + "b/" * 2000 for number in range(100)]
    report = cobertura(_in_many_folders(800, 2000), sources)
    assert found(report).problems == (NONE,)


_PART = st.sampled_from(["a", "b", "c", "..", "x.py"])
_NAME = st.lists(_PART, min_size=0, max_size=4).map(lambda parts: "/".join([*parts, "x.py"]))
_TREES = st.sets(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=4).map(lambda parts: "/".join([*parts, "x.py"])), min_size=1
)


@settings(max_examples=300)
@given(_TREES, _NAME, st.lists(st.lists(_PART, min_size=1, max_size=3).map("/".join), max_size=3))
def test_a_name_is_the_longest_end_that_is_a_path_else_the_end_of_one_path(tree, name, sources):
    """The rule as it reads, tried end by end."""
    own = _normal(name)
    ends = {
        end for whole in (own, *(_normal(f"{source}/{name}") for source in sources)) if (end := _longest(whole, tree))
    }
    longest = max((end.count("/") for end in ends), default=-1)
    best = {end for end in ends if end.count("/") == longest}
    if longest + 1 < len(own):
        best = {path for path in tree if path.endswith("/" + "/".join(own))} or best
    coverage = found(cobertura({name: HITS}, sources), added=dict.fromkeys(tree, frozenset({1, 2})), paths=sorted(tree))
    assert [file.path for file in coverage.files] == (list(best) if len(best) == 1 else [])


def _normal(name: str) -> list[str]:
    parts: list[str] = []
    for part in name.split("/"):
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
    return parts


def _longest(parts: list[str], tree: set[str]) -> str | None:
    return next((end for at in range(len(parts)) if (end := "/".join(parts[at:])) in tree), None)
