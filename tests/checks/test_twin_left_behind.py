"""Small edits whose old lines are left in another place."""

from __future__ import annotations

import pytest

from review_bot.findings import Finding
from tests.rule_cases import findings_of

RULE = "pr/twin-left-behind"
OLD = "outputs = self.model.run(padded, count, is_multimodal=False)"
NEW = "outputs = self.model.run(padded, count, is_multimodal=self.is_multimodal)"


def function(name: str, line: str = OLD) -> str:
    return (
        f"def {name}(self, requests, limit):\n"
        "    inputs, count = self.split(requests, limit)\n"
        "    padded = self.pad(inputs, limit)\n"
        f"    {line}\n"
        "    tokens = self.sampler.sample(outputs, inputs)\n"
        "    self.finish(tokens, requests)\n"
        "    return tokens\n\n\n"
    )


def edited(others: int, line: str = NEW) -> list[Finding]:
    """Return the findings of a change of one function, of which ``others`` files have copies."""
    copies = {f"pkg/other_{n}.py": function(f"run_{n}") for n in range(others)}
    return findings_of(RULE, {"pkg/first.py": function("first", line)}, {"pkg/first.py": function("first"), **copies})


def test_the_place_is_named() -> None:
    (finding,) = edited(2)

    assert (finding.path, finding.line, finding.severity, finding.placement) == ("pkg/first.py", 4, "info", "summary")
    assert [(place.path, place.line) for place in finding.related] == [("pkg/other_0.py", 4), ("pkg/other_1.py", 4)]
    assert "`pkg/other_0.py:4` and in 1 more place," in finding.message


def test_what_many_places_share_is_an_idiom() -> None:
    assert len(edited(3)) == 1
    assert edited(4) == []


def test_the_same_edit_in_two_places_makes_it_stronger() -> None:
    before = {f"pkg/part_{n}.py": function(f"part_{n}") for n in range(7)}
    after = {path: text.replace(OLD, NEW) for path, text in list(before.items())[:2]}
    (finding,) = findings_of(RULE, after, before)

    assert "these 2 edits" in finding.message


@pytest.mark.parametrize(
    "line",
    [
        OLD.replace("outputs", "_", 1),
        OLD.replace("run(padded, count, is_multimodal=False)", "start(task)"),
        OLD.replace("False", "modalities"),
        f"{OLD}  # no images",
    ],
    ids=["renamed local", "rewritten", "unknown name", "comment"],
)
def test_what_does_not_carry_over_is_left_alone(line: str) -> None:
    assert edited(1, line) == []


def test_code_that_only_moved_is_no_twin() -> None:
    before = {"pkg/a.py": function("first")}
    after = {"pkg/a.py": function("first", NEW) + function("second")}

    assert findings_of(RULE, after, before) == []


def test_a_forked_tree_goes_its_own_way() -> None:
    before = {path: function("run") for path in ("server/models/llama.py", "backends/npu/models/llama.py")}
    after = {"server/models/llama.py": function("run", NEW)}

    assert findings_of(RULE, after, before) == []
