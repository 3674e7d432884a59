"""``rules list`` filters, and ``rules show`` fits a screen."""

from __future__ import annotations

import json

import pytest

from review_bot.cli import main
from review_bot.configuration import rule_registry
from review_bot.configuration.rule_pages import digest
from rule_lab.docs import LANGUAGES

PAGES = rule_registry.builtin_pages()
OWN = "id: no-print\nlanguage: python\nseverity: info\nmessage: No.\nrule: {pattern: print($A)}\n"


def listed(capsys, *arguments):
    assert main(["rules", "list", "--format", "json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "column", "values"),
    [
        (["--family", "memory"], "family", {"memory"}),
        (["--family", "memory", "--family", "tensor"], "family", {"memory", "tensor"}),
        (["--severity", "error"], "severity", {"error"}),
        (["--placement", "count"], "placement", {"count"}),
        (["--origin", "built-in"], "origin", {"built-in"}),
        (["style"], "family", {"style"}),
        (["kernels/triton-*", "style/print-call"], "family", {"kernels", "style"}),
    ],
)
def test_a_filter_keeps_rules_with_the_value(capsys, arguments, column, values):
    assert {rule[column] for rule in listed(capsys, *arguments)} == values


def test_filters_of_several_columns_all_apply(capsys):
    rules = listed(capsys, "--language", "cuda", "--severity", "warning")
    assert {rule["id"] for rule in rules} >= {"kernels/divergent-barrier"}
    assert {rule["severity"] for rule in rules} == {"warning"}
    assert all("cuda" in rule["languages"] for rule in rules)


def test_own_rules_are_listed_by_their_origin(capsys, tmp_path):
    folder = tmp_path / ".github/review-bot/rules"
    folder.mkdir(parents=True)
    (folder / "own.yml").write_text(OWN)
    [own] = listed(capsys, "-C", str(tmp_path), "--origin", "own")
    assert (own["id"], own["languages"]) == ("no-print", ["python"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--language", "pyton"], "--language pyton: no rule matches; did you mean 'python'?"),
        (["--family", "zzz"], "--family zzz: no rule matches; known: api, batching"),
        (["stlye"], "no such rule; did you mean 'style'?"),
    ],
)
def test_a_value_that_no_rule_has_is_refused(capsys, arguments, words):
    assert main(["rules", "list", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80])
def test_a_digest_of_every_rule_fits_a_screen(width):
    texts = [digest(entry, width) for entry in PAGES]
    assert [text for text in texts if len(text.splitlines()) > 45] == []
    assert all(f"{entry.rule.id}: {entry.rule.title}\n" in text for entry, text in zip(PAGES, texts, strict=True))


def test_the_whole_page_is_an_option(capsys):
    assert main(["rules", "show", "errors/bare-except"]) == 0
    assert "## Measured" not in capsys.readouterr().out
    assert main(["rules", "show", "errors/bare-except", "--all"]) == 0
    assert "## Measured" in capsys.readouterr().out


def test_the_table_of_languages_has_a_row_for_each(capsys):
    assert {language for rule in listed(capsys) for language in rule["languages"]} == set(LANGUAGES)


def test_an_example_at_a_path_that_the_rule_leaves_out_is_named(capsys, tmp_path):
    examples = 'metadata: {examples: {bad: ["print(1)\\n"], good: [{path: src/a.py, code: "log(1)\\n"}]}}\n'
    rule = tmp_path / "own.yml"
    rule.write_text(f"{OWN}files: ['src/**']\n{examples}")
    assert main(["rules", "test", str(rule)]) == 1
    said = capsys.readouterr().out
    assert "no-print-bad-1: the rule does not look at 'package/module.py', where an example without a path is" in said
    assert "write it as {path: ..., code: ...}" in said
    assert "\n    print(1)\n" in said
    with_path = examples.replace('"print(1)\\n"', '{path: src/b.py, code: "print(1)\\n"}')
    rule.write_text(f"{OWN}files: ['src/**']\n{with_path}")
    assert main(["rules", "test", str(rule)]) == 0


@pytest.mark.parametrize(("example", "shown"), [
    ('"a = 1\\n\\nb = 2\\nc = 3\\n"', ["a = 1", "b = 2", "c = 3"]),
    ('"a = 1\\nb = 2\\nc = 3\\nd = 4\\n"', ["a = 1", "b = 2", "c = 3", "..."]),
    ('{path: src/a.py, code: "log(1)\\n"}', ["src/a.py:", "log(1)"]),
    ('{base: {a.py: "print(1)\\n"}, head: {a.py: null, b.py: "log(1)\\n"}}', ["a.py:", "(deleted)", "b.py:", "..."]),
    ('{title: "Fix it", body: "All"}', ["title: Fix it", "body: All"]),
])  # fmt: skip
def test_a_failing_example_is_shown(capsys, tmp_path, example, shown):
    rule = tmp_path / "own.yml"
    rule.write_text(f"{OWN}metadata: {{examples: {{bad: [{example}], good: []}}}}\n")
    assert main(["rules", "test", str(rule)]) == 1
    lines = capsys.readouterr().out.split("\n")
    assert [line.removeprefix("    ") for line in lines if line.startswith("    ")] == shown


def test_the_configuration_of_the_repository_applies(capsys, tmp_path):
    config = tmp_path / ".github/review-bot.yml"
    config.parent.mkdir()
    config.write_text(
        "rules:\n  style/*: off\n  errors/bare-except: {severity: error, ignores: [tools/**]}\n  pr/title-prefix: on\n"
    )
    rules = {rule["id"]: rule for rule in listed(capsys, "-C", str(tmp_path))}
    assert rules["errors/bare-except"]["severity"] == "error"
    assert {name: rules[name]["enabled"] for name in ("style/print-call", "pr/title-prefix", "pr/missing-section")} == {
        "style/print-call": False,
        "pr/title-prefix": True,
        "pr/missing-section": False,
    }
    assert main(["rules", "list", "style", "-C", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert " (off)\n" in said
    assert "rules, as .github/review-bot.yml sets them. " in said
    assert main(["rules", "show", "errors/bare-except", "-C", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "`error` (must fix)" in said
    assert ".github/review-bot.yml sets: `error` instead of `" in said
    assert "not in tools/**\n" in said
    config.write_text("rules: {no/such: off}\n")
    assert main(["rules", "list", "-C", str(tmp_path)]) == 2
