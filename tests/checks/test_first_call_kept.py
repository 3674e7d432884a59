"""Arguments that an object keeps from the first call: only plain options that nothing sets again."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/first-call-kept"
CODE = """\
class Talker:
    def {method}(self, tokens, {parameter}):
        {test}:
            self.voice = {value}
        {more}
        return tokens

    def prompt(self):
        return self.voice
"""
USUAL = {"method": "forward", "parameter": "voice='aria'", "test": "if not hasattr(self, 'voice')", "value": "voice"}


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({}, True),
        ({"method": "generate_speech"}, True),
        ({"method": "__call__", "parameter": "voice: str | None = None"}, True),
        ({"test": "if self.voice is None"}, True),
        ({"parameter": "voice"}, False),
        ({"parameter": "voice: Tensor"}, False),
        ({"method": "__init__"}, False),
        ({"method": "set_voice"}, False),
        ({"value": "self.load(voice)"}, False),
        ({"test": "if tokens is None"}, False),
        ({"more": "assert self.voice == voice"}, False),
        ({"more": "self.voice = voice"}, False),
        ({"more": "voice = 'other'"}, False),
        ({"more": "del self.voice"}, False),
    ],
)
def test_plain_options_alone_are_reported(change: dict[str, str], reported: bool) -> None:
    assert bool(findings_of(RULE, CODE.format(**{**USUAL, "more": "pass", **change}))) is reported


@pytest.mark.parametrize(
    ("other", "reported"),
    [
        ("def reset(talker):\n    print(talker.voice)\n", True),
        ("def reset(talker):\n    talker.voice = None\n", False),
        ("def reset(talker):\n    delattr(talker, 'voice')\n", False),
        ("class Choir(Talker):\n    def reset(self):\n        self.voice = 'b'\n", False),
    ],
)
def test_other_code_may_set_it_again(other: str, reported: bool) -> None:
    head = {"pkg/talker.py": CODE.format(**USUAL, more="pass"), "pkg/other.py": other}
    assert bool(findings_of(RULE, head)) is reported
