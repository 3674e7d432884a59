"""Which definitions a change touches, as far as its hunks show."""

from hypothesis import given
from hypothesis import strategies as st

from review_bot.advice.definitions import DEEPEST, definitions
from review_bot.forges.local_git import LocalGit
from tests.git_repository import GitRepository
from tests.reviews import changed

BEFORE = """import os


class Engine:
    def __init__(self, size):
        self.size = size

    def step(self, batch):
        if self.size:
            batch = batch[: self.size]
        return batch

    def gone(self):
        return 1


def top(
    first,
    second,
) -> int:
    return first + second


def same():
    return 3
"""
AFTER = '''import os


class Engine:
    def __init__(self, size, room):
        self.size = size

    def step(self, batch):
        if self.size:
            batch = batch[: self.size + 1]
        return batch

    async def drain(self):
        def inside():
            return 2

        return inside()


def top(
    first,
    second,
) -> int:
    return first - second


# a comment about what follows
def same():
    return 3


class _Hidden(Engine):
    """Not class anything(of) that: prose."""
'''


def touched(tmp_path, before, after, name="engine.py"):
    repository = GitRepository(tmp_path / "repository")
    base = repository.commit({name: before})
    head = repository.commit({name: after})
    source = LocalGit(str(repository.folder), base=base, head=head)
    try:
        (file,) = source.read().files
    finally:
        source.close()
    return {each.name: (each.kind, each.touch, each.line) for each in definitions(file)}


def test_added_changed_and_removed(tmp_path):
    assert touched(tmp_path, BEFORE, AFTER) == {
        "Engine.__init__": ("def", "changed", 5),
        "Engine.step": ("def", "changed", 8),
        "Engine.drain": ("def", "added", 13),
        "Engine.gone": ("def", "removed", 13),
        "top": ("def", "changed", 20),
        "_Hidden": ("class", "added", 32),
    }


def test_a_file_that_is_not_python_has_none(tmp_path):
    assert touched(tmp_path, "def f():\n", "def g():\n", "notes.txt") == {}


def test_a_class_out_of_sight_is_not_made_up():
    file = changed("a.py", "@@ -80,2 +80,3 @@ class Engine:\n     def step(self):\n         x = 1\n+        y = 2\n")
    assert [(each.name, each.touch, each.line) for each in definitions(file)] == [("step", "changed", 80)]


def test_a_method_that_stays_below_a_renamed_class_is_one(tmp_path):
    before = "class Old:\n    def step(self):\n        return 1\n"
    after = "class New:\n    def step(self):\n        return 2\n"
    assert touched(tmp_path, before, after) == {
        "Old": ("class", "removed", 1),
        "New": ("class", "added", 1),
        "New.step": ("def", "changed", 2),
    }


def test_blocks_without_end_cost_nothing():
    lines = "".join(f"+{' ' * number}class A{number}:\n" for number in range(5_000))
    found = definitions(changed("a.py", f"@@ -0,0 +1,5000 @@\n{lines}"))
    assert len(found) == DEEPEST
    assert max(len(each.name) for each in found) < 200


def test_public_means_no_part_is_private():
    file = changed("a.py", "@@ -0,0 +1,4 @@\n+class _A:\n+    def f(self):\n+        pass\n+def g(): pass\n")
    assert [(each.name, each.public) for each in definitions(file)] == [("_A", False), ("_A.f", False), ("g", True)]


@given(st.text(alphabet="def class():\n\t#@x_'\"\\", max_size=200))
def test_no_text_is_too_odd(text):
    lines = text.split("\n")
    body = f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    for each in definitions(changed("a.py", body)):
        assert 1 <= each.line <= len(lines)
        assert all(part.isidentifier() for part in each.name.split("."))
