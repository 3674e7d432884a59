"""Records as JSON: what every check and every result of the engine holds comes back the same, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_type_hints

import pytest

from review_bot.checks import catalog
from review_bot.configuration import rule_registry
from review_bot.engine.examination import examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.file_examination import FileResult
from review_bot.engine.plan import make_plan
from review_bot.engine.texts import Texts
from review_bot.processes import typed_json
from review_bot.processes.process_pool import run_in_process
from review_bot.processes.typed_json import Mismatch
from review_bot.rules.check import ChangeCheck
from review_bot.rules.examples import make_case
from tests.joined_examples import joined


class Inner(NamedTuple):
    number: int
    word: Literal["a", "b"] = "a"


class Outer(NamedTuple):
    inner: tuple[Inner, ...]
    names: frozenset[str] = frozenset()
    lines: dict[int, tuple[int, str]] | None = None
    values: Mapping[str, Literal["on"] | Inner] = {}


def through(shape, value):
    return typed_json.decode(shape, json.loads(typed_json.encode(value)))


@pytest.mark.parametrize(
    "value",
    [
        Outer(()),
        Outer((Inner(1), Inner(-2, "b")), frozenset({"x", "\ud800", "é"}), {-3: (1, "y")}, {"k": "on", "l": Inner(3)}),
    ],
)
def test_a_record_comes_back_the_same(value):
    again = through(Outer, value)
    assert again == value
    assert type(again) is Outer
    assert all(type(each) is Inner for each in again.inner)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        [[], [], None],
        [[[1]], [], None, {}],
        [[[True, "a"]], [], None, {}],
        [[["1", "a"]], [], None, {}],
        [[[1, "c"]], [], None, {}],
        [[[1, []]], [], None, {}],
        [[], [1], None, {}],
        [[], "ab", None, {}],
        [[], [], {"x": [1, "y"]}, {}],
        [[], [], {"1": [1]}, {}],
        [[], [], {"9" * 5000: [1, "y"]}, {}],
        [[], [], None, {"k": 1}],
        [[], [], None, [["k", "v"]]],
    ],
)
def test_data_of_another_type_is_refused(data):
    with pytest.raises(Mismatch):
        typed_json.decode(Outer, data)


@pytest.mark.parametrize("shape", [object, bytes, int | bytes, dict[tuple[int, int], str], set[int]])
def test_a_type_without_a_form_in_json_is_refused_at_once(shape):
    with pytest.raises(TypeError):
        typed_json.reader(shape)


@pytest.mark.parametrize("name", catalog.names())
def test_what_each_check_gathers_has_a_form_in_json(name):
    check = catalog.load(name)
    if isinstance(check, ChangeCheck):
        hint = get_type_hints(check.gather)["return"]
        assert "typing.Any" not in str(hint)
        typed_json.reader(hint)


def test_the_results_of_examples_of_every_rule_come_back_the_same():
    book = rule_registry.builtin_rulebook()
    facts = 0

    def run(tasks: Any, work: Any, lost: Any, *, read: Any, **options: Any) -> Any:
        nonlocal facts
        results = run_in_process(tasks, work, lost, **options)
        for task, result in zip(tasks, results, strict=True):
            told = read(task, json.loads(typed_json.encode(result)))
            assert told == result
            for number, fact in result.facts if isinstance(result, FileResult) else ():
                check = book.check_of(book.rules[number])
                assert isinstance(check, ChangeCheck)
                assert typed_json.encode(typed_json.decode_text(get_type_hints(check.gather)["return"], fact)) == fact
                facts += 1
        return results

    pages = rule_registry.builtin_pages()
    for first in range(0, len(pages), 40):
        case = make_case(pages[first].rule, joined(pages[first : first + 40], most=2))  # the others have the same forms
        plan = make_plan(case.pull_request, book)
        examine(ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book), run=run)
    assert facts > 300
