"""What may reach a terminal, and what it can show."""

import io
import os
import pty
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.text import console
from review_bot.text.console import LateProgress, Span, Terminal, cells, disarm, find_terminal, paint, write

ANY_TEXT = st.text(st.characters(exclude_categories=()))


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True

    def fileno(self):
        raise OSError("no such device")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 编码 and naïve", "plain text, 编码 and naïve"),
        ("a\u202eb", "a\\u202eb"),
        ("\x1b[31mred", "\\u001b[31mred"),
        ("a\nb\tc\rd\x7f\x85\u2028\u2029", "a\\u000ab\\u0009c\\u000dd\\u007f\\u0085\\u2028\\u2029"),
        ("half \udcff", "half \\xff"),
        ("half \ud8ff", "half \\ud8ff"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("joined .g\u200cit pass\u200d", "joined .g\\u200cit pass\\u200d"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("filler \u3164\uffa0", "filler \\u3164\\uffa0"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
    ],
)
def test_disarm_shows_what_cannot_be_seen(text, shown):
    assert disarm(text) == shown


@given(ANY_TEXT)
def test_disarmed_text_is_one_line_without_controls(text):
    shown = disarm(text)
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in shown)
    assert not any(
        unicodedata.bidirectional(char) in {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"}
        for char in shown
    )
    assert disarm(shown) == shown


@pytest.mark.parametrize(
    ("environment", "terminal", "colour"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"CLICOLOR_FORCE": "1"}, False, True),
        ({"CLICOLOR_FORCE": "0"}, False, False),
        ({"CLICOLOR_FORCE": "1", "FORCE_COLOR": "0"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_colour_follows_stream_and_environment(environment, terminal, colour):
    assert find_terminal(environment, Screen() if terminal else io.StringIO()).colour is colour


def test_width_is_eighty_unless_something_says_otherwise():
    assert find_terminal({}, io.StringIO()).width == 80
    assert find_terminal({"COLUMNS": "132"}, io.StringIO()).width == 132
    assert find_terminal({"COLUMNS": "nonsense"}, Screen()).width == 80
    assert find_terminal({"COLUMNS": "3"}, Screen()).width == 40


def test_width_is_asked_of_the_terminal():
    master, slave = pty.openpty()
    subprocess.run(["stty", "cols", "123"], stdin=slave, check=True)
    with os.fdopen(slave, "w") as stream:
        assert find_terminal({}, stream).width == 123
    os.close(master)


def test_links_only_on_terminals_that_show_them():
    assert find_terminal({"TERM_PROGRAM": "vscode"}, Screen()).links
    assert find_terminal({"VTE_VERSION": "7002"}, Screen()).links
    assert not find_terminal({"VTE_VERSION": "7002"}, io.StringIO()).links
    assert not find_terminal({"VTE_VERSION": "7002", "CI": "true"}, Screen()).links
    assert not find_terminal({}, Screen()).links


def test_paint_without_colour_is_the_text():
    assert paint([[Span("a", "bold red"), Span(" [b] ")], []], Terminal()) == "a [b]\n\n"


def test_paint_with_colour_and_links():
    text = paint([[Span("a", "bold red", "https://example.org")]], Terminal(colour=True, links=True))
    assert text == "\x1b]8;;https://example.org\x1b\\\x1b[1;31ma\x1b[0m\x1b]8;;\x1b\\\n"


def test_markup_is_text():
    assert "[bold]x[/bold]" in paint([[Span("[bold]x[/bold]", "red")]], Terminal(colour=True))


def test_cells_of_wide_and_combining_letters():
    assert [cells("abc"), cells("编码"), cells("e\u0301")] == [3, 4, 1]


def test_a_stream_that_lacks_a_letter_gets_an_escape():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    write("caf\u00e9\n", stream)
    stream.flush()
    assert raw.getvalue() == b"caf\\xe9\n"


def test_errors_are_disarmed(capsys):
    console.warn("cannot read a\x1b[2Jb\nsecond line")
    console.say("found\ta\x1b[2Jb")
    out, err = capsys.readouterr()
    assert err == "cannot read a\\u001b[2Jb\nsecond line\n"
    assert out == "found\ta\\u001b[2Jb\n"


def test_short_work_shows_no_bar(capfd):
    bar = LateProgress("Reviewing")
    bar.begin(100)
    for count in range(1, 101):
        bar.done(count)
    bar.end()
    assert capfd.readouterr() == ("", "")


LONG_WORK = """
import sys, time
from review_bot.text.console import LateProgress
bar = LateProgress("Reviewing")
bar.begin(8)
for count in range(1, 9):
    time.sleep(0.1)
    bar.done(count)
bar.end()
print("rich" in sys.modules)
"""


def test_long_work_shows_a_bar_on_a_terminal():
    assert b"Reviewing" in _run_on_terminal(LONG_WORK)[1]


def test_long_work_shows_nothing_when_standard_error_is_no_terminal():
    done = subprocess.run([sys.executable, "-c", LONG_WORK], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"False\n", b"")


def _run_on_terminal(code):
    """Run Python with standard error on a terminal; return (standard output, what the terminal got)."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm-256color"}
    )
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 65536):
            shown += piece
    except OSError:
        pass  # the other end is closed
    os.close(master)
    return process.communicate()[0], shown
