"""Every mistake in a rule file is named with file, line, field and what to do; and what a file says is what runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from review_bot.configuration import rule_registry
from review_bot.errors import RuleError
from review_bot.rules.check import CheckTraits, FileCheck
from review_bot.rules.matchers import Structural
from review_bot.rules.rule_file import read_rules

CHECKS = {"errors/constant-condition": FileCheck(lambda _source, _options: [], CheckTraits(("if",)))}
REVIEW_BOT = [os.path.join(os.path.dirname(sys.executable), "review-bot")]

HEADER = "id: own\nlanguage: python\n"


def own(text: str):
    return [each.rule for each in read_rules(text, "own.yml", shipped=False, checks=CHECKS)]


MISTAKES = [
    ("", 1, "", "the file is empty"),
    ("# nothing but words\n", 1, "", "the file is empty"),
    ("- id: x\n", 1, "", "a rule is a mapping"),
    ("text\n", 1, "", "a rule is a mapping"),
    ("language: python\nrule: {kind: call}\n", 1, "id", "missing"),
    (HEADER + "serverity: error\nrule: {kind: call}\n", 3, "serverity", "not known"),
    (HEADER + "severity: grave\nrule: {kind: call}\n", 3, "severity", "one of error, warning, info, hint, off"),
    (HEADER + "message: [a]\nrule: {kind: call}\n", 3, "message", "must be text, not a list"),
    (HEADER + "rule: call\n", 3, "rule", "must be a mapping, not text ('call')"),
    (HEADER + "rule: {kind: call}\nfiles: '*.py'\n", 4, "files", "must be a list"),
    (HEADER + "rule: {kind: call}\nfiles:\n  - a\n  - 7\n", 6, "files.1", "text or a mapping, not a number (7)"),
    (HEADER + "rule: {kind: call}\nignores:\n  - glob: a\n    ignoreCase: true\n", 6, "ignores.0.ignoreCase", "not known"),
    (HEADER + "rule: {kind: call}\nfiles:\n  - 'a'\n  - 'b[c'\n", 6, "files.1", "'[' without a ']'"),
    (HEADER + "rule: {kind: call}\nignores: ['{a']\n", 4, "ignores.0", "'{' without a '}'"),
    ("id: x\nlanguage: cobol\nrule: {kind: call}\n", 2, "language", "unknown language 'cobol'; use one of bash, c,"),
    ("id: x\nrule: {kind: call}\n", 2, "rule", "needs `language`"),
    ("id: x\nlanguage: python\n", 1, "", "has no matcher; add one of rule, text"),
    ("id: x\nlanguage: python\nrule: {kind: call}\ntext: {regex: a}\n", 4, "text", "rule and text; split it into two rules"),
    ("id: x\ntext: {regex: a}\nfix: b\n", 3, "fix", "only applies to `rule`"),
    ("id: x\ntext:\n  regex: 'a(?=b)'\n", 3, "text.regex", "without look-around"),
    ("id: x\ntext:\n  regex: a\n  unless:\n    line: '(a'\n", 5, "text.unless.line", "RE2 does not accept"),
    ("id: x\ntext:\n  regex: a\n  unless:\n    lines: b\n", 5, "text.unless.lines", "one of match, line, file, text"),
    ("id: x\ntext: {regex: ''}\n", 2, "text.regex", "empty"),
    ("id: x\ntext: {where: added}\n", 2, "text.regex", "missing"),
    ("id: x\ntext: {regex: a, where: above}\n", 2, "text.where", "one of added, filename"),
    ("id: x\nseverity: error\ntext: {where: title, regex: a}\n", 2, "severity", "at most `warning`"),
    ("id: x\ntext: {where: body, regex: a, unless: {line: b}}\n", 2, "text.unless.line", "`unless.text`"),
    ("id: x\ntext: {regex: a, unless: {text: b}}\n", 2, "text.unless.text", "`unless.file` or `unless.line` or `unless.match`"),
    ("id: x\ntext: {where: commit}\n", 2, "text.regex", "missing"),
    ("id: x\ntext: {where: body, prefixes: [a]}\n", 2, "text.prefixes", "goes with `where: title`"),
    ("id: x\ntext: {where: title, prefixes: [a], regex: b}\n", 2, "text.prefixes", "either `prefixes` or `regex`"),
    ("id: x\ntext: {where: commit, regex: 'a(?=b)'}\n", 2, "text.regex", "without look-around"),
    (HEADER + "rule:\n  any:\n    - kind: call\n    - kind: calling\n", 6, "rule.any.1.kind", "`calling` is invalid"),
    (HEADER + "rule:\n  kind: call\n  has:\n    field: nothing\n    kind: call\n", 6, "rule.has.field", "nothing"),
    (HEADER + "rule:\n  kind: call\n  inside:\n    kind: block\n    stopBy: never\n", 7, "rule.inside.stopBy", "never"),
    (HEADER + "rule:\n  pattern: f($A\n", 4, "rule.pattern", "a bracket of the pattern `f($A` has no counterpart"),
    (HEADER + f"rule:\n  pattern: {'f(' * 50_000}{')' * 50_000}\n", 4, "rule.pattern", "longer than 4,000 characters"),
    (HEADER + "rule:\n  any:\n    - pattern: f('(')\n    - pattern: f(')'))\n", 6, "rule.any.1.pattern", "no counterpart"),
    (HEADER + "rule:\n  pattern: a b c\n", 4, "rule.pattern", "Multiple AST nodes"),
    (HEADER + "rule:\n  kind: call\n  regex: 'a(?!b)'\n", 5, "rule.regex", "look-around"),
    (HEADER + "rule:\n  kind: call\n  patern: x\n", 5, "rule.patern", "unknown field `patern`"),
    (HEADER + "rule:\n  all:\n    - matches: other\n", 5, "rule.all.0.matches", "`other` is not defined"),
    (HEADER + "utils:\n  u:\n    kind: blok\nrule: {matches: u}\n", 5, "utils.u.kind", "`blok` is invalid"),
    (HEADER + "rule: {pattern: f($A)}\nconstraints:\n  A:\n    regex: '('\n", 6, "constraints.A.regex", "regex"),
    (HEADER + "rule: {pattern: f($A)}\nconstraints:\n  B: {regex: x}\n", 4, "constraints", "`B` used in `constraints`"),
    (HEADER + "rule: {pattern: f($A)}\ntransform:\n  B: 1\n", 4, "transform", "Transformation"),
    ("id: x\nremoved: {language: python}\n", 2, "removed", "needs either `rule`"),
    ("id: x\nremoved: {rule: {kind: call}}\n", 2, "removed.rule", "needs `language`"),
    ("id: x\nremoved:\n  language: python\n  rule:\n    kind: cal\n", 5, "removed.rule.kind", "`cal` is invalid"),
    ("id: x\nremoved:\n  language: python\n  rule: {kind: call}\n  unless_added: {rule: {kind: z}}\n", 5, "removed.unless_added.rule.kind", "`z`"),
    ("id: x\npull_request: {when: {changed: [a, '[']}}\n", 2, "pull_request.when.changed.1", "'[' without"),
    ("id: x\npull_request: {when: {changed: a}}\n", 2, "pull_request.when.changed", "must be a list"),
    ("id: x\npull_request: {when: {changed: [a], added_lines: -1}}\n", 2, "pull_request.when.added_lines", "must be 0 or more"),
    ("id: x\ncheck: {name: own/nope}\n", 2, "check.name", "there is no check 'own/nope'; `check` runs one of Review Bot's own"),
    ("id: x\ncheck: {name: errors/constant-conditon}\n", 2, "check.name", "did you mean 'errors/constant-condition'?"),
    (HEADER + "rule: {kind: call}\nmetadata:\n  effort: soon\n", 5, "metadata.effort", "a whole number, not text ('soon')"),
    (HEADER + "rule: {kind: call}\nmetadata:\n  examples:\n    bad: x\n", 6, "metadata.examples.bad", "must be a list"),
    (HEADER + "rule: {kind: call}\nmetadata:\n  tite: some\n", 5, "metadata.tite", "no field 'tite'; did you mean 'title'?"),
    ("id: x\nlanguage: python\nmessage: $FUN\nrule: {pattern: $FUNC($A)}\n", 3, "message", "has $FUN, which nothing in the rule captures; did you mean '$FUNC'?"),
    ("id: x\nmessage: $B\nremoved:\n  language: python\n  rule: {pattern: f($A)}\n", 2, "message", "has $B, which nothing"),
    (HEADER + "rule: {kind: call}\nmetadata:\n  scope: some\n", 5, "metadata.scope", "one of library, tests, all, any"),
    ("id: 'a\\nb'\ntext: {regex: a}\n".replace("'", '"'), 1, "id", "printable"),
    ("id: a[b]\ntext: {regex: a}\n", 1, "id", "without commas and brackets"),
    ("id: x\nid: y\n", 2, "", "duplicate key 'id'"),
    ("id: x\ntext: &a {regex: a}\nnote: *a\n", 3, "", "aliases such as *a are not allowed"),
    ("id: !!str x\n", 1, "", "tags such as"),
    ("id: x\ntext:\n\tregex: a\n", 3, "", "YAML cannot be indented with tabs"),
    ("id: [x\n", 1, "", "invalid YAML"),
    ("id: x\nnote: 'open\n", 2, "", "invalid YAML"),
    ("? [a]\n: b\n", 1, "", "a key must be plain text"),
    ("id: x\x00y\n", 1, "", "U+0000"),
    ("id: x\nnote: " + "[" * 20_000 + "\n", 2, "", "nested deeper than 64"),
    ("id: x\nnote: " + "{a: " * 20_000 + "\n", 2, "", "nested deeper than 64"),
    ("id: x\n# " + "." * 300 * 1024 + "\n", None, "", "larger than 256 KiB"),
    ("id: x\ntext: {regex: a}\n---\nid: y\ntext: {regx: a}\n", 5, "text.regx", "not known here; did you mean 'regex'?"),
    ("id: x\nmessage: '{{ adde }} lines'\npull_request: {when: {changed: [a]}}\n", 2, "message", "has {{ adde }}, which this matcher does not fill in; did you mean 'added'?"),
    ("id: x\nmessage: 'In {{ title }}.'\ntext: {where: commit, regex: a}\n", 2, "message", "has {{ title }}, which this matcher does not fill in"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "field", "words"), MISTAKES, ids=[str(n) for n in range(len(MISTAKES))])
def test_a_mistake_says_where_and_what_to_do(text, line, field, words):
    with pytest.raises(RuleError) as raised:
        own(text)

    error = raised.value
    assert (error.path, error.line, error.field) == ("own.yml", line, field), str(error)
    assert words in error.message
    assert "\n" not in str(error)
    assert error.exit_code == 2


SHIPPED = """\
id: errors/sample
language: python
severity: warning
message: Message.
rule: {kind: call}
metadata:
  title: Title
  aspect: Code Quality
  confidence: high
  show: line
  scope: library
  effort: 5
  why: Because.
  examples:
    bad: ["f()"]
    good: ["x"]
"""


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("errors/sample", "Sample", "id"),
        ("message: Message.\n", "", "message"),
        ("  title: Title\n", "", "metadata.title"),
        ("  aspect: Code Quality\n", "", "metadata.aspect"),
        ("  confidence: high\n", "", "metadata.confidence"),
        ("  show: line\n", "", "metadata.show"),
        ("  scope: library\n", "", "metadata.scope"),
        ("  effort: 5\n", "", "metadata.effort"),
        ("  why: Because.\n", "", "metadata.why"),
        ('    bad: ["f()"]\n', "", "metadata.examples.bad"),
        ('    good: ["x"]\n', "", "metadata.examples.good"),
        ("  effort: 5\n", "  effort: 5\n  author: me\n", "metadata.author"),
        ("show: line", "show: count", "severity"),
    ],
)
def test_a_shipped_file_is_read_strictly(old, new, field):
    assert read_rules(SHIPPED, "s.yaml", shipped=True, checks={})

    with pytest.raises(RuleError) as raised:
        read_rules(SHIPPED.replace(old, new), "s.yaml", shipped=True, checks={})

    assert raised.value.field == field
    assert raised.value.line


def test_all_mistakes_of_a_file_are_named_at_once():
    text = HEADER + "serverity: error\nrule: {kind: call}\nmetadata:\n  scope: al\n  confidence: sure\n"
    with pytest.raises(RuleError) as raised:
        own(text)
    places = [line.split(": ")[:2] for line in str(raised.value).splitlines()]
    assert places == [["own.yml:3", "serverity"], ["own.yml:6", "metadata.scope"], ["own.yml:7", "metadata.confidence"]]


def test_an_own_file_may_be_any_ast_grep_rule_with_our_defaults():
    (rule,) = own(
        "id: Any Id/2\nlanguage: Python\nmessage: found $A\nnote:\nrule: {pattern: f($A)}\nmetadata: {team: x, seeds: []}\n"
    )

    assert (rule.severity, rule.aspect, rule.confidence, rule.scope) == ("hint", "Code Quality", "high", "any")
    assert (rule.show, rule.lines, rule.title, rule.builtin) == ("line", "first", "Any Id/2", False)


def test_several_documents_and_one_that_is_off():
    rules = own(
        f"{HEADER}rule: {{kind: call}}\n---\nid: b\nlanguage: python\nseverity: off\nrule: {{kind: call}}\n---\nid: c\ntext: {{regex: a}}\n"
    )
    assert [rule.id for rule in rules] == ["own", "c"]


def test_fixes_that_reach_beyond_the_match_are_left_out():
    def fix(text: str) -> object:
        matcher = own(f"{HEADER}rule: {{kind: call}}\nfix: {text}\n")[0].matcher
        assert isinstance(matcher, Structural)
        return matcher.fix

    assert fix("abc") == "abc"
    assert fix("{template: abc}") == "abc"
    assert fix("{template: abc, expandEnd: {regex: ','}}") is None
    assert fix("[{title: one, template: abc}, {title: two, template: d}]") == "abc"


def test_an_id_that_is_taken_is_refused_with_its_line():
    builtin = rule_registry.builtin_rulebook()
    taken = builtin.rules[0].id
    for files in (
        [("a.yml", f"id: x\ntext: {{regex: a}}\n---\n# words\nid: {taken}\ntext: {{regex: a}}\n")],
        [("a.yml", "id: y\ntext: {regex: a}\n"), ("b.yml", "language: python\n\n\n\nid: y\nrule: {kind: call}\n")],
        [("a.yml", "\n\n\n\nid: suppression/unused\ntext: {regex: a}\n")],
    ):
        with pytest.raises(RuleError) as raised:
            rule_registry.with_own_rules(builtin, files)
        assert raised.value.line == 5
        assert raised.value.field == "id"
        assert "choose another" in raised.value.message


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", *arguments], cwd=tmp_path, env=environment, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (tmp_path / "a.py").write_text("x = 1\n")
    git("add", ".")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "one")
    (tmp_path / "a.py").write_text("x = 1\nprint(x)\n")
    (tmp_path / ".github/review-bot/rules/deep").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"id: x\nlanguage: python\nrule: {kind: nope}\n", ".github/review-bot/rules/deep/own.yml:3: rule.kind: "),
        (b"id: x\xff\n", ".github/review-bot/rules/deep/own.yml:1: the file is not UTF-8"),
        (b"", ".github/review-bot/rules/deep/own.yml:1: the file is empty"),
        (b"id: x\0\n", ".github/review-bot/rules/deep/own.yml:1: the character U+0000"),
        (b"[" * 20_000, ".github/review-bot/rules/deep/own.yml:1: nested deeper"),
    ],
)
def test_the_command_ends_with_2_and_one_line(repository, content, words):
    (repository / ".github/review-bot/rules/deep/own.yml").write_bytes(content)

    run = subprocess.run(
        [*REVIEW_BOT, "review", "--format", "json"], cwd=repository, capture_output=True, text=True, check=False
    )

    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""


def test_the_command_runs_a_repository_s_own_rules(repository):
    rules = repository / ".github/review-bot/rules/deep/own.yaml"
    rules.write_text("id: calls\nlanguage: python\nmessage: '$F is called'\nrule: {pattern: $F($$$A)}\n")

    run = subprocess.run(
        [*REVIEW_BOT, "review", "--format", "json"], cwd=repository, capture_output=True, text=True, check=False
    )

    assert '"message": "print is called"' in run.stdout
    assert run.returncode == 0, run.stderr
