"""Why a name that nothing defines is only a warning."""

from __future__ import annotations

import pytest

from tests.rule_cases import built_in, findings_of

RULE = "errors/undefined-name"


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        (
            "a.py",
            "print(args.size)\n",
            "this module lacks a name as soon as it is imported, so another program may run",
        ),
        (
            "fixtures/a.py",
            "def show():\n    return prnt(1)\n",
            "another program may complete this file, or run it with",
        ),
        ("a.py", "import lib\n\nlib.install('prnt')\nprnt(1)\n", "a string in this file holds the name, so code may"),
        ("a.py", "@profile\ndef show():\n    return 1\n", "some programs and libraries define this name for the files"),
        ("a.py", "import os\n\n\ndef f(x):\n    return unicode(x)\n", "Python 2 may run this code"),
        ("a.py", "import os\n\n\ndef f(x):\n    return __size(x)\n", "may define names of this form"),
        ("a.py", "import builtins\n\nbuiltins.size = 1\nprint(size)\n", "this file can define names at run time"),
        ("a.py", "@lib\ndef show():\n    return 1\n\n\nlib = 1\n", ""),
        (
            "a.py",
            "import lib\n\n\n@lib.replaced\ndef f():\n    return prnt(1)\n",
            "may not run as it is written, or may expect",
        ),
        (
            "a.py",
            "def f(x: Later):\n    return x\n\n\nclass Later:\n    pass\n",
            "newer versions do not evaluate it there",
        ),
    ],
)
def test_a_warning_says_why_it_is_no_error(path: str, code: str, reason: str) -> None:
    [finding] = findings_of(RULE, {path: code})
    said = "It is a warning and not an error because "
    assert (finding.severity, said in finding.message) == (("warning", True) if reason else ("error", False))
    assert reason in finding.message.partition(said)[2]


def test_a_warning_begins_with_the_message_of_the_rule() -> None:
    [finding] = findings_of(RULE, "print(args.size)\n")
    assert finding.message.startswith(built_in(RULE).message.replace("{{ name }}", "args"))
