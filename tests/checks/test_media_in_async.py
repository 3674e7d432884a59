from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/media-in-async"
IMPORTS = """\
import asyncio
import queue
import shutil
import subprocess
import threading
import torch
import torch.distributed as dist
from diffusers import FluxPipeline
from diffusers.utils import export_to_video
from transformers import AutoTokenizer
"""
SERVER = """
class Server:
    def __init__(self, given):
        self.thread = threading.Thread(target=self.run)
        self.inbox = queue.Queue()
        self.outbox = asyncio.Queue()
        self.given = given
        self.pipe = FluxPipeline.from_pretrained("small").to("cuda")
        self.child = subprocess.Popen(["serve"])

    def work(self, path):
        {work}

    async def handle(self, path):
        {handle}

    async def status(self):
        return self.state
"""


def findings(handle: str, work: str = "return path") -> list[str]:
    text = IMPORTS + SERVER.format(work=work, handle=handle)
    return [finding.message.partition("`")[2].partition("`")[0] for finding in findings_of(RULE, text)]


@pytest.mark.parametrize(
    ("call", "slow"),
    [
        ("export_to_video(frames, path)", "export_to_video"),
        ("shutil.rmtree(path)", "shutil.rmtree"),
        ("AutoTokenizer.from_pretrained(path)", "AutoTokenizer.from_pretrained"),
        ("torch.load(path)", "torch.load"),
        ("self.thread.join(timeout=5)", "self.thread.join"),
        ("self.inbox.get()", "self.inbox.get"),
        ("self.child.communicate()", "self.child.communicate"),
        ("self.pipe(path)", "self.pipe"),
        ("asyncio.run_coroutine_threadsafe(later(), loop).result()", "asyncio.run_coroutine_threadsafe(later(), loop).result"),
        ("dist.barrier()", "dist.barrier"),
        ("dist.all_reduce(x, group=self.cpu_group)", "dist.all_reduce"),
    ],
)  # fmt: skip
def test_slow_calls_are_reported_directly_and_through_a_method(call, slow):
    assert findings(call) == [slow]
    assert findings("self.work(path)", call) == [slow]


@pytest.mark.parametrize(
    "call",
    [
        "torch.load(io.BytesIO(path))",
        "self.thread.join(timeout=0)",
        "self.inbox.get(False)",
        "await self.outbox.get()",
        "self.given.get()",
        "self.given.join()",
        "self.pipe.enable_vae_tiling()",
        "dist.all_reduce(x, group=self.group)",
        "dist.barrier(async_op=True)",
        "', '.join(path)",
        "await asyncio.to_thread(shutil.rmtree, path)",
    ],
)
def test_calls_that_return_soon_are_not_reported(call):
    assert findings(call) == []


@pytest.mark.parametrize(
    "work",
    [
        "if self.model is None:\n            self.model = torch.load(path)",
        "if self.model is not None:\n            return\n        self.model = torch.load(path)",
        "try:\n            return self.model\n        except OSError:\n            self.model = torch.load(path)",
        "yield torch.load(path)",
        "return lambda: torch.load(path)",
    ],
)
def test_work_that_runs_once_or_later_is_not_reported(work):
    assert findings("self.work(path)", work) == []


@pytest.mark.parametrize("name", ["start", "lifespan", "warm_up", "__aenter__"])
def test_functions_that_run_before_or_after_all_others_may_take_long(name):
    text = IMPORTS + SERVER.format(work="pass", handle="shutil.rmtree(path)").replace("handle", name)
    assert findings_of(RULE, text) == []


def test_the_search_ends_after_three_calls():
    chain = [f"def f{n}(x):\n    return f{n + 1}(x)\n\n\n" for n in range(4)]
    tail = "@app.get('/')\nasync def handle(x):\n    return f{n}(x)\n"
    text = IMPORTS + "".join(chain) + "def f4(x):\n    return torch.load(x)\n\n\n"

    assert [bool(findings_of(RULE, text + tail.format(n=n))) for n in range(4)] == [False, False, True, True]
