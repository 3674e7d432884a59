"""Generates changes for property tests: many files at once, each with an old and a new content, nasty on purpose."""

from __future__ import annotations

import os
import random
from typing import NamedTuple

FULL = bool(os.environ.get("REVIEW_BOT_FULL_ORACLE"))
"""Set to any value for the long run: 20,000 generated diffs in place of some hundreds."""

FILES = 40
"""Files of one generated change, at most."""

REGULAR, EXECUTABLE, SYMLINK, SUBMODULE = "100644", "100755", "120000", "160000"

LINES = [
    "", " ", "    return x", "import os", "def f():", "-", "+", "--", "-- ", "++", "--- a/x", "+++ b/x", "-- a/x", "++ b/x",
    "@@ -1 +1 @@", "@@ -1,3 +1,4 @@ def f():", "diff --git a/x b/x", "index 83db48f..bf2a1c3 100644", "\\", "\\ No newline at end of file",
    "rename from x", "a\rb", "\r", "a\x0cb", "a\x0bb", "a\x85b", "a\u2028b", "\ufeffa", "\x1b[31mred", "žluť", "\U0001f600", "x" * 300,
    "GIT binary patch", "Binary files a/x and b/x differ", "From 0123456789012345678901234567890123456789 Mon", "similarity index 90%",
]  # fmt: skip


class Side(NamedTuple):
    """A file in one of the two trees; of a submodule, ``content`` is the id of its commit."""

    mode: str
    content: bytes


class Change(NamedTuple):
    """One file: where it was, where it is; None where it is absent."""

    old_path: str
    path: str
    old: Side | None
    new: Side | None


def quote(name: str) -> str:
    """Write a name as git does with ``core.quotePath``."""
    named = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
    out = ""
    for byte in os.fsencode(name):
        out += f"\\{named[byte]}" if byte in named else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
    return f'"{out}"'


_LETTERS = [*"abc", " ", " b/", "\t", "\n", '"', "\\", "-", "é", "e\u0301", "\udcff", "\r", "\x1b", "*", "#", ".", "😀"]
_KINDS = ["edit"] * 10 + ["add", "add", "delete", "rename", "mode", "retype", "binary", "bytes", "submodule"]


def make_changes(seed: int, most: int = FILES) -> list[Change]:
    """Make a change of many files; the same seed makes the same one."""
    chance = random.Random(seed)
    return [_change(chance, number) for number in range(chance.randint(most // 2, most))]


def _name(chance: random.Random, number: int) -> str:
    """Return a name of which no other one is a folder."""
    odd = "".join(chance.choices(_LETTERS, k=chance.randrange(6)))
    folder = chance.choice(["", "", "src/", "a/b/", "b/", "tests/x y/"])
    name = f"{folder}{odd}{number}{chance.choice(['.py', '.py', '.txt', '', ' '])}"
    return name.replace("//", "/x/").lstrip("/")


def _lines(chance: random.Random, most: int) -> list[str]:
    found = chance.choices(LINES, k=chance.randint(0, most))
    for at in range(len(found)):
        if chance.random() < 0.2:
            found[at] = "".join(chance.choices("ab \t\r\\+-@é\u2028", k=chance.randrange(8)))
    return found


def _edited(chance: random.Random, old: list[str]) -> list[str]:
    new = list(old)
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(new))
        new[at : at + chance.randrange(4)] = _lines(chance, 3)
    return new


def _change(chance: random.Random, number: int) -> Change:
    path, kind = _name(chance, number), chance.choice(_KINDS)
    end = chance.choice(["\n", "\n", "\n", "\r\n"])
    old_lines = _lines(chance, 30) + [""] * chance.randrange(2)
    old = Side(REGULAR, end.join(old_lines).encode())
    new = Side(REGULAR, end.join(_edited(chance, old_lines)).encode())
    old_path = path
    if kind == "rename":
        old_path = _name(chance, number + 1000)
        body = b"".join(b"%d %d\n" % (number, n) for n in range(60))
        old, new = Side(REGULAR, body + old.content), Side(REGULAR, body + chance.choice([old, new]).content)
    elif kind == "mode":
        new = Side(EXECUTABLE, chance.choice([old, new]).content)
    elif kind == "retype":
        link = Side(
            SYMLINK,
            chance.choice(
                [b"/etc/passwd", b"x", b"../../x y", old.content[:200].decode("utf-8", "ignore").encode() or b"z"]
            ),
        )
        old, new = chance.sample([old, link], 2)
    elif kind == "binary":
        new = Side(REGULAR, bytes(range(256)) * 3 + new.content)
    elif kind == "bytes":
        new = Side(REGULAR, b"caf\xe9\n" + new.content)
    elif kind == "submodule":
        one, two = Side(SUBMODULE, b"1" * 40), Side(SUBMODULE, b"2" * 40)
        old, new = chance.choice([(one, two), (one, two), (one, new), (old, two)])
    return Change(old_path, path, None if kind == "add" else old, None if kind == "delete" else new)
