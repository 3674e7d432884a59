"""Where the finding stands, what it names, and what counts as a bound."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "memory/payload-without-budget"
PAYLOAD = {
    "package/engine/a.py": "class Wrapped:\n    embeds: PromptPayload\n",
    "package/engine/b.py": "class Payload:\n    shape: list\n    data: bytes\n",
}
LOOP = (
    "class Scheduler:\n    def schedule(self):\n        for request in self.waiting:\n            self.run(request)\n"
)


def test_it_stands_on_the_admission_loop_and_names_the_bytes() -> None:
    [finding] = findings_of(RULE, PAYLOAD | {"package/core/sched/scheduler.py": LOOP})

    assert (finding.path, finding.line) == ("package/core/sched/scheduler.py", 3)
    assert "`Payload.data` (`package/engine/b.py:3`)" in finding.message
    assert [(place.path, place.line) for place in finding.related] == [("package/engine/b.py", 3)]


@pytest.mark.parametrize("name", ["max_embedding_memory", "payload_budget", "EMBEDS_LIMIT", "mem_cap"])
def test_a_name_of_a_bound_silences_it(name: str) -> None:
    bounded = LOOP.replace("self.run(request)", f"self.run(request, {name})")

    assert findings_of(RULE, PAYLOAD | {"package/core/sched/scheduler.py": bounded}) == []


@pytest.mark.parametrize("name", ["max_batch_size", "token_budget", "max_members"])
def test_other_limits_do_not(name: str) -> None:
    limited = LOOP.replace("self.run(request)", f"self.run(request, {name})")

    assert len(findings_of(RULE, PAYLOAD | {"package/core/sched/scheduler.py": limited})) == 1


def test_a_payload_that_was_there_before_is_no_news() -> None:
    head = {"package/core/sched/scheduler.py": LOOP, "package/engine/b.py": PAYLOAD["package/engine/b.py"] + "x = 1\n"}

    assert findings_of(RULE, head, {"package/engine/b.py": PAYLOAD["package/engine/b.py"]}) == []


def test_a_bound_may_stand_in_another_file() -> None:
    head = PAYLOAD | {"package/core/sched/scheduler.py": LOOP, "package/config.py": "mem_cap = 1 << 30\n"}

    assert findings_of(RULE, head) == []
