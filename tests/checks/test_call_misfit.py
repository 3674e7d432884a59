"""Calls that the function they run refuses, found through the file, its imports, and the tree."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/call-misfit"
CORE = "def start(size, *, device=None):\n    return size, device\n"


def said(head: dict[str, str], base: dict[str, str] | None = None) -> list[tuple[str | None, int | None, str]]:
    found = findings_of(RULE, head, {"pkg/__init__.py": "", **(base or {})})
    return [(each.path, each.line, each.message) for each in found]


def test_the_message_names_what_the_call_runs() -> None:
    head = {"pkg/run.py": "from pkg.core import start\n\nstart(3, 4)\n"}
    assert said(head, {"pkg/core.py": CORE}) == [
        (
            "pkg/run.py",
            3,
            "This call passes 2 positional arguments, but only 1 is accepted; it resolves to `start` (`pkg/core.py:1`).",
        )
    ]


def test_an_unknown_keyword_is_named_with_what_the_call_lacks() -> None:
    head = {"pkg/run.py": "from pkg.core import start\n\nstart(length=3)\nstart(3, place=1)\n"}
    assert [message.partition(";")[0] for _, _, message in said(head, {"pkg/core.py": CORE})] == [
        "This call passes the unknown keyword argument `length` and does not pass `size`",
        "This call passes the unknown keyword argument `place`",
    ]


@pytest.mark.parametrize(
    "call",
    ["start(3, device=1)", "start(*sizes)", "start(3, **options)", "start", "start(size=3)"],
)
def test_a_call_that_fits_or_hides_its_arguments_is_left_alone(call: str) -> None:
    assert not said({"pkg/run.py": f"from pkg.core import start\n\n{call}\n"}, {"pkg/core.py": CORE})


@pytest.mark.parametrize("arguments", ["*{1, 2}", "*{1: 'a', 2: 'b'}", "*b'ab'", "*'ab'", "*(1, *{2})"])
def test_arguments_of_a_constant_are_counted(arguments: str) -> None:
    head = {"pkg/run.py": f"from pkg.core import start\n\nstart({arguments})\nstart(*{{1, True}})\n"}
    assert [line for _, line, _ in said(head, {"pkg/core.py": CORE})] == [3]


@pytest.mark.parametrize(
    "run",
    [
        "from pkg.core import start\n\n\ndef go(start):\n    return start(1, 2)\n",
        "from pkg.core import start\n\ntry:\n    start(1, 2)\nexcept TypeError:\n    pass\n",
        "import pytest\nfrom pkg.core import start\n\nwith pytest.raises(TypeError):\n    start(1, 2)\n",
        "from torch import start\n\nstart(1, 2)\n",
    ],
)
def test_another_name_a_caught_error_or_a_foreign_module_is_left_alone(run: str) -> None:
    assert not said({"pkg/run.py": run}, {"pkg/core.py": CORE})


def test_a_call_that_the_change_did_not_add_is_left_alone() -> None:
    before = "from pkg.core import start\n\nstart(1, 2)\n"
    assert not said({"pkg/run.py": f"{before}print('done')\n"}, {"pkg/core.py": CORE, "pkg/run.py": before})


@pytest.mark.parametrize(
    ("header", "fits"),
    [
        ("def __init__(self, config):", False),
        ("def __init__(self, config, weights=None, *rest):", True),
        ("def __init__(\n        self,\n        config,  # of the model\n        weights,\n    ) -> None:", True),
        ("@wrapped\n    def __init__(self, config):", True),
    ],
)
def test_a_class_is_called_by_its_own_constructor(header: str, fits: bool) -> None:
    model = f"class Model:\n    {header}\n        self.config = config\n"
    head = {"pkg/run.py": "from pkg.model import Model\n\nModel(1, 2)\n"}
    assert bool(said(head, {"pkg/model.py": model})) is not fits


def test_a_base_class_that_the_tree_does_not_tell_may_bring_the_method() -> None:
    body = "    def _load(self, path):\n        return path\n\n    def run(self):\n        return self._load()\n"
    assert said({"pkg/a.py": f"class A:\n{body}"})
    assert said({"pkg/a.py": f"class A(Unknown):\n{body}"})  # its own method comes first
    assert not said(
        {"pkg/a.py": f"class B(Unknown):\n    pass\n\n\nclass A(B):\n{body.replace('_load(self', '_read(self')}"}
    )


METHOD = (
    "class Runner:\n    def step(self, key):\n        return key\n\n    def run(self):\n        return self.step()\n"
)


def severities(run: str, base: dict[str, str] | None = None) -> list[str]:
    tree = {"pkg/__init__.py": "", "pkg/core.py": CORE} | (base or {})
    return [each.severity for each in findings_of(RULE, {"pkg/run.py": run}, tree)]


@pytest.mark.parametrize(
    "run",
    [
        "from pkg.core import start\n\nstart()\n",
        "import pkg.core as core\n\ncore.start(1, 2)\n",
        METHOD,
        METHOD + "\n\nclass Other(Runner):\n    def run(self):\n        return 1\n",
        "from pkg import core\n\ncore.start(1, 2)\n",
        "class A:\n    def __init__(self, size):\n        self.size = size\n\n\nA()\n",
        "from .core import start\n\nif use_legacy or version() < 2:\n    start(1, 2)\n",
        "from .core import start\n\nif self.signature:\n    start(1, 2)\n",
        "def odd(f): ...\n\n\ndef go(a): ...\n\n\nclass A:\n    @odd\n    def go(self): ...\n\n\ngo(1, 2)\n".replace(
            "...", "return 1"
        ),
    ],
)
def test_a_call_that_certainly_fails_is_an_error(run: str) -> None:
    assert severities(run) == ["error"]


@pytest.mark.parametrize(
    ("run", "base"),
    [
        (METHOD + "\n\nclass Other(Runner):\n    def step(self, key=1):\n        return key\n", {}),
        (METHOD + "\n\nclass Other(Steps, Runner):\n    pass\n", {}),
        (METHOD.replace("self.step()", "self.step()\n\n    def use(self, other):\n        self.step = other"), {}),
        ("from .core import start\n\n\ndef test(patch):\n    patch('pkg.core.start')\n    start()\n", {}),
        (
            "from .core import start\n\nif version() < 2:\n    start()\n",
            {"pkg/run.py": "from .core import start\n\nif version() < 2:\n    start(1)\n"},
        ),
        ("from .core import start\nfrom elsewhere import *\n\nstart()\n", {}),
        ("from .core import start\n\nstart()\n", {"pkg/patch.py": "import pkg.core\n\npkg.core.start = fast\n"}),
        (
            "from .core import A\n\n\ndef run(a: A):\n    return a.step()\n",
            {"pkg/core.py": METHOD.replace("Runner", "A")},
        ),
        ("from wrap import cache\n\n\n@register\nclass A:\n    def __init__(self, size): ...\n\n\nA()\n", {}),
        ("from .wrap import cache\n\n\n@cache\ndef load(a): ...\n\n\nload()\n", {"pkg/wrap.py": "def cache(f): ...\n"}),
    ],
)
def test_a_call_that_may_run_something_else_is_at_most_a_warning(run: str, base: dict[str, str]) -> None:
    assert "error" not in severities(run, base)


@pytest.mark.parametrize(
    "test",
    [
        'with patch.object(Runner, "__init__", lambda self: None):\n        Runner()\n',
        'with patch("pkg.core.Runner.__init__", return_value=None) as made:\n        Runner()\n',
    ],
)
def test_a_call_of_what_is_patched_around_it_is_left_alone(test: str) -> None:
    base = {"pkg/core.py": "class Runner:\n    def __init__(self, size):\n        self.size = size\n"}
    head = f"from unittest.mock import patch\n\nfrom pkg.core import Runner\n\n\ndef test_run():\n    {test}"

    assert not said({"tests/test_run.py": head}, base)
    assert said({"tests/test_run.py": head.replace("__init__", "stop")}, base)


@pytest.mark.parametrize(
    ("context", "found"),
    [
        ("with tracer.wrap(config, 'start'):\n", ["error"]),
        ("@hook(stage, 'start')\ndef run():\n", ["error"]),
        ("@app.patch('/v1/engine.start')\ndef run():\n", ["error"]),
        ("with patch('pkg.core.start'):\n", []),
        ("with patch.object(core, 'start'):\n", []),
    ],
)
def test_only_what_replaces_something_of_the_tree_patches_a_call(context: str, found: list[str]) -> None:
    run = f"from pkg import core\nfrom pkg.core import start\n\n{context}    start(3, 4)\n"
    assert severities(run, {"pkg/core.py": CORE}) == found


@pytest.mark.parametrize(("override", "found"), [("block", False), ("*blocks", False), ("block, feat, more", True)])
def test_a_call_of_self_that_fits_a_subclass_is_left_alone(override: str, found: bool) -> None:
    base = "class Base:\n    def run(self, block):\n        self.turn(block)\n\n    def turn(self, block, feat):\n        go(block, feat)\n"
    below = f"from pkg.base import Base\n\n\nclass Dense(Base):\n    def turn(self, {override}):\n        go({override.strip('*')})\n"
    assert bool(said({"pkg/base.py": base}, {"pkg/dense.py": below})) is found


@pytest.mark.parametrize(
    "run",
    [
        "X = 'start'\nstart(1, 2)\n",
        "with open('pkg.core.start'):\n    start(1, 2)\n",
        "class Other:\n    def use(self):\n        self.start = 1\n\n\nstart(1, 2)\n",
        "other().start = 1\nstart(1, 2)\n",
        "def use():\n    global start\n\n\nstart(1, 2)\n",
        "if isinstance(1, int):\n    start(1, 2)\n",
        "try:\n    start(1, 2)\nexcept Exception:\n    raise\n",
        "config = apply_overrides(config, 'start')\nstart(1, 2)\n",
        "config = replace(config, mode='start', size=size, kind=kind)\nstart(1, 2)\n",
        "hooks.call_hook(engine, event='start')\nstart(1, 2)\n",
        "client.patch('/v1/engine.start')\nstart(1, 2)\n",
        "run_hooks(engine=engine, events={'start': 1})\nstart(1, 2)\n",
        "with suppress(KeyError):\n    start(1, 2)\n",
        "def use():\n    from .other import start\n\n\nstart(1, 2)\n",
        "class Other:\n    from .other import start\n\n    def use(self):\n        start(1, 2)\n",
        "if 0:\n    from .other import start\nstart(1, 2)\n",
        "start(1, **{'key': 2})\n",
        "import pkg.core\n\npkg.core.start(1, 2)\n",
        "sizes = {}\n[start(1, 2) for sizes[start] in 'a']\n",
        "textwrap.dedent('see pkg.core.start')\nstart(1, 2)\n",
        "if os.environ['conversion']:\n    start(1, 2)\n",
        "DEBUG = False\nexec('DEBUG = True')\nif DEBUG:\n    start(1, 2)\n",
        "DEBUG = False\nsys.modules[__name__].DEBUG = True\nif DEBUG:\n    start(1, 2)\n",
        "DEBUG = False\nstate.__dict__['DEBUG'] = True\nif DEBUG:\n    start(1, 2)\n",
    ],
)
def test_what_a_change_adds_beside_its_call_does_not_excuse_it(run: str) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n", "pkg/other.py": "def start(a, key): ...\n"}
    assert severities(f"from .core import start\n\n{run}", base) == ["error"]


@pytest.mark.parametrize(
    "run",
    [
        "core.start = other\nstart(1, 2)\n",
        "globals()['start'] = other\nstart(1, 2)\n",
        "hook(core, 'start')\nstart(1, 2)\n",
        "swap('pkg.core.start', other)\nstart(1, 2)\n",
        "module = core\nsetattr(module, 'start', other)\nstart(1, 2)\n",
        "setattr(sys.modules['pkg.core'], 'start', other)\nstart(1, 2)\n",
        "def use(monkeypatch):\n    monkeypatch.setattr(core, 'start', other)\n    start(1, 2)\n",
        "def use():\n    global start\n    start = other\n\n\nstart(1, 2)\n",
        "if hasattr(core, 'start'):\n    start(1, 2)\n",
    ],
)
def test_a_call_of_what_a_change_replaces_is_a_warning(run: str) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n"}
    assert severities(f"from pkg import core\nfrom pkg.core import start\n\n{run}", base) == ["warning"]


@pytest.mark.parametrize(
    "run",
    [
        "def use():\n    from .other import start\n\n    start(1, 2)\n",
        "class Use:\n    from .other import start\n\n    done = start(1, 2)\n",
        "try:\n    start(1, 2)\nexcept Exception:\n    start(1)\n",
        "with raises(TypeError):\n    start(1, 2)\n",
        "with raises(expected):\n    start(1, 2)\n",
        "@mark.skip_old\ndef test_use():\n    start(1, 2)\n",
        "start(1, **{key: 2})\n",
        "import pytest\n\nEXPECTED = (KeyError, TypeError)\nwith pytest.raises(EXPECTED):\n    start(1, 2)\n",
        "from contextlib import suppress\n\nwith suppress(*errors):\n    start(1, 2)\n",
        "import pytest\n\nraises = pytest.raises\nwith raises(TypeError):\n    start(1, 2)\n",
        "import pytest\n\n@pytest.mark.xfail(raises=TypeError)\ndef test_use():\n    start(1, 2)\n",
        "import pytest\n\nskip_old = pytest.mark.skipif(OLD, reason='')\n\n@skip_old\ndef test_use():\n    start(1, 2)\n",
        "def skip_old(f):\n    return unittest.skipIf(OLD, '')(f)\n\n@skip_old\ndef use():\n    start(1, 2)\n",
        "import unittest\n\n@unittest.skipUnless(NEW, '')\ndef use():\n    start(1, 2)\n",
    ],
)
def test_a_call_that_runs_something_else_or_is_to_fail_is_left_alone(run: str) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n", "pkg/other.py": "def start(a, key): ...\n"}
    assert not severities(f"from .core import start\n\n{run}", base)


@pytest.mark.parametrize(
    "context",
    [
        "import json\nfrom contextlib import suppress\n\nwith suppress(json.JSONDecodeError):\n",
        "from contextlib import suppress\n\nclass Odd(TypeError): ...\n\nwith suppress(Odd):\n",
        "from contextlib import suppress\nfrom .errors import OddError\n\nwith suppress(OddError):\n",
        "from contextlib import suppress\n\nERRORS = (KeyError, ValueError)\nwith suppress(*ERRORS):\n",
        "from contextlib import suppress\n\nwith suppress(*()):\n",
        "from contextlib import nullcontext as suppress\n\nwith suppress(TypeError):\n",
        "import contextlib\n\nsuppress = contextlib.nullcontext\nwith suppress(TypeError):\n",
        "class Own:\n    raises = make\n\nown = Own()\nwith own.raises(TypeError):\n",
        "import pytest\n\n@pytest.mark.skipif(False, reason='')\ndef test_use():\n",
        "import unittest\n\n@unittest.skipUnless(True, '')\ndef use():\n",
        "import pytest\n\n@pytest.mark.xfail(raises=ValueError)\ndef test_use():\n",
        "import pytest\n\n@pytest.mark.skip\ndef use():\n",
        "import pytest as pt\n\n@pt.mark.xfail(reason='')\ndef use():\n",
        "from pytest import mark as m\n\nskip = m.skip\n\n@skip\ndef use():\n",
        "import pytest\n\np = pytest\n\n@p.mark.skip\ndef use():\n",
        "from _pytest.mark import MARK_GEN as marks\n\n@marks.skip\ndef use():\n",
        "from unittest import expectedFailure as skip\n\n@skip\ndef use():\n",
        "skip = lambda function: function\n\n@skip\ndef use():\n",
        "class skip: ...\n\n@skip\ndef use():\n",
        "def skip(function):\n    return lambda: function()\n\n@skip\ndef use():\n",
        "from functools import cache as skip_first\n\n@skip_first\ndef use():\n",
    ],
)
def test_what_only_looks_as_if_it_expected_an_error_does_not_excuse_a_call(context: str) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n"}
    assert severities(f"from .core import start\n\n{context}    start(1, 2)\n", base) == ["error"]


@pytest.mark.parametrize(
    ("handlers", "found"),
    [
        ("except TypeError:\n    raise\nexcept Exception:\n    pass\n", ["error"]),
        ("except Exception:\n    pass\nexcept TypeError:\n    raise\n", ["error"]),
        ("except ValueError:\n    raise\nexcept Exception:\n    pass\n", ["error"]),
        ("except Exception as error:\n    print(error)\n", ["error"]),
        ("except:\n    pass\n", ["error"]),
        ("except Exception:\n    again = start(1)\n", []),
        ("except (TypeError, Exception):\n    pass\n", []),
        ("except TypeError:\n    pass\nexcept Exception:\n    raise\n", []),
        ("except TypeError:\n    pass\n\nclass TypeError(ValueError): ...\n", ["error"]),
        ("except Own.Exception:\n    pass\n", ["error"]),
        ("except (ValueError, builtins.TypeError):\n    pass\n\nimport builtins\n", []),
    ],
)
def test_the_first_handler_that_fits_decides_whether_a_call_may_fail(handlers: str, found: list[str]) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n"}
    assert severities(f"from .core import start\n\ntry:\n    start(1, 2)\n{handlers}", base) == found


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("getattr(self.config, 'fast', False)", ["error"]),
        ("hasattr(self, 'config')", ["error"]),
        ("key and isinstance(self.config, dict)", ["error"]),
        ("not self.inspected", ["error"]),
        ("isinstance(self.step(key), dict)", ["error"]),
        ("callable(self.step)", []),
        ("hasattr(self, 'step')", []),
        ("isinstance(self, Fast)", []),
        ("'key' in inspect.signature(self.step).parameters", []),
    ],
)
def test_only_a_question_about_what_is_called_excuses_a_call(condition: str, found: list[str]) -> None:
    method = "    def step(self, key):\n        return key\n"
    run = f"    def run(self, key):\n        if {condition}:\n            self.step(key, 1)\n"
    severe = severities(f"class Runner:\n{method}\n{run}", {})
    assert [each for each in severe if each == "error"] == found


def test_a_handler_for_any_error_may_expect_one_in_tests():
    tree = {"pkg/core.py": "def start(a):\n    return a\n"}
    code = "from pkg.core import start\n\ntry:\n    start(1, 2)\nexcept Exception:\n    pass\n"
    assert not findings_of(RULE, {"tests/test_core.py": code}, tree)


@pytest.mark.parametrize("guard", ["try:\n{}except TypeError:\n    pass\n", "with pytest.raises(TypeError):\n{}"])
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("    def use():\n        start(1, 2)\n", ["error"]),
        ("    if sizes:\n        def use():\n            start(1, 2)\n", ["error"]),
        ("    class Use:\n        def go(self):\n            start(1, 2)\n", ["error"]),
        ("    use = lambda: start(1, 2)\n", ["error"]),
        ("    def use():\n        start(1, 2)\n    use()\n", []),
        ("    class Use:\n        def go(self):\n            start(1, 2)\n    Use().go()\n", []),
        ("    class Use:\n        size = start(1, 2)\n", []),
        ("    run(lambda: start(1, 2))\n", []),
    ],
)
def test_a_function_of_a_block_that_expects_an_error_may_run_behind_it(guard: str, body: str, found: list[str]) -> None:
    base = {"pkg/core.py": "def start(a):\n    return a\n"}
    assert severities(f"import pytest\nfrom .core import start\n\n{guard.format(body)}", base) == found


@pytest.mark.parametrize(("project", "found"), [("server", []), ("backends/gaudi/server", ["warning"]), ("", [])])
def test_a_file_uses_the_package_of_its_own_project(project: str, found: list[str]) -> None:
    base = {
        "server/pkg/__init__.py": "def load(bits, group):\n    return bits, group\n",
        "server/setup.py": "",
        "backends/gaudi/server/pkg/__init__.py": "def load(bits):\n    return bits\n",
        "backends/gaudi/server/setup.py": "",
    }
    test = {f"{project}/tests/test_load.py".lstrip("/"): "from pkg import load\n\n\ndef test():\n    load(4, 128)\n"}

    assert [finding.severity for finding in findings_of(RULE, base | test, base)] == found


@pytest.mark.parametrize(
    ("method", "call", "fires"),
    [
        ("def run():\n        return 1\n", "Pool().run()", True),
        ("def run(*, size=1):\n        return size\n", "Pool().run(size=2)", True),
        ("def run(**rest):\n        return rest\n", "Pool().run()", True),
        ("def run():\n        return 1\n\n    def go(self):\n        return self.run()\n", "Pool()", True),
        ("def __init__():\n        print(1)\n", "Pool()", True),
        ("def run():\n        return 1\n", "Pool.run()", False),
        ("def run(*rest):\n        return rest\n", "Pool().run()", False),
        ("def run(this):\n        return this\n", "Pool().run()", False),
        ("@staticmethod\n    def run():\n        return 1\n", "Pool().run()", False),
        ("def run():\n        return 1\n\n    LIMIT = run()\n", "Pool()", False),
    ],
)
def test_a_method_that_takes_no_object_cannot_be_called_with_one(method: str, call: str, fires: bool) -> None:
    code = f"class Pool:\n    {method}\n\nX = {call}\n"
    found = [each.message for each in findings_of(RULE, {"pkg/__init__.py": "", "pkg/run.py": code})]
    assert ["passes the object, which no parameter takes" in each for each in found] == [True] * fires


@pytest.mark.parametrize(
    ("method", "call", "fires"),
    [
        ("def run():\n        return 1\n", "Pool.run()", True),
        ("def run():\n        return 1\n", "Pool().run()", True),
        ("def run(*, size=1):\n        return size\n", "Pool.run(size=2)", True),
        ("def run(*rest):\n        return rest\n", "Pool.run()", False),
        ("def run(kind):\n        return kind\n", "Pool.run()", False),
        ("def run(kind, size):\n        return size\n", "Pool.run(1)", False),
    ],
)
def test_a_class_method_that_takes_no_class_cannot_be_called(method: str, call: str, fires: bool) -> None:
    code = f"class Pool:\n    @classmethod\n    {method}\n\nX = {call}\n"
    found = [each.message for each in findings_of(RULE, {"pkg/__init__.py": "", "pkg/run.py": code})]
    assert ["passes the class, which no parameter takes" in each for each in found] == [True] * fires


@pytest.mark.parametrize(
    "run",
    [
        "import datetime\n\nX = datetime(2030, 1, 1)\n",
        "import copy\n\n\ndef run(rows):\n    return copy(rows)\n",
        "import concurrent.futures as pool\n\nX = pool()\n",
        "def run():\n    import glob\n\n    return glob('*')\n",
    ],
)
def test_a_call_of_a_module_of_the_standard_library_is_an_error(run: str) -> None:
    (found,) = findings_of(RULE, {"pkg/__init__.py": "", "pkg/run.py": run})
    assert (found.severity, found.message.partition("` here")[2]) == ("error", ", and a module cannot be called.")


@pytest.mark.parametrize(
    "run",
    [
        "from datetime import datetime\n\nX = datetime(2030, 1, 1)\n",
        "import datetime\nfrom datetime import datetime\n\nX = datetime(2030, 1, 1)\n",
        "import copy\n\n\ndef run(rows, copy):\n    return copy(rows)\n",
        "import copy\n\ncopy = copy.copy\nX = copy([])\n",
        "import copy\n\ntry:\n    X = 1\nexcept ValueError as copy:\n    copy()\n",
        "import copy\n\ntry:\n    X = copy([])\nexcept TypeError:\n    X = []\n",
        "import copy\n\nglobals().update(make())\nX = copy([])\n",
        "import copy\nfrom lib import *\n\nX = copy([])\n",
        "import tqdm\n\nX = tqdm([])\n",
        "import copy\n\nX = copy.copy([])\n",
    ],
)
def test_what_else_has_the_name_of_such_a_module_is_left_alone(run: str) -> None:
    assert findings_of(RULE, {"pkg/__init__.py": "", "pkg/run.py": run}) == []


@pytest.mark.parametrize(
    "run",
    [
        "from . import core\n\nX = core()\n",
        "from pkg import core as start\n\nX = start(3)\n",
        "import pkg.core as start\n\n\ndef run():\n    return start(3)\n",
    ],
)
def test_a_call_of_a_module_of_the_tree_is_an_error(run: str) -> None:
    (found,) = findings_of(RULE, {"pkg/run.py": run}, {"pkg/__init__.py": "", "pkg/core.py": CORE})
    assert (found.severity, found.message.partition("` here")[2]) == ("error", ", and a module cannot be called.")


@pytest.mark.parametrize(
    ("package", "core", "run"),
    [
        ("from .core import start as core\n", CORE, "from . import core\n\nX = core(3)\n"),
        ("", "import sys\n\nsys.modules[__name__] = print\n", "from . import core\n\nX = core(3)\n"),
        ("def __getattr__(name):\n    return find(name)\n", CORE, "from . import core\n\nX = core(3)\n"),
        ("from lib import *\n", CORE, "from . import core\n\nX = core(3)\n"),
        ("", CORE, "from . import core\n\ncore = core.start\nX = core(3)\n"),
        ("", CORE, "from . import core\n\n\ndef run(core):\n    return core(3)\n"),
        ("", CORE, "from .core import start as core\n\nX = core(3)\n"),
        ("", CORE, "try:\n    from lib import core\nexcept ImportError:\n    from . import core\n\nX = core(3)\n"),
        ("", CORE, "from . import core\n\ntry:\n    X = core(3)\nexcept TypeError:\n    X = core.start(3)\n"),
        ("", CORE, "from lib import core\n\nX = core(3)\n"),
    ],
)
def test_what_else_has_the_name_of_a_module_of_the_tree_is_left_alone(package: str, core: str, run: str) -> None:
    assert findings_of(RULE, {"pkg/run.py": run}, {"pkg/__init__.py": package, "pkg/core.py": core}) == []


CLASS = "{}class Cache{}:\n    def __init__(self, size):\n        self.size = size\n\n    {}\n"
FACTORY = "@classmethod\n    def of(cls, text):\n        return cls({})"
NONE = "@classmethod\n    def none(cls):\n        return None"


def factories(arguments: str, before: str = "", bases: str = "", after: str = "", method: str = FACTORY) -> list[str]:
    head = CLASS.format(before, bases, method.format(arguments)) + after
    base = CLASS.format(before, bases, NONE) + after
    return [str(each.severity) for each in findings_of(RULE, {"pkg/a.py": head}, {"pkg/a.py": base})]


@pytest.mark.parametrize(
    ("arguments", "bases", "expected"),
    [("text, 1", "", "error"), ("", "", "error"), ("length=text", "", "error"), ("text, 1", "(ABC)", "warning")],
)
def test_a_class_method_that_calls_its_class_in_another_way(arguments: str, bases: str, expected: str) -> None:
    assert factories(arguments, "from abc import ABC\n\n\n", bases) == [expected]
    assert factories("text", "from abc import ABC\n\n\n", bases) == []


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("\n\nclass Fast(Cache):\n    pass\n", ["error"]),
        ("\n\nclass Fast(Cache):\n    def __init__(self, size, rows):\n        self.rows = rows\n", []),
        ("\n\nclass Fast(Library, Cache):\n    pass\n", []),
    ],
)
def test_a_class_below_may_be_what_the_method_calls(after: str, expected: list[str]) -> None:
    assert factories("text, 1", after=after) == expected


@pytest.mark.parametrize(
    "method",
    [
        "@classmethod\n    def of(cls, text):\n        cls = kind(text)\n        return cls({})",
        "@staticmethod\n    def of(cls, text):\n        return cls({})",
        "def of(self, cls):\n        return cls({})",
        "@classmethod\n    def of(cls, kinds):\n        return [(lambda cls: cls({}))(each) for each in kinds]",
    ],
)
def test_another_thing_that_is_called_cls_is_left_alone(method: str) -> None:
    assert factories("1, 2", method=method) == []


def test_a_mixin_leaves_the_constructor_to_other_classes() -> None:
    header = "class Makes:\n    "
    head, base = (f"{header}{each}\n" for each in (FACTORY.format("text"), NONE))
    assert findings_of(RULE, {"pkg/a.py": head}, {"pkg/a.py": base}) == []


BOX_CLASS = "class Box:\n    def __init__(self, size, name):\n        self.size = size\n        self.name = name\n\n"
OF_OBJECT = "    def copy(self):\n        return {}\n"
OF_CLASS = "    @classmethod\n    def read(cls):\n        return {}\n"
SMALL_BOX = "\n\nclass Small(Box):\n"
OWN_INIT = "    def __init__(self, size):\n        super().__init__(size, 'small')\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (BOX_CLASS + OF_OBJECT.format("type(self)(1)"), "error"),
        (BOX_CLASS + OF_OBJECT.format("self.__class__(1)"), "error"),
        (BOX_CLASS + OF_OBJECT.format("self.__class__(1, 'a', kind=2)"), "error"),
        (BOX_CLASS + OF_CLASS.format("cls(1)"), "error"),
        (BOX_CLASS + OF_CLASS.format("cls(1)") + SMALL_BOX + "    kind = 1\n", "error"),
        (BOX_CLASS + OF_OBJECT.format("type(self)(1)") + SMALL_BOX + "    kind = 1\n", "error"),
        (BOX_CLASS + OF_OBJECT.format("type(self)(1, 'a')"), ""),
        (BOX_CLASS + OF_OBJECT.format("type(self)(**vars(self))"), ""),
        (BOX_CLASS + OF_OBJECT.format("type(self)(1)") + SMALL_BOX + OWN_INIT, ""),
        (BOX_CLASS + OF_OBJECT.format("self.__class__(1)") + SMALL_BOX + OWN_INIT, ""),
        (BOX_CLASS + OF_OBJECT.format("type(self.name)(1)"), ""),
        (BOX_CLASS + OF_OBJECT.format("self.name.__class__(1)"), ""),
        (BOX_CLASS + OF_OBJECT.format("type(self, 1)(1)"), ""),
        ("def type(x):\n    return print\n\n\n" + BOX_CLASS + OF_OBJECT.format("type(self)(1)"), ""),
        (BOX_CLASS + "    def copy(self, type):\n        return type(self)(1)\n", ""),
        (BOX_CLASS + "    def copy(self):\n        self = other()\n        return type(self)(1)\n", ""),
        (BOX_CLASS + "    def copy(self):\n        self.__class__ = Other\n        return self.__class__(1)\n", ""),
        (
            "from lib import Base\n\n\n"
            + BOX_CLASS.replace("Box:", "Box(Base):")
            + OF_OBJECT.format("type(self)(1, 'a')"),
            "",
        ),
        (
            BOX_CLASS
            + OF_OBJECT.format("type(self)(1)")
            + "\n\nfrom lib import Mixin"
            + SMALL_BOX.replace("Box", "Mixin, Box")
            + "    x = 1\n",
            "",
        ),
    ],
)
def test_the_class_of_the_object_must_take_what_a_method_passes(code: str, expected: str) -> None:
    found = findings_of("api/call-misfit", {"pkg/a.py": code}, {"pkg/__init__.py": ""})
    assert [each.severity for each in found if each.severity == "error"] == [expected] * bool(expected)
