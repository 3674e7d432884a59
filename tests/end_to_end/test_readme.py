"""The README shows what the demo prints and what it looks like, and the workflow that `init` writes, without comments.

The demo's page shows the pull request before and after the push.

Run with ``REVIEW_BOT_REFRESH=1`` (``make pictures``) to update the block and the pictures.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from fake_github.demo.__main__ import DOSSIER, PAGE
from review_bot.reports import catalog

README = Path("README.md")
PICTURES = Path("docs/pictures")
BLOCK = re.compile(r"<!-- demo -->\n.*?<!-- /demo -->", re.DOTALL)
WIDTH = 118


class Demo(NamedTuple):
    """What one run of the demo printed and left in ``folder``."""

    folder: Path
    output: str


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo")
    plain = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    command = [sys.executable, "-m", "fake_github.demo", "--page", str(folder / PAGE)]
    command += ["--dossier", str(folder / DOSSIER), "--pictures", str(folder / "pictures")]
    return Demo(folder, subprocess.run(command, capture_output=True, text=True, check=True, env=plain).stdout)


def test_the_page_of_the_demo_shows_red_then_the_push_then_green(demo: Demo) -> None:
    text = (demo.folder / PAGE).read_text(encoding="utf-8")
    contents, *parts = re.split(r'<h1 class="part[^>]*>', text)
    for part in (contents, *parts):
        assert part.count("<article>") == part.count("</article>")
    headings = [html.unescape(re.sub(r"<[^>]*>", "", part.partition("</h1>")[0])) for part in parts]
    assert headings == ["✗ 1. First review: red", "↑ 2. Push", "✓ 3. Second review: green"]
    assert re.findall(r'<a href="#([^"]*)">', contents) == re.findall(r'<h1 class="part[^>]* id="([^"]*)">', text)

    red, push, green = (re.sub(r"<[^>]*>", "", part) for part in parts)
    unbound, missing, constant = "Warning: Unbound local variable.", "Error: Import of a module", "Warning: Condition"
    for comment in (unbound, missing, constant, "Warning: Dropout active at inference."):
        assert red.count(comment) == 1
    assert "Fixed in" not in red
    assert "Review Bot / review-bot the gate fails on findings (exit code 1)" in red

    assert "+            budget -= request.tokens" in push
    assert "is_diffusion = True" in push
    assert not [words for words in ("halcyon/outputs.py", "Review Bot:") if words in push]

    assert "Review Bot / review-bot the gate passes (exit code 0)" in green
    assert green.count("Fixed in") == 2
    assert green.count(unbound) == 1
    assert green.count("Hidden as resolved") == 1
    assert "2 line comments marked as fixed" in contents
    assert "The job is run again on the same commit: 0 writes" in contents


def test_the_readme_shows_the_demo_as_it_is(demo: Demo) -> None:
    page, dossier, drawn = demo.folder / PAGE, demo.folder / DOSSIER, demo.folder / "pictures"
    assert "Suggested change" in page.read_text()
    assert {each.name for each in dossier.iterdir()} == set(catalog.EXPORTED)
    shown = demo.output.replace(str(page), page.name).replace(str(dossier), dossier.name).splitlines()
    end = next(number for number, line in enumerate(shown) if line.startswith(f"{dossier.name}/"))
    lines = [line if len(line) <= WIDTH else line[: WIDTH - 3] + "..." for line in shown[: end + 1]]
    block = "<!-- demo -->\n```\n" + "\n".join(lines) + "\n```\n<!-- /demo -->"

    text = README.read_text(encoding="utf-8")
    if os.environ.get("REVIEW_BOT_REFRESH"):
        README.write_text(BLOCK.sub(lambda _: block, text), encoding="utf-8")
        shutil.copytree(drawn, PICTURES, dirs_exist_ok=True)
        text = README.read_text(encoding="utf-8")
    found = BLOCK.search(text)
    assert found is not None
    assert found[0] == block
    pictures = {each.name: each.read_text(encoding="utf-8") for each in drawn.iterdir()}
    assert all(f"docs/pictures/{name}" in text for name in pictures)
    assert {each.name: each.read_text(encoding="utf-8") for each in PICTURES.iterdir()} == pictures
    for picture in pictures.values():
        ET.fromstring(picture)
        assert not re.search(r"@media[^{]*-width:", picture)  # it would ask for the width at which it is shown


def test_the_readme_shows_the_workflow_as_it_is() -> None:
    source = Path("docs/workflows/trusted.yml").read_text(encoding="utf-8")
    lines = [re.sub(r"\s+#.*$", "", line) for line in source.splitlines() if not line.startswith("#")]
    shown = "\n".join(lines).replace("@" + "0" * 40, "@COMMIT")
    block = f"<!-- workflow -->\n```yaml\n{shown}\n```\n<!-- /workflow -->"
    pattern = re.compile(r"<!-- workflow -->\n.*?<!-- /workflow -->", re.DOTALL)

    text = README.read_text(encoding="utf-8")
    if os.environ.get("REVIEW_BOT_REFRESH"):
        README.write_text(pattern.sub(lambda _: block, text), encoding="utf-8")
        text = README.read_text(encoding="utf-8")
    found = pattern.search(text)
    assert found is not None
    assert found[0] == block
