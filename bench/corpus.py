"""Writes the repositories that are measured: Python that looks like an inference engine's, the same bytes each time.

``small_change`` is a pull request of five files, some 460 lines added and 35 removed; ``large_change`` adds 100,000
lines over 1,500 files, a third of them to files that exist.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

NOUNS = (
    "request", "scheduler", "block", "cache", "token", "tensor", "stage", "encoder", "decoder", "sampler", "worker",
    "engine", "batch", "latent", "audio", "image", "video", "frame", "adapter", "prompt", "output", "connector",
    "codec", "vocoder", "attention", "mask", "embedding", "weight", "config", "session", "queue", "slot",
)  # fmt: skip
VERBS = (
    "load", "build", "merge", "split", "resize", "encode", "decode", "schedule", "collect", "prepare", "update",
    "gather", "release", "allocate", "validate", "convert", "pack", "unpack", "sample", "flush", "probe", "warm_up",
)  # fmt: skip
SHAPES = ("batch", "heads", "length", "width", "height", "channels", "hidden", "steps")


class Change(NamedTuple):
    """A repository on disk with the commits before and after a change, and what git counts of it."""

    folder: Path
    base: str
    head: str
    files: int
    added: int
    removed: int

    @property
    def range(self) -> str:
        """The change as the command line takes it."""
        return f"{self.base}..{self.head}"


class _Writer:
    """Writes Python by chance, the same for the same seed: only ``Random.random`` is promised to stay as it is."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311  # chance, not a secret

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def number(self, low: int, high: int) -> int:
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, words: tuple[str, ...]) -> str:
        return words[int(self._random.random() * len(words))]

    def noun(self) -> str:
        return self.pick(NOUNS)

    def module(self, lines: int) -> str:
        """Return the text of a module of about so many lines."""
        subject = self.noun()
        text = [
            f'"""The {subject} {self.noun()} of the {self.noun()} stage."""',
            "",
            "from __future__ import annotations",
            "",
            "import logging",
            *(["import os"] if self.chance(0.3) else []),
            *(["import time"] if self.chance(0.2) else []),
            "from dataclasses import dataclass",
            "from typing import Any",
            "",
            *(["import torch", "from torch import nn", ""] if self.chance(0.6) else []),
            "logger = logging.getLogger(__name__)",
            "",
            f"DEFAULT_{self.noun().upper()}_SIZE = {self.number(1, 4096)}",
            "",
        ]
        while len(text) < lines:
            text += self.class_definition() if self.chance(0.35) else self.function("", method=False)
        return "\n".join(text[:-1]) + "\n"

    def class_definition(self) -> list[str]:
        name = f"{self.noun().title()}{self.noun().title()}"
        fields = sorted({self.noun() for _ in range(self.number(2, 5))})
        text = ["", f"class {name}:", f'    """Holds the {fields[0]} of one {self.noun()}."""', ""]
        text += [f"    def __init__(self, {', '.join(f'{field}: Any' for field in fields)}) -> None:"]
        text += [f"        self._{field} = {field}" for field in fields] + [""]
        for _ in range(self.number(1, 4)):
            text += self.function("    ", method=True)
        return text

    def function(self, indent: str, *, method: bool) -> list[str]:
        name, arguments = f"{self.pick(VERBS)}_{self.noun()}", sorted({self.noun() for _ in range(self.number(1, 4))})
        types = ("Any", "int", "str", "list[int]", "dict[str, Any]")
        typed = [f"{argument}: {self.pick(types)}" for argument in arguments]
        signature = ", ".join((["self"] if method else []) + typed)
        text = [] if method else [""]
        text += [f"{indent}def {name}({signature}) -> Any:"]
        if self.chance(0.7):
            text.append(f'{indent}    """{self.pick(VERBS).title()} the {arguments[0]} of this {self.noun()}."""')
        for _ in range(self.number(2, 7)):
            text += [f"{indent}    {line}" for line in self.statement(arguments[0])]
        return [*text, f"{indent}    return {arguments[-1]}", ""]

    def statement(self, value: str) -> list[str]:
        target = self.noun()
        kinds: tuple[tuple[float, Callable[[], list[str]]], ...] = (
            (0.22, lambda: [f"{target} = {self.pick(VERBS)}_{self.noun()}({value}, {self.number(0, 64)})"]),
            (0.12, lambda: [f'logger.debug("{target} has %d of %s", len({value}), {value})']),
            (0.12, lambda: [f"if {value} is None:", f'    raise ValueError(f"{target} needs a {{{value}}}")']),
            (0.09, lambda: [f"{target} = [{target[0]} * {self.number(2, 9)} for {target[0]} in {value}]"]),
            (0.08, lambda: [f"for index, {target} in enumerate({value}):", f"    {target}.append(index)"]),
            (0.08, lambda: [f"{target} = {value}.view({self.pick(SHAPES)}, -1, {self.number(1, 128)})"]),
            (0.06, lambda: [f"{target} = torch.zeros(({self.pick(SHAPES)}, 4), device={value}.device)"]),
            (0.05, lambda: ["with torch.no_grad():", f"    {target} = self.{self.noun()}({value})"]),
            (0.04, lambda: [f"{target} = {value}.to(torch.{self.pick(('float16', 'bfloat16', 'float32'))})"]),
            (0.04, lambda: [f"# The {target} comes from the {self.noun()}, which keeps its {self.noun()}."]),
            (0.03, lambda: ["try:", f"    {target} = {value}.{self.pick(VERBS)}()", "except KeyError as error:",
                            f'    raise RuntimeError("no {target}") from error']),
            (0.02, lambda: [f"assert {value}.shape[0] == {self.number(1, 8)}, {value}.shape"]),
            (0.02, lambda: [f"{target} = os.environ.get('ENGINE_{target.upper()}', '{self.number(0, 9)}')"]),
            (0.006, lambda: ["torch.cuda.synchronize()"]),
            (0.004, lambda: [f'{target} = torch.load(f"{{{value}}}.pt", map_location="cpu")']),
            (0.004, lambda: [f"print({target!r}, {value})"]),
            (0.004, lambda: [f"{target} = {value}.cuda()"]),
            (0.004, lambda: ["try:", f"    {value}.close()", "except Exception:", "    pass"]),
            (0.002, lambda: [f"time.sleep(0.{self.number(1, 9)})"]),
        )  # fmt: skip
        share = self._random.random()
        for weight, kind in kinds:
            share -= weight
            if share < 0:
                return kind()
        return kinds[0][1]()


def small_change(folder: Path) -> Change:
    """Write a change of five files: two new ones, a new test, two that existed."""
    write = _Writer(19)
    old = {
        "engine/worker/__init__.py": write.module(60),
        "engine/worker/runner.py": write.module(180),
        "engine/sampling.py": write.module(120),
        "tests/test_sampling.py": write.module(60),
        **{f"engine/models/model_{number}.py": write.module(90) for number in range(20)},
    }
    new = {
        "engine/worker/gpu_worker.py": write.module(155),
        "engine/worker/model_runner.py": write.module(120),
        "tests/worker/test_gpu_worker.py": write.module(65),
        "engine/worker/runner.py": _edited(old["engine/worker/runner.py"], write, 45, 20),
        "engine/sampling.py": _edited(old["engine/sampling.py"], write, 40, 15),
    }
    return _commit(folder, old, new)


def large_change(folder: Path, *, files: int = 1500, lines: int = 100_000) -> Change:
    """Write a change of 100,000 added lines over 1,500 files."""
    write = _Writer(100)
    existing = [f"engine/part_{number % 25}/module_{number}.py" for number in range(files // 3)]
    old = {path: write.module(120) for path in existing}
    new: dict[str, str] = {}
    for path, text in old.items():
        new[path] = _edited(text, write, lines // files, 10)
    missing = lines - sum(new[path].count("\n") - old[path].count("\n") + 10 for path in existing)
    fresh = files - len(new)
    for number in range(fresh):
        kind = "tests/part" if number % 5 == 0 else "engine/new"
        share = max(20, int(missing / (fresh - number) * (0.4 + 1.2 * write.number(0, 100) / 100)))
        text = write.module(share if number < fresh - 1 else missing)
        new[f"{kind}_{number % 40}/{'test_' if number % 5 == 0 else ''}module_{number}.py"] = text
        missing -= text.count("\n")
    return _commit(folder, old, new)


def change_of_lines(folder: Path, *, lines: int, per_file: int = 67) -> Change:
    """Write a change of about so many added lines: every third file existed before, the others are new modules."""
    write = _Writer(lines)
    files = max(1, lines // per_file)
    paths = [f"engine/part_{number % 25}/module_{number}.py" for number in range(files)]
    old = {path: write.module(120) for path in paths[::3]}
    more = min(lines, per_file)
    new = {path: _edited(old[path], write, more, 5) if path in old else write.module(more) for path in paths}
    return _commit(folder, old, new)


def change_in_tree(folder: Path, *, files: int) -> Change:
    """Write a change of about a hundred lines in a tree of so many modules."""
    write = _Writer(5000)
    old = {f"engine/part_{number % 25}/module_{number}.py": write.module(60) for number in range(files)}
    path = "engine/part_0/module_0.py"
    return _commit(folder, old, {path: _edited(old[path], write, 40, 10), "engine/new.py": write.module(60)})


def wide_change(folder: Path, *, files: int = 3000) -> Change:
    """Write a change of as many files as GitHub lists of a pull request, each a small module."""
    write = _Writer(3000)
    new = {f"engine/part_{number % 50}/module_{number}.py": write.module(25) for number in range(files)}
    return _commit(folder, {"engine/__init__.py": write.module(20)}, new)


def _edited(text: str, write: _Writer, added: int, removed: int) -> str:
    """Put new functions into a module and take some lines out, without breaking a block."""
    lines = text.split("\n")
    simple = [
        number
        for number in range(1, len(lines))
        if lines[number].startswith("    ") and not lines[number].endswith(":") and not lines[number - 1].endswith(":")
    ]
    for number in reversed(simple[:: max(1, len(simple) // removed)][:removed]):
        del lines[number]
    more: list[str] = []
    while len(more) < added:
        more += write.function("", method=False)
    return "\n".join([*lines[:-1], *more])


def _commit(folder: Path, old: dict[str, str], new: dict[str, str]) -> Change:
    folder.mkdir(parents=True)
    _git(folder, "init", "--quiet", "--initial-branch=main")
    commits = []
    for message, texts in (("Before", old), ("After", new)):
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "-m", message)
        commits.append(_git(folder, "rev-parse", "HEAD").strip())
    _git(folder, "gc", "--quiet")
    counts = [line.split("\t")[:2] for line in _git(folder, "diff", "--numstat", *commits).splitlines()]
    added, removed = (sum(int(row[column]) for row in counts) for column in (0, 1))
    return Change(folder, commits[0], commits[1], len(counts), added, removed)


def _git(folder: Path, *arguments: str) -> str:
    moment = "2026-01-05T12:00:00+00:00"
    environment = {
        **os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Bench", "GIT_AUTHOR_EMAIL": "bench@example.com", "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_NAME": "Bench", "GIT_COMMITTER_EMAIL": "bench@example.com", "GIT_COMMITTER_DATE": moment,
    }  # fmt: skip
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout
