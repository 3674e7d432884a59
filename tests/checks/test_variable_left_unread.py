"""Local variables that are still set where the change removes the last line that reads them."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "errors/variable-left-unread"
COUNTED = """
def score(rows):
    total = 0
    good = 0
    for row in rows:
        total += row.value
        good += 1
    report(total, good)
    return rows
"""


def test_an_update_of_the_variable_itself_is_named_as_all_that_reads_it() -> None:
    (finding,) = findings_of(
        RULE, {"pkg/a.py": COUNTED.replace("report(total, good)", "report(total)")}, {"pkg/a.py": COUNTED}
    )

    assert finding.message == (
        "`score` still sets `good` (line 4), but nothing but its own update reads it now that this line is gone."
    )


def test_several_such_variables_are_one_finding() -> None:
    (finding,) = findings_of(
        RULE, {"pkg/a.py": COUNTED.replace("report(total, good)", "report()")}, {"pkg/a.py": COUNTED}
    )

    assert finding.message == (
        "`score` still sets `good` (line 4) and `total`, but nothing but their own updates reads them now that "
        "these lines are gone."
    )
