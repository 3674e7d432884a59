"""When a handler of a failed import leaves the name unbound that the module uses."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/optional-import-unbound"
USE = "\n\ndef decode(path):\n    return av.open(path)\n"


def attempt(handler: str, more: str = "", tried: str = "import av") -> str:
    return f"try:\n    {tried}\nexcept ImportError:\n    {handler}\n{more}{USE}"


@pytest.mark.parametrize(
    "text",
    [
        attempt("pyav = None"),
        attempt("HAS_AV = False", tried="import av\n    HAS_AV = True"),
        attempt("print('no av')\n    pyav = None"),
        attempt("pyav = None", "LIMIT = 3\n\ndef limit():\n    return LIMIT\n"),
    ],
)
def test_what_nothing_reads_does_not_help(text: str) -> None:
    assert [each.rule for each in findings_of(RULE, text)] == [RULE]


@pytest.mark.parametrize(
    "text",
    [
        attempt("av = None"),
        attempt("pass"),
        attempt("raise"),
        attempt("pyav = None", "print(pyav)\n"),
        attempt("pyav = None", "from shims import *\n"),
        attempt("pyav = None", "if 'pyav' in globals():\n    pass\n"),
        attempt("pyav = None", "import importlib.util\nprint(importlib.util.find_spec('av'))\n"),
        attempt("pyav = None", "av = None\n"),
        attempt("pyav = None").replace("    return av.open(path)", "    try:\n        return av.open(path)\n    except NameError:\n        return None"),
        attempt("pyav = None").replace("return av.open(path)", "return path"),
    ],
)  # fmt: skip
def test_a_name_with_a_value_or_a_guard_is_left_alone(text: str) -> None:
    assert findings_of(RULE, text) == []


FLAG = attempt("HAS_AV = False", tried="import av\n    HAS_AV = True")


@pytest.mark.parametrize(
    ("other", "count"),
    [
        ("from engine.audio import HAS_AV\n", 0),
        ("from engine import audio\nprint(audio.HAS_AV)\n", 0),
        ("HAS_AV = True\nprint(HAS_AV)\n", 1),
    ],
)
def test_another_file_may_read_the_flag_from_the_module(other: str, count: int) -> None:
    assert len(findings_of(RULE, {"engine/audio.py": FLAG, "engine/run.py": other})) == count
