"""A documented default that differs from the code: which of the two lines the finding is on."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "docs/stale-default"


def sample(default: str, stated: str, above: str = "") -> str:
    return f'{above}def sample(steps={default}):\n    """Draw.\n\n    Args:\n        steps (int, defaults to {stated}): How many.\n    """\n'


def test_it_is_on_the_text_that_the_change_wrote() -> None:
    (finding,) = findings_of(RULE, {"pkg/a.py": sample("28", "50")}, {"pkg/a.py": sample("28", "28")})

    assert (finding.line, [place.line for place in finding.related]) == (5, [1])
    assert finding.message == "The text gives `50` as the default of `steps`, but in the code it is `28`."


def test_it_is_on_the_code_if_the_change_wrote_only_that() -> None:
    (finding,) = findings_of(RULE, {"pkg/a.py": sample("28", "50")}, {"pkg/a.py": sample("50", "50")})

    assert (finding.line, [place.line for place in finding.related]) == (1, [5])


def test_an_old_contradiction_is_left_alone() -> None:
    before = sample("28", "50")

    assert findings_of(RULE, {"pkg/a.py": f"{before}\n\nx = 1\n"}, {"pkg/a.py": before}) == []


def test_so_is_one_whose_lines_are_only_written_anew() -> None:
    before = sample("28", "50")
    after = before.replace("steps=28", "steps: int = 28").replace("How many.", "How many steps.")

    assert findings_of(RULE, {"pkg/a.py": after}, {"pkg/a.py": before}) == []


def test_a_marked_copy_is_left_to_its_original() -> None:
    assert findings_of(RULE, {"pkg/a.py": sample("28", "50", "# Copied from pkg.b.sample\n")}) == []
