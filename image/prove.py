"""Runs the Action from the image, by ``image/run``, against the fake GitHub outside it, and prints the result.

    .venv/bin/python image/prove.py

The image has to be there (``image/try`` builds it); the variable ``IMAGE`` names another one.
The exit code is 1 if anything is not as it must be.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fake_github.demo.sample_change import BRANCH, lay_out
from fake_github.server import FakeGitHub

RUN = str(Path(__file__).resolve().parent / "run")
REPOSITORY = "acme/halcyon"


class Ran(NamedTuple):
    """A run of the container: its exit code, its log, its outputs, and what it wrote to GitHub."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str
    reports: list[str]
    writes: int
    seconds: float


def main() -> int:
    """Review, review again, with a token that may only read, in a merge group, after a fix, with a wrong token."""
    with FakeGitHub() as github, tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sample = folder / "sample"
        sample.mkdir()
        lay_out(sample)
        repository = github.repository(REPOSITORY)
        repository.fetch(sample, "main:refs/heads/main", f"{BRANCH}:refs/heads/{BRANCH}")
        pull = repository.open_pull_request(BRANCH, title="Accept prompt embeddings", author="ada")
        opened = repository.event(pull, "opened")
        token = github.token()
        proofs = []

        first = run(github, folder, "pull_request", opened, token)
        inline = len(pull.review_comments)
        proofs += [
            told(
                "the sample is reviewed and the gate is red", first, first.code == 1 and not first.log.count("defect")
            ),
            told(f"{inline} comments on lines and one summary", first, bool(inline) and len(pull.comments) == 1),
            told("outputs", first, first.outputs.get("passed") == "false" and bool(first.outputs.get("summary-url"))),
            told(
                "a page of the job, and reports", first, "must fix" in first.summary.lower() and len(first.reports) == 2
            ),
        ]
        again = run(github, folder, "pull_request", opened, token)
        proofs.append(told("a second run writes nothing", again, (again.code, again.writes) == (1, 0)))
        reader = run(github, folder, "pull_request", opened, github.token(read_only=True))
        proofs.append(told("a token that may only read: the same verdict", reader, reader.code == 1))
        group = repository.merge_group(pull)
        queued = run(github, folder, "merge_group", repository.merge_group_event(group), token)
        proofs.append(told("a merge group gets a verdict, no comment", queued, (queued.code, queued.writes) == (1, 0)))
        pull.push(taken_back(sample), message="Take it back")
        mended = run(github, folder, "pull_request", repository.event(pull, "synchronize"), token)
        proofs.append(
            told("the defects are gone: green, and said in place", mended, mended.code == 0 and mended.writes > 0)
        )
        refused = run(github, folder, "pull_request", opened, "nonsense")
        proofs.append(
            told("a wrong token: red, and the log says why", refused, refused.code == 3 and bool(refused.log))
        )
        proofs.append(
            told("the token is in no log", first, all(token not in r.log + r.summary for r in (first, again)))
        )
    return 0 if all(proofs) else 1


def taken_back(sample: Path) -> dict[str, str | None]:
    """Return what undoes the sample change: the files of main, and None for those that it does not have."""
    git = ("git", "-C", str(sample))
    names = subprocess.run((*git, "diff", "--name-only", f"main..{BRANCH}"), capture_output=True, text=True, check=True)
    files: dict[str, str | None] = {}
    for name in names.stdout.splitlines():
        old = subprocess.run((*git, "show", f"main:{name}"), capture_output=True, text=True, check=False)
        files[name] = None if old.returncode else old.stdout
    return files


def run(github: FakeGitHub, folder: Path, event: str, payload: Mapping[str, Any], token: str) -> Ran:
    """Run the container on an event."""
    (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
    out = folder / "out"
    command = [RUN, "--event", event, "--payload", str(folder / "event.json"), "--api-url", github.url]
    command += ["--repository", REPOSITORY, "--input", f"github-token={token}", "--out", str(out)]
    before = len(github.requests)
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - began
    calls = github.requests[before:]
    writes = [call for call in calls if call.method != "GET" and not call.path.endswith("/graphql")]
    lines = (out / "outputs").read_text(encoding="utf-8").splitlines()
    return Ran(
        done.returncode,
        done.stdout + done.stderr,
        dict(line.split("=", 1) for line in lines),
        (out / "summary.md").read_text(encoding="utf-8"),
        [str(path) for path in (out / "workspace").rglob("report.*")],
        len(writes),
        seconds,
    )


def told(what: str, ran: Ran, right: bool) -> bool:  # noqa: FBT001  # an assertion and its words
    """Print one line, and the log of the run where something is wrong."""
    print(f"{'ok ' if right else 'NOT'} {what} (exit {ran.code}, {ran.writes} writes, {ran.seconds:.1f} s)")
    if not right:
        print(ran.log, ran.outputs, ran.summary[:2000], sep="\n", file=sys.stderr)
    return right


if __name__ == "__main__":
    raise SystemExit(main())
