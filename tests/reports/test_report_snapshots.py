"""Every format of a handful of reviews, against what is stored.

``UPDATE_SNAPSHOTS=1 python -m pytest tests/reports`` rewrites them; read the difference before you commit it.
"""

import os
import re
from pathlib import Path

import pytest

from review_bot.reports import catalog
from review_bot.text.console import Terminal
from review_bot.version import VERSION
from tests.reviews import ALL

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"

SUFFIXES = {name: each.suffix or ".txt" for name, each in catalog.FORMATS.items()}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("form", catalog.FORMATS)
def test_each_format(form, name):
    compare(catalog.render(form, ALL[name]), SNAPSHOTS / form / f"{name}{SUFFIXES[form]}")


@pytest.mark.parametrize("width", [60, 160])
def test_terminal_of_other_widths(width):
    compare(
        catalog.render("terminal", ALL["mixed"], Terminal(width=width)), SNAPSHOTS / "terminal" / f"mixed-{width}.txt"
    )


def test_terminal_in_colour():
    text = catalog.render("terminal", ALL["mixed"], Terminal(colour=True, links=True))
    compare(text.replace("\x1b", "<ESC>"), SNAPSHOTS / "terminal" / "mixed-colour.txt")


def test_nothing_is_stored_that_no_test_reads():
    stored = {path.relative_to(SNAPSHOTS).as_posix() for path in SNAPSHOTS.rglob("*") if path.is_file()}
    wanted = {f"{form}/{name}{suffix}" for form, suffix in SUFFIXES.items() for name in ALL}
    assert stored == wanted | {f"terminal/mixed-{each}.txt" for each in ("60", "160", "colour")}


def compare(text, path):
    if path.suffix == ".html":  # its style and its script have tests in a browser
        text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", text, flags=re.DOTALL)
        text = re.sub(r"sha256-[A-Za-z0-9+/]{43}=", "sha256-{HASH}", text).replace(f">{VERSION}<", ">{VERSION}<")
    text = text.replace("d" * 64, "{RULES_DIGEST}").replace(f'"{VERSION}"', '"{VERSION}"')
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_bytes().decode(), f"{path.name} has changed; see the top of this file"
