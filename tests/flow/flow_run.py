"""Follows generated functions by the thousand: ``python -m tests.flow.flow_run`` (``make flow``).

``--programs`` are followed for None, unbound names and tensors: nothing may crash or go over the bound on steps.
``--runs`` are functions that are executed as well: whatever is called certain of them must happen (``test_soundness``).
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import traceback
from collections.abc import Iterator

from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.requirements import mismatches
from review_bot.flow.interpreter import MOST_STATES, MOST_STEPS, follow
from tests.flow.test_soundness import false_uses, generated_body
from tests.rules.generated_files import generated_file


def main() -> int:
    """Run from the command line; 1 if something failed."""
    parser = argparse.ArgumentParser(description="follow generated functions, and run some of them")
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=50_000)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    chosen = parser.parse_args()
    functions = cut = longest = failed = 0
    for number in range(chosen.programs):
        tree = _parsed(generated_file(chosen.first, number).text)
        for function in () if tree is None else _functions(tree):
            functions += 1
            try:
                followed = follow(function)
                for _ in mismatches(function, imported_names(tree or ast.Module([], []))):
                    pass
            except Exception:  # noqa: BLE001  # whatever it is, it is what we look for
                failed += 1
                _write(f"{traceback.format_exc()}\n{ast.unparse(function)}")
                continue
            cut += followed.cut
            longest = max(longest, followed.steps)
    failed += longest > MOST_STEPS + MOST_STATES
    _write(f"{chosen.programs} programs, {functions} functions, {failed} failures, {cut} cut, most steps {longest}")
    false = 0
    for number in range(chosen.runs):
        if found := false_uses(generated_body(random.Random(f"{chosen.first} {number}"))):
            false += 1
            _write(f"not so: {found}")
    _write(f"{chosen.runs} executed functions, {false} with a false claim")
    return int(bool(failed or false))


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()  # a run takes minutes


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None  # a few are broken on purpose


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions of a module, and its own statements as one more."""
    yield from (each for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)))
    whole = ast.parse("def module(self, x, y=None): pass").body[0]
    assert isinstance(whole, ast.FunctionDef)
    whole.body = tree.body or whole.body
    yield whole


if __name__ == "__main__":
    raise SystemExit(main())
