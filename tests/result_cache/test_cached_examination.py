"""Results that are kept change no report: every examination with a cache is the one without, to the last byte."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from review_bot.configuration import rule_registry
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import Fixing, make_plan
from review_bot.engine.texts import Texts
from review_bot.files.cache_folder import CacheFolder
from review_bot.pipeline import examine_here
from review_bot.processes import typed_json
from review_bot.processes.process_pool import run_in_process
from review_bot.result_cache.cached_examination import CachedExamination
from review_bot.rules.examples import Case, _from_trees, make_case
from review_bot.rules.rulebook import Rulebook, RuleSetting, Selection, select
from tests.joined_examples import joined
from tests.rules.generated_files import generated_file

BOOK = rule_registry.builtin_rulebook()
DATE = "2026-03-01"


class Tasks:
    """Runs tasks in this process, and counts those that look at a file."""

    def __init__(self) -> None:
        self.files = 0
        self.all = 0

    def __call__(self, tasks: Sequence[Any], work: Any, lost: Any, **options: Any) -> list[Any]:
        self.all += len(tasks)
        self.files += sum(hasattr(task, "needs_old_text") for task in tasks)
        return run_in_process(tasks, work, lost, **options)


def trees(base: Mapping[str, str], head: Mapping[str, str | None]) -> Case:
    """Return the change between two trees; its repository has an identity, as one in git has."""
    return identified(_from_trees(base, head))


def identified(case: Case) -> Case:
    """Return a case whose trees have an identity: the digest of what is at the base."""
    repository = case.repository
    texts = {path: repository.base_text(path) for path in sorted(repository.base_paths)}
    identity = sha256(json.dumps([texts, sorted(repository.head_paths)]).encode()).hexdigest()
    described = case.pull_request._replace(base_date=DATE)
    return case._replace(pull_request=described, repository=repository._replace(identity=identity))


def asked(case: Case, rulebook: Rulebook, *, fixes: bool = False) -> ExaminationRequest:
    """Return what an examination is asked."""
    plan = make_plan(case.pull_request, rulebook)
    plan = plan._replace(fixing=Fixing()) if fixes else plan
    return ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, rulebook)


def cold(case: Case, rulebook: Rulebook = BOOK, **options: Any) -> str:
    """Return what is computed for a change."""
    return typed_json.encode(examine_here(asked(case, rulebook, **options)))


def kept(folder: Path, case: Case, rulebook: Rulebook = BOOK, **options: Any) -> tuple[str, Tasks]:
    """Return what is found with the results in a folder, and what was computed for that."""
    tasks = Tasks()
    examine = CachedExamination(CacheFolder(str(folder)), "halcyon", tasks)
    request = asked(case, rulebook, **options)
    for _ in range(2):
        assert examine.plan(request.pull_request, rulebook)._replace(fixing=request.plan.fixing) == request.plan
    return typed_json.encode(examine(request)), tasks


def names(folder: Path, what: str) -> list[Path]:
    """Return the files that hold examinations (``change``) or results for files (``files``)."""
    return sorted(folder.glob(f"results-{what}-*"))


def generated_change(seed: int, count: int = 4) -> Case:
    """Return a change of generated files, some of which exist at the base, with lines that move between two of them."""
    chance = random.Random(seed)
    files = [generated_file(seed, number) for number in range(count)]
    base = {file.path: file.old_text for file in files if file.old_text is not None}
    block = "".join(f"    step_{number}(value, {seed})\n" for number in range(6))
    head: dict[str, str | None] = {file.path: file.text for file in files}
    base["package/steps.py"] = f"def steps(value):\n{block}    return value\n"
    head["package/steps.py"] = "def steps(value):\n    return value\n"
    head["package/moved.py"] = f"def moved(value):\n{block}    eval(value)\n"
    if chance.random() < 0.5:
        head["package/moved.py"] = (
            f"{head['package/moved.py']}    eval(1)  # review-bot: ignore[security/eval-exec] measured\n"
        )
    return trees(base, head)


def examples() -> Iterator[tuple[str, Case]]:
    """Yield the first example that every second rule reports: together they keep facts and findings of every form."""
    pages = rule_registry.builtin_pages()[::2]
    for first in range(0, len(pages), 10):
        yield pages[first].rule.id, identified(make_case(pages[first].rule, joined(pages[first : first + 10])))


def test_the_examples_of_all_rules_give_the_same_with_and_without_results(tmp_path):
    found = 0
    for name, case in examples():
        expected = cold(case)
        found += len({each[0] for each in json.loads(expected)[0]})
        first, computed = kept(tmp_path, case)
        again, nothing = kept(tmp_path, case)
        for each in names(tmp_path, "change"):
            each.unlink()
        by_files, relations = kept(tmp_path, case)
        assert first == again == by_files == expected, name
        assert computed.all >= relations.all, name
        unreviewed, failures = json.loads(expected)[2], json.loads(expected)[6]
        assert nothing.all == 0 or unreviewed or failures, f"{name}: only what failed is computed again"
    assert found > 200


def test_generated_changes_in_any_order_with_any_part_of_the_results_give_the_same(tmp_path):
    cases = [generated_change(seed) for seed in range(8)]
    expected = [cold(case) for case in cases]
    chance = random.Random(1)
    first, again, due = 0, 0, 0
    for turn in range(5):
        for number in chance.sample(range(len(cases)), len(cases)):
            forgets_changes, loses_files = chance.random() < 0.7, chance.random() < 0.3
            if forgets_changes:
                for each in names(tmp_path, "change"):
                    each.unlink()
            if turn and loses_files:
                lose_some_results(tmp_path, chance)
            found, tasks = kept(tmp_path, cases[number])
            assert found == expected[number], (turn, number)
            if not turn:
                first += tasks.files
            elif forgets_changes:
                again += tasks.files
                due += len(asked(cases[number], BOOK).plan.tasks)
    assert first == sum(len(asked(case, BOOK).plan.tasks) for case in cases), "no two cases share a file"
    assert 0 < again < due, "some results for files were lost, and the others spared work"


def lose_some_results(folder: Path, chance: random.Random) -> None:
    """Keep about half of the results for files, in another order."""
    for each in names(folder, "files"):
        content = CacheFolder(str(folder)).read(each.name, 10**9)
        assert content is not None
        lines = content.splitlines(keepends=True)
        CacheFolder(str(folder)).write(each.name, b"".join(chance.sample(lines, len(lines) // 2)))


LINES = (
    "    eval(value)\n",
    "    return torch.load(value)\n",
    "    try:\n        go(value)\n    except Exception:\n        pass\n",
    "    print(value)\n",
    "import os\n",
    "from package.two import second\n",
    "\n\ndef first(value, *, scale=1):\n",
    "\n\ndef second(value):\n",
    "    eval(value)  # review-bot: ignore[security/eval-exec] the values are ours\n",
    "    second(value, 2)\n",
    "".join(f"    step_{number}(value)\n" for number in range(5)),
    "def broken(:\n",
    "x = 1",
)
PATHS = ("package/one.py", "package/two.py", "tests/test_one.py", "README.md")
Edit = tuple[str, int, int, int]
EDITS = some.lists(
    some.tuples(some.sampled_from(PATHS), some.integers(0, 6), some.integers(0, 2), some.integers(0, len(LINES) - 1)),
    min_size=1,
    max_size=5,
)


def edited(tree: Mapping[str, list[str]], edits: Sequence[Edit]) -> dict[str, list[str]]:
    """Return a tree in which each edit replaces so many pieces of a file, from a place on, by another piece."""
    after = {path: list(pieces) for path, pieces in tree.items()}
    for path, place, count, piece in edits:
        pieces = after.setdefault(path, [])
        pieces[place : place + count] = [LINES[piece]]
    return after


def texts(tree: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the texts of a tree."""
    return {path: "".join(pieces) for path, pieces in tree.items()}


@settings(max_examples=25)
@given(start=EDITS, rounds=some.lists(EDITS, min_size=1, max_size=3), rebased=EDITS)
def test_a_change_that_is_edited_between_reviews_gives_the_same(tmp_path_factory, start, rounds, rebased):
    folder = tmp_path_factory.mktemp("cache")
    base = edited({"package/one.py": [LINES[6], LINES[0]], "package/two.py": [LINES[7], LINES[3]]}, start)
    head = base
    for edits in rounds:
        head = edited(head, edits)
        case = trees(texts(base), texts(head))
        assert kept(folder, case)[0] == cold(case)
    case = trees(texts(edited(base, rebased)), texts(head))
    assert kept(folder, case)[0] == cold(case)


def test_only_the_files_that_changed_since_are_looked_at_again(tmp_path):
    base = {f"package/part_{number}.py": f"def part_{number}(value):\n    return value\n" for number in range(6)}
    head: dict[str, str | None] = {path: f"{text}\n\neval(part)\n" for path, text in base.items()}
    kept(tmp_path, trees(base, head))
    head["package/part_3.py"] = f"{base['package/part_3.py']}\n\neval(other)\n"
    found, tasks = kept(tmp_path, trees(base, head))
    assert tasks.files == 1
    assert found == cold(trees(base, head))

    more = {**head, "package/a_first.py": "eval(more)\n"}  # all others have another place in the change now
    found, tasks = kept(tmp_path, trees(base, more))
    assert tasks.files == 1
    assert found == cold(trees(base, more))

    fewer = {path: text for path, text in more.items() if path != "package/part_0.py"}
    found, tasks = kept(tmp_path, trees(base, fewer))
    assert tasks.files == 0
    assert found == cold(trees(base, fewer))


WHOLE = trees(
    {"package/core.py": "def load(path):\n    return path\n", "package/use.py": "from package.core import load\n"},
    {
        "package/core.py": "def load(path):\n    # review-bot: ignore[security/eval-exec] these are ours, until 2026-06-01\n    return eval(path)\n",
        "package/new.py": "import torch\n\n\ndef read(path):\n    try:\n        return torch.load(path)\n    except Exception:\n        pass\n",
    },
)


def chosen(**settings: Any) -> Rulebook:
    """Return the built-in rules with other settings of one rule, and a lower severity of another."""
    return select(
        BOOK, Selection(rules={"errors/broad-except-silent": RuleSetting(**settings), "security/eval-exec": "hint"})
    )


OTHER_RULES = {
    "severity": chosen(severity="error"),
    "off": chosen(show="off"),
    "show": chosen(show="count"),
    "paths of a rule": chosen(ignores=("package/**",)),
    "ignored paths": BOOK._replace(ignored_paths=("package/new.py",)),
    "suppressions": BOOK._replace(suppressions="base"),
    "vouched": BOOK._replace(suppressions="base", vouched=frozenset({"package/core.py"})),
    "baseline": BOOK.with_baseline(["0123456789abcdef-01234567"], of_base=False),
    "fewer rules": BOOK._replace(rules=BOOK.rules[::2]),
    "left out": BOOK._replace(left_out={"package/new.py": "generated"}),
}


@pytest.mark.parametrize("what", OTHER_RULES)
def test_results_under_other_settings_are_not_used(tmp_path, what):
    expected = cold(WHOLE, OTHER_RULES[what])
    assert kept(tmp_path, WHOLE)[0] == cold(WHOLE)
    found, tasks = kept(tmp_path, WHOLE, OTHER_RULES[what])
    assert found == expected
    assert tasks.files == len(asked(WHOLE, OTHER_RULES[what]).plan.tasks) > 0


OTHER_CHANGES = {
    "date of the base": WHOLE._replace(pull_request=WHOLE.pull_request._replace(base_date="2026-09-01")),
    "another text at the base": WHOLE._replace(old={**WHOLE.old, 0: "def load(path): return path\n"}),
    "no text at the base": WHOLE._replace(old={}),
    "another clone": WHOLE._replace(repository=WHOLE.repository._replace(identity="another")),
    "a title": WHOLE._replace(pull_request=WHOLE.pull_request._replace(title="Load safely")),
    "a diff that is not shown": WHOLE._replace(
        pull_request=WHOLE.pull_request._replace(
            files=tuple(file._replace(shown=False) for file in WHOLE.pull_request.files)
        )
    ),
}


@pytest.mark.parametrize("what", OTHER_CHANGES)
def test_results_of_another_change_are_not_used(tmp_path, what):
    kept(tmp_path, WHOLE)
    found, tasks = kept(tmp_path, OTHER_CHANGES[what])
    assert found == cold(OTHER_CHANGES[what])
    assert tasks.all > 0


def test_trees_without_an_identity_are_related_each_time(tmp_path):
    case = WHOLE._replace(repository=WHOLE.repository._replace(identity=None))
    kept(tmp_path, case)
    found, tasks = kept(tmp_path, case)
    assert found == cold(case)
    assert (tasks.files, tasks.all > 0) == (0, True)
    assert not names(tmp_path, "change")


def test_fixes_are_kept_and_asked_for_apart(tmp_path):
    case = trees({}, {"package/new.py": "def read(path):\n    if path == None:\n        return 1\n    return path\n"})
    expected = cold(case, fixes=True)
    assert json.loads(expected)[8] is not None
    assert kept(tmp_path, case)[0] == cold(case)
    for computed in (True, False):
        found, tasks = kept(tmp_path, case, fixes=True)
        assert found == expected
        assert (tasks.all > 0) == computed


def damaged(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a content in other forms, each of which can be read as JSON or not, and is none of ours."""
    yield "no JSON", b"[" + text
    yield "another type", b'{"findings": []}'
    yield "fewer fields", json.dumps(json.loads(text)[:-1]).encode()
    yield "a number in place of a text", text.replace(b'"package/new.py"', b"7")
    yield "an unknown severity", re.sub(rb'"(error|warning|info|hint)"', b'"harmless"', text)
    yield "nested without end", b"[" * 100_000
    yield "nothing", b""


def test_an_examination_of_another_form_is_computed_again(tmp_path):
    expected = kept(tmp_path, WHOLE)[0]
    [path] = names(tmp_path, "change")
    folder = CacheFolder(str(tmp_path))
    content = folder.read(path.name, 10**9)
    assert content is not None
    for what, other in damaged(content):
        assert other != content, what
        folder.write(path.name, other)
        assert folder.read(path.name, 10**9) == other
        found, tasks = kept(tmp_path, WHOLE)
        assert found == expected, what
        assert tasks.all > 0, what


def test_a_result_of_another_form_is_computed_again(tmp_path):
    case = WHOLE._replace(repository=WHOLE.repository._replace(identity=None))
    expected = kept(tmp_path, case)[0]
    [path] = names(tmp_path, "files")
    folder = CacheFolder(str(tmp_path))
    content = folder.read(path.name, 10**9)
    assert content is not None
    lines = [line.partition(b" ") for line in content.splitlines()]
    [position] = [number for number, line in enumerate(lines) if b'"package/new.py"' in line[2]]
    for what, other in damaged(lines[position][2]):
        assert other != lines[position][2], what
        changed = [*lines[:position], (lines[position][0], b" ", other), *lines[position + 1 :]]
        folder.write(path.name, b"".join(b"".join(line) + b"\n" for line in changed))
        found, tasks = kept(tmp_path, case)
        assert found == expected, what
        assert tasks.files == 1, what


def test_what_ended_early_is_not_kept(tmp_path):
    def gives_up(tasks: Sequence[Any], work: Any, lost: Any, **_options: Any) -> list[Any]:
        return [lost(task, "took longer than 30 s") for task in tasks]

    examine = CachedExamination(CacheFolder(str(tmp_path)), "halcyon", gives_up)
    assert examine(asked(WHOLE, BOOK)).unreviewed
    assert not os.path.exists(tmp_path) or not os.listdir(tmp_path)
    assert kept(tmp_path, WHOLE)[0] == cold(WHOLE)
