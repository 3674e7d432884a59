"""One pass over the tree finds which files hold which words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.analysis.facts.word_search import files_with
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import closed
from review_bot.errors import ForgeError

WORDS = ("a", "ab", "b", "load", "load_x", "é", "größe")
TEXTS = st.lists(st.sampled_from((*WORDS, " ", ".", "_", "\n", "# ")), max_size=12).map("".join)


def codebase(texts):
    return Codebase(closed(texts, texts, texts, texts), PullRequest(()))


@given(st.dictionaries(st.sampled_from(("a.py", "b.pyi", "c.ipynb", "d/e.py")), TEXTS), st.sets(st.sampled_from(WORDS)))
def test_every_file_that_holds_a_word_is_found_and_no_file_that_holds_it_only_inside_another(texts, words):
    def holding(flags):
        return {path for path, text in texts.items() if any(re.search(rf"\b{word}\b", text, flags) for word in words)}

    ascii_words = {word for word in words if word.isascii()}
    found = files_with(codebase(texts).head, words)
    assert found == sorted(found)
    assert holding(0) <= set(found) <= holding(0) | (holding(re.ASCII) if ascii_words else set())


def test_words_are_searched_once_and_in_files_of_python_alone():
    texts = {"a.py": "load(x)", "b.py": "store(x)", "notes.txt": "def load(): ...", "c.ipynb": "load"}
    asked = []

    def read(path):
        asked.append(path)
        return texts[path]

    side = Snapshot(frozenset(texts), read)
    assert files_with(side, ["load", "save"]) == ["a.py", "c.ipynb"]
    assert files_with(side, ["load"], ".py") == ["a.py"]
    assert files_with(side, ["load", "save", "store"]) == ["a.py", "b.py", "c.ipynb"]
    assert sorted(asked) == ["a.py", "b.py", "c.ipynb"]


def test_a_word_of_a_notebook_may_be_behind_the_escape_of_a_line_end():
    text = '{"cells": [{"cell_type": "code", "source": "import core\\nload(\\n\\tsave)"}]}'
    side = codebase({"a.ipynb": text, "b.py": text}).head
    assert files_with(side, ["load"]) == ["a.ipynb"]
    assert files_with(side, ["load", "save", "store"]) == ["a.ipynb"]
    assert files_with(side, ["oad", "ave"]) == []


def test_a_search_that_fails_leaves_nothing_behind():
    texts = {"a.py": "load(x)", "b.py": "store(x)"}
    missing = {"b.py"}

    def read(path):
        if path in missing:
            raise ForgeError("an object is missing")
        return texts[path]

    side = Snapshot(frozenset(texts), read)
    for _ in range(2):
        with pytest.raises(ForgeError):
            files_with(side, ["load", "store"])
    missing.clear()
    assert files_with(side, ["load", "store"]) == ["a.py", "b.py"]
