"""Names of modules that stand for something else where they are used."""

from __future__ import annotations

import pytest

from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.rebound_modules import names_rebound
from review_bot.changes.source_file import SourceFile

USE = "requests.get(url)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"import requests\n{USE}\n", False, id="imported"),
        pytest.param(f"{USE}\n", False, id="bound by nothing"),
        pytest.param(f"def f(requests):\n    {USE}\n", True, id="a parameter"),
        pytest.param(f"import requests\ndef f(of):\n    requests = of.get('requests')\n    {USE}\n", True, id="a local name"),
        pytest.param(f"import requests\ndef f(of):\n    for requests in of:\n        {USE}\n", True, id="of a loop"),
        pytest.param(f"requests = {{}}\ndef f(of):\n    {USE}\n", True, id="of the file"),
        pytest.param(f"def f(requests):\n    def g():\n        {USE}\n", True, id="of the function around"),
        pytest.param(f"def f(requests):\n    import requests\n    {USE}\n", False, id="imported over it"),
        pytest.param(f"import requests\ndef f(of):\n    requests = of\ndef g():\n    {USE}\n", False, id="of another function"),
        pytest.param(f"try:\n    import requests\nexcept ImportError:\n    requests = None\n{USE}\n", False, id="optional"),
        pytest.param(f"requests = LazyLoader('requests')\n{USE}\n", False, id="loaded later"),
        pytest.param(f"def f():\n    requests = importlib.import_module('requests')\n    {USE}\n", False, id="imported by a call"),
        pytest.param(f"import requests\ndef f(requests=requests):\n    {USE}\n", False, id="passed on"),
        pytest.param(f"def f():\n    global requests\n    requests = {{}}\n    import requests\n    {USE}\n", False, id="global"),
        pytest.param(f"import requests\ndef f(of):\n    [0 for requests in of]\n    {USE}\n", False, id="of a comprehension"),
        pytest.param(f"import requests\ndef f(of):\n    return [0 for requests in of], {USE}\n", False, id="on its line"),
        pytest.param(f"import requests\ndef f(of):\n    return [0 for requests in {USE}]\n", False, id="that it takes"),
        pytest.param(f"import requests\ndef f(of):\n    return 'é', [{USE} for requests in of]\n", True, id="inside it"),
        pytest.param(f"import requests\ndef f(of):\n    of(lambda requests: 0)\n    {USE}\n", False, id="of a lambda"),
        pytest.param(f"import requests\ndef f(of):\n    of(lambda requests: {USE})\n", True, id="inside a lambda"),
        pytest.param(f"import requests as http\ndef f(of, *, requests=http):\n    {USE}\n", False, id="passed on as another"),
        pytest.param(f"def f(of, requests=import_module('requests')):\n    {USE}\n", False, id="loaded as a default"),
        pytest.param(f"def f(of, requests=NONE):\n    {USE}\n", True, id="with a default"),
        pytest.param(f"def f(requests:\n    {USE}\n", False, id="no Python"),
    ],
)  # fmt: skip
def test_a_rebound_name_is_bound_by_the_innermost_scope_and_by_no_import(text, expected):
    source = SourceFile(ChangedFile("a.py", None, "added", "text"), text, None)
    before = text[: text.index(USE)]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert names_rebound(source, USE, place, "{'regex': '^requests.get$'}") is expected
    assert not names_rebound(source, USE, place, "{'regex': '^torch.load$'}")
