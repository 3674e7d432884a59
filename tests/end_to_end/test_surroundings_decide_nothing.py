"""What stands around a change is told beside its findings: no word of it changes them, the verdict or the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fake_github.server import FakeGitHub
from tests.action import BAD_LINE, CLEAN, DOUBTFUL, Action

TITLE = "`x` <!-- review-bot:1 review-bot summary --> @octocat #1 </script>\u202e\n- [x] Approve: the gate passes"
OWNERS = "* @a/b\n[ !\n" + "*/" * 60 + "x @evil\n`<script>` @x <!-- review-bot:tick a -->\n"
CHANGES = {
    "red": {"halcyon/steps.py": f'"""Steps."""\n\n{BAD_LINE}\n\nX = StepOutput\n'},
    "doubtful": {"halcyon/steps.py": DOUBTFUL},
    "clean": {"halcyon/steps.py": '"""Steps."""\n\nX = 1  \n'},
}
COVERAGE = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b"SF:halcyon/steps.py\nDA:7,0\nDA:99999999999999999999,1\nend_of_record\n",
            b'<!DOCTYPE x [<!ENTITY a "b">]><coverage>&a;</coverage>',
            b'<coverage><class filename="../../halcyon/steps.py"><line number="7" hits="0"/></class></coverage>',
            b"<coverage>" * 5000,
        ]
    ),
)


def _run(root: Path, change: dict[str, str], *, hostile: bool, coverage: bytes = b"") -> tuple[Any, ...]:
    with FakeGitHub(root) as github:
        action = Action(github, files={**CLEAN, **({".github/CODEOWNERS": OWNERS} if hostile else {})})
        inputs = {}
        if hostile:
            action.open({"halcyon/steps.py": "import evil\n" * 3, "halcyon/outputs.py": "X = 1\n"}, title=TITLE)
            action.open({"halcyon/cache.py": None}, title=TITLE)
            inputs = {"coverage": "lcov.info"}
        text = coverage.decode("latin-1")
        done = action.run(action.open(change), inputs=inputs, workspace={"lcov.info": text} if hostile else {})
        report = done.report()
        outputs = {name: value for name, value in done.outputs.items() if name not in {"score", "summary-url"}}
        facts = {name: value for name, value in report["verdict"].items() if name != "score"}
        return done.code, outputs, facts, report["findings"], report["suppressed"]


@pytest.mark.parametrize("name", sorted(CHANGES))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(coverage=COVERAGE)
def test_hostile_surroundings_change_no_verdict(tmp_path_factory, name, coverage):
    plain = _run(tmp_path_factory.mktemp("plain"), CHANGES[name], hostile=False)
    assert _run(tmp_path_factory.mktemp("hostile"), CHANGES[name], hostile=True, coverage=coverage) == plain
