"""What documents point at exists: files of this repository, headings and functions in them."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from review_bot.cli import main

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/rules/README.md", "image/*.md", "contract/*.md")
    for path in Path().glob(pattern)
)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^( *)```ya?ml\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def headings(text: str) -> set[str]:
    """Return the anchors that GitHub gives the headings of a document."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_relative_links_lead_somewhere(document: Path) -> None:
    assert [link for link in relative_links(document) if not leads_somewhere(document, *link)] == []


def test_relative_links_are_found() -> None:
    assert len([link for document in DOCUMENTS for link in relative_links(document)]) > 100
    assert not leads_somewhere(Path("README.md"), "docs/nowhere.md", "")
    assert not leads_somewhere(Path("README.md"), "CONTRIBUTING.md", "no-such-heading")


def relative_links(document: Path) -> list[tuple[str, str]]:
    """Return the target and the anchor of each link that leads to a file of this repository."""
    links = LINK.findall(CODE.sub("", document.read_text(encoding="utf-8")))
    return [(target, anchor) for target, anchor in links if "://" not in target]


def leads_somewhere(document: Path, target: str, anchor: str) -> bool:
    """Return whether the file exists, and the heading in it."""
    found = document.parent / target if target else document
    if not found.exists():
        return False
    return not anchor or found.suffix != ".md" or anchor in headings(found.read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_the_modules_that_a_document_names_exist(document: Path) -> None:
    named = re.findall(r"`((?:review_bot|fake_github|rule_lab)/[\w./-]+)`", document.read_text(encoding="utf-8"))
    assert [path for path in named if not Path(path).exists()] == []


def test_the_modules_that_import_a_package_are_those_that_the_documents_list() -> None:
    rows = re.findall(
        r"^\| ([\w-]+) \| .*? \| (.*?) \| [^|]* \|$", Path("docs/dependencies.md").read_text(), re.MULTILINE
    )
    names = {"ast-grep-py": "ast_grep_py", "google-re2": "re2", "PyYAML": "yaml"}
    listed = {names.get(package, package): set(re.findall(r"`([^`]+\.py)`", where)) for package, where in rows}
    assert {"httpx", "pydantic", "unidiff", "jinja2", "re2"} <= listed.keys()
    found: dict[str, set[str]] = {package: set() for package in listed}
    for path in Path("review_bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for module in modules:
                if (package := module.partition(".")[0]) in found:
                    found[package].add(path.relative_to("review_bot").as_posix())
    assert found == listed


def test_the_functions_that_the_guide_names_are_where_it_says() -> None:
    named = re.findall(r"`([\w./-]+\.py)` \(`(\w+)\(\)`\)", Path("CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(named) > 9
    for path, function in named:
        assert re.search(rf"^def {function}\(", Path(path).read_text(encoding="utf-8"), re.MULTILINE), (path, function)


def test_the_guide_names_every_family_of_rules() -> None:
    guide = Path("CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = guide.partition("Families of rules, by subject:")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([\w-]+)`", listed)) == {
        path.parent.name for path in Path("rules").glob("*/*.yaml") if path.parent.name != "evidence"
    }


def test_the_rules_that_the_documents_show_pass_their_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("docs/writing-rules.md").read_text(encoding="utf-8")
    rules = re.findall(r"^```yaml\n(id: .*?)^```", text, re.DOTALL | re.MULTILINE)
    for number, rule in enumerate(rules):
        (tmp_path / f"{number}.yml").write_text(rule, encoding="utf-8")
    assert main(["rules", "test", str(tmp_path)]) == 0, capsys.readouterr()
    assert capsys.readouterr().out == f"{len(rules)} rules, {2 * len(rules)} examples, 0 failed\n"
    matchers = {key for rule in rules for key in ("rule", "text", "removed", "pull_request") if f"\n{key}:" in rule}
    assert len(matchers) == 4


def test_the_workflows_that_documents_show_use_inputs_and_outputs_of_the_action() -> None:
    action = yaml.safe_load(Path("action.yml").read_text(encoding="utf-8"))
    steps = [step for document in DOCUMENTS for block in yaml_blocks(document) for step in steps_in(block)]
    ours = [step for step in steps if step["uses"].startswith("review-bot/review-bot@")]
    assert len(ours) > 3
    assert {name for step in ours for name in step.get("with", {})} <= set(action["inputs"])
    read = re.findall(r"steps\.review\.outputs\.([\w-]+)", str(steps))
    assert read
    assert set(read) <= set(action["outputs"])


def test_an_upload_that_the_guide_shows_runs_for_pull_requests_alone_and_decides_nothing() -> None:
    steps = [step for block in yaml_blocks(Path("docs/github.md")) for step in steps_in(block)]
    (upload,) = [step for step in steps if "upload-sarif@" in step["uses"]]
    assert "github.event.pull_request &&" in upload["if"]
    assert upload["continue-on-error"] is True


def yaml_blocks(document: Path) -> list[object]:
    """Return what the YAML blocks of a document hold. Raises YAMLError."""
    return [yaml.safe_load(block) for _, block in BLOCK.findall(document.read_text(encoding="utf-8"))]


def steps_in(block: object) -> list[dict[str, Any]]:
    """Return the steps with ``uses``, at any depth."""
    if isinstance(block, list):
        return [step for each in block for step in steps_in(each)]
    if not isinstance(block, dict):
        return []
    return [block] if "uses" in block else [step for each in block.values() for step in steps_in(each)]
