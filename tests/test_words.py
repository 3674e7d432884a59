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

APPROVAL = re.compile(r".{0,40}\b[Aa]pprov\w*.{0,20}|\bLGTM\b|[Ll]ooks good to me")

PARTS = 8
"""Of the texts; each is one test."""

_ROOT = Path(__file__).parents[1]
_PAGES = ("*.md", "docs/*.md", "docs/workflows/*", "contract/*.md", "image/*.md", "action.yml", "Makefile")


def _messages(source: str) -> Iterator[str]:
    """Yield the string literals of a module, f-strings included, without docstrings."""
    statements: set[int] = set()
    for node in ast.walk(ast.parse(source)):  # a statement comes before its value
        if isinstance(node, ast.Expr):
            statements.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


_BETWEEN = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})
_LAYOUT = frozenset({tokenize.NL, tokenize.COMMENT})


def _remarks(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a module."""
    begins = True  # a statement
    for kind, text, *_ in tokenize.generate_tokens(io.StringIO(source).readline):
        if kind == tokenize.COMMENT or (kind == tokenize.STRING and begins):
            yield text
        if kind not in _LAYOUT:
            begins = kind in _BETWEEN


def _of_rules() -> dict[str, str]:
    rulebook = rule_registry.builtin_rulebook()
    texts = {rule.id: f"{rule.title} {rule.message} {rule.instead} {rule.why}" for rule in rulebook.rules}
    texts["rules/focus.yaml"] = "\n".join(
        text for card in rulebook.focus.cards for text in (card.title, *(ask.question for ask in card.asks))
    )
    return texts


def _files() -> Iterator[Path]:
    yield from (_ROOT / "review_bot").rglob("*.j2")
    for folder in ("review_bot", "rule_lab", "fake_github/demo"):
        yield from (_ROOT / folder).rglob("*.py")
    for pattern in _PAGES:
        yield from _ROOT.glob(pattern)


OF_RULES = _of_rules()
NAMES = sorted({*OF_RULES, *(path.relative_to(_ROOT).as_posix() for path in _files())})


def _text(name: str) -> str:
    """Return what users see of the rule or file of a name."""
    if name in OF_RULES:
        return OF_RULES[name]
    text = (_ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".j2"):
        return re.sub(r"\{[%#{].*?[%#}]\}", "", text, flags=re.DOTALL)
    return "\n".join(_messages(text)) if name.endswith(".py") else text


def test_the_texts_are_found() -> None:
    assert len(NAMES) > 600
    assert "<summary>Merge criteria: " in _text("review_bot/reports/templates/summary/criteria.md.j2")
    assert "review-bot fix --dry-run" in _text("review_bot/cli.py")
    assert "Run one command and return the exit code." not in _text("review_bot/cli.py")


@pytest.mark.parametrize("part", range(PARTS))
def test_user_visible_texts_use_no_unwanted_word_and_approve_nothing(part: int) -> None:
    texts = {name: _text(name) for name in NAMES[part::PARTS]}
    assert [(name, words) for name, text in texts.items() if (words := UNWANTED.findall(text))] == []
    assert [(name, said) for name, text in texts.items() if (said := APPROVAL.findall(BY_PEOPLE.sub("", text)))] == []


MODULES = [
    path for folder in ("review_bot", "rule_lab", "fake_github", "bench", "contract", "image")
    for path in sorted((_ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts
]  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_docstrings_and_comments_use_no_unwanted_word(part: int) -> None:
    remarks = [(path, text) for path in MODULES[part::PARTS] for text in _remarks(path.read_text(encoding="utf-8"))]
    assert [(path, text) for path, text in remarks if UNWANTED.search(STANDS_FOR.sub("", text))] == []
    assert remarks
