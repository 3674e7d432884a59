"""A rule finds the same whether or not it first looks at what the change touches."""

from __future__ import annotations

import pytest

from review_bot.checks import catalog
from review_bot.configuration import rule_registry
from review_bot.findings import Examination
from review_bot.rules.matchers import Structural
from review_bot.rules.rulebook import Rulebook
from tests.engine.cases import review, seen
from tests.rules.generated_files import generated_file

PATH = "package/module.py"
REST = "\n\ndef other(x):\n    return x\n" * 9


def _rulebook(*, local: bool) -> Rulebook:
    """Return the built-in structural rules, as they are or with those that look at one statement unmarked."""
    book = rule_registry.builtin_rulebook()
    rules = tuple(
        rule._replace(matcher=rule.matcher._replace(local=rule.matcher.local and local))
        for rule in book.rules
        if isinstance(rule.matcher, Structural) and rule.matcher.language == "python"
    )
    return Rulebook(rules, catalog.load, book.digest, known_ids=book.known_ids)


def _both(base: str | None, head: str) -> Examination:
    """Examine a change of one file, both ways; without a ``base`` it is new."""
    old = {} if base is None else {PATH: base}
    found, whole = (review({PATH: head}, old, rulebook=_rulebook(local=local)) for local in (True, False))
    assert found == whole
    return found


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_rules_find_the_same_in_generated_changes(first: int) -> None:
    files = [generated_file(31, number) for number in range(first, first + 10)]
    for above, edited, below in zip(files, files[1:], files[2:], strict=False):
        before = edited.old_text if edited.old_text is not None else below.text
        for base, head in ((before, edited.text), (f"{above.text}\n{before}", f"{above.text}\n{edited.text}")):
            _both(f"{base}{REST}", f"{head}{REST}")
            _both(None, head)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param("a()", "import yaml\nyaml.load(f)", [("security/yaml-load", 2)], id="added"),
        pytest.param("import yaml\nyaml.load(f)\na()", "import yaml\nyaml.load(f)\nb()", [], id="there before"),
        pytest.param(
            'import y\nm.get_context("fork")', 'import torch\nm.get_context("fork")', [("distributed/fork-with-cuda", 2)], id="by a required import"
        ),
        pytest.param("from y import load\nload(f)", "from yaml import load\nload(f)", [("security/yaml-load", 2)], id="by its import"),
        pytest.param("from yaml import load\ndef load(x): ...\nload(f)", "from yaml import load\nload(f)", [("security/yaml-load", 2)], id="by a lost definition"),
        pytest.param("import yaml\n'''\na()\nyaml.load(f)\nb()\n'''", "import yaml\na()\nyaml.load(f)\nb()", [("security/yaml-load", 3)], id="out of a string"),
        pytest.param(
            "import yaml\nx = \"\"\"\ny = '''\"\"\"; \"''' #\"",
            "import yaml\nx = \"\"\"\ny = '''\"\"\"; yaml.load(f); \"''' #\"",
            [("security/yaml-load", 3)],
            id="behind a string that ends on its line",
        ),
        pytest.param(None, "from .a import b\nfrom yaml import load\nb(load(f))", [("security/yaml-load", 3)], id="in a new file"),
        pytest.param("import yaml\nyaml.load(f, s)", "import yaml\nyaml.load(  # a note\n    f)", [("security/yaml-load", 2)], id="in its usual spelling"),
    ],
)  # fmt: skip
def test_what_a_change_is_answerable_for(base: str | None, head: str, expected: list[tuple[str, int | None]]) -> None:
    found = _both(None if base is None else base + REST, head + REST)
    assert [each for each in seen(found) if each[0] in {"distributed/fork-with-cuda", "security/yaml-load"}] == expected
