"""A suppression comment says nothing about the code: one that does not count leaves the finding as it is."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (
            "errors/broad-except-silent",
            "def size(path):\n    try:\n        found = load(path).size\n    except Exception:{}\n        found = 0\n    return found\n",
        ),
        (
            "errors/identical-branches",
            "def pick(fast, x):\n    if fast:{}\n        y = x.view(-1)\n    else:\n        y = x.view(-1)\n    return y\n",
        ),
        (
            "errors/parameter-overwritten",
            "def resize(image, width):\n    width = 64{}\n    return image.resize(width)\n",
        ),
        (
            "errors/default-session-timeout",
            "import aiohttp\n\n\nasync def send(url):\n    async with aiohttp.ClientSession() as session:{}\n        return await session.post(url)\n",
        ),
        ("testing/skip-without-reason", "import pytest\n\n\n@pytest.mark.skip{}\ndef test_run():\n    assert run()\n"),
        (
            "memory/lru-cache-on-method",
            "import functools\nfrom torch import nn\n\n\nclass Rotary(nn.Module):\n    @functools.cache{}\n    def table(self, length):\n        return compute(self.base, length)\n",
        ),
        (
            "kernels/timing-without-sync",
            "import time\nimport torch\n\n\ndef bench(model, x):\n    x = x.cuda()\n    start = time.perf_counter()\n    y = model(x)\n    took = time.perf_counter() - start{}\n    return y, took\n",
        ),
        (
            "quantization/int-cast-no-clamp",
            "import torch\n\n\ndef quantize(x, scale):\n    return (x / scale).to(torch.int8){}\n",
        ),
    ],
)
def test_a_comment_that_does_not_count_hides_nothing(rule: str, code: str) -> None:
    plain = findings_of(rule, code.format(""))
    assert len(plain) == 1
    for comment in (f"  # review-bot: ignore[{rule}]", "  # review-bot: ignore[no/rule] decided in #12"):
        assert [each.line for each in findings_of(rule, code.format(comment))] == [plain[0].line]


COMPARED = "def test_run():\n    torch.testing.assert_close(run(), wanted(), atol={}, rtol=0)"
SETTINGS = "from dataclasses import dataclass\n\n\n@dataclass\nclass CacheConfig:\n    size: int = 1\n"
LOAD = "def load(path{}):{}\n    return read(path)\n"
RUN = "from pkg.load import load\n\n\ndef run(path, device):\n    return load(path{})\n"


@pytest.mark.parametrize(
    ("rule", "base", "head"),
    [
        (
            "api/field-unread",
            {
                "pkg/__init__.py": "",
                "pkg/config.py": SETTINGS,
                "pkg/run.py": "def run(config):\n    return config.size\n",
            },
            {"pkg/config.py": SETTINGS + "    swap_space: int = 4{}\n"},
        ),
        (
            "api/parameter-ignored",
            {"pkg/__init__.py": "", "pkg/load.py": LOAD.format("", ""), "pkg/run.py": RUN.format("")},
            {"pkg/load.py": LOAD.format(", device=None", "{}"), "pkg/run.py": RUN.format(", device=device")},
        ),
        (
            "testing/tolerance-loosened",
            {"tests/test_run.py": COMPARED.format("1e-3") + "\n"},
            {"tests/test_run.py": COMPARED.format("1e-1") + "{}\n"},
        ),
    ],
)
def test_in_a_change_neither(rule: str, base: dict[str, str], head: dict[str, str]) -> None:
    for comment in ("", f"  # review-bot: ignore[{rule}]"):
        texts = {path: text.replace("{}", comment) for path, text in head.items()}
        assert len(findings_of(rule, texts, base)) == 1
