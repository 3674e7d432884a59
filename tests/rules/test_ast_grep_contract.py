"""The contract with ast-grep: a rule file matches in Review Bot as it does in ``ast-grep scan -r FILE``.

Both engines get the same rule files and the same code: a corpus of our own, the examples of every shipped rule, and,
when ``REVIEW_BOT_VLLM_OMNI`` names a clone, each Python file of its ``HEAD``.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from ast_grep_py import SgRoot

from review_bot.configuration import rule_registry
from review_bot.rules import structural_pattern
from review_bot.rules.examples import sample_path, texts_of
from review_bot.rules.matchers import Structural
from review_bot.rules.rule import Rule
from review_bot.rules.rule_file import read_rules
from review_bot.rules.scope import EMBEDDED_IN_HTML, LANGUAGE_ALIASES, LANGUAGE_SUFFIXES, in_scope, language_of
from tests.ast_grep import AST_GREP
from tests.changed_files import FULL
from tests.some import some

SAMPLES = Path(__file__).parent / "samples" / "ast_grep"
RULES = Path(__file__).parents[2] / "rules"

Place = tuple[str, str, int, int, int, int]
"""Rule, file, first line and column, last line and column."""


class Seen(NamedTuple):
    """What one engine found: how often at each place, and the message and replacement there."""

    places: Counter[Place]
    words: dict[Place, tuple[str, str | None]]


def by_ast_grep(rule_file: Path, root: Path, folder: str = ".") -> Seen:
    command = [
        AST_GREP,
        "scan",
        "-r",
        str(rule_file),
        "--json=stream",
        "--no-ignore",
        "hidden",
        "--no-ignore",
        "vcs",
        folder,
    ]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, encoding="utf-8")
    assert "Cannot parse rule" not in run.stderr, run.stderr
    seen = Seen(Counter(), {})
    for line in run.stdout.split("\n"):
        if line:
            match = json.loads(line)
            start, end = match["range"]["start"], match["range"]["end"]
            path = match["file"].removeprefix("./")
            place = (match["ruleId"], path, start["line"] + 1, start["column"] + 1, end["line"] + 1, end["column"] + 1)
            seen.places[place] += 1
            seen.words[place] = (match.get("message") or "", match.get("replacement"))
    return seen


def by_us(rules: list[Rule], root: Path, paths: list[str]) -> Seen:
    seen = Seen(Counter(), {})
    for path in paths:
        fitting = fitting_rules(rules, path)
        text = (root / path).read_bytes().decode("utf-8", "surrogateescape") if fitting else ""
        if "ast-grep-ignore" in text:
            continue
        trees: dict[str, structural_pattern.Tree] = {}
        for rule in fitting:
            assert isinstance(rule.matcher, Structural)
            language, config, fix, *_ = rule.matcher
            if language not in trees:
                trees[language] = structural_pattern.Tree(text, language, language_of(path))
            message = structural_pattern.template(rule.message, config.get("transform"))
            for match in trees[language].find(config):
                place = (rule.id, path, match.line, match.column, match.end_line, match.end_column)
                replacement = None
                if fix is not None:
                    template = structural_pattern.template(fix, config.get("transform"))
                    replacement = structural_pattern.expand_fix(template, match, text)
                seen.places[place] += 1
                seen.words[place] = (structural_pattern.expand_message(message, match, text), replacement)
    return seen


def fitting_rules(rules: list[Rule], path: str) -> list[Rule]:
    return [rule for rule in rules if in_scope(rule._replace(scope="any"), path)]


def files_below(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["python.yml", "others.yml"])
def test_our_own_corpus_gives_the_same_matches_messages_and_fixes(name):
    rule_file = SAMPLES / "rules" / name
    rules = [each.rule for each in read_rules(rule_file.read_text(), name, shipped=False, checks={})]

    # ast-grep takes ``files`` from the folder of the rule file; both engines are asked about paths from the same root.
    theirs = by_ast_grep_at_root(rule_file)
    ours = by_us(rules, SAMPLES, [path for path in files_below(SAMPLES) if path.startswith("code/")])

    assert ours.places == theirs.places
    for place, (message, replacement) in ours.words.items():
        if message != place[0]:  # without a message ours is the id
            # ast-grep indents a message of several lines as deep as the code; ours starts at the margin.
            assert message.split() == theirs.words[place][0].split(), place
        if replacement is not None:
            assert replacement == theirs.words[place][1], place
    matched = {place[0] for place in ours.places}
    assert {rule.id for rule in rules} - matched == ({"never"} if name == "python.yml" else set())


def by_ast_grep_at_root(rule_file: Path) -> Seen:
    at_root = SAMPLES / f"root-{os.getpid()}-{rule_file.name}"
    at_root.write_bytes(rule_file.read_bytes())
    try:
        return by_ast_grep(at_root, SAMPLES, "code")
    finally:
        at_root.unlink()


def test_rewriters_and_fixes_that_reach_further_give_no_suggestion():
    text = (SAMPLES / "rules" / "python.yml").read_text()
    rules = [each.rule for each in read_rules(text, "python.yml", shipped=False, checks={})]

    ours = by_us(rules, SAMPLES, ["code/python_a.py"])

    fixed = {place[0]: words[1] for place, words in ours.words.items()}
    assert fixed["rewritten"] is None
    assert fixed["expanded-fix"] is None
    assert fixed["two-fixes"] == "short(left,\nright,)"


def test_the_binding_knows_our_languages_and_aliases():
    for name in some([*LANGUAGE_SUFFIXES, *LANGUAGE_ALIASES]):
        assert SgRoot("", name).root().kind()


def test_ast_grep_gives_each_suffix_to_the_same_language(tmp_path):
    suffixes = [suffix for suffixes in LANGUAGE_SUFFIXES.values() for suffix in suffixes]
    names = [f"file{suffix}" for suffix in suffixes] + [".env", "file.PY", "file.hxx", "file.txt", ".hidden.py"]
    for name in names:
        (tmp_path / name).write_text("a\n")
    theirs: dict[str, set[str]] = {}
    for language in LANGUAGE_SUFFIXES:
        command = [
            AST_GREP,
            "run",
            "--lang",
            language,
            "--kind",
            "ERROR",
            "--inspect=entity",
            "--no-ignore=hidden",
            ".",
        ]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        for line in run.stderr.splitlines():
            if "|file|" in line:
                theirs.setdefault(line.split("|")[2].partition(":")[0].removeprefix("./"), set()).add(language)

    ours = {name: {language_of(name) or ""} for name in names if language_of(name)}
    for name in names:
        if language_of(name) == "html":
            ours[name] |= EMBEDDED_IN_HTML

    assert ours == theirs


def shipped_structural() -> list[tuple[Rule, Path]]:
    pages = [(page.rule, RULES.parent / page.path) for page in rule_registry.builtin_pages()]
    return [(rule, path) for rule, path in pages if rule.kind == "structural"]


def one_file_of_rules(root: Path) -> Path:
    """Put every structural rule, unchanged, into one file: one process of ast-grep in place of a hundred."""
    rule_file = root / "all-rules.yml"
    rule_file.write_text("\n---\n".join(path.read_text(encoding="utf-8") for _, path in shipped_structural()))
    return rule_file


LONGEST = 1_000
"""Lines after which examples go to another file. Each engine reads every rule again for each file."""


def write_corpus(root: Path) -> None:
    """Write the first examples of every shipped rule, or all, to files, many into one; beside them our own samples."""
    rules = [rule for rule, _ in shipped_structural()]
    files: list[tuple[str, list[str]]] = []
    unfinished: dict[tuple[str, ...], list[str]] = {}
    for page in rule_registry.builtin_pages():
        for example in (each for kind in ("bad", "good") for each in page.documentation[kind][: None if FULL else 1]):
            for name, text in files_of(example, sample_path(page.rule)).items():
                lines = text.split("\n")
                if may_be_joined(name, text):
                    fitting = tuple(rule.id for rule in fitting_rules(rules, f"examples/{name}"))
                    before = unfinished.setdefault(fitting, [])
                    if before and len(before) < LONGEST:
                        before += lines
                        continue
                    unfinished[fitting] = lines
                files.append((name, lines))
    for number, (name, lines) in enumerate(files):
        path = root / "examples" / str(number) / name
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines), encoding="utf-8", newline="")
    for sample in files_below(SAMPLES / "code"):
        (root / "samples" / sample).parent.mkdir(parents=True, exist_ok=True)
        (root / "samples" / sample).write_bytes((SAMPLES / "code" / sample).read_bytes())


def may_be_joined(name: str, text: str) -> bool:
    """Return whether a text is Python that parses the same with other code before and after it."""
    try:
        return name.endswith(".py") and text.isascii() and "ast-grep-ignore" not in text and bool(ast.parse(text))
    except (SyntaxError, ValueError):
        return False


def files_of(example: Any, usual: str) -> dict[str, str]:
    if isinstance(example, str):
        return {} if example.startswith(("diff --git ", "--- ")) else {usual: example}
    if "code" in example:
        return {example.get("path") or usual: example["code"]}
    tree = texts_of({**(example.get("base") or {}), **(example.get("head") or {})})
    return {name: text for name, text in tree.items() if text is not None}


def test_shipped_rules_match_the_same_in_their_examples(tmp_path):
    write_corpus(tmp_path)
    rules = [rule for rule, _ in shipped_structural()]

    theirs = by_ast_grep(one_file_of_rules(tmp_path), tmp_path)
    ours = by_us(rules, tmp_path, [path for path in files_below(tmp_path) if path != "all-rules.yml"])

    assert ours.places == theirs.places
    assert len({place[0] for place in ours.places}) > 0.7 * len(
        rules
    )  # a path pattern may not fit the corpus's folders


@pytest.mark.parametrize(("rule", "path"), shipped_structural(), ids=lambda value: getattr(value, "id", ""))
def test_a_shipped_rule_runs_unchanged_in_ast_grep(tmp_path, rule, path):
    (tmp_path / "empty.py").write_text("")

    assert not by_ast_grep(path, tmp_path).places


@pytest.mark.skipif("REVIEW_BOT_VLLM_OMNI" not in os.environ, reason="REVIEW_BOT_VLLM_OMNI names no clone")
def test_shipped_rules_match_the_same_over_a_whole_repository(tmp_path):
    clone = os.environ["REVIEW_BOT_VLLM_OMNI"]
    archive = subprocess.run(["git", "-C", clone, "archive", "main"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(tmp_path)], input=archive, check=True)
    rules = [rule for rule, _ in shipped_structural()]

    theirs = by_ast_grep(one_file_of_rules(tmp_path), tmp_path)
    paths = [path for path in files_below(tmp_path) if path != "all-rules.yml" and not (tmp_path / path).is_symlink()]
    ours = by_us(rules, tmp_path, paths)
    ignoring = {path for path in paths if b"ast-grep-ignore" in (tmp_path / path).read_bytes()}

    assert ours.places == Counter({place: n for place, n in theirs.places.items() if place[1] not in ignoring})
    assert len(ours.places) > 50
