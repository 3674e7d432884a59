"""Lines that a change edits in one language of a document alone."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "docs/translation-left-behind"
OLD, NEW = "pip install 'halcyon==1.0'", "pip install 'halcyon==2.0'"


def said(path: str, other: str, old: str = OLD, new: str = NEW) -> list[str]:
    """Return what is said when a line changes in one document and not in another."""
    base = {path: f"# A\n\n{old}\n", other: f"# B\n\ntext\n\n{old}\n"}
    return [finding.message for finding in findings_of(RULE, {path: f"# A\n\n{new}\n"}, base)]


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("README.md", "README_zh.md"),
        ("README_zh-CN.md", "README.md"),
        ("README.md", "README_ja.md"),
        ("README.md", "README.zh.md"),
        ("README-ja.md", "README.md"),
        ("docs/en/a/start.md", "docs/zh_cn/a/start.md"),
        ("docs/EN/source/start.rst", "docs/CN/source/start.rst"),
        ("docs/source/start.md", "docs/source_en/start.md"),
        ("docs/README.md", "docs/README.ko.md"),
    ],
)
def test_translations_are_recognised_by_their_path(path: str, other: str) -> None:
    assert said(path, other) == [f"`{other}:5`, a translation of this page, still has the old form of this line."]


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("README.md", "docs/README_zh.md"),
        ("docs/en/start.md", "docs/en/stop.md"),
        ("docs/1.0/start.md", "docs/2.0/start.md"),
        ("CHANGELOG.md", "CHANGELOG_zh.md"),
    ],
)
def test_other_documents_are_left_alone(path: str, other: str) -> None:
    assert said(path, other) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Read [more](docs/en/more.md) of it", "Read [more](docs/en/again.md) of it"),
        ("```python title", "```python  title"),
        ("a = 1", "a = 2"),  # too short
        ("halcyon serve --port 80 # the port", "halcyon serve --port 80 # the port of the server"),
        ("halcyon serve --port 80", "halcyon serve --port 80 端口"),
    ],
)
def test_edits_that_concern_one_language_are_left_alone(old: str, new: str) -> None:
    assert said("README.md", "README_zh.md", old, new) == []


def test_one_comment_counts_the_other_lines() -> None:
    first, second = "halcyon serve --port 80 --host a", "halcyon stop --port 80 --host a"
    base = dict.fromkeys(("README.md", "README_zh.md", "README_ja.md"), f"{first}\n\n{second}\n")
    head = {"README.md": f"{first} --tls\n\n{second} --tls\n"}
    (finding,) = findings_of(RULE, head, base)
    assert finding.message == (
        "`README_ja.md:1`, a translation of this page, still has the old form of this line, and at least 1 more that this "
        "change edits."
    )
    assert [place.path for place in finding.related] == ["README_ja.md", "README_ja.md", "README_zh.md", "README_zh.md"]


def test_the_named_line_is_that_of_the_first_edit_in_any_translation() -> None:
    one, other = "python serve.py --workers 4", "python train.py --steps 100"
    base = {
        "README.md": f"# A\n\n{one}\n\n{other}\n",
        "README_ja.md": f"# J\n\n{other}\n",
        "README_zh.md": f"# Z\n\n{one}\n",
    }
    head = {"README.md": f"# A\n\n{one}0\n\n{other}0\n"}

    (finding,) = findings_of(RULE, head, base)

    assert finding.line == 3
    assert finding.message == "`README_zh.md:3`, a translation of this page, still has the old form of this line."
