"""The README shows what the demo prints: its beginning and its end, line for line.

Run with ``REVIEW_BOT_REFRESH=1`` to write the block anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path("README.md")
BLOCK = re.compile(r"<!-- demo -->\n.*?<!-- /demo -->", re.DOTALL)


def test_the_readme_shows_the_demo_as_it_is() -> None:
    plain = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    command = [sys.executable, "-m", "review_bot", "demo"]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=plain).stdout
    shown = re.sub(r"merge base [0-9a-f]{12}", "merge base 0123456789ab", output).splitlines()
    end = next(number for number, line in enumerate(shown) if line.startswith("Changes required"))
    lines = [*shown[:28], "", "[...]", "", *shown[end : end + 4]]
    block = "<!-- demo -->\n```\n" + "\n".join(lines) + "\n```\n<!-- /demo -->"

    text = README.read_text(encoding="utf-8")
    if os.environ.get("REVIEW_BOT_REFRESH"):
        README.write_text(BLOCK.sub(lambda _: block, text), encoding="utf-8")
        text = README.read_text(encoding="utf-8")
    found = BLOCK.search(text)
    assert found is not None
    assert found[0] == block
