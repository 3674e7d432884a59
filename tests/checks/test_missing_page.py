"""Pages that a navigation names and that do not exist."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "docs/missing-page"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("guide/train/cli.md", "", id="the folder alone is alike"),
        pytest.param(
            "guide/train/advance.md", "; the closest one is `docs/guide/train/advanced.md`", id="its name is alike"
        ),
    ],
)
def test_the_closest_page_has_a_name_that_is_alike(page, expected):
    pages = ("guide/train/index.md", "guide/train/advanced.md", "guide/run.md")
    base = {f"docs/{each}": "# Page\n" for each in pages}
    nav = "".join(f"  - {each}\n" for each in (*pages, page))
    (finding,) = findings_of(RULE, {"mkdocs.yml": f"nav:\n{nav}"}, base)
    assert finding.message.endswith(f"`docs/{page}`, which is not in the repository{expected}.")
