"""Texts use the words of the field: rules, templates, help, messages, documents, docstrings and comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from review_bot.configuration import rule_registry

UNWANTED = re.compile(
    r"\b(?:anew|mend(?:s|ed)?|nobody|somebody|whoever|beside|at hand|takes? away|tells?|told|stands?(?!-in)|stood"
    r"|speaks?(?!`)|spoke)\b",
    re.IGNORECASE,
)
"""Words that user-visible text does not use; this is the only list of them."""

STANDS_FOR = re.compile(r"\bst(?:and|ands|ood) (?:in )?for\b")
"""What a name or a sign does."""

BY_PEOPLE = re.compile(
    r"approvals?\b|approved_by|\b(?:has|have|who|is)\s+approved|approved (?:by|exactly|that)|people approve"
    r'|"Approve[^"]*"|approves (?:nothing|nor)|never approves|neither approves|\| approve, or',
    re.IGNORECASE,
)
"""Approvals of people on GitHub; in any other sense the word is a verdict, which Review Bot does not give."""

_ROOT = Path(__file__).parents[1]
_PAGES = ("*.md", "docs/*.md", "docs/workflows/*", "contract/*.md", "image/*.md", "action.yml", "Makefile")


def _messages(source: str) -> Iterator[str]:
    """Yield the string literals of a module, f-strings included, without docstrings."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


def _remarks(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def _texts() -> dict[str, str]:
    rulebook = rule_registry.builtin_rulebook()
    texts = {rule.id: f"{rule.title} {rule.message} {rule.instead} {rule.why}" for rule in rulebook.rules}
    texts["rules/focus.yaml"] = "\n".join(
        text for card in rulebook.focus.cards for text in (card.title, *(ask.question for ask in card.asks))
    )
    for path in (_ROOT / "review_bot").rglob("*.j2"):
        text = path.read_text(encoding="utf-8")
        texts[path.relative_to(_ROOT).as_posix()] = re.sub(r"\{[%#{].*?[%#}]\}", "", text, flags=re.DOTALL)
    for folder in ("review_bot", "rule_lab", "fake_github/demo"):
        for path in (_ROOT / folder).rglob("*.py"):
            texts[path.relative_to(_ROOT).as_posix()] = "\n".join(_messages(path.read_text(encoding="utf-8")))
    for pattern in _PAGES:
        for path in _ROOT.glob(pattern):
            texts[path.relative_to(_ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return texts


TEXTS = _texts()


def test_the_texts_are_found() -> None:
    assert len(TEXTS) > 600
    assert "<summary>Merge criteria: " in TEXTS["review_bot/reports/templates/summary/criteria.md.j2"]
    assert "review-bot fix --dry-run" in TEXTS["review_bot/cli.py"]
    assert "Run one command and return the exit code." not in TEXTS["review_bot/cli.py"]


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_user_visible_texts_use_no_unwanted_word(name: str) -> None:
    assert UNWANTED.findall(TEXTS[name]) == []


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_text_of_ours_approves(name: str) -> None:
    assert (
        re.findall(r".{0,40}\b[Aa]pprov\w*.{0,20}|\bLGTM\b|[Ll]ooks good to me", BY_PEOPLE.sub("", TEXTS[name])) == []
    )


MODULES = [
    path for folder in ("review_bot", "rule_lab", "fake_github", "bench", "contract", "image")
    for path in sorted((_ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts
]  # fmt: skip


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(_ROOT).as_posix())
def test_docstrings_and_comments_use_no_unwanted_word(path: Path) -> None:
    remarks = list(_remarks(path.read_text(encoding="utf-8")))
    assert [text for text in remarks if UNWANTED.search(STANDS_FOR.sub("", text))] == []
