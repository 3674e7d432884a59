"""Which tests a change should be tried with: its own, those that import what it edits, those that are called like it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.context.gather import gather
from review_bot.context.related_tests import MOST_READ, MOST_TESTS, covering_tests, is_test_file
from review_bot.review.context import CoveringTest, ReviewContext
from tests.growth import SUPERLINEAR, growth


def change(*paths: str, renamed: tuple[str, str] | None = None) -> PullRequest:
    files = [ChangedFile(path, None, "modified", "text") for path in paths]
    if renamed is not None:
        files.append(ChangedFile(renamed[1], renamed[0], "renamed", "text"))
    return PullRequest(tuple(sorted(files)))


A_TEST = "\n\ndef test_it():\n    assert run()\n"


def found(changed: PullRequest, texts: Mapping[str, str | None]) -> list[CoveringTest]:
    full = {path: text if text is None else text + A_TEST for path, text in texts.items()}
    return list(covering_tests(changed, frozenset(texts), full.get))


def paths(changed: PullRequest, texts: Mapping[str, str | None]) -> list[str]:
    return [test.path for test in found(changed, texts)]


def test_the_tests_of_the_change_itself_come_first():
    texts = {"halcyon/cache.py": "", "tests/test_zebra.py": "", "tests/test_cache.py": "", "tests/helpers.py": ""}
    assert found(
        change("halcyon/cache.py", "tests/test_zebra.py", "tests/helpers.py", "tests/test_gone.py"), texts
    ) == [
        CoveringTest("tests/test_zebra.py", (), changed=True),
        CoveringTest("tests/test_cache.py", ("halcyon/cache.py",), changed=False),
    ]


def test_a_file_without_tests_is_left_out_and_one_in_the_same_place_claims_nothing():
    texts = {"tests/test_cache.py": "import requests\n\nrequests.post(URL)\n", "tests/worker/test_block.py": A_TEST}
    changed = change("halcyon/cache.py", "halcyon/worker/pool.py")
    assert list(covering_tests(changed, frozenset(texts), texts.get)) == [
        CoveringTest("tests/worker/test_block.py", (), changed=False)
    ]


@pytest.mark.parametrize("far", ["tests/e2e/test_app.py", "tests/end_to_end/test_app.py", "tests/a_gpu/test_app.py"])
def test_a_unit_test_comes_before_tests_that_take_long(far):
    uses = "from halcyon.cache import Cache\n"
    texts = {
        far: uses,
        "tests/test_app_slow.py": uses,
        "tests/test_marked.py": f"pytestmark = pytest.mark.slow\n{uses}",
    }
    texts["tests/test_cache.py"] = ""
    assert paths(change("halcyon/cache.py"), texts) == [
        "tests/test_cache.py",
        *sorted(set(texts) - {"tests/test_cache.py"}),
    ]
    assert paths(change("halcyon/cache.py", far), texts)[:2] == [far, "tests/test_cache.py"], "the change edits it"


def test_what_the_code_is_called_is_no_kind_of_test():
    texts = {
        "tests/gpu/test_memory.py": "from halcyon.gpu.memory import free\n",
        "tests/test_z.py": "import halcyon.gpu.memory\n",
    }
    assert paths(change("halcyon/gpu/memory.py"), texts) == ["tests/gpu/test_memory.py", "tests/test_z.py"]


NAMES = {
    "called alike": ("halcyon/cache.py", ["tests/test_cache.py"], ["tests/test_block.py"]),
    "the other way round": ("halcyon/cache.py", ["halcyon/cache_test.py"], ["halcyon/cache_tests.py"]),
    "one or several": ("halcyon/caches.py", ["tests/test_cache.py"], []),
    "the folders tell": (
        "halcyon/worker/cache.py",
        ["tests/worker/test_cache.py"],
        ["tests/engine/test_cache.py", "tests/test_caching.py"],
    ),
    "a part of it": (
        "halcyon/worker/cache.py",
        ["tests/worker/test_cache_limits.py"],
        ["tests/engine/test_cache_x.py"],
    ),
    "a common name": ("halcyon/worker/utils.py", ["tests/worker/test_utils.py"], ["tests/test_utils.py"]),
    "a package": ("halcyon/worker/__init__.py", ["tests/test_worker.py"], ["tests/test___init__.py"]),
    "a model's folder": ("halcyon/models/qwen9/thinker.py", ["tests/e2e/test_qwen9.py"], ["tests/e2e/test_qwen8.py"]),
    "the same place": (
        "halcyon/worker/model.py",
        ["tests/worker/test_a.py", "tests/worker/test_b.py"],
        ["tests/test_c.py"],
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_and_folders(name):
    code, right, wrong = NAMES[name]
    assert paths(change(code), dict.fromkeys([code, *right, *wrong])) == right


IMPORTS = [
    "import halcyon.worker.cache",
    "import os, halcyon.worker.cache as cache",
    "from halcyon.worker.cache import Cache",
    "from halcyon.worker import block, cache",
    "from halcyon.worker import (\n    block,\n    cache as c,\n)",
    "def test():\n    from halcyon.worker import cache\n",
]


@pytest.mark.parametrize("text", IMPORTS)
@pytest.mark.parametrize("root", ["", "src/", "python/"])
def test_imports(text, root):
    code = f"{root}halcyon/worker/cache.py"
    texts = {
        code: "",
        "tests/a/test_all.py": text,
        "tests/a/test_none.py": "from halcyon.worker import block  # cache\n",
    }
    assert [test for test in found(change(code), texts) if test.path != "tests/a/test_none.py"] == [
        CoveringTest("tests/a/test_all.py", (code,), changed=False)
    ]


def test_a_comment_behind_an_import_may_name_too_much_and_a_text_none():
    assert (
        paths(change("halcyon/cache.py"), {"tests/x/test_a.py": "# from halcyon.cache import x\n'halcyon.cache'\n"})
        == []
    )


def test_what_says_most_comes_first():
    texts = {
        "tests/test_cache.py": "from halcyon import cache",
        "tests/test_all.py": "from halcyon import cache",
        "tests/a/test_cache.py": "",
    }
    assert paths(change("halcyon/cache.py"), texts) == [
        "tests/test_cache.py",
        "tests/test_all.py",
        "tests/a/test_cache.py",
    ]


def test_a_module_that_moved_is_known_by_both_names():
    texts = {"halcyon/new.py": "", "tests/a/test_x.py": "import halcyon.old", "tests/a/test_y.py": "import halcyon.new"}
    assert paths(change(renamed=("halcyon/old.py", "halcyon/new.py")), texts) == [
        "tests/a/test_x.py",
        "tests/a/test_y.py",
    ]


def test_a_list_has_an_end_and_so_has_the_reading():
    texts: dict[str, str | None] = {
        f"tests/test_{n:04}.py": f"import halcyon.cache{A_TEST}" for n in range(MOST_READ + 50)
    }
    asked: list[str] = []

    def read(path: str) -> str | None:
        asked.append(path)
        return texts[path]

    assert len(covering_tests(change("halcyon/cache.py"), frozenset(texts), read)) == MOST_TESTS
    assert len(asked) == MOST_READ


def test_a_change_without_code_reads_nothing():
    def read(_path: str) -> str | None:
        raise AssertionError

    assert covering_tests(change("README.md"), frozenset(["tests/test_a.py"]), read) == ()


@given(
    changed=st.lists(st.text("ab/._", min_size=1, max_size=8).map(lambda text: text + ".py"), max_size=4, unique=True),
    texts=st.dictionaries(
        st.text("ab/._", max_size=6).map(lambda text: f"test_{text}.py"),
        st.none() | st.text("from imp(a.b,\n) \0é", max_size=60),
        max_size=5,
    ),
)
@settings(deadline=None)
def test_nothing_breaks_it_and_only_tests_are_named(changed, texts):
    for test in found(change(*changed), texts):
        assert test.path in texts
        assert is_test_file(test.path)
        assert set(test.covers) <= set(changed)


def test_both_doors_tell_the_same_of_a_small_change(action):
    pr = action.open(
        {
            "halcyon/cache.py": '"""Keeps blocks."""\n\n\ndef lookup(block: int) -> int:\n    """Find."""\n    return block\n'
        }
    )
    body_before = len(pr.comments)
    action.run(pr)
    assert "tests/test_cache.py" in pr.comments[body_before].body.replace("\u200b", "")


def test_where_the_tree_is_unknown_so_are_the_tests():
    class Nowhere:
        def head_paths(self):
            return None

        def head_text(self, path):
            return None

        def base_file(self, path):
            return None

        def open_pull_requests(self):
            return None

    from tests.reviews import ALL

    assert gather(next(iter(ALL.values())), Nowhere(), ReviewContext()).tests is None


def test_brackets_that_never_close_are_read_in_linear_time():
    """A test file that is a list of names without end was seconds, and many files are read."""

    def read(size: int) -> None:
        text = "from a import (\n" * size
        assert paths(change("halcyon/a.py"), {"halcyon/a.py": "", "tests/test_b.py": text}) == []

    assert growth(read, 1_500) < SUPERLINEAR
