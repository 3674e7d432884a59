"""What a change adds and nothing uses: functions, constants and attributes whose name occurs nowhere else."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/never-used"
SHARED = {"pkg/__init__.py": "", "README.md": "# Halcyon\n"}


def said(code: str, path: str = "pkg/run.py") -> list[str]:
    """Return what is said of a new file."""
    return [finding.message for finding in findings_of(RULE, {path: code}, SHARED)]


@pytest.mark.parametrize(
    ("code", "name", "what"),
    [
        ("MAX_FRAMES = 8\n", "MAX_FRAMES", "is read nowhere: nothing else in this repository mentions it"),
        ("MAX_FRAMES: int = 8 * 2\n", "MAX_FRAMES", "is read nowhere: nothing else in this repository mentions it"),
        (
            "SIZE_LIMIT = int(os.getenv('HALCYON_LIMIT', '8'))\n",
            "SIZE_LIMIT",
            "is read nowhere: nothing else in this repository mentions it",
        ),
        (
            "class Run:\n    MAX_FRAMES = 8\n",
            "MAX_FRAMES",
            "is read nowhere: nothing else in this repository mentions it",
        ),
        (
            "def _check_size(x):\n    return x\n",
            "_check_size",
            "is called nowhere: nothing else in this repository mentions it",
        ),
        (
            "class Run:\n    async def _check_size(self, x):\n        return x\n",
            "_check_size",
            "is called nowhere: nothing else in this repository mentions it",
        ),
        (
            "class Run:\n    def f(self, c):\n        self._whiten = c.get('w')\n",
            "self._whiten",
            "is set, and nothing in this repository does anything else with it",
        ),
        (
            "class Run(nn.Module):\n    def f(self):\n        self._loaded = True\n",
            "self._loaded",
            "is set, and nothing in this repository does anything else with it",
        ),
    ],
)
def test_what_nothing_mentions_is_named(code: str, name: str, what: str) -> None:
    assert said(code) == [f"`{name}` {what}."]


@pytest.mark.parametrize(
    "code",
    [
        "def on_request(x):\n    return x\n",  # a framework calls it
        (
            "def first_a(x): ...\n\n\ndef first_b(x):\n    return x\n\n\ndef first_c(x):\n    return x\n\n\n"
            "def first_d(x):\n    return x\n\n\ndef first_e(x):\n    return x\n"
        ),  # an interface for others
        "@register\ndef _check_size(x):\n    return x\n",
        "def _check_size(x):\n    return x\n\n\nprint(globals())\n",
        "class Run:\n    def _start_a(self):\n        return 1\n\n    def f(self, k):\n        return getattr(self, '_start_' + k)\n",
        "class Run(Outside):\n    def _check_size(self):\n        return 1\n",
        "class Run(Outside):\n    MAX_FRAMES = 8\n",
        "class Run:\n    def _check_size(self):\n        pass\n",
        "class Run:\n    def f(self):\n        self._worker_thread = Thread()\n",  # kept alive
        "class Run:\n    def f(self):\n        self._size_left = 1\n        self._size_left += 1\n",
        "MAX_FRAMES = 8\nMAX_WIDTH = 8\nMAX_HEIGHT = 8\n",  # a table
        "FRAME_TYPE = dict[str, int]\n",
        "SERVER_HANDLE = start_server()\n",
        "PYTEST_DONT_REWRITE = True\n",
    ],
)
def test_what_may_be_used_is_left_alone(code: str) -> None:
    assert said(code) == []


@pytest.mark.parametrize("path", ["README.md", "configs/a.yaml", "src/b.cpp", "pkg/other.py", "setup.cfg"])
def test_a_mention_in_any_other_text_counts(path: str) -> None:
    found = findings_of(RULE, {"pkg/run.py": "MAX_FRAMES = 8\n"}, SHARED | {path: "x = MAX_FRAMES\n"})
    assert found == []


@pytest.mark.parametrize(
    ("path", "guard", "hits"),
    [
        ("benchmarks/serve.py", True, 1),
        ("benchmarks/serve.py", False, 0),
        ("pkg/serve.py", True, 1),
        ("pkg/serve.py", False, 1),
        ("tests/serve.py", True, 0),
    ],
)
def test_public_functions_count_in_scripts_and_libraries(path: str, guard: bool, hits: int) -> None:
    code = "def wait_for_server(url):\n    return url\n" + (
        "\n\nif __name__ == '__main__':\n    print(1)\n" if guard else ""
    )
    assert len(said(code, path)) == hits


def test_a_name_that_the_file_had_before_is_left_alone() -> None:
    assert findings_of(RULE, {"pkg/a.py": "MAX_FRAMES = 9\n"}, SHARED | {"pkg/a.py": "MAX_FRAMES = 8\n"}) == []
