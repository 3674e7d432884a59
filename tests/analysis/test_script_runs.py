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
        ("python -m torch.distributed.run --nproc 2 b/a.py --x 1", [("b/a.py", "", [("--x", "1", 1)])]),
    ],
)
def test_the_runs_of_a_shell_script(text, expected):
    assert _runs(text) == expected


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("ROOT=$(pwd)\ncd a\ncd b\npython c.py", "a/b"),
        ('ROOT=$(pwd)\ncd ${ROOT}/a\ncd "${ROOT}/b"\npython c.py', "b"),
        ("ROOT=$(pwd)\ncd $ROOT/a\ncd $ROOT\npython c.py", ""),
        ("cd a\ncd $OTHER/b\npython c.py", "$OTHER/b"),
    ],
)
def test_a_folder_that_begins_with_a_variable_is_not_below_the_earlier_one(text, folder):
    assert [(script, found) for script, found, _ in _runs(text)] == [("c.py", folder)]


def test_a_block_of_a_document_begins_at_its_root():
    text = "```\ncd other\npython a.py --x\n```\n\n```\npython a.py --y\n```\n"
    assert _runs(text, is_shell=False) == [("a.py", "other", [("--x", "", 3)]), ("a.py", "", [("--y", "", 7)])]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("python a.py", ""),
        ("python $ROOT/a.py", "variable"),
        ('ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\npython "${ROOT}/a.py"', "own"),
        ("HERE=$(dirname $0)\nROOT=$(dirname $HERE)\ngit clone x\ntorchrun $ROOT/a.py", "own"),
        ("HERE=$(dirname $0)\nHERE=/opt\npython $HERE/a.py", "variable"),
    ],
)
def test_where_the_path_of_a_script_starts(text, start):
    [run] = script_runs(text.split("\n"), is_shell=True)
    assert (run.script, run.start) == ("a.py", start)


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        ("pytest -m 'slow and gpu' tests/a.py", "tests", [("tests/a.py", 1, False)]),
        ("bash ./tools/a.sh --x", "shell", [("tools/a.sh", 1, False)]),
        ("CUDA=0 torchrun \\\n  --nproc 2 \\\n  a.py --x", "python", [("a.py", 3, False)]),
        ("python -m pkg.run", "python", [("pkg/run.py", 1, True)]),
        ("python -m", "python", []),
    ],
)
def test_the_line_and_the_kind_of_a_run(text, of, expected):
    runs = script_runs(text.split("\n"), is_shell=True, of=of)
    assert [(run.script, run.line, run.is_module) for run in runs] == expected
