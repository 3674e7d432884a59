"""How people name a pull request."""

import pytest

from review_bot.errors import UsageError
from review_bot.forges.github.pull_request_ref import PullRequestRef, parse, repository_of_remote

SERVER = "https://github.com"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("19", PullRequestRef(None, 19)),
        ("#19", PullRequestRef(None, 19)),
        ("vllm-project/vllm-omni#19", PullRequestRef("vllm-project/vllm-omni", 19)),
        ("https://github.com/vllm-project/vllm-omni/pull/19", PullRequestRef("vllm-project/vllm-omni", 19)),
        (
            "https://github.com/vllm-project/vllm-omni/pull/19/files#diff-1",
            PullRequestRef("vllm-project/vllm-omni", 19),
        ),
    ],
)
def test_a_pull_request_has_several_names(text, address):
    assert parse(text, SERVER) == address


@pytest.mark.parametrize(
    "text", ["", "0", "x", "owner/name", "owner/name19", "owner#19", "https://github.com/o/r/issues/19", "1" * 12]
)
def test_anything_else_is_refused_with_the_ways_to_write_it(text):
    with pytest.raises(UsageError, match="write 19, owner/name#19"):
        parse(text, SERVER)


@pytest.mark.parametrize(
    "text",
    ["https://evil.example/o/r/pull/1", "http://github.com/o/r/pull/1", "https://github.com@evil.example/o/r/pull/1"],
)
def test_a_token_goes_to_its_own_server_only(text):
    with pytest.raises(UsageError, match=r"this is not on https://github\.com"):
        parse(text, SERVER)


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        ("https://github.com/octo/halcyon.git\n", "octo/halcyon"),
        ("https://token@github.com/octo/halcyon", "octo/halcyon"),
        ("git@github.com:octo/halcyon.git", "octo/halcyon"),
        ("ssh://git@github.com:22/octo/halcyon.git", "octo/halcyon"),
        ("ssh://git@ssh.github.com:443/octo/halcyon.git", "octo/halcyon"),
        ("git@gitlab.example:octo/halcyon.git", None),
        ("https://github.com.evil.example/octo/halcyon", None),
        ("/srv/git/halcyon.git", None),
        ("", None),
    ],
)
def test_the_repository_of_a_remote_is_known(url, repository):
    assert repository_of_remote(url, SERVER) == repository
