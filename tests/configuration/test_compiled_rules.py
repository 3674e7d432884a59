"""The rules are compiled to the same bytes wherever and whenever that is done."""

from __future__ import annotations

import os
import subprocess
import sys

COMPILE = """
from hashlib import sha256
from pathlib import Path

from review_bot.configuration import rule_registry

print(sha256(rule_registry.compile_rules(Path(rule_registry.SOURCE))).hexdigest())
"""


def test_the_order_of_sets_changes_no_byte() -> None:
    seeds = ("0", "1", "2", "3")
    made = {
        subprocess.run(
            [sys.executable, "-c", COMPILE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in seeds
    }
    assert len(made) == 1
