from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/queue-left-unfed"
TOP = "import queue\n\n\nclass Stage:\n    def __init__(self):\n        self.errors = queue.Queue()\n\n"
PUT = "    def fail(self, error):\n        self.errors.put(error)\n\n"
GET = "    def next(self):\n        return self.errors.get()\n"


def messages(rest: str = "", *, top: str = TOP, get: str = GET, **files: str) -> list[str]:
    """Return what is reported of a change that removes the one ``put``; ``rest`` follows on both sides."""
    base = {"pkg/__init__.py": "", "pkg/stage.py": top + PUT + get + rest} | {
        f"pkg/{k}.py": v for k, v in files.items()
    }
    return [each.message for each in findings_of(RULE, {"pkg/stage.py": top + get + rest}, base)]


def test_the_places_that_take_are_named() -> None:
    (message,) = messages(watch="def watch(stage):\n    stage.errors.get_nowait()\n")

    assert message.startswith(
        "`pkg/stage.py:9` and at least 1 more still take items from the queue `errors`, but this change"
    )


@pytest.mark.parametrize(
    "rest",
    [
        "\n    def is_done(self):\n        return self.errors.empty()\n",
        '\n    def close(self):\n        """Close errors."""\n        self.errors.join()  # errors\n',
        "\n    def other(self):\n        errors = []\n        return errors\n",
    ],
)
def test_uses_that_put_nothing_in(rest: str) -> None:
    assert len(messages(rest)) == 1


@pytest.mark.parametrize(
    "rest",
    [
        "\n    def more(self):\n        self.errors.put_nowait(1)\n",
        "\n    def more(self):\n        return self.errors\n",
        "\n    def more(self):\n        self.send = self.errors.put\n",
        "\n    def more(self):\n        run(target=work, args=(self.errors,))\n",
        "\n    def more(self):\n        self.errors.get, work(self.errors)\n",
        "\n    def more(self):\n        getattr(self, 'errors').put(1)\n",
        "\n    def more(self, errors):\n        self.errors = errors\n",
        "\n\nclass Other:\n    errors: queue.Queue\n",
        "\n\nStage(errors=make())\n",
    ],
)
def test_uses_that_may_put_something_in(rest: str) -> None:
    assert messages(rest) == []


def test_another_file_may_put_something_in() -> None:
    assert messages(watch="def watch(stage):\n    stage.errors.put(1)\n") == []
    assert messages(watch="def watch(:\n    stage.errors.put(1)\n") == []


def test_what_is_no_queue_or_is_not_read() -> None:
    assert messages(top=TOP.replace("queue.Queue()", "Store()")) == []
    assert messages(get="    def next(self):\n        return self.errors.empty()\n") == []
