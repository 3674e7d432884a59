from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/state-left-on-exit"


def server(before: str = "", middle: str = "", after: str = "") -> dict[str, str]:
    lines = [
        "class Server:",
        "    def ask(self, key, question):",
        *([f"        {before}"] if before else []),
        "        if not self.channel.is_open:",
        "            raise ConnectionError(key)",
        *([f"        {middle}"] if middle else []),
        "        answer = self.channel.ask(question)",
        *([f"        {after}"] if after else []),
        "        return answer",
    ]
    return {"pkg/server.py": "\n".join([*lines, ""])}


@pytest.mark.parametrize(
    ("sets", "undoes", "place", "effect"),
    [
        ("self.waiting[key] = question", "del self.waiting[key]", "self.waiting[key]", "keeps its entry"),
        ("self.waiting.add(key)", "self.waiting.discard(key)", "self.waiting[key]", "keeps its entry"),
        ("self.running += 1", "self.running -= 1", "self.running", "stays too high"),
    ],
)
def test_new_state_that_an_unchanged_way_out_leaves_is_reported_where_it_is_set(
    sets: str, undoes: str, place: str, effect: str
) -> None:
    (found,) = findings_of(RULE, server(sets, "", undoes), server())

    assert (found.line, found.message) == (
        3,
        (
            f"`{place}` {effect} when the method leaves at line 5: this sets it, and line 7, which undoes it, is not "
            "reached."
        ),
    )
    assert [(each.line, each.note) for each in found.related] == [(5, "leaves here"), (7, "undone here")]


def test_state_that_is_set_behind_the_way_out_is_not_left() -> None:
    assert not findings_of(RULE, server("", "self.running += 1", "self.running -= 1"), server())


def test_state_that_the_method_left_at_the_base_is_not_new() -> None:
    base = server("self.waiting[key] = None", "", "del self.waiting[key]")

    assert not findings_of(RULE, server("self.waiting[key] = question", "", "del self.waiting[key]"), base)
