"""A large change, and the parts into which it falls."""

from __future__ import annotations

from review_bot.checks.pr.too_large import Facts, parts_of
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
        "This change adds 2,402 lines in 4 files, not counting generated and lock files; 2,402 of them are code. By "
        "their added imports and names, these parts do not depend on each other: `pkg/cache` (1,201 lines), "
        "`pkg/serve/http.py` (1,201 lines)."
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

    assert finding.message == (
        "This change adds 1,401 lines in 3 files, not counting generated and lock files; 1,201 of them are code."
    )


def test_blank_lines_comments_and_headings_are_added_lines_and_no_code() -> None:
    (finding,) = findings_of(RULE, {"pkg/a.py": LINES * 2 + "\n# a note\n", "README.md": "# One\n\n## Two\n"})

    assert finding.message == (
        "This change adds 1,205 lines in 2 files, not counting generated and lock files; 1,200 of them are code."
    )


def test_documents_alone_make_no_change_large() -> None:
    assert findings_of(RULE, {"docs/a.md": "Text.\n" * 4000, "README.rst": "Text.\n" * 900, "pkg/a.py": LINES}) == []


def test_what_names_a_class_that_another_file_adds_belongs_to_it() -> None:
    head = {
        "pkg/scheduler.py": "class StageScheduler:\n    def run(self): ...\n" + LINES,
        "pkg/registry.py": "NAMES = {'stage': 'pkg.scheduler:StageScheduler'}\n" + LINES,
        "scripts/try_it.py": "run('StageScheduler')\n" + LINES,
        "docs/stages.md": "The `StageScheduler` runs stages.\n" * 600,
    }

    (finding,) = findings_of(RULE, head)

    assert finding.related == ()
    assert finding.message.endswith("1,804 of them are code.")


def test_a_name_that_many_files_add_ties_nothing_together() -> None:
    text = "def parse_args(): ...\n" + LINES

    (finding,) = findings_of(RULE, {"pkg/a.py": text, "tools/b.py": text})

    assert finding.message.endswith("each other: `pkg/a.py` (601 lines), `tools/b.py` (601 lines).")


def test_a_package_that_hands_on_names_ties_nothing_together() -> None:
    facts = {
        "pkg/__init__.py": Facts(2, 2, 2, ("pkg/a", "pkg/b")),
        "pkg/a.py": Facts(10, 10, 10),
        "pkg/b.py": Facts(20, 20, 20),
    }
    assert [(part.name, part.lines) for part in parts_of(facts, {})] == [("`pkg/b.py`", 20), ("`pkg/a.py`", 10)]
