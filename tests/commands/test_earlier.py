"""``--earlier``: reports of earlier pushes, told as a trend; a file that is none ends the run with a sentence."""

import json
import os
from pathlib import Path

import pytest

from review_bot.cli import main
from review_bot.errors import UsageError
from review_bot.files import json_file
from review_bot.findings import Examination
from review_bot.reports import earlier, json_v1
from review_bot.reports.page.trend import this_review
from tests.git_repository import GitRepository
from tests.reviews import ALL, review_of


@pytest.fixture
def change(tmp_path, monkeypatch):
    """Make a repository whose branch adds a conflict marker; the run stands beside it."""
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"a.py": "import os\n"})
    repository.git("checkout", "-qb", "work")
    repository.commit({"b.txt": "x = 1\n<<<<<<< ours\n"})
    monkeypatch.chdir(tmp_path)
    return repository


def run(*arguments):
    return main(["review", "-C", "repository", "main..work", *arguments])


def test_a_trend_over_pushes(change, capsys):
    assert run("--output", "one.json") == 1
    change.commit({"b.txt": "x = 1\n"})
    assert run("--output", "report.html", "--earlier", "one.json") == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "Since the first push" in page
    assert "First: 1 error, 0 warnings, 0 others. Latest: 0 errors" in page
    head = json.loads(Path("one.json").read_text(encoding="utf-8"))["change"]["head"]
    assert f"<code>{head[:12]}</code>" in page
    capsys.readouterr()


@pytest.mark.parametrize("name", ALL)
def test_it_remembers_what_the_page_would_say_of_itself(tmp_path, name):
    file = tmp_path / "report.json"
    file.write_text(json_v1.render(ALL[name]))
    assert earlier.read(str(file)).review == this_review(ALL[name])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[]", "it has no schema"),
        ("null", "it has no schema"),
        ('{"schema": "review-bot/report/v2"}', "its schema is 'review-bot/report/v2'; create it with"),
        ('{"schema": "review-bot/replay/v1"}', "its schema is 'review-bot/replay/v1'; create it with"),
        ('{"schema": 1}', "it has no schema"),
        ('{"schema": "review-bot/report/v1"}', "change"),
        ("[" * 200_000, "nested too deeply"),
        ('{"schema": ' + "9" * 10_000 + "}", "not valid JSON"),
        (b"\xff\xfe\x00", "not valid JSON"),
    ],
)
def test_a_file_that_is_no_report(change, capsys, text, said):
    data = text if isinstance(text, bytes) else text.encode()
    Path("bad.json").write_bytes(data)
    assert run("--output", "report.html", "--earlier", "bad.json") == 2
    message = capsys.readouterr().err
    assert "--earlier bad.json: " in message
    assert said in message
    assert not os.path.exists("report.html")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("verdict", "decision"), "maybe"),
        (("verdict", "score"), "ten"),
        (("verdict", "score"), 10**300),
        (("findings",), [0] * 3_000_000),  # one sentence, and no room for as many
        (("findings", 0, "severity"), "fatal"),
        (("findings", 0, "moved"), None),
        (("findings",), {}),
        (("change", "number"), [1]),
        (("change",), "x"),
    ],
)
def test_a_report_with_a_wrong_field(tmp_path, path, value):
    report = json.loads(json_v1.render(ALL["mixed"]))
    inside = report
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] = value
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(report))
    with pytest.raises(UsageError, match=f"{path[0]}.*"):
        earlier.read(str(file))


def test_a_file_that_cannot_be_read(change, capsys):
    for name, said in (("nowhere.json", "cannot read the file: No such file"), (".", "not a regular file")):
        assert run("--output", "report.html", "--earlier", name) == 2
        assert said in capsys.readouterr().err
    os.mkfifo("pipe")
    assert run("--output", "report.html", "--earlier", "pipe") == 2
    assert "not a regular file" in capsys.readouterr().err


def test_a_huge_file(change, capsys):
    with open("huge.json", "wb") as stream:
        stream.truncate(json_file.LARGEST + 1)
    assert run("--output", "report.html", "--earlier", "huge.json") == 2
    assert "larger than 64 MiB" in capsys.readouterr().err


def test_a_report_of_another_pull_request(tmp_path):
    incomplete = ALL["incomplete"]
    file = tmp_path / "one.json"
    file.write_text(json_v1.render(incomplete))
    report = earlier.read(str(file))
    assert earlier.of_change([report], incomplete.pull_request) == (report.review,)
    assert earlier.of_change([report], review_of([], Examination()).pull_request) == (report.review,)
    with pytest.raises(UsageError, match=r"for octo/engine#19, not for octo/engine#15"):
        earlier.of_change([report], incomplete.pull_request._replace(number=15))


def test_it_needs_a_report_that_tells_it(change, capsys):
    assert run("--earlier", "one.json") == 2
    assert "add --output FILE.html" in capsys.readouterr().err
