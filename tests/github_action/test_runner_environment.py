"""Inputs in, outputs out: what an action and its runner tell each other."""

import os

import pytest

from review_bot.comments.model import Posting, PostingOverrides, PublicationSettings
from review_bot.configuration.inputs import Gate, Inputs, Overrides
from review_bot.errors import ReviewBotError, UsageError
from review_bot.forges.github.allowed_urls import graphql_of
from review_bot.github_action.runner_environment import (
    append_outputs,
    append_summary,
    forget_secrets,
    read_inputs,
    read_runner,
    write_report,
)


def inputs(**given):
    return read_inputs({f"INPUT_{name.upper().replace('_', '-')}": value for name, value in given.items()})


def test_inputs_that_are_not_set_take_no_part():
    read = inputs(github_token="t", fail_on="", max_comments=" ")
    assert read == Inputs(gate=Gate(token="t"))
    assert read.publication.name == "review-bot"
    assert read.posting.applied(Posting(max_comments=3)) == Posting("line", "warning", 3, "always")


def test_inputs_are_read():
    read = inputs(fail_on="warning", on_incomplete="warn", config="a.yml", name="two", comments="summary", comment_on="info", summary="with-findings",
                  max_comments="5", drafts="quiet", status="true", resolve_threads="true", request_changes="true",
                  require_trusted_trigger="true", pr_number="7", report_dir="out")  # fmt: skip
    assert read.overrides == Overrides(config="a.yml", fail_on="warning", on_incomplete="warn")
    assert read.publication == PublicationSettings("two", "quiet", resolve_threads=True, request_changes=True)
    assert read.posting == PostingOverrides("summary", "info", 5, "with-findings")
    assert read.gate == Gate(name="two", status=True, require_trusted_trigger=True, pr_number="7")
    assert read.report_dir == "out"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fail_on", "errors"), ("on_incomplete", "ignore"), ("comments", "yes"), ("comment_on", "all"), ("drafts", "skip"),
        ("status", "yes"), ("max_comments", "-1"), ("max_comments", "1000"), ("name", "Review Bot"), ("name", "x" * 41),
        ("report_dir", "/etc"), ("report_dir", "a/../../b"), ("comment_on", "hint"),
    ],
)  # fmt: skip
def test_an_input_that_is_not_understood_is_named(name, value):
    with pytest.raises(UsageError, match=f"input {name.replace('_', '-')}: "):
        inputs(**{name: value})


@pytest.mark.parametrize(
    ("server", "api"),
    [
        ("", "https://api.github.com"),
        ("https://github.com", "https://api.github.com"),
        ("https://ghe.example/", "https://ghe.example/api/v3"),
        ("https://octo.ghe.com", "https://api.octo.ghe.com"),
    ],
)
def test_a_token_for_one_server_is_not_sent_to_another(server, api):
    assert read_runner({"GITHUB_SERVER_URL": server}).api_url == api


def test_an_enterprise_server_has_its_own_addresses():
    assert graphql_of("https://ghe.example/api/v3") == "https://ghe.example/api/graphql"
    assert graphql_of("https://api.github.com") == "https://api.github.com/graphql"
    runner = read_runner({"GITHUB_API_URL": "https://ghe.example/api/v3", "GITHUB_SERVER_URL": "https://ghe.example"})
    assert (runner.graphql_url, runner.server_url) == ("https://ghe.example/api/graphql", "https://ghe.example")


def test_secrets_leave_the_environment():
    environment = {"GITHUB_TOKEN": "a", "INPUT_GITHUB-TOKEN": "b", "ACTIONS_RUNTIME_TOKEN": "c", "PATH": "/bin"}
    forget_secrets(environment)
    assert environment == {"PATH": "/bin"}


def test_outputs_and_summary_are_appended(tmp_path):
    path = str(tmp_path / "file")
    append_outputs(path, {"verdict": "no-findings", "findings": "0"})
    append_summary(path, "# one\n")
    append_summary("", "nowhere")
    assert (tmp_path / "file").read_text() == "verdict=no-findings\nfindings=0\n# one\n"


def test_an_output_cannot_smuggle_another_one(tmp_path):
    with pytest.raises(ReviewBotError, match="control character"):
        append_outputs(str(tmp_path / "file"), {"summary-url": "x\nverdict=no-findings"})


def test_a_report_is_written_below_the_workspace(tmp_path):
    assert write_report(str(tmp_path), "a/b", "report.json", "{}") == "a/b/report.json"
    assert write_report(str(tmp_path), "a/b", "report.json", "[]") == "a/b/report.json"
    assert (tmp_path / "a/b/report.json").read_text() == "[]"


@pytest.mark.parametrize("hostile", ["folder", "file", "pipe"])
def test_a_report_follows_no_link_of_a_checkout(tmp_path, hostile):
    workspace, outside = tmp_path / "w", tmp_path / "outside"
    (workspace / "out").mkdir(parents=True)
    outside.mkdir()
    (outside / "report.json").write_text("kept")
    if hostile == "folder":
        (workspace / "out").rmdir()
        (workspace / "out").symlink_to(outside)
    elif hostile == "file":
        (workspace / "out/report.json").symlink_to(outside / "report.json")
    else:
        os.mkfifo(workspace / "out/report.json")
    with pytest.raises(ReviewBotError, match=r"could not write the report out/report\.json"):
        write_report(str(workspace), "out", "report.json", "{}")
    assert (outside / "report.json").read_text() == "kept"
