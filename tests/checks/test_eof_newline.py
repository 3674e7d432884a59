from __future__ import annotations

from review_bot.rules.examples import make_case
from tests.rule_cases import built_in, findings_in, findings_of

RULE = "style/eof-newline"


def test_the_diff_alone_is_enough() -> None:
    diff = (
        "diff --git a/notes.md b/notes.md\n--- a/notes.md\n+++ b/notes.md\n@@ -7,2 +7,2 @@\n"
        " seven\n-eight\n+eight!\n\\ No newline at end of file\n"
    )

    (finding,) = findings_in(RULE, make_case(built_in(RULE), diff))

    assert (finding.path, finding.line) == ("notes.md", 8)


def test_a_last_line_that_somebody_else_left_open_is_not_ours() -> None:
    assert findings_of(RULE, {"a.py": "x = 2\ny = 2"}, {"a.py": "x = 1\ny = 2"}) == []
    assert findings_of(RULE, {"a.py": "x = 1\n"}, {"a.py": "x = 1"}) == []
