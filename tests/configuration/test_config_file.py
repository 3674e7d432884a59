"""Every mistake in a configuration is named with its line and field, and what the file says is what applies."""

from __future__ import annotations

import pytest

from review_bot.configuration import config_file
from review_bot.configuration.effective_config import Configuration
from review_bot.configuration.settings import Settings
from review_bot.errors import ConfigError
from review_bot.review.layout import Layout
from tests.engine.cases import rulebook_of

MISTAKES = [
    ("fail_on: error\n", 1, "fail_on", "not known"),
    ("fail-on: eror\n", 1, "fail-on", "not text ('eror'); did you mean 'error'?"),
    ("max-comments: 101\n", 1, "max-comments", "must be 100 or less"),
    ("comment-on: hint\n", 1, "comment-on", "hints are never comments on lines; set `show: line` for rules whose"),
    ("comment-on: nothing\n", 1, "comment-on", "must be one of error, warning, info, not text"),
    ("fail-on: critical\n", 1, "fail-on", "one of error, warning, info, hint, never, not text"),
    ("on-incomplete: ignore\n", 1, "on-incomplete", "fail, warn"),
    ("scorecard: never\n", 1, "scorecard", "on, off"),
    ("layout: short\n", 1, "layout", "must be a mapping"),
    ("layout:\n  section: [about]\n", 2, "layout.section", "not known"),
    ("layout:\n  sections: [about, verdict]\n", 2, "layout.sections.1", "must-fix, should-fix, tests"),
    ("layout:\n  sections:\n    - about\n    - about\n", 2, "layout.sections", "'about' is listed twice"),
    ("layout:\n  intro: [a]\n", 2, "layout.intro", "must be text"),
    ("layout:\n  outro: " + "x" * 601 + "\n", 2, "layout.outro", "more than 600 characters"),
    ("layout:\n  intro: ''\n", 2, "layout.intro", "empty"),
    ("suppressions: none\n", 1, "suppressions", "head, base"),
    ("\nfamilies: errors\n", 2, "families", "must be a list"),
    ("families:\n  - ''\n", 2, "families.0", "empty"),
    ("rules:\n  own/def: of\n", 2, "rules.own/def", "on, off, error"),
    ("rules:\n  own/def:\n    severity: grave\n", 3, "rules.own/def.severity", "error, warning"),
    ("rules:\n  own/def:\n    enabled: false\n", 3, "rules.own/def.enabled", "is switched off with `show: off`"),
    ("rules:\n  own/def:\n    file: [a]\n", 3, "rules.own/def.file", "not known"),
    ("rules:\n  own/def:\n    files:\n      - 'a['\n", 4, "rules.own/def.files.0", "'[' without a ']'"),
    ("rules: [a]\n", 1, "rules", "must be a mapping"),
    ("paths:\n  ignores: [a]\n", 2, "paths.ignores", "the key 'ignores' is not known here; did you mean 'ignore'?"),
    ("paths:\n  ignore:\n    - ./docs/**\n", 3, "paths.ignore.0", "leave out the ./"),
    ("unreviewed-ok:\n  - path: a\n", 2, "unreviewed-ok.0.reason", "missing"),
    (
        "unreviewed-ok:\n  - {path: a, reason: b, max-bytes: -1}\n",
        2,
        "unreviewed-ok.0.max-bytes",
        "must be 0 or more",
    ),
    ("fail-on: error\nfail-on: hint\n", 2, "", "duplicate key"),
    ("fail-on: error\n---\nfail-on: hint\n", 3, "", "one document"),
    ("- a\n", 1, "", "a configuration is a mapping"),
]


@pytest.mark.parametrize(("text", "line", "field", "words"), MISTAKES)
def test_a_mistake_says_where_and_what_to_do(text, line, field, words):
    with pytest.raises(ConfigError) as raised:
        config_file.read(text, "c.yml")
    error = raised.value
    assert (error.path, error.field) == ("c.yml", field), str(error)
    assert error.line == line
    assert words in error.message
    assert error.exit_code == 2


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [("rules:\n  own/def: off\n  own/nothing: off\n", 3, "rules.own/nothing"), ("families: [none]\n", 1, "families")],
)
def test_a_name_of_no_rule_is_a_mistake(text, line, field):
    with pytest.raises(ConfigError) as raised:
        Configuration("c.yml", text, config_file.read(text)).choose(rulebook_of())
    assert (raised.value.line, raised.value.field) == (line, field)


def test_a_later_entry_wins_and_each_setting_applies_where_it_says():
    chosen = rules_of("own/*: off", "own/bad-call: {severity: info, ignores: ['docs/**']}", "own/word: on")
    assert set(chosen) == {"own/bad-call", "own/word"}
    assert chosen["own/bad-call"].severity == "info"
    assert chosen["own/bad-call"].ignores == ("docs/**",)


@pytest.mark.parametrize(
    ("entries", "is_on"),
    [
        (["own/*: off", "own/def: error"], True),
        (["own/*: {show: off}", "own/def: {show: line}"], True),
        (["own/*: off", "own/def: {files: ['src/**']}"], True),
        (["own/def: off", "own/*: on"], True),
        (["own/def: off", "own/*: info"], True),
        (["own/def: {show: off}", "own/*: {show: line}"], True),
        (["own/*: off", "own/*f: {files: [a.py]}"], False),
        (["own/def: error", "own/*: off"], False),
        (["own/*: on", "own/def: {severity: error, show: off}"], False),
    ],
)
def test_what_switches_a_rule_on_that_an_earlier_entry_switched_off(entries, is_on):
    assert ("own/def" in rules_of(*entries)) is is_on


def rules_of(*entries):
    text = "\n  ".join(["rules:", *entries])
    return {rule.id: rule for rule in Configuration("c.yml", text, config_file.read(text)).choose(rulebook_of()).rules}


def test_an_empty_file_sets_nothing():
    settings = config_file.read("# nothing\n")
    assert settings._replace(policy=settings.policy._replace(digest=None)) == Settings()
    assert config_file.read("fail-on:\nfamilies:\nlayout: {intro: null}\n").given == {"layout"}


def test_a_summary_has_the_parts_that_the_file_names_in_its_order():
    text = "layout:\n  sections: [criteria, lighter]\n  intro: |\n    Ask in\n    the channel.\n"
    form = config_file.read(text).policy.layout
    assert form.order == ("must-fix", "should-fix", "criteria", "lighter")
    assert (form.intro, form.outro) == ("Ask in\nthe channel.\n", "")
    assert config_file.read("layout:\n  outro: Bye.\n").policy.layout == Layout(outro="Bye.")
    assert config_file.read("fail-on: error\n").policy.layout == Layout()
