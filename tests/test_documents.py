"""What documents point at exists: files of this repository, and headings in them."""

import re
from pathlib import Path

import pytest

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/rules/README.md", "image/*.md", "contract/*.md")
    for path in Path().glob(pattern)
)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def headings(text: str) -> set[str]:
    """Return the anchors that GitHub gives the headings of a document."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_relative_links_lead_somewhere(document: Path) -> None:
    for target, anchor in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        found = document.parent / target if target else document
        assert found.exists(), f"{document}: {target}"
        if anchor and found.suffix == ".md":
            assert anchor in headings(found.read_text(encoding="utf-8")), f"{document}: {target}#{anchor}"
