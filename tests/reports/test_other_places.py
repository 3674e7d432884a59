"""A finding with several places: each report that lists it names all of them, and counts it once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from review_bot.comments.model import Context
from review_bot.findings import OtherPlace
from review_bot.reports import comments
from tests.action import Action
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.reviews import finding

RULE = "errors/argparse-bool"
OPTION = "def {}(parser):\n    debug = parser.add_argument('--debug', type=bool)\n    return {}\n"
COPY = OPTION.format("run", "debug")
FILES = {"a.py": OPTION.format("first", "print(debug)"), "d.py": COPY, "e.py": "\n" * 5 + COPY, "f.py": COPY}
PLACES = ["a.py:2:44", "d.py:2:44", "e.py:7:44", "f.py:2:44"]
LINES = [place.removesuffix(":44") for place in PLACES]

Run = Callable[..., str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    repository = GitRepository(tmp_path_factory.mktemp("places") / "clone")
    repository.commit({"z.py": '"""Z."""\n'})
    repository.git("checkout", "--quiet", "-b", "work")
    repository.commit(FILES)

    def command(name: str, *arguments: str) -> str:
        given = [name, "-C", repository.folder, "--select", RULE, *arguments]
        ran = run_command(given, text=True, env={**ENVIRONMENT, "CI": "1"})
        printed: str = ran.stdout or ran.stderr
        return printed

    return command


@pytest.mark.parametrize("every", [(), ("--all",)])
def test_a_terminal_and_the_summary_name_all_places(run: Run, every: tuple[str, ...]) -> None:
    for text in (run("review", *every), run("review", "--format", "markdown")):
        assert [place for place in PLACES if place not in text] == []
        assert "2 warnings" in text
    assert "\n  Also at e.py:7:44, f.py:2:44\n" in run("review", *every)


def test_the_brief_names_all_places(run: Run) -> None:
    text = run("brief")
    assert [place for place in LINES if f"`{place}`" not in text] == []
    assert " Also at `e.py:7`, `f.py:2`." in text
    assert "2 warnings" in text


@pytest.mark.parametrize("every", [(), ("--all",)])
def test_editors_get_a_line_for_each_place(run: Run, every: tuple[str, ...]) -> None:
    lines = run("review", "--format", "concise", *every).splitlines()
    assert [line.partition(": ")[0] for line in lines] == PLACES
    assert [re.findall(r"\(same problem as (.*?)\)", line) for line in lines] == [[], [], ["d.py:2:44"], ["d.py:2:44"]]


def test_each_place_has_an_annotation(run: Run) -> None:
    *commands, _, counts = run("review", "--format", "github").splitlines()
    at = re.compile(r"::warning file=(.*?),line=(\d+),endLine=\d+,col=(\d+),")
    assert [":".join(found.groups()) for line in commands if (found := at.match(line))] == PLACES
    assert [line.count("Same problem as d.py:2:44.") for line in commands] == [0, 0, 1, 1]
    assert counts.startswith("2 warnings")


def test_the_dossier_names_all_places(run: Run, tmp_path: Path) -> None:
    run("review", "--export", str(tmp_path))
    for name in ("SUMMARY.md", "REVIEW.md", "SUGGESTED_FIXES.md"):
        text = (tmp_path / name).read_text()
        assert [place for place in PLACES if f"`{place}`" not in text] == [], name
    page = re.sub("<[^>]*>", "", (tmp_path / "report.html").read_text())
    assert [place for place in LINES if place not in page] == []
    by_file = (tmp_path / "REVIEW.md").read_text().partition("### `e.py`")[2]
    assert RULE in by_file.partition("###")[0]
    findings = json.loads((tmp_path / "report.json").read_text())["findings"]
    told = [
        [f"{one['path']}:{one['line']}", *(f"{at['path']}:{at['line']}" for at in one["related"])] for one in findings
    ]
    assert told == [LINES[:1], LINES[1:]]
    results = json.loads((tmp_path / "report.sarif").read_text())["runs"][0]["results"]
    related = [at["physicalLocation"] for at in results[1]["relatedLocations"]]
    assert [f"{at['artifactLocation']['uri']}:{at['region']['startLine']}" for at in related] == LINES[2:]


def test_what_needs_a_manual_change_is_named_with_all_places(run: Run) -> None:
    assert "\n  d.py:2:44, e.py:7:44, f.py:2:44 warning errors/argparse-bool: " in run("fix", "--dry-run")


@pytest.mark.parametrize("place", LINES[1:])
def test_it_is_explained_by_each_of_its_places(run: Run, place: str) -> None:
    text = run("explain", place)
    assert text.splitlines()[1] == "d.py:2:44"
    assert "  Also at e.py:7:44, f.py:2:44\n" in text


def test_a_wrong_line_names_the_line_of_another_place(run: Run) -> None:
    assert "is on this line; the nearest in this file: 7" in run("explain", "e.py:3")
    assert "e.py: add the line of a finding, such as e.py:7; this file has findings on: 7" in run("explain", "e.py")


def test_a_pull_request_names_all_places_and_counts_each_finding_once(action: Action) -> None:
    pr = action.open(FILES)
    result = action.run(pr)
    [summary] = pr.comments
    assert (result.outputs["findings"], result.outputs["warnings"]) == ("2", "2")
    assert "**2 warnings.**" in summary.body
    assert [place for place in LINES if place not in summary.body] == []
    first, second = (each.body for each in pr.review_comments)
    assert "Also at" not in first
    assert re.search(r"\nAlso at \[`e\.py:7`\]\(.*\), \[`f\.py:2`\]\(.*\)\.\n", second)


def test_a_comment_on_several_findings_names_the_other_places_of_each() -> None:
    def other(path: str) -> OtherPlace:
        return OtherPlace(path, 7, 7, 1, 9, "RIGHT", "It discards them.", "0" * 16 + "-" + "0" * 8)

    found = [finding(line=each, end_line=each, also_at=(other(f"copy_{each}.py"),)) for each in (3, 5)]
    context = Context("octo/engine", 19, "c" * 40)
    for several in (found, found[:1]):
        text = comments.together(several, context)
        assert [f"copy_{each.line}.py:7" in text for each in several] == [True] * len(several)
        assert text.count("Also at ") == 1
    many = found[0]._replace(also_at=tuple(other(f"copy_{number}.py") for number in range(60)))
    assert " and 10 more." in comments.together([many], context)


def test_a_copy_that_comes_first_leaves_the_comment_where_it_is(action: Action) -> None:
    pr = action.open({"d.py": COPY, "e.py": COPY})
    action.run(pr)
    [comment] = pr.review_comments
    pr.push({"b.py": COPY})
    result = action.run(pr)
    assert [each.id for each in pr.review_comments] == [comment.id]
    assert not comment.body.startswith("Fixed")
    assert re.search(r"\nAlso at \[`b\.py:2`\]\(.*\), \[`e\.py:2`\]", comment.body)
    assert "Same problem" not in result.log, "what has a comment gets no annotation"
    [summary] = pr.comments
    assert "1 still open" in summary.body
    assert "fixed" not in summary.body.partition("Since")[2].partition("\n")[0]
