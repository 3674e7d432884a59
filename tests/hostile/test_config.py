"""Configurations and rules that are made to be slow, to run code or to lower the gate: cases 59 to 70."""

from __future__ import annotations

import time

import pytest

from tests.hostile import inspection
from tests.hostile.ground import LOUD, SHOUT, Ground, Ran

CONFIG = ".github/review-bot.yml"
RULE = ".github/review-bot/rules/own.yml"
OWN = """\
id: own
severity: warning
message: {message}
note: Mend it.
text: {{regex: '{regex}'}}
metadata: {{title: Own, confidence: high, show: line}}
"""
BOMB = "a: &a [x, x]\n" + "".join(
    f"{after}: &{after} [*{name}, *{name}]\n" for name, after in zip("abcdef", "bcdefg", strict=True)
)
NEAR = "the key '{}' is not known here; did you mean '{}'?"
UNKNOWN = "the key '{}' is not known here; remove it or fix its spelling"
NOT_RE2 = (
    "text.regex: RE2 does not accept '{}' ({}); write it without look-around and back-references, perhaps with unless"
)
STRICT = "fail-on: warning\n"


def run(ground: Ground, config: str, path: str = CONFIG, *, process: bool = False) -> Ran:
    """Run on an ordinary change, with a file of settings at the base."""
    ground.base({path: config})
    pr = ground.open({"a.py": LOUD})
    return ground.run_process(pr) if process else ground.run(pr)


def refused(ran: Ran, sentence: str) -> None:
    """Check that the run ended with a usage error that says where and what, and wrote nothing."""
    assert (ran.code, ran.verdict) == (2, "incomplete")
    end = "" if sentence.endswith("?") else "."
    assert ran.sentence() == f"Review Bot could not complete this review: {sentence}{end}"
    assert [kind for kind, _, _ in inspection.annotated(ran.log)] == ["error"]
    assert ran.inline == []
    assert [call for call in ran.calls if call.method != "GET" and call.operation is None] == []


def test_59_aliases(ground: Ground) -> None:
    refused(
        run(ground, BOMB, process=True), f"{CONFIG}:2: aliases such as *a are not allowed; repeat the value instead"
    )


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("[", "")])
def test_60_brackets(ground: Ground, opening: str, closing: str) -> None:
    started = time.process_time()
    ran = run(ground, "rules: " + opening * 20_000 + closing * 20_000 + "\n")
    assert time.process_time() - started < 2
    refused(ran, f"{CONFIG}:1: nested deeper than 64 levels; make it flatter")


def test_61_tag(ground: Ground) -> None:
    ran = run(ground, "fail-on: !!python/object/apply:os.system ['touch owned']\n")
    refused(ran, f"{CONFIG}:1: tags such as tag:yaml.org,2002:python/object/apply:os.system are not allowed; remove it")
    assert not list(ran.result.folder.rglob("owned"))


def test_62_duplicate_keys(ground: Ground) -> None:
    refused(
        run(ground, "fail-on: error\nfail-on: never\n"),
        f"{CONFIG}:2: duplicate key 'fail-on'; remove one",
    )


def test_63_unknown_key(ground: Ground) -> None:
    refused(
        run(ground, "fail-on: error\nfail-off: never\n"), f"{CONFIG}:2: fail-off: {NEAR.format('fail-off', 'fail-on')}"
    )


@pytest.mark.parametrize("regex", ["(a+)+$", "(a|a)*b", "(.*)*(.*)*x"])
def test_64_catastrophic_expression(ground: Ground, regex: str) -> None:
    ground.base({RULE: OWN.format(message="It is own.", regex=regex + "NEVER")})
    started = time.process_time()
    ran = ground.run(ground.open({"a.txt": "a" * 200_000 + "!\n"}))
    assert time.process_time() - started < 2
    assert (ran.code, ran.verdict, ran.findings, ran.unreviewed) == (0, "no-findings", [], [])
    refused(
        run(ground, OWN.format(message="It is own.", regex="(?=a)(a+)+$"), RULE),
        f"{RULE}:5: {NOT_RE2.format('(?=a)(a+)+$', 'invalid perl operator: (?=')}",
    )


def test_65_nested_counts(ground: Ground) -> None:
    regex = "((a{1,100}){1,100}){1,100}"
    ran = run(ground, OWN.format(message="It is own.", regex=regex), RULE)
    refused(ran, f"{RULE}:5: {NOT_RE2.format(regex, 'invalid repetition size: {1,100}')}")


def test_66_templates(ground: Ground) -> None:
    message = "\"{{ ''.__class__.__mro__ }} {% for x in range(500000000) %} {{ 'a' * 500000000 }}\""
    ran = run(ground, OWN.format(message=message, regex="SHOUT"), RULE)
    assert (ran.code, ran.findings) == (0, [("own", "a.py", 1), ("shout", "a.py", 1)])
    (comment,) = [one.body for one in ran.pr.review_comments if "rule own" in one.body]
    said = inspection.text_of(comment).split("\n")[0]
    assert said == "Warning: Own. {{ ''.__class__.__mro__ }} {% for x in range(500000000) %} {{ 'a' * 500000000 }}"
    refused(run(ground, "template: '{{ 7 * 7 }}'\n"), f"{CONFIG}:1: template: {UNKNOWN.format('template')}")


def test_67_change_of_the_configuration(ground: Ground) -> None:
    ground.base({CONFIG: STRICT})
    ran = ground.run(ground.open({CONFIG: "fail-on: never\npaths: {ignore: ['**']}\n", "a.py": LOUD}))
    assert (ran.code, ran.verdict, ran.findings) == (1, "changes-required", [("shout", "a.py", 1)])
    assert "That edit weakens the gate: `fail-on` goes from warning to never; `**` is ignored." in ran.summary
    assert (
        f"This change edits `{CONFIG}`. That takes effect after the merge; this review used the version on `main`."
        in ran.summary
    )
    weaker = ground.open({".github/review-bot/rules/shout.yml": SHOUT.replace("warning", "hint"), "b.py": LOUD})
    ran = ground.run(weaker)
    assert (ran.code, ran.findings) == (1, [("shout", "b.py", 1)])
    assert "This change edits `.github/review-bot/rules/shout.yml`." in ran.summary


def test_68_deleted_configuration(ground: Ground) -> None:
    ground.base({CONFIG: STRICT})
    ran = ground.run(ground.open({CONFIG: None, ".github/review-bot/rules/shout.yml": None, "a.py": LOUD}))
    assert (ran.code, ran.verdict, ran.findings) == (1, "changes-required", [("shout", "a.py", 1)])
    assert f"This change edits `{CONFIG}`, `.github/review-bot/rules/shout.yml`." in ran.summary


def test_69_no_configuration(ground: Ground) -> None:
    ran = ground.run(ground.open({"a.txt": LOUD + "<<<<<<< HEAD\n"}))
    assert (ran.code, ran.verdict) == (1, "changes-required")
    assert ran.findings == [("shout", "a.txt", 1), ("style/conflict-marker", "a.txt", 2)]
    adds = ground.run(ground.open({CONFIG: "fail-on: never\n", "a.txt": LOUD + "<<<<<<< HEAD\n"}))
    assert (adds.code, adds.verdict) == (1, "changes-required")
    assert f"This change edits `{CONFIG}`." in adds.summary
    assert f"Policy: built-in (no {CONFIG})" in inspection.text_of(ran.summary)


def test_70_size(ground: Ground) -> None:
    most = 256 * 1024
    filled = "fail-on: error\n#"
    ran = run(ground, filled + "x" * (most - len(filled)))
    assert (ran.code, ran.findings) == (0, [("shout", "a.py", 1)])
    refused(
        run(ground, filled + "x" * (most - len(filled) + 1)), f"{CONFIG}: the file is larger than 256 KiB; split it"
    )
