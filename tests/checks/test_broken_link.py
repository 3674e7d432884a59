from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.rule_cases import findings_of

RULE = "docs/broken-link"


def test_one_finding_for_each_document_names_all_its_broken_links() -> None:
    head = {
        "docs/index.md": "# Index\n\n[a](a.md) and [b](../b.md)\n[here](index.md)\n- [c](sub/c.md#top)\n",
        "README.md": "[one](docs/one.md)\n",
        "SETUP.md": "[one](docs/one.md)\n[two](docs/two.md)\n",
    }

    found = findings_of(RULE, head)

    assert [(finding.path, finding.line, finding.column, finding.message) for finding in found] == [
        ("README.md", 1, 7, "This link points to `docs/one.md`, which is not in the repository."),
        (
            "SETUP.md",
            1,
            7,
            "This link points to `docs/one.md`, which is not in the repository; at least one other link in this document is broken too.",
        ),
        (
            "docs/index.md",
            3,
            5,
            "This link points to `docs/a.md`, which is not in the repository; at least 2 other links in this document are broken too.",
        ),
    ]
    assert [[(place.path, place.line, place.note) for place in finding.related] for finding in found] == [
        [],
        [("SETUP.md", 2, "links to docs/two.md")],
        [("docs/index.md", 3, "links to b.md"), ("docs/index.md", 5, "links to docs/sub/c.md")],
    ]


def test_a_link_that_the_change_wrote_comes_before_those_that_only_moved() -> None:
    base = {"docs/old.md": "# Old\n\n[a](a.md)\n"}
    head = {"docs/old.md": "# Old\n", "docs/new.md": "[a](a.md)\n[b](b.md)\n"}

    (finding,) = findings_of(RULE, head, base)

    assert (finding.path, finding.line, finding.moved) == ("docs/new.md", 2, False)
    assert [(place.path, place.line) for place in finding.related] == [("docs/new.md", 1)]


@pytest.mark.parametrize(
    ("written", "line", "place", "more"),
    [
        ("", 3, "a", ""),
        ("The end.\n", 3, "a", ""),
        ("And [d](d.md).\n", 24, "d", "; at least one other link in this document is broken too"),
    ],
)
def test_links_that_a_move_of_their_document_breaks_count(
    written: str, line: int, place: str, more: str, tmp_path: Path
) -> None:
    text = "# Guide\n\n[a](a.md), [b](b.md), [c](c.md)\n" + "Read it to the end.\n" * 20
    repository = GitRepository(tmp_path)
    base = repository.commit({"docs/guide.md": text, "docs/a.md": "A\n", "docs/b.md": "B\n"})
    repository.commit({"docs/guide.md": None, "docs/b.md": None, "notes/guide.md": text + written, "notes/b.md": "B\n"})

    command = ["review", f"{base}..HEAD", "--select", RULE, "--all", "--format", "concise"]
    done = run_command(command, cwd=tmp_path, env=ENVIRONMENT, text=True)

    assert f"notes/guide.md:{line}:" in done.stdout, done.stderr
    assert f"points to `notes/{place}.md`, which is not in the repository{more}.\n" in done.stdout


@pytest.mark.parametrize(("target", "reported"), [("../../img/a.png", True), ("../../img/b.png", False)])
def test_a_link_that_leads_out_of_the_repository_from_where_its_document_moves(
    target: str, reported: bool, tmp_path: Path
) -> None:
    text = f"# Guide\n\n![a]({target})\n"
    repository = GitRepository(tmp_path)
    base = repository.commit({"docs/start/guide.md": text, "img/a.png": "A\n"})
    repository.commit({"docs/start/guide.md": None, "docs/guide.md": text})

    command = ["review", f"{base}..HEAD", "--select", RULE, "--all", "--format", "concise"]
    done = run_command(command, cwd=tmp_path, env=ENVIRONMENT, text=True)

    expected = f"docs/guide.md:3:6: info {RULE} This link points to `{target}`, which is not in the repository.\n"
    assert (expected in done.stdout) is reported, done.stderr


def test_a_link_that_was_broken_before_is_not_reported() -> None:
    base = {"docs/index.md": "[a](a.md)\n"}

    assert findings_of(RULE, {"docs/index.md": "[a](a.md)\n\nMore text.\n"}, base) == []


@pytest.mark.parametrize(
    ("address", "scheme"),
    [
        ("team@example.org", "mailto:"),
        ("www.example.museum", "https://"),
        ("tpu.example.ai", "https://"),
        ("docs.example.io/serve", "https://"),
    ],
)
def test_an_address_that_lacks_its_scheme_is_named_as_one(address: str, scheme: str) -> None:
    (finding,) = findings_of(RULE, {"README.md": f"[Write to us]({address})\n"})

    assert finding.message == f"The address `{address}` is not a link without `{scheme}` in front."


def test_documents_that_come_from_elsewhere_together_are_one_finding() -> None:
    posts = {f"data/{name}.md": "![picture](img/picture.png)\n" for name in "abcde"}
    base = {"data/old.md": "# Old\n"}

    found = findings_of(RULE, posts | {"README.md": "[one](docs/one.md)\n"})
    edited = findings_of(RULE, posts | {"data/old.md": "[two](two.md)\n"}, base=base)

    assert [finding.path for finding in found] == ["README.md", "data/a.md"]
    assert [finding.path for finding in edited] == ["data/a.md", "data/old.md"]


@pytest.mark.parametrize(
    ("configuration", "reported"),
    [
        ('sphinx_gallery_conf = {"gallery_dirs": ["auto_examples"]}\n', False),
        ('sphinx_gallery_conf = {"gallery_dirs": ["auto_examples_of_work"]}\n', True),
        ("", True),
    ],
)
def test_a_page_in_a_folder_that_the_build_of_the_documentation_fills(configuration: str, reported: bool) -> None:
    head = {"docs/source/conf.py": configuration, "docs/source/index.md": "[Tasks](auto_examples/tasks)\n"}

    assert bool(findings_of(RULE, head)) is reported
