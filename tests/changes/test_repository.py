"""A closed repository is plain data."""

import pickle

from review_bot.changes.repository import closed


def test_a_closed_repository_answers_the_same_in_another_process():
    shared = "x = 1\n" * 1_000
    here = closed(["a.py", "b.py", "logo.png"], ["a.py"], {"a.py": shared, "b.py": "new\n"}, {"a.py": shared})
    sent = pickle.dumps(here)
    there = pickle.loads(sent)
    assert len(sent) < 2 * len(shared)  # a text of both sides is sent once
    assert (there.available, there.texts_available) == (True, True)
    assert there.head_paths == {"a.py", "b.py", "logo.png"}
    assert there.base_paths == {"a.py"}
    for each in (here, there):
        assert each.head_text("a.py") == each.base_text("a.py") == shared
        assert each.head_text("b.py") == "new\n"
        assert each.head_text("logo.png") is None
        assert each.head_text("absent.py") is None
        assert each.base_text("b.py") is None
