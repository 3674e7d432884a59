"""Attempts to switch rules off by the size of the change, or by what GitHub does not show of it."""

from __future__ import annotations

import gzip
import json

import pytest

from fake_github.faults import Fault
from tests.action import CLEAN, Action
from tests.end_to_end.test_attacks import BAD
from tests.end_to_end.test_text_attacks import found

LONG = "x" * 325_000


def test_bytes_of_the_change_switch_no_rule_off(action: Action):
    """310 files of 325 KB are more than is fetched; the rule that reads all texts runs nevertheless."""
    config = {".github/review-bot.yml": 'unreviewed-ok: [{path: "notes/**", reason: they are long}]\n'}
    notes = [f"notes/{number:03}.txt" for number in range(310)]
    action.repository.commit({**dict.fromkeys(notes, "short\n"), **config})
    changes = {name: f"{number}{LONG}\n" for number, name in enumerate(notes)}
    result = action.run(action.open({**changes, "halcyon/steps.py": BAD, ".gitattributes": "*.txt export-ignore\n"}))
    report = result.report()
    assert found(result, "api/missing-module-import") == {("halcyon/steps.py", 3)}
    assert (result.code, report["not_run"]) == (1, [])
    reasons = {each["path"]: each["reason"] for each in report["unreviewed"]}
    assert reasons
    assert set(reasons) < set(notes)
    assert all("rules about other files also need it" in reason for reason in reasons.values())


def test_binaries_of_a_change_count_against_the_limit(action: Action):
    """GitHub's rows name no sizes: what is asked for without one is counted once it is there."""
    data = {f"data/{number:03}.bin": bytes([number]) + b"\0\1\2\3" * 240_000 for number in range(110)}
    pr = action.open(dict(data))
    result = action.run(pr)
    fetched = sum(len(exchange.answer) for exchange in action.github.requests if "/git/blobs/" in exchange.path)
    assert result.code == 3
    assert fetched <= 100_000_000
    assert any("larger than 100,000,000 bytes together" in each["reason"] for each in result.report()["unreviewed"])


STAGE = "stage_args:\n  - stage_id: 0\n    engine_args:\n      worker_cls: halcyon.ar_worker.Worker\n"


def test_a_stage_configuration_that_github_does_not_show_is_checked(action: Action):
    action.github.limits.patch_lines = 20
    text = STAGE + "".join(f"      option_{number}: {number}\n" for number in range(40))
    result = action.run(action.open({"halcyon/stage_configs/m.yaml": text}))
    report = result.report()
    assert [each["rule"] for each in report["findings"]] == ["stage-config/missing-class"]
    assert report["not_run"] == []


def test_an_answer_in_two_gzip_members_is_not_taken_for_its_first(action: Action):
    pr = action.open({"halcyon/cache.py": None, "halcyon/steps.py": BAD})

    def halved(rows: list[dict[str, object]]) -> bytes:
        whole = json.dumps(rows).encode()
        return gzip.compress(b"[]") + gzip.compress(whole)

    rows = ("GET", "/pulls/*/files")
    action.github.tamper(rows, halved)
    action.github.faults.add(Fault(rows, "headers", times=None, headers={"Content-Encoding": "gzip"}))
    result = action.run(pr)
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")


LOOKUP = CLEAN["halcyon/cache.py"]
ROWS = '"""Rows."""\n\n\ndef rows(size):\n    """Give rows."""\n    yield size, 1\n'


@pytest.mark.parametrize("alias", ["go = (\n    cache\n    .lookup\n)\n", "SIZE = 1; go = cache.lookup\n"])
def test_many_files_of_a_change_hide_no_other_name_of_a_function(action: Action, alias: str):
    """Of many files that name a function, other names of it are looked for in the text alone."""
    action.repository.commit(
        {
            "halcyon/names.py": f'"""Names."""\nfrom halcyon import cache\n\n{alias}',
            "halcyon/run.py": '"""Run."""\nfrom halcyon.names import go\n\nX = go(1)\n',
        }
    )
    change = {"halcyon/cache.py": LOOKUP.replace("block: int)", "block: int, size: int)"), "tests/test_cache.py": None}
    notes = {f"notes/n{number}.py": '"""Notes."""\n\nNOTE = "lookup"\n' for number in range(401)}
    result = action.run(action.open({**change, **notes}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_many_files_of_a_change_hide_no_loop_over_a_generator(action: Action):
    run = '"""Run."""\nfrom halcyon.rows import rows\n\nfor a, b in rows(1):\n    print(a, b)\n'
    action.repository.commit({"halcyon/rows.py": ROWS, "halcyon/run.py": run})
    notes = {f"notes/n{number}.py": '"""Notes."""\n\nNOTE = "rows"\n' for number in range(101)}
    result = action.run(action.open({"halcyon/rows.py": ROWS.replace("size, 1", "size, 1, 2"), **notes}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
