"""The README shows what the demo prints and what it looks like, and the workflow that `init` writes, without comments.

Run with ``REVIEW_BOT_REFRESH=1`` (``make pictures``) to update the block and the pictures.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from review_bot.reports import catalog

README = Path("README.md")
PICTURES = Path("docs/pictures")
BLOCK = re.compile(r"<!-- demo -->\n.*?<!-- /demo -->", re.DOTALL)
WIDTH = 118


def test_the_readme_shows_the_demo_as_it_is(tmp_path: Path) -> None:
    plain = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    page = tmp_path / "review-bot-demo.html"
    dossier = tmp_path / "review-bot-demo"
    drawn = tmp_path / "pictures"
    command = [sys.executable, "-m", "fake_github.demo", "--page", str(page), "--dossier", str(dossier)]
    command += ["--pictures", str(drawn)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=plain).stdout
    assert "Suggested change" in page.read_text()
    assert {each.name for each in dossier.iterdir()} == {*catalog.EXPORTED, ".gitignore"}
    shown = output.replace(str(page), page.name).replace(str(dossier), dossier.name).splitlines()
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
