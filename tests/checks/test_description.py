"""What a pull request's title and description are asked for; a change on somebody's machine has neither."""

from __future__ import annotations

import time
from typing import Any

import pytest

from review_bot.changes import description
from review_bot.rules.examples import make_case
from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import built_in, findings_in

DESCRIPTION = "docs/pr-description"
FIGURES = "testing/no-benchmark"
PROSE = "Fuse the two kernels of the last step, so that a step takes one launch.\n"


def messages(rule: str, title: str | None, body: str | None, lines: int = 60) -> list[str]:
    example: dict[str, Any] = {"head": {"pkg/run.py": "f()\n" * lines}}
    if title is not None:
        example |= {"title": title, "body": body}
    return [finding.message for finding in findings_in(rule, make_case(built_in(rule), example))]


@pytest.mark.parametrize(
    "body",
    [None, "", "<!-- Tell us why -->\n", "Fixes # (issue)\n", "- [x] I ran the tests of this module, all of them\n"],
)
def test_a_description_without_a_word_of_its_author_is_empty(body: str | None) -> None:
    assert messages(DESCRIPTION, "Fuse kernels", body) == ["The description is empty."]


def test_a_few_words_are_counted() -> None:
    assert messages(DESCRIPTION, "Fuse kernels", "as told") == [
        "The description contains only 6 letters and digits besides template text."
    ]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (f"## Purpose\n{PROSE}## Test Plan\n\n## Test Result\n", "sections empty: “Test Plan”, “Test Result”"),
        (f"**Purpose:**\n{PROSE}\n**Test Plan**\nN/A\n", "a section empty: “Test Plan”"),
        (f"# What does this PR do?\n\n## Notes\n{PROSE}\n## Testing\n<!-- how -->\n", "a section empty: “Testing”"),
    ],
)
def test_sections_that_are_left_empty_are_named(body: str, named: str) -> None:
    assert messages(DESCRIPTION, "Fuse kernels", body) == [f"The description leaves {named}."]


def test_of_many_empty_sections_the_first_are_named() -> None:
    sections = "".join(f"## What is {'x' * 300}{number}\n" for number in range(7))
    (message,) = messages(DESCRIPTION, "Fuse kernels", f"{PROSE}{sections}")
    assert message.endswith("xxx” and 2 more.")
    assert len(message) < 700


@pytest.mark.parametrize(
    "piece",
    ["# a {}b", "**a{}b", "**{}b", "{}#", "- [ ]{}", "fixes{}x", "#{}", "<!--{}"],
)
@pytest.mark.parametrize("filler", [" ", "#", "*", "<a>", "<!--", "\t", "-->", "&nbsp;"])
def test_reading_a_description_takes_linear_time(piece: str, filler: str) -> None:
    def read(times: int) -> None:
        description.sections(description.visible(piece.format(filler * times)))

    assert growth(read) < SUPERLINEAR


@pytest.mark.parametrize("rule", [DESCRIPTION, FIGURES])
@pytest.mark.parametrize(
    "body", ["1 " * 100_000, " " * 200_000 + "1", "# a" + " " * 200_000 + "b", "\x1b[2J\u202e\0" * 50_000]
)
def test_a_hostile_body_is_read_in_a_moment(rule: str, body: str) -> None:
    started = time.process_time()
    messages(rule, "Faster launch", body)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("title", "body", "lines"),
    [
        (None, None, 60),
        ("Fuse kernels", PROSE, 60),
        ("Fuse kernels", "", 49),
        ('Revert "Fuse kernels"', "", 60),
        ("[Bot] Bump torch to 2.9", PROSE, 60),
        ("chore(deps): bump torch", "", 60),
        ("Fuse kernels", f"## Purpose\n{PROSE}## Checklist\n- [ ] done\n", 60),
    ],
)
def test_it_is_silent(title: str | None, body: str | None, lines: int) -> None:
    assert messages(DESCRIPTION, title, body, lines) == []


@pytest.mark.parametrize(
    "title", ["[Perf] one launch", "Reduce memory usage of the VAE", "vae: optimize tiling", "Lower latency"]
)
@pytest.mark.parametrize(
    ("body", "count"),
    [(None, 1), (PROSE, 1), ("1.4x", 0), ("from 820 ms to 610 ms", 0), ("12% less", 0), ("![table](a.png)", 0)],
)
def test_a_promise_of_speed_needs_a_figure(title: str, body: str | None, count: int) -> None:
    assert len(messages(FIGURES, title, body)) == count


@pytest.mark.parametrize(
    "title", ["Add a model", "[Doc] performance guide", "Revert: optimize tiling", "[Benchmark] latency of serving"]
)
def test_other_titles_promise_nothing(title: str) -> None:
    assert messages(FIGURES, title, "") == []
