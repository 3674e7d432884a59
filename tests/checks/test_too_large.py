"""A large change, and the parts into which it falls."""

from __future__ import annotations

from review_bot.checks.too_large import Facts, parts_of
from tests.rule_cases import findings_of

RULE = "pr/too-large"
LINES = "f()\n" * 600


def test_parts_that_do_not_import_each_other_are_named() -> None:
    head = {
        "pkg/cache/core.py": LINES,
        "pkg/cache/disk.py": "from pkg.cache.core import get\n" + LINES,
        "pkg/serve/http.py": LINES,
        "tests/test_http.py": "from pkg.serve import http\n" + LINES,
    }

    (finding,) = findings_of(RULE, head)

    assert (finding.path, finding.severity) == (None, "hint")
    assert finding.message == (
        "This change adds 2,402 lines in 4 files, without generated and lock files. These parts add no import of one "
        "another: `pkg/cache` (1,201 lines), `pkg/serve/http.py` (1,201 lines)."
    )
    assert [place.path for place in finding.related] == [
        "pkg/cache/core.py",
        "pkg/cache/disk.py",
        "pkg/serve/http.py",
        "tests/test_http.py",
    ]


def test_what_hangs_together_is_not_split() -> None:
    head = {"pkg/a.py": LINES, "pkg/b.py": "from . import a\n" + LINES, "docs/a.md": "Text.\n" * 200}

    (finding,) = findings_of(RULE, head)

    assert finding.message == "This change adds 1,401 lines in 3 files, without generated and lock files."


def test_a_package_that_hands_on_names_ties_nothing_together() -> None:
    facts = {
        "pkg/__init__.py": Facts(2, ("pkg/a", "pkg/b")),
        "pkg/a.py": Facts(10, ()),
        "pkg/b.py": Facts(20, ()),
    }
    assert [(part.name, part.lines) for part in parts_of(facts)] == [("`pkg/b.py`", 20), ("`pkg/a.py`", 10)]
