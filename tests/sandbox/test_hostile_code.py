"""Code made to break the engine: it ends, in short time, and what was not examined is named."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from review_bot.rules.check import CheckTraits, FileCheck
from review_bot.rules.rule import Hit
from tests.engine.cases import review, rulebook_of, seen

REVIEW_BOT = os.path.join(os.path.dirname(sys.executable), "review-bot")
N = 100_000
LOOKS_FAR = r"""id: own/up
language: LANGUAGE
rule: {any: [{nthChild: 1}, {nthChild: 2}], has: {regex: '^\d\D\d$', stopBy: end}}
---
id: own/down
language: LANGUAGE
rule: {regex: '^.$', inside: {regex: '^\d\D\d$', stopBy: end}}
"""


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("brackets.py", "x = " + "[" * N + "]" * N + "\n"),
        ("unary.py", "x = " + "-" * N + "1\n"),
        ("attribute.py", "x = a" + ".b" * N + "\n"),
        ("calls.py", "x = f" + "(1)" * N + "\n"),
        ("sum.py", "x = " + "a + " * N + "a\n"),
        ("lambda.py", "x = " + "lambda: " * N + "1\n"),
        ("blocks.py", "".join(" " * n + "if a:\n" for n in range(1000)) + " " * 1000 + "pass\n"),
        ("open.py", "f(" * N + "\n"),
        ("a.js", "x = " + "[" * N + "]" * N + ";\n"),
        ("a.json", "[" * N + "]" * N + "\n"),
        ("a.cpp", "int x = " + "(" * N + "1" + ")" * N + ";\n"),
    ],
)
def test_very_deep_nesting_is_named_and_takes_no_time(path, code):
    language = {"py": "python", "js": "javascript", "json": "json", "cpp": "cpp"}[path.rpartition(".")[2]]
    result = review({path: code}, rules=LOOKS_FAR.replace("LANGUAGE", language))
    assert [(entry.path, entry.reason) for entry in result.unreviewed] == [
        (path, "nested too deeply to be examined by every rule")
    ]
    assert not result.failures


@pytest.mark.parametrize(
    "code", ["x = " + "[" * N + "]" * N + "\n", "x = " + "-" * N + "1\n", "x = a" + ".b" * N + "\n"]
)
def test_checks_do_not_look_into_it_either(code):
    rules = "id: own/check\nlanguage: python\ncheck: {name: errors/constant-condition}\n"
    found = "def f(x):\n    y = None\n    if y is None:\n        return g(x)\n    else:\n        return y[x]\n"
    result = review({"m.py": found + code}, rules=rules)
    assert not result.failures
    # Since Python 3.14 the size of the stack decides what can be parsed; what can be is examined.
    assert [entry.path for entry in result.unreviewed] == ["m.py"] or [each.line for each in result.findings] == [2]


def test_code_as_large_but_not_as_deep_is_examined():
    code = "x = [\n" + "".join(f"    bad({n}, [{n}, ({n},)]),\n" for n in range(1_000)) + "]\n"
    result = review({"m.py": code})
    assert len(result.findings) == 1_000
    assert not result.unreviewed


def test_the_command_ends_with_3_and_names_the_file(tmp_path):
    code = "try:\n    pass\nexcept Exception:\n    x = " + "[" * N + "]" * N + "\n"
    lines = code.splitlines()
    diff = "diff --git a/deep.py b/deep.py\nnew file mode 100644\n--- /dev/null\n+++ b/deep.py\n"
    diff += f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    run = subprocess.run(
        [REVIEW_BOT, "review", "--diff", "-", "--format", "json"],
        input=diff,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 3, run.stderr
    report = json.loads(run.stdout)
    assert report["verdict"]["decision"] == "incomplete"
    assert {entry["path"] for entry in report["unreviewed"]} == {"deep.py"}


class Crash(BaseException):
    """Like the panic of a library in Rust, which is no Exception."""


def crashing_check(error: BaseException) -> FileCheck:
    def examine(source, options):
        yield Hit(1, message="before the crash")
        raise error

    return FileCheck(examine, CheckTraits(None))


@pytest.mark.parametrize(
    "error", [ValueError("no such thing"), Crash("panicked\n\nStack backtrace:\n   0: /root/machine/path")]
)
def test_a_rule_that_crashes_is_a_recorded_failure_and_the_others_go_on(error):
    rules = "id: own/crash\nlanguage: python\ncheck: {name: errors/constant-condition}\n---\nid: own/bad\nlanguage: python\nrule: {pattern: bad($$$A)}\n"
    book = rulebook_of(rules)._replace(load_check=lambda _name: crashing_check(error))
    result = review({"m.py": "if 1: bad(1)\n"}, rulebook=book)
    assert seen(result) == [("own/bad", 1)]
    (failure,) = result.failures
    assert (failure.rule, failure.path) == ("own/crash", "m.py")
    assert "/root" not in failure.error
    assert "\n" not in failure.error
