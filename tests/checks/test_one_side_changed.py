"""Two places that have to agree, of which a change edits one: keys, the last item of a queue, twin classes."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

READER = "def forward(tokens, **kwargs):\n    return split(tokens, kwargs.get('token_spans'))\n"
WRITER = "def run(model, spans):\n    extra = {}\n    extra['token_spans'] = spans\n    return model(**extra)\n"
NO_READER = "def forward(tokens, **kwargs):\n    return tokens\n"


@pytest.mark.parametrize(
    ("others", "reported"),
    [
        ({}, True),
        ({"docs/notes.md": "The runner passes `token_spans`.\n"}, True),
        ({"pkg/log.py": "def check(x):\n    raise ValueError('token_spans must include all of them')\n"}, True),
        ({"pkg/run2.py": WRITER}, True),
        ({"pkg/npu.py": "def take(batch):\n    return batch['token_spans']\n"}, False),
        ({"pkg/npu.py": "def take(batch):\n    return 'token_spans' in batch\n"}, False),
        ({"pkg/npu.py": "def take(token_spans=None):\n    return token_spans\n"}, False),
        ({"pkg/npu.py": "KEYS = ['token_spans']\n"}, False),
        ({"pkg/npu.py": "class Info(TypedDict):\n    token_spans: list\n"}, False),
        ({"pkg/npu.py": "def take(info):\n    return info.token_spans\n"}, False),
        ({"tests/test_run.py": "def test_run(extra):\n    assert extra['token_spans'] == []\n"}, False),
        ({"pkg/keys.json": '{"token_spans": 1}\n'}, False),
    ],
)
def test_a_key_is_unread_if_every_mention_of_it_is_a_write(others: dict[str, str], reported: bool) -> None:
    base = {"pkg/model.py": READER, "pkg/run.py": WRITER, **others}
    found = findings_of("api/key-left-unread", {"pkg/model.py": NO_READER}, base)
    assert [each.message.partition(" writes")[0] for each in found if "2.py" not in str(others)] == (
        ["`pkg/run.py:3` still"] if reported and "pkg/run2.py" not in others else []
    )
    assert bool(found) is reported


@pytest.mark.parametrize(
    ("read", "severity"),
    [
        ("outputs['token_updates']", "warning"),
        ("outputs.get('token_updates')", "info"),
        ("outputs.get('token_updates', {})", None),
        ("request_body.get('token_updates')", None),
        ("config.get('token_updates')", None),
    ],
)
def test_a_key_without_a_writer_is_read(read: str, severity: str | None) -> None:
    base = {
        "pkg/model.py": "def forward(new):\n    return {'token_updates': new}\n",
        "pkg/other.py": "def forward(new):\n    found = {}\n    found['token_updates'] = new\n    return found\n",
        "pkg/run.py": f"def merge(outputs, config, request_body):\n    return {read}\n",
    }
    head = {
        "pkg/model.py": "def forward(new):\n    return new\n",
        "pkg/other.py": "def forward(new):\n    return new\n",
    }
    found = findings_of("api/key-left-unset", head, base)
    assert [each.severity for each in found] == ([severity] if severity else [])
    assert not findings_of("api/key-left-unset", {"pkg/model.py": head["pkg/model.py"]}, base)


CLOSE = "def close(stage):\n    stage._tasks.put_nowait({})\n"
WORK = "def work(tasks):\n    task = tasks.get()\n    {}\n"


@pytest.mark.parametrize(
    ("others", "item", "reported"),
    [
        (
            {"tests/test_a.py": "def test_a(s):\n    last = s._tasks.get_nowait()\n    assert last is None\n"},
            "STOP",
            True,
        ),
        ({"tests/test_a.py": "def test_a(s):\n    last = s._tasks.get(True)\n    assert last == None\n"}, "STOP", True),
        (
            {"tests/test_a.py": "def test_a(s):\n    last = s._tasks.get_nowait()\n    assert last == STOP\n"},
            "STOP",
            False,
        ),
        (
            {"tests/test_a.py": "def test_a(s):\n    last = s._done.get_nowait()\n    assert last is None\n"},
            "STOP",
            False,
        ),
        ({"tests/test_a.py": "def test_a(s):\n    last = s._tasks.get(3)\n    assert last is None\n"}, "STOP", False),
        ({"pkg/abort.py": "def abort(stage):\n    stage.tasks.put(None)\n"}, "STOP", True),
        ({"pkg/abort.py": "def abort(stage):\n    stage.tasks.put(STOP)\n"}, "STOP", False),
        ({"pkg/abort.py": "def abort(stage):\n    stage.tasks.put(None)\n"}, "None", False),
    ],
)
def test_both_ends_of_a_queue_have_the_same_last_item(others: dict[str, str], item: str, reported: bool) -> None:
    base = {"pkg/stage.py": CLOSE.format("None"), "pkg/work.py": WORK.format("return task is None"), **others}
    head = {"pkg/stage.py": CLOSE.format(item), "pkg/work.py": WORK.format("return task.kind")}
    assert bool(findings_of("api/sentinel-left-behind", head, base)) is reported


def test_none_still_ends_a_queue_whose_reader_knows_it() -> None:
    base = {"pkg/stage.py": CLOSE.format("None"), "pkg/abort.py": "def abort(stage):\n    stage.tasks.put(None)\n"}
    head = {"pkg/stage.py": CLOSE.format("STOP"), "pkg/work.py": WORK.format("return task is None or task.kind")}
    assert not findings_of("api/sentinel-left-behind", head, base)


ONE = "@dataclass\nclass Args(Base):\n    stage: int = 0\n    role: str = ''\n    output: str = ''\n"
TWO = ONE.replace("Args", "AsyncArgs").replace("Base", "AsyncBase")
FIELD = "    solver: str = ''\n"


@pytest.mark.parametrize(
    ("classes", "serve", "stage", "reported"),
    [
        (ONE + FIELD + TWO, "AsyncArgs(model=1, **args)", "  solver: euler\n", True),
        (ONE + FIELD + TWO, "AsyncArgs(model=1, **args)", "  - solver: euler\n", True),
        (ONE + TWO + FIELD, "AsyncArgs(model=1, **args)", "  solver: euler\n", False),
        (ONE + FIELD + TWO, "AsyncArgs(model=1)", "  solver: euler\n", False),
        (ONE + FIELD + TWO, "Args(model=1, **args)", "  solver: euler\n", False),
        (ONE + FIELD + TWO, "AsyncArgs(model=1, **args)", "  role: solver\n", False),
        (ONE + FIELD + TWO.replace("role: str", "role: int"), "AsyncArgs(**args)", "  solver: euler\n", False),
        (ONE + FIELD + TWO.replace("(AsyncBase)", "(Args)"), "AsyncArgs(**args)", "  solver: euler\n", False),
    ],
)
def test_a_twin_class_lacks_a_field_that_a_file_sets(classes: str, serve: str, stage: str, reported: bool) -> None:
    base = {"pkg/args.py": classes.replace(FIELD, ""), "pkg/serve.py": f"def serve(args):\n    return {serve}\n"}
    head = {"pkg/args.py": classes, "pkg/stage.yaml": f"args:\n{stage}"}
    assert bool(findings_of("api/field-missing-in-twin", head, base)) is reported


INIT = "    def start(self):\n" + "".join(f"        step_{each}(self.rank)\n" for each in "abcdefghi")
FREE = "        self.free_memory = memory_of(self.rank)\n"


@pytest.mark.parametrize(
    ("twin", "mine", "reported"),
    [
        ("class Ar(Worker):\n" + INIT + FREE, "class Gen(Worker):\n" + INIT, True),
        ("class Ar(Worker):\n" + INIT + FREE, "class Gen(Worker):\n" + INIT + FREE, False),
        ("class Ar(Worker):\n" + INIT + FREE, "class Gen(Other):\n" + INIT, False),
        ("class Ar(Worker):\n" + INIT + FREE, "class Gen(Worker):\n" + INIT.replace("step_", "other_"), False),
        ("class Ar(Worker):\n" + INIT + FREE, "class Gen(Ar):\n" + INIT, False),
        (
            "class Ar(Worker):\n" + INIT + FREE + "    def report(self):\n        return self.free_memory\n",
            "class Gen(Worker):\n" + INIT,
            False,
        ),
        (
            "class Ar(Worker):\n" + INIT + FREE,
            "class Gen(Worker):\n" + INIT + "    def __init__(self):\n        self.free_memory = 0\n",
            False,
        ),
    ],
)
def test_a_copied_method_lacks_an_attribute(twin: str, mine: str, reported: bool) -> None:
    found = findings_of("api/attribute-missing-in-twin", {"pkg/gen.py": mine}, {"pkg/ar.py": twin})
    assert [each.message.partition(", and")[0] for each in found] == (
        [
            "`Gen.start()` is a copy of `Ar.start()` (9 of 10 statements are equal), but it does not set `self.free_memory`"
        ]
        if reported
        else []
    )


@pytest.mark.parametrize(("inside", "reported"), [("return self.free_memory", True), ("return 1", False)])
def test_a_base_of_the_tree_must_read_the_attribute(inside: str, reported: bool) -> None:
    base = {
        "pkg/base.py": f"class Worker:\n    def limit(self):\n        {inside}\n",
        "pkg/ar.py": "class Ar(Worker):\n" + INIT + FREE,
    }
    found = findings_of("api/attribute-missing-in-twin", {"pkg/gen.py": "class Gen(Worker):\n" + INIT}, base)
    assert bool(found) is reported
