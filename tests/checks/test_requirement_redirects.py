"""Which version bounds a shell takes for redirections."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "shell/requirement-redirects"
TAKES = "takes this bound for a redirection of the"


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("pip install pytest>=6.0", 1),
        ("python3 -m pip install -U transformers[torch]>=4.50 accelerate", 1),
        ("uv pip install numpy<2", 1),
        ("conda install -y ffmpeg>=6", 1),
        ("set -e; pip3 install 'torch==2.6' torchvision<0.22", 1),
        ("pip install \\\n    torch \\\n    numpy<2.0 \\\n    librosa", 3),
        ("cat <<EOF\nRUN pip install pytest>=6.0\nEOF", 2),
        ('pip install "pytest>=6.0" numpy', None),
        ("pip install 'numpy<2'", None),
        ("pip install numpy\\<2", None),
        ("pip install numpy==2.1", None),
        ("pip install -r requirements.txt >2.log 2>&1", None),
        ("pip install numpy # numpy>=2", None),
        ("# pip install numpy>=2", None),
        ("echo pip install numpy>=2", None),
        ('log "run pip install numpy>=2"', None),
        ("pip install numpy; test 1 >2", None),
        ("pip download numpy>=2", None),
    ],
)
def test_a_bound_outside_quotes(command: str, line: int | None) -> None:
    found = findings_of(RULE, {"scripts/setup.sh": f"{command}\n"})
    assert [each.line for each in found] == ([] if line is None else [line])


@pytest.mark.parametrize(
    ("requirement", "message"),
    [
        ("numpy>=1.26", f"{TAKES} output to a file named `=1.26`: no version is excluded."),
        ("numpy<2", f"{TAKES} input from a file named `2`: the command fails if there is none."),
        ("numpy>=1.26,<2", f"{TAKES} input from a file named `2`: the command fails if there is none."),
    ],
)
def test_what_the_shell_does(requirement: str, message: str) -> None:
    (found,) = findings_of(RULE, {"scripts/setup.sh": f"pip install {requirement}\n"})
    assert found.message == f"Without quotes, the shell {message}"
    assert found.instead == f'Write `"{requirement}"`.'
