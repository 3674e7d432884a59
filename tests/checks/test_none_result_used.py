"""Which results that may be None count as used at once, and what guards them."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

RULE = "errors/none-result-used"
HEAD = "import os\nimport shutil\nimport cv2\n\ndef f(path, name, flag):\n"


def found(body: str) -> list[int | None]:
    return [each.line for each in findings_of(RULE, HEAD + textwrap.indent(textwrap.dedent(body), "    "))]


@pytest.mark.parametrize(
    "body",
    [
        "return float(os.environ.get('SCALE'))",
        "return os.getenv(name).lower()",
        "return os.environ.get('PATHS')[0]",
        "return cv2.imread(path).shape",
        "image = cv2.imread(path)\nreturn image.shape",
        "if flag:\n    return int(os.getenv('WORKERS'))",
        "try:\n    return int(os.getenv('WORKERS'))\nexcept ValueError:\n    return 1",
    ],
)
def test_a_use_without_a_guard_is_found(body: str) -> None:
    assert len(found(body)) == 1


@pytest.mark.parametrize(
    "body",
    [
        "return float(os.environ.get('SCALE', '1'))",
        "return float(os.environ['SCALE'])",
        "return int(os.getenv('LOCAL_RANK'))",
        "return int(os.getenv('WORKERS')) if os.getenv('WORKERS') else 1",
        "if 'WORKERS' in os.environ:\n    return int(os.getenv('WORKERS'))",
        "assert os.getenv(name)\nreturn os.getenv(name).lower()",
        "image = cv2.imread(path)\nif image is None:\n    return None\nreturn image.shape",
        "image = cv2.imread(path)\nimage = image if flag else path\nreturn image.shape",
        "image = cv2.imread(path)\nreturn image",
        "try:\n    return int(os.getenv('WORKERS'))\nexcept (TypeError, ValueError):\n    return 1",
        "try:\n    return cv2.imread(path).shape\nexcept Exception:\n    return None",
        "return (os.getenv('A') or 'a').lower()",
    ],
)
def test_a_default_a_test_or_a_handler_guards_it(body: str) -> None:
    assert found(body) == []


def test_one_name_is_reported_once() -> None:
    assert found("image = cv2.imread(path)\nh = image.shape[0]\nw = image.shape[1]\nreturn h, w") == [7]
