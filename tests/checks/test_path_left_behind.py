"""Places that still name a file that is gone."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "pr/path-left-behind"
OWNERS = {".github/CODEOWNERS": "python/setup.py  @engine/builders\n"}


@pytest.mark.parametrize(
    ("script", "reported"),
    [
        ('ROOT=$(cd $(dirname $0); pwd)\ncd "${ROOT}/python"\npython setup.py install\n', True),
        ("cd python\npython setup.py install\n", True),
        ("cd python\n# python setup.py install\n", False),
        ("cd native\npython setup.py install\n", False),
        ("git clone https://example.org/engine\ncd python\npython setup.py install\n", False),
    ],
)
def test_a_script_that_runs_the_file_from_its_folder_is_named(script: str, reported: bool) -> None:
    base = {"python/setup.py": "setup()\n", "native/setup.py": "setup()\n", "build.sh": script}
    found = findings_of(RULE, {"python/setup.py": None}, base)
    assert [each.message.startswith("`build.sh:") for each in found] == [True] * reported


def test_what_runs_the_file_comes_before_who_owns_it() -> None:
    base = OWNERS | {"python/setup.py": "setup()\n", "build.sh": "cd python\npython setup.py install\n"}
    (finding,) = findings_of(RULE, {"python/setup.py": None}, base)
    assert finding.message.startswith("`build.sh:2` and at least 1 more still name `python/setup.py`")
    assert [each.path for each in finding.related] == ["build.sh", ".github/CODEOWNERS"]
