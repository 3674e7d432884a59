"""The worker's own module: it has imported all before it gives up the right to read."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import review_bot
from review_bot.sandbox.worker import LATE

PACKAGE = Path(review_bot.__file__).parent
PARTS = ("analysis", "changes", "checks", "engine", "flow", "rules")
NOT_IN_A_WORKER = {
    "review_bot.rules.regex_literals",
    "review_bot.rules.rule_file",
    "review_bot.rules.scope",
    "pathlib",
    "pickle",
}
"""What only the parent needs late, or what everybody has at once."""


def late_imports():
    """Return every module that a function imports in a package whose code a worker runs; it loads all checks at once."""
    found = set()
    for path in sorted(path for part in PARTS for path in (PACKAGE / part).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.ImportFrom):
                        found.add(str(node.module))
                    elif isinstance(node, ast.Import):
                        found |= {alias.name for alias in node.names}
    return found - {"review_bot.checks.errors"} | {"re2"}


def test_what_is_imported_late_elsewhere_is_imported_at_once_here():
    assert late_imports() - {*LATE} - NOT_IN_A_WORKER == set()


def test_nothing_heavy_is_imported():
    # PyYAML is: checks of workflows and stage configurations read YAML, and the import passes while the parent waits.
    code = (
        "import sys, review_bot.sandbox.worker as worker; worker._import_the_rest()\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & "
        "{'pydantic', 'rich', 'httpx', 'jinja2', 'asyncio', 'unidiff'}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert ran.stdout == "[]\n"


def test_without_a_request_it_says_so_and_ends():
    ran = subprocess.run(
        [sys.executable, "-m", "review_bot.sandbox.worker"],
        input=b"",
        capture_output=True,
        check=False,
        cwd=PACKAGE.parent,
    )
    assert ran.returncode == 1
    assert ran.stdout == b'{"refused":"EOFError: the request ended early"}\n'
    assert ran.stderr == b""
