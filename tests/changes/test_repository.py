"""A closed repository is plain data, and links of a change are followed in linear time."""

import pickle

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.repository import closed, with_changed_links
from tests.growth import SUPERLINEAR, growth


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


def link(path, target):
    return ChangedFile(path, None, "added", "symlink", new_mode="120000", hunks=(Hunk(0, 0, 1, 1, (f"+{target}",)),))


def test_links_in_a_row_and_in_a_ring():
    files = [link("a", "b"), link("b", "c"), link("c", "real.txt"), link("x", "y"), link("y", "z"), link("z", "y")]
    paths = [*(file.path for file in files), "real.txt"]
    found = with_changed_links(closed(paths, ["real.txt"], {"real.txt": "1\n"}), files)
    assert found.head_paths == {"a", "b", "c", "real.txt"}
    assert {found.head_text(path) for path in ("a", "b", "c")} == {"1\n"}


def test_many_links_take_linear_time():
    def follow(size):
        row = [link(f"row/{number}", f"{number + 1}") for number in range(size)]
        folders = [link(f"link/{number}", f"../folder/{number}") for number in range(size)]
        paths = [*(each.path for each in (*row, *folders)), *(f"folder/{number}/a.py" for number in range(size))]
        with_changed_links(closed(paths, []), (*row, *folders))

    assert growth(follow, 500) < SUPERLINEAR
