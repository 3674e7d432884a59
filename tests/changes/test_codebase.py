"""Both sides of a change: each text is read once, each tree parsed once, each question answered once."""

from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile


def _codebase(base, head, changed):
    read = []

    def reading(texts):
        def text(path):
            read.append(path)
            return texts.get(path)

        return text

    repository = Repository(frozenset(head), frozenset(base), reading(head), reading(base), available=True)
    files = tuple(ChangedFile(path, path, "modified", "text") for path in sorted(changed))
    return Codebase(repository, PullRequest(files)), read


def test_a_text_that_both_sides_share_is_read_once():
    base = {"a.py": "x = 1\n", "same.py": "y = 1\n", "gone.py": "z = 1\n"}
    codebase, read = _codebase(base, {"a.py": "x = 2\n", "same.py": "y = 1\n"}, {"a.py", "gone.py"})
    for _ in range(2):
        assert codebase.head.text("a.py") == "x = 2\n"
        assert codebase.base.text("a.py") == "x = 1\n"
        assert codebase.base.text("same.py") == codebase.head.text("same.py") == "y = 1\n"
        assert codebase.base.text("gone.py") == "z = 1\n"
        assert codebase.head.text("gone.py") is None
    assert sorted(read) == ["a.py", "a.py", "gone.py", "same.py"]


def test_a_text_is_parsed_once_for_both_sides_and_for_the_changed_file():
    same, new = "def f(): ...\n", "\ufeffdef g(): ...\n"
    base, head = {"same.py": same}, {"same.py": same, "new.py": new, "broken.py": "def"}
    codebase, _ = _codebase(base, head, {"new.py", "broken.py"})
    assert codebase.head.tree("same.py") is codebase.base.tree("same.py") is not None
    assert SourceFile(ChangedFile("new.py", None, "added", "text"), new, None).tree is codebase.head.tree("new.py")
    assert codebase.head.tree("broken.py") is None
    assert codebase.head.tree("absent.py") is None


def test_a_question_is_answered_once_for_each_side_and_each_argument():
    asked = []

    @query
    def lines(side: Snapshot, path: str, least: int = 0) -> int:
        asked.append((path, least))
        return max(least, (side.text(path) or "").count("\n"))

    codebase, _ = _codebase({"a.py": "1\n"}, {"a.py": "1\n2\n"}, {"a.py"})
    for _ in range(2):
        assert (lines(codebase.base, "a.py"), lines(codebase.head, "a.py"), lines(codebase.head, "a.py", 5)) == (
            1,
            2,
            5,
        )
    assert asked == [("a.py", 0), ("a.py", 0), ("a.py", 5)]
