"""What cannot be parsed for want of memory or of room for calls is no text that cannot be parsed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from review_bot.changes.python_parsing import LARGEST_TEXT, CannotParse, parse_python, parsed

ROOT = Path(__file__).parents[2]
LONG = "x = [y for y in (1, 2, 3)]\n" * 8_000
DEEP = f"x = {'-' * 20_000}1\n"
DEEP_CALLS = f"x = {'not ' * 1_500}1\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux")


QUESTION = """
import resource, sys
from review_bot.changes.python_parsing import parsed
from review_bot.processes import confinement

text = sys.stdin.read()
import ast
most = confinement.address_space() + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    print(parsed(text) is not None)
except MemoryError:
    print("MemoryError")
"""


def is_parsed_in(memory, text):
    """Return what is said of a text by a process that can take this many more bytes."""
    done = subprocess.run(
        [sys.executable, "-c", QUESTION, str(memory)], input=text, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout.strip()


@linux
def test_a_text_is_not_passed_over_for_want_of_memory():
    assert is_parsed_in(400_000_000, LONG) == "True"
    assert is_parsed_in(6_000_000, LONG) == "MemoryError"


@linux
def test_a_text_that_no_memory_suffices_for_is_one_that_cannot_be_parsed():
    assert is_parsed_in(400_000_000, DEEP) == "False"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="later interpreters do not count calls of Python there")
def test_a_text_is_not_passed_over_where_too_many_calls_surround_it():
    def below(calls, text):
        return parsed(text) if not calls else below(calls - 1, text)

    assert below(0, DEEP_CALLS) is not None
    with pytest.raises(RecursionError):
        below(700, f"{DEEP_CALLS}\n")


def test_a_text_that_is_nested_too_deeply_cannot_be_parsed():
    with pytest.raises(CannotParse):
        parse_python(DEEP)


def test_a_text_that_is_too_long_cannot_be_parsed():
    with pytest.raises(CannotParse, match="larger than 5,000,000 characters"):
        parse_python("x\n" * (LARGEST_TEXT // 2 + 1))
