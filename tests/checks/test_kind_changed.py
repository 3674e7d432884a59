"""Uses of a name that is something else now, among very many files that have the same word."""

import pytest

from tests.rule_cases import findings_of

RULE = "api/kind-changed"
BASE = {
    "pkg/__init__.py": "",
    "pkg/core.py": "def load(x):\n    return x\n",
    "pkg/run.py": "from pkg.core import load\n\n\ndef run(x):\n    return load(x)\n",
}
CHANGE = {"pkg/core.py": "load = None\n"}
MANY = 201


@pytest.mark.parametrize("text", ["LOAD = 'load'\n", "import pkg.core\n\nLOAD = 'load'\n"])
def test_files_that_the_change_adds_keep_no_use_from_being_seen(text: str) -> None:
    added = {f"pkg/a{number}.py": text for number in range(MANY)}
    assert [each.severity for each in findings_of(RULE, CHANGE | added, BASE)] == ["error"]


def test_a_use_is_seen_among_many_files_with_the_word() -> None:
    others = {f"pkg/a{number}.py": "LOAD = 'load'\n" for number in range(MANY)}
    assert [each.severity for each in findings_of(RULE, CHANGE, BASE | others)] == ["error"]


SIZES = {"pkg/__init__.py": "", "pkg/core.py": "sizes = {'a': 1}\n"}
FUNCTION = {"pkg/core.py": "def sizes():\n    return {'a': 1}\n"}


@pytest.mark.parametrize(
    "use",
    [
        "return sizes['a']",
        "return [each for each in sizes]",
        "for each in sizes: print(each)",
        "return 'a' in sizes",
        "return sizes.get('a')",
        "return sizes.items()",
        "return core.sizes['a']",
    ],
)
def test_a_collection_that_becomes_a_function_is_still_used_as_one(use: str) -> None:
    reader = {"pkg/run.py": f"from pkg import core\nfrom pkg.core import sizes\n\n\ndef run():\n    {use}\n"}
    (found,) = findings_of(RULE, FUNCTION, SIZES | reader)
    assert found.severity == "error"
    assert found.message.startswith("`sizes` was a dictionary and is a function now, but `pkg/run.py:6` still ")


@pytest.mark.parametrize(
    "use",
    [
        "return sizes()['a']",
        "return [each for each in sizes()]",
        "return sizes is None",
        "return sizes.__class__",
        "return sizes.cached",
        "return [sizes]",
        "try:\n        return sizes['a']\n    except TypeError:\n        return sizes()",
        "return sizes['a'] if isinstance(sizes, dict) else sizes()",
        "sizes = {}\n    return sizes['a']",
    ],
)
def test_what_a_function_allows_too_is_left_alone(use: str) -> None:
    reader = {"pkg/run.py": f"from pkg.core import sizes\n\n\ndef run():\n    {use}\n"}
    assert not findings_of(RULE, FUNCTION, SIZES | reader)


@pytest.mark.parametrize(
    "new",
    [
        "@cached\ndef sizes():\n    return {'a': 1}\n",
        "class sizes:\n    pass\n",
        "sizes = make()\n",
        "def sizes():\n    return {'a': 1}\n\n\nsizes = sizes()\n",
    ],
)
def test_what_may_be_a_collection_still_is_left_alone(new: str) -> None:
    reader = {"pkg/run.py": "from pkg.core import sizes\n\n\ndef run():\n    return sizes['a']\n"}
    assert not findings_of(RULE, {"pkg/core.py": new}, SIZES | reader)
