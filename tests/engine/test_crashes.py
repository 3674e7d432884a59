"""A rule that crashes over a text of the base, or over one that nobody wrote, is named: nothing fails in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from review_bot.assessment.assessment import Guide
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.repository import closed
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.findings import Examination, Failure, NotRun, Suggestion
from review_bot.processes.process_pool import Bounds, ProcessPool
from review_bot.review.judge import Decided, judge
from review_bot.review.policy import Policy
from review_bot.rules.check import ChangeCheck, CheckTraits, FileCheck
from review_bot.rules.examples import make_case
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Hit
from tests.engine.cases import rulebook_of

RULE = "id: own/eval\nlanguage: python\nseverity: SEVERITY\ncheck: {name: errors/constant-condition}\n"
ANSWERS: dict[str, Callable[[], object]] = {
    "panics": lambda: dict[str, int]()["key"],
    "recurses": lambda: (_ for _ in ()).throw(RecursionError("too deep")),
    "cannot be read": lambda: (_ for _ in ()).throw(CannotParse("invalid syntax", 1)),
    "waits": lambda: [None for _ in iter(int, 1)],
}


def look(source: Any, _options: Any) -> list[Hit]:
    """See each line with ``eval``, and do what the text says."""
    lines = source.lines
    for words, answer in ANSWERS.items():
        if any(words in line for line in lines):
            answer()
    found = [number for number, line in enumerate(lines, 1) if "eval" in line and "if safe" not in lines[0]]
    return [Hit(n, suggestion=Suggestion(n, n, lines[n - 1].replace("eval", "panics"))) for n in found]


def relate(facts: Any, _change: Any, codebase: Any, _options: Any) -> list[Hit]:
    """See a use in each file, and do what the texts at the base say."""
    asked_at_base = not any(path.startswith("new") for path in facts)
    for words, answer in ANSWERS.items() if asked_at_base else ():
        if any(words in (codebase.head.text(path) or "") for path in codebase.head.paths):
            answer()
    return [Hit(1, path=path, subject="thing", message="no thing") for path in facts]


def review(head, base=None, *, severity="warning", doubted=False, run=None) -> Examination:
    book = rulebook_of(RULE.replace("SEVERITY", severity))
    rule = book.rules[0]
    assert isinstance(rule.matcher, Checked)
    matcher = rule.matcher._replace(per_file=not doubted, doubted=doubted)
    needs: tuple[Literal["tree", "text"], ...] = ("tree", "text") if doubted else ()
    rule = rule._replace(
        matcher=matcher, literals=None, opening=None, lines="first", needs=needs, builtin=True, chosen=False
    )
    traits = CheckTraits(None)
    check = ChangeCheck(lambda source, _: "eval" in (source.text or "") or None, relate, traits)
    book = book._replace(rules=(rule,), load_check=lambda _: check if doubted else FileCheck(look, traits))
    case = make_case(rule, {"base": base or {}, "head": head})
    trees = {path: text for path, text in {**(base or {}), **head}.items() if text is not None}
    repository = closed(trees, base or {}, trees, base or {})
    texts = Texts(case.new, case.old)
    request = ExaminationRequest(case.pull_request, make_plan(case.pull_request, book), texts, repository, book)
    return examine(request) if run is None else examine(request, run=run)


def verdict(examination: Examination) -> str:
    return judge(
        make_case(rulebook_of().rules[0], {"base": {}, "head": {}}).pull_request,
        examination,
        Policy(source="built-in"),
        Decided(),
        rules_digest="d" * 64,
        rules_run=1,
        rules=frozenset({"own/eval"}),
        guide=Guide(),
    ).verdict.decision


BROUGHT_ABOUT = {"a.py": "if unsafe:\n    eval(a)\n"}


def test_a_line_that_the_change_makes_wrong_is_found():
    found = review(BROUGHT_ABOUT, {"a.py": "if safe:\n    eval(a)\n"})
    assert [(each.line, each.severity) for each in found.findings] == [(2, "warning")]
    assert found.failures == ()


@pytest.mark.parametrize(("words", "error"), [("panics", "KeyError: 'key'"), ("recurses", "RecursionError: too deep")])
def test_a_rule_that_crashes_in_the_text_at_the_base_is_named(words, error):
    found = review(BROUGHT_ABOUT, {"a.py": f"if safe:  # {words}\n    eval(a)\n"})
    assert found.failures == (Failure("own/eval", "a.py", f"in the text at the base: {error}"),)
    assert verdict(found) == "incomplete"


@pytest.mark.parametrize(("severity", "lines"), [("error", [2]), ("warning", [])])
def test_an_error_in_a_text_that_could_not_be_read_before_is_new(severity, lines):
    found = review(BROUGHT_ABOUT, {"a.py": "if safe:  # cannot be read\n    eval(a)\n"}, severity=severity)
    assert [each.line for each in found.findings] == lines
    assert found.failures == ()


def test_a_suggestion_that_a_rule_crashes_over_is_named():
    found = review({"a.py": "eval(a)\neval(b)\n"})
    words = "a suggestion could not be tried out and is not offered: KeyError: 'key'"
    assert found.not_run == (NotRun("own/eval", words),)
    assert [(each.line, each.suggestion) for each in found.findings] == [(1, None), (2, None)]
    assert (found.failures, verdict(found)) == ((), "comments")


NEIGHBOURS = {"one.py": "eval(a)\n", "two.py": "eval(b)\n"}


def test_what_the_base_has_too_is_doubted():
    found = review({"new.py": "eval(c)\n"}, NEIGHBOURS, doubted=True, severity="error")
    assert [each.severity for each in found.findings] == ["hint"]


@pytest.mark.parametrize(("words", "error"), [("panics", "KeyError: 'key'"), ("recurses", "RecursionError: too deep")])
def test_a_rule_that_crashes_when_the_base_is_asked_is_named(words, error):
    base = {**NEIGHBOURS, "notes.py": f"# {words}\n"}
    found = review({"new.py": "eval(c)\n"}, base, doubted=True, severity="error")
    assert [each.severity for each in found.findings] == ["error"]
    assert found.failures == (Failure("own/eval", None, f"asked about the base: {error}"),)
    assert verdict(found) == "incomplete"


def test_a_base_that_is_not_asked_in_time_is_named():
    pool = ProcessPool(Bounds(task_seconds=0.5))
    base = {**NEIGHBOURS, "notes.py": "# waits\n"}
    found = review({"new.py": "eval(c)\n"}, base, doubted=True, severity="error", run=pool)
    words = "whether the base has the same was not found out, so its findings stay as they are"
    assert found.not_run == (NotRun("own/eval", f"{words}: needed more than 0.5 s of processor time"),)
    assert [each.severity for each in found.findings] == ["error"]
    assert found.failures == ()


@pytest.mark.parametrize("words", ["cannot be read", "recurses"])
def test_a_neighbour_that_cannot_be_read_keeps_no_other_from_being_asked(words):
    base = {"a.py": f"# {words}\n", "b.py": "eval(a)\n", "c.py": "eval(a)\n"}
    found = review({"d.py": "eval(a)\n"}, base)
    assert [(each.severity, each.related[0].path) for each in found.findings] == [("hint", "b.py")]
    assert found.failures == ()
