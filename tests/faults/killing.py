"""Processes that are killed, or told to end, in the middle of their work; the next run puts things right."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.faults.invariants import difference, of_standing
from tests.faults.scenes import Stage

MOMENTS = (
    ("opened", 2), ("opened", 12), ("opened", 17), ("opened", 18), ("opened", 19), ("opened", 21), ("opened", 22),
    ("pushed", 16), ("pushed", 17), ("pushed", 18), ("pushed", 20), ("pushed", 22), ("pushed", 24), ("pushed", 26),
)  # fmt: skip
"""Scenes, and after how many calls the process ends: that many are answered, and one more is carried out."""

WAYS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)
"""How they end, in turns; the runner ends a cancelled job with SIGTERM."""


def play(stage: Stage, name: str, number: int, how: signal.Signals = signal.SIGKILL) -> list[str]:
    """End a process that plays a scene, run again, and return every breach."""
    scene = stage.scene(name)
    calm, calm_standing = stage.calm(scene)
    stage.github.restore(scene.state)
    before = stage.standing(scene)
    folder = Path(tempfile.mkdtemp(dir=stage.github.folder))
    environment = stage.action.environment(folder, scene.payload, scene.event, scene.inputs, stage.token)
    started: list[int] = []
    stage.github.before(("*", "**"), lambda: os.kill(started[0], how), after=number)
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "review_bot", "action"],
        env={**environment, "PATH": os.environ["PATH"]},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        started.append(process.pid)
        log = process.communicate(timeout=60)[0]
        code = process.returncode
    stage.github.wait_quiet()
    breaches = list(of_standing(before, stage.standing(scene)))
    if code in {0, 1}:
        breaches.append(f"it was to be ended and ended with {code}")
    if stage.token in log:
        breaches.append("the token is in the log")
    if stage.standing(scene).status == "success" and calm.code != 0:
        breaches.append("the status is green, and was not to be")
    if (healed := stage.again(scene)).code != calm.code:
        breaches.append(f"the next run ended with {healed.code} in place of {calm.code}")
    if (now := stage.standing(scene)) != calm_standing:
        breaches.append(f"the next run left something else than a calm one: {difference(now, calm_standing)}")
    return breaches
