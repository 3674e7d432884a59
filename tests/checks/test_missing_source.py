"""Instructions of a Dockerfile that copy what the repository does not have."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    ("copied", "message", "advice"),
    [
        ("conf/server.toml", "is not in the repository.", "Fix the path, which is"),
        ("conf/other.toml", "is not in the repository, and nothing else there has that name.", "Add it to the"),
        ("engine", "is not in the repository, and nothing else there has that name.", "Add it to the"),
    ],
)
def test_the_advice_depends_on_whether_the_name_is_elsewhere(copied: str, message: str, advice: str) -> None:
    head = {"Dockerfile": f"FROM python:3.12\nCOPY {copied} /work/\n"}
    (found,) = findings_of("docker/missing-source", head, {"settings/server.toml": "port = 1\n"})
    assert message in found.message
    assert advice in found.instead
