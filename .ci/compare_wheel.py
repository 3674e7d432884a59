"""Fails unless a wheel holds every file of ``review_bot/`` byte for byte, the compiled rules, and nothing else.

::

    python .ci/compare_wheel.py build/wheel/review_bot-1.0.0-py3-none-any.whl
"""

import sys
import zipfile
from pathlib import Path

from review_bot.configuration import rule_registry

ROOT = Path(__file__).resolve().parent.parent
COMPILED = "review_bot/builtin_rules.json"


def main():
    """Print what differs and return 1, or return 0."""
    paths = [path for path in (ROOT / "review_bot").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    expected = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    expected[COMPILED] = rule_registry.compile_rules(ROOT / "rules")
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        packed = {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}
    differing = {
        "missing from the wheel": expected.keys() - packed.keys(),
        "in the wheel alone": packed.keys() - expected.keys(),
        "different in the wheel": {name for name in expected.keys() & packed.keys() if expected[name] != packed[name]},
    }
    for what, names in differing.items():
        for name in sorted(names):
            print(f"{name}: {what}", file=sys.stderr)
    return int(any(differing.values()))


if __name__ == "__main__":
    sys.exit(main())
