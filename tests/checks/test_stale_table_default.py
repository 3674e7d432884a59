"""A default in a table or list of a document that differs from the code: what it describes, and where the finding is."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "docs/stale-table-default"
FIELDS = "class CacheConfig:\n    block: int = 16\n    swap: bool = False\n    policy: str = 'lru'\n"
TABLE = "| Field | Default |\n|---|---|\n| `block` | 16 |\n| `swap` | false |\n| `policy` | `lru` |\n"
STALE = TABLE.replace("16", "32")


def found(head: dict[str, str], base: dict[str, str]) -> list[tuple[str | None, int | None, str]]:
    return [(each.path, each.line, each.message) for each in findings_of(RULE, head, base)]


def test_it_is_on_the_row_that_the_change_wrote() -> None:
    (finding,) = findings_of(RULE, {"docs/cache.md": STALE}, {"pkg/cache.py": FIELDS})

    assert (finding.path, finding.line) == ("docs/cache.md", 3)
    assert [(each.path, each.line) for each in finding.related] == [("pkg/cache.py", 2)]
    assert finding.message == "This document gives `32` as the default of `block`, but `CacheConfig` uses `16`."


def test_it_is_on_the_default_that_the_change_wrote() -> None:
    head = {"pkg/cache.py": FIELDS.replace("16", "8")}

    assert found(head, {"pkg/cache.py": FIELDS, "docs/cache.md": TABLE}) == [
        ("pkg/cache.py", 2, "`docs/cache.md` gives `16` as the default of `block`, but `CacheConfig` uses `8`.")
    ]


def test_a_row_and_a_default_of_one_change_are_reported_once() -> None:
    head = {"pkg/cache.py": FIELDS.replace("16", "8"), "docs/cache.md": STALE}

    assert [each[0] for each in found(head, {"pkg/cache.py": FIELDS, "docs/cache.md": TABLE})] == ["docs/cache.md"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("CHANGELOG.md", STALE),
        ("docs/blogs/cache.md", STALE),
        ("docs/cache.md", f"```\n{STALE}```\n"),
        ("docs/cache.md", STALE.replace("|---|---|\n", "")),
        ("docs/cache.md", STALE.replace("Default", "Example")),
        ("docs/cache.md", STALE.replace("32", "32 tokens")),
        ("docs/cache.md", STALE.replace("`swap`", "`pages`").replace("`policy`", "`rows`")),
        ("docs/cache.md", STALE.replace("false", "true")),
    ],
)
def test_other_tables_are_left_alone(path: str, text: str) -> None:
    assert found({path: text}, {"pkg/cache.py": FIELDS}) == []


def test_a_row_that_only_moves_is_left_alone() -> None:
    assert found({"docs/cache.md": f"# Cache\n\n{STALE}"}, {"pkg/cache.py": FIELDS, "docs/cache.md": STALE}) == []


def test_what_the_document_names_comes_first() -> None:
    other = FIELDS.replace("CacheConfig", "StoreConfig").replace("16", "64")
    base = {"pkg/cache.py": FIELDS, "pkg/store.py": other}

    assert found({"docs/cache.md": TABLE}, base) == []
    assert [each[1] for each in found({"docs/cache.md": f"{TABLE}\n`StoreConfig`\n"}, base)] == [3]


def test_all_code_that_a_table_may_describe_must_contradict_it() -> None:
    base = {"pkg/cache.py": FIELDS, "pkg/store.py": FIELDS.replace("CacheConfig", "StoreConfig").replace("16", "32")}

    assert found({"docs/cache.md": STALE}, base) == []


def test_lists_with_continued_lines_are_read() -> None:
    text = "- `--block`: tokens\n  of a block (default: 32)\n- **`--swap`** (default: `False`)\n- `--policy` (default: `'lru'`)\n"
    options = "parser.add_argument('--block', default=16)\nparser.add_argument('--swap', action='store_true')\nparser.add_argument('--policy', default='lru')\n"

    assert found({"docs/cache.md": text}, {"cache.py": options}) == []
    assert [each[1] for each in found({"docs/cache.md": text.replace("\n  of", " of")}, {"cache.py": options})] == [1]


@pytest.mark.parametrize(
    ("stated", "default", "differs"),
    [
        ("60", "'30'", True),
        ("60", "'60.0'", False),
        ("60", "'a'", False),
        ("60", "LIMIT", True),
        ("60", "limit()", False),
        ("true", "'0'", True),
        ("true", "'1'", False),
        ("`fast`", "'slow'", True),
        ("`fast`", "'FAST'", False),
        ("`http://a.b/c`", "'http://a.b/c/'", False),
        ("none", "'1'", False),
    ],
)
def test_environment_variables_are_known_by_name(stated: str, default: str, *, differs: bool) -> None:
    base = {"pkg/a.py": f"import os\nLIMIT = '5'\nVALUE = os.environ.get('PKG_LIMIT', {default})\n"}
    text = f"| Variable | Meaning | Default |\n|---|---|---|\n| `PKG_LIMIT` | the limit | {stated} |\n"

    assert len(found({"docs/a.md": text}, base)) == differs


@pytest.mark.parametrize(("constant", "lines"), [("BLOCK = 16\n", [3]), ("BLOCK = 16\nBLOCK = 32\n", []), ("", [])])
def test_constants_of_the_file_are_read(constant: str, lines: list[int]) -> None:
    code = f"{constant}{FIELDS.replace('16', 'BLOCK')}"

    assert [each[1] for each in found({"docs/cache.md": STALE}, {"pkg/cache.py": code})] == lines
