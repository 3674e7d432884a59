"""``review-bot review --pr`` as a process, with faults: it reads as the Action does, and writes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.faults.cases import Case, Site, site_of
from tests.faults.scenes import Stage

CASES = (
    *(
        Case("review --pr", "opened", site, kind)
        for site, kind in (
            (Site("GRAPHQL", "Overview"), "reset_before"),
            (Site("GRAPHQL", "Blobs"), "502_html"),
            (Site("GET", "/pulls/*/files"), "truncated_json"),
            (Site("GET", "/git/trees/*"), "503_retry_after"),
            (Site("GET", "/git/blobs/*"), "html_200"),
            (Site("GET", "/legacy.tar.gz/*"), "reset_after"),
        )
    ),
    Case("review --pr", "opened", Site("GRAPHQL", "Overview"), "primary_limit", None),
    Case("review --pr", "opened", Site("GET", "/pulls/*/files"), "html_200", None),
    Case("review --pr", "opened", Site("GET", "/git/trees/*"), "401", None),
)
"""Faults that pass, and some that last."""


def play(stage: Stage, case: Case) -> list[str]:
    """Run the command with a fault, and return every breach."""
    scene = stage.scene(case.scene)
    calm = stage.calm(scene)[0].code
    stage.github.restore(scene.state)
    before = stage.standing(scene)
    stage.github.faults.add(case.fault())
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-m",
            "review_bot",
            "review",
            "--pr",
            f"octo/halcyon#{scene.number}",
            "--format",
            "json",
        ],
        env={**stage.github.environment(), "PATH": os.environ["PATH"], "GITHUB_TOKEN": stage.token},
        cwd=stage.github.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    breaches = []
    if stage.standing(scene) != before or any(site_of(call).is_write for call in stage.github.requests):
        breaches.append("a dry run wrote something")
    if stage.token in done.stdout + done.stderr:
        breaches.append("the token is printed")
    if case.times is None:
        if (done.returncode, done.stdout) != (3, "") or done.stderr.count("\n") != 1:
            breaches.append(f"it was to end with 3 and one sentence: {done.returncode}, {done.stderr!r}")
    elif done.returncode != calm or not json.loads(done.stdout)["findings"]:
        breaches.append(f"a fault that passes ended it with {done.returncode}: {done.stderr!r}")
    return breaches
