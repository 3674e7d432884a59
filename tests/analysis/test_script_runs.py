import pytest

from review_bot.analysis.project.script_runs import script_runs


def _runs(text: str, *, is_shell: bool = True) -> list[tuple[str, str, list[tuple[str, str, int]]]]:
    runs = script_runs(text.split("\n"), is_shell=is_shell)
    return [(run.script, run.folder, [(one.option, one.value, one.line) for one in run.passed]) for run in runs]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python a.py --x 1 --y=2", [("a.py", "", [("--x", "1", 1), ("--y", "2", 1)])]),
        ("cd examples\npython a.py \\\n  --x 1", [("a.py", "examples", [("--x", "1", 3)])]),
        ("torchrun --nproc-per-node 2 b/a.py --flag --x 1", [("b/a.py", "", [("--flag", "", 1), ("--x", "1", 1)])]),
        ("python -m pkg.run --x", [("pkg/run.py", "", [("--x", "", 1)])]),
        ("CUDA=0 python ./a.py --x 'y --z' # --w", [("a.py", "", [("--x", "y --z", 1)])]),
        ("python a.py --x 1 > --log", [("a.py", "", [("--x", "1", 1)])]),
        ("python -c 'print(1)' a.py --x", []),
        ('python a.py --x "$(date; true)"', []),
        ("git clone https://example.com/x\npython a.py --x", []),
    ],
)
def test_the_runs_of_a_shell_script(text, expected):
    assert _runs(text) == expected


def test_a_block_of_a_document_begins_at_its_root():
    text = "```\ncd other\npython a.py --x\n```\n\n```\npython a.py --y\n```\n"
    assert _runs(text, is_shell=False) == [("a.py", "other", [("--x", "", 3)]), ("a.py", "", [("--y", "", 7)])]
