"""Reads of attributes that a module of the repository does not have."""

from __future__ import annotations

import json

import pytest

from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

RULE = "api/missing-module-attribute"
TREE = {
    "pkg/__init__.py": "",
    "pkg/core.py": "def start(): ...\n",
    "pkg/sub/__init__.py": "",
    "pkg/sub/mod.py": "X = 1\n",
}


def lines(code: str, **base: str) -> list[int | None]:
    """Return the lines of a new file of the package that are reported."""
    more = {f"pkg/{name}.py": text for name, text in base.items()}
    return [each.line for each in findings_of(RULE, {"pkg/run.py": code}, TREE | more)]


@pytest.mark.parametrize(
    ("code", "reported"),
    [
        ("from pkg import core\ncore.stop()\n", [2]),
        ("from . import core as c\nc.stop()\n", [2]),
        ("import pkg.core\npkg.core.stop()\n", [2]),
        ("import pkg.core as c\nprint(c.stop)\n", [2]),
        ("import pkg\npkg.stop()\n", [2]),
        ("from pkg.sub import mod\nmod.Y\n", [2]),
        ("import pkg.sub.mod as m\nm.Y\n", [2]),
        ("def run():\n    from pkg import core\n    return core.stop()\n", [3]),
        ("from pkg import core\n@core.stop\ndef run(): ...\n", [2]),
        ("from pkg import core\nclass A(core.Stop): ...\n", [2]),
        ("from pkg import core\ndef run(x: core.Stop): ...\n", [2]),
        ("from pkg import core\ncore.stop.later.still()\n", [2]),
        ("from pkg import core\nx = (core\n     .stop)\n", [3]),
        ("from pkg import core\ncore.stop()\ncore.start()\ncore.halt()\n", [2, 4]),
        ("try:\n    from pkg import core\nexcept ImportError:\n    core = None\ncore.stop()\n", [5]),
        ("from pkg import core\ndef f(core):\n    return core.a\ndef g():\n    return core.b\n", [5]),
        ("from pkg import core\ntry:\n    core.stop()\nexcept ValueError:\n    pass\n", [3]),
    ],
)
def test_what_a_module_lacks_is_reported(code: str, reported: list[int]) -> None:
    assert lines(code) == reported


@pytest.mark.parametrize(
    "code",
    [
        "from pkg import core\ncore.start()\n",
        "from pkg import core\ncore.__dict__, core.__cached__\n",
        "import pkg.sub.mod\npkg.sub.mod.X\npkg.sub\npkg.core\n",
        "from pkg import core\ncore.stop = 1\n",
        "import core\ncore.stop()\n",
        "from other import core\ncore.stop()\n",
        "try:\n    from fast import core\nexcept ImportError:\n    from pkg import core\ncore.stop()\n",
        "from pkg import core\nfor core in []:\n    core.stop()\n",
        "from pkg import core\ndef f(core):\n    return core.stop()\n",
        "from pkg import core\nf = lambda core: core.stop()\n",
        "from pkg import core\ndef f():\n    return [core.stop for core in []]\n",
        "from pkg import core\ndef f():\n    global core\n    core = 1\ndef g():\n    return core.stop\n",
        "from pkg import core\ndef f(x):\n    match x:\n        case core:\n            return core.stop\n",
        "from pkg import core\nclass A:\n    core = dict()\n    x = core.stop\n",
        "from pkg import core\ndef f():\n    from other import core\n    core.stop()\n",
        "from pkg import core\nif hasattr(core, 'stop'):\n    core.stop()\n",
        "from pkg import core\nhasattr(core, 'stop') and core.stop()\n",
        "from pkg import core\nx = core.stop if hasattr(core, 'stop') else 1\n",
        "from pkg import core\ntry:\n    core.stop()\nexcept AttributeError:\n    pass\n",
        "import pytest\nfrom pkg import core\nwith pytest.raises(AttributeError):\n    core.stop()\n",
        "from typing import TYPE_CHECKING\nfrom pkg import core\nif TYPE_CHECKING:\n    x = core.Stop\n",
        "from __future__ import annotations\nfrom pkg import core\ndef f(x: core.Stop) -> core.Stop: ...\n",
        "from pkg import core\ndef f(x: 'core.Stop'): ...\n",
        "import sys\nsys.modules['pkg.core'] = 1\nfrom pkg import core\ncore.stop()\n",
    ],
)
def test_what_may_be_there_or_is_expected_to_fail_is_left_alone(code: str) -> None:
    assert lines(code) == []


@pytest.mark.parametrize(
    "core",
    [
        "def __getattr__(name): ...\n",
        "from elsewhere import *\n",
        "from .names import *\n",
        "globals()['stop'] = 1\n",
        "import ffi\nffi.init('core', __name__)\n",
        "from pkg.names import init_api\ninit_api('pkg.core')\n",
        "import sys\nsys.modules[__name__] = object()\n",
        "def f():\n    global stop\n    stop = 1\n",
        "try:\n    from fast import stop\nexcept ImportError:\n    pass\n",
    ],
)
def test_a_module_that_may_have_the_name_is_left_alone(core: str) -> None:
    assert lines("from pkg import core\ncore.stop()\n", core=core, names="stop = 1\n") == []


_FILLED = "import ffi\nffi.init_api('{}', __name__)\n"
_NO_FILLERS = (
    "print('loaded', __name__)\n",
    "import ffi\nffi.get_logger(__name__)\n",
    "import logging\nlogging.info('loaded %s', __name__)\n",
    "def init_api(name, module): ...\ninit_api('core', __name__)\n",
    "names = []\nnames.insert('core', __name__)\n",
    "from pkg.sub.mod import register\nregister('core', __name__)\n",
    "[print][0]('core', __name__)\n",
    "from pkg.sub.mod import register\nregister('pkg.core')\n",
    "from pkg.sub.mod import register\nregister('more')\n",
)
_GENERATED = (
    "DESCRIPTOR = add(b'\\n\\rrun_pb2.proto\\x12\\x03pkg\\\"\\r\\n\\x0bStopRequest')\nbuild(DESCRIPTOR, globals())\n"
)


@pytest.mark.parametrize(
    ("module", "base", "name", "reported"),
    [
        (_FILLED.format("more"), _FILLED.format("core"), "stop", []),
        (_FILLED.format("more"), "import ffi\nfound = ffi.init_api('core', __name__)\n", "stop", [2]),
        (_FILLED.format("more"), "", "stop", [2]),
        ("from ffi import init_api\ninit_api('more', __name__)\n", _FILLED.format("core"), "stop", []),
        *((call, call, "stop", [2]) for call in _NO_FILLERS),
        ("import logging\nLOG = logging.getLogger(__name__)\n", "", "stop", [2]),
        (_GENERATED, "", "StopRequest", []),
        (_GENERATED, "", "StartRequest", [2]),
    ],
)
def test_a_new_module_is_filled_only_as_others_are_or_with_names_that_it_holds(
    module: str, base: str, name: str, reported: list[int]
) -> None:
    tree = {**TREE, "pkg/core.py": base}
    head = {"pkg/more.py": module, "pkg/run.py": f"from pkg import more\nmore.{name}()\n"}

    assert [each.line for each in findings_of(RULE, head, tree)] == reported


@pytest.mark.parametrize(
    "other",
    [
        "from pkg import core\ncore.stop = print\n",
        "from pkg import core\nsetattr(core, 'stop', print)\n",
        "from pkg import core\nfor name in ('stop', 'halt'):\n    setattr(core, name, print)\n",
        "from pkg import core\nvars(core).update(stop=print)\n",
        "import pkg.core\npkg.core.__dict__['st' + 'op'] = print\n",
        "from unittest.mock import patch\n\npatch('pkg.core.stop', create=True).start()\n",
    ],
)
def test_what_the_base_sets_from_outside_is_left_alone_but_the_change_cannot_excuse_itself(other: str) -> None:
    code = "from pkg import core\ncore.stop()\n"
    assert lines(code, other=other) == []

    (finding,) = findings_of(RULE, {"pkg/run.py": code, "pkg/other.py": other}, TREE)
    assert finding.severity == "warning"
    assert finding.message == (
        "`pkg.core` does not define `stop`; it defines `start`; only an assignment at run time could provide it."
        if "start" in finding.message
        else "`pkg.core` does not define `stop`; only an assignment at run time could provide it."
    )


@pytest.mark.parametrize(
    ("package", "reported"),
    [
        ("from . import core\n", [2]),
        ("import pkg.core as core\n", [2]),
        ("from .core import start\n", [2]),
        ("from .core import start as core\n", []),
        ("from .sub import mod as core\n", [2]),
        ("core = object()\n", []),
        ("def __getattr__(name):\n    return load(name)\n", [2]),
        ("def __getattr__(name):\n    return {'core': 1}[name]\n", []),
        ("from elsewhere import *\n", []),
    ],
)
def test_the_package_decides_what_the_name_of_a_module_means(package: str, reported: list[int]) -> None:
    head = {"pkg/run.py": "from pkg import core\ncore.stop()\n"}

    assert [each.line for each in findings_of(RULE, head, TREE | {"pkg/__init__.py": package})] == reported


def test_the_message_names_the_name_that_is_spelled_alike() -> None:
    (finding,) = findings_of(RULE, {"pkg/run.py": "from . import core\n\nx = 'ü', core.strat()\n"}, TREE)

    assert finding.message == "`pkg.core` does not define `strat` at the head of this change; it defines `start`."
    assert (finding.severity, finding.line, finding.column, finding.end_column) == ("error", 3, 15, 20)


def test_only_added_lines_count() -> None:
    base = TREE | {"pkg/run.py": "from pkg import core\ncore.stop()\n"}

    assert [f.line for f in findings_of(RULE, {"pkg/run.py": f"{base['pkg/run.py']}core.halt()\n"}, base)] == [3]


def test_a_notebook_is_read_and_what_its_base_had_is_not_added() -> None:
    def notebook(*cells: str) -> str:
        sources = [{"cell_type": "code", "source": [cell], "metadata": {}, "outputs": []} for cell in cells]
        return json.dumps({"cells": sources, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)

    base = TREE | {"run.ipynb": notebook("from pkg import core", "core.stop()")}
    head = {"run.ipynb": notebook("from pkg import core", "core.stop()", "core.halt()", "core.start()")}

    (finding,) = findings_of(RULE, head, base)
    assert "`halt`" in finding.message
    assert head["run.ipynb"].splitlines()[(finding.line or 0) - 1].strip() == '"core.halt()"'


def test_many_names_of_a_large_module_need_linear_time() -> None:
    def examine(names: int) -> None:
        base = TREE | {"pkg/core.py": "".join(f"name_{number} = 1\n" for number in range(names))}
        reads = "".join(f"core.name_{number}, core.other_{number}\n" for number in range(names))
        assert findings_of(RULE, {"pkg/run.py": f"from pkg import core\n{reads}"}, base)

    assert growth(examine, 60) < SUPERLINEAR


def test_reads_that_only_a_later_assignment_could_explain_are_warnings() -> None:
    code = "import pkg.core as m\n\nkept = m.hook\nm.hook = print\n"
    (finding,) = findings_of(RULE, {"tests/test_core.py": code}, TREE)

    assert (finding.severity, finding.line) == ("warning", 3)


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("pkg/worker.py", "def hold(request):\n    request.stop = 3\n"),
        ("pkg/worker.py", "def hold(request):\n    setattr(request, 'stop', 3)\n"),
        ("pkg/worker.py", "import torch\n\ntorch.stop = 3\n"),
        ("pkg/worker.py", "import logging\n\nLOG = logging.getLogger('metrics.stop')\n"),
        ("tests/test_run.py", "def test_run(monkeypatch):\n    monkeypatch.setattr('pkg.core.stop', print)\n"),
        ("tests/test_run.py", "from pkg import core\n\n\ndef test_run():\n    core.stop = print\n"),
    ],
)
def test_what_another_object_or_a_test_is_given_does_not_explain_a_read(path: str, other: str) -> None:
    head = {"pkg/run.py": "from pkg import core\ncore.stop()\n", path: other}
    assert [each.severity for each in findings_of(RULE, head, TREE)] == ["error"]
    assert [each.severity for each in findings_of(RULE, head, {**TREE, path: other})] == ["error"]


def test_what_the_change_sets_on_another_module_does_not_explain_a_read() -> None:
    other = "from pkg.sub import mod\n\nmod.stop = 3\n"
    head = {"pkg/run.py": "from pkg import core\ncore.stop()\n", "pkg/worker.py": other}
    assert [each.severity for each in findings_of(RULE, head, TREE)] == ["error"]


@pytest.mark.parametrize(
    "other",
    [
        "import sys\n\nsys.modules['pkg.core'].stop = print\n",
        "from importlib import import_module\n\ncore = import_module('pkg.core')\ncore.stop = print\n",
        "def fill(module):\n    module.stop = print\n",
        "import core\n\ncore.stop = print\n",
        "import pkg\n\npkg.core.stop = print\n",
    ],
)
def test_a_store_on_what_may_be_the_module_makes_a_read_doubtful(other: str) -> None:
    head = {"pkg/run.py": "from pkg import core\ncore.stop()\n", "pkg/worker.py": other}
    assert [each.severity for each in findings_of(RULE, head, TREE)] == ["warning"]


def test_an_attribute_of_an_object_of_that_name_does_not_explain_a_read() -> None:
    other = "class Worker:\n    def __init__(self):\n        self.stop = None\n"
    head = {"pkg/run.py": "from pkg import core\ncore.stop()\n", "pkg/worker.py": other}
    assert [each.severity for each in findings_of(RULE, head, TREE)] == ["error"]


@pytest.mark.parametrize(
    "beside",
    [
        "def f():\n    import os as core\n    return core\n",
        "class A:\n    import os as core\n",
        "def f(x):\n    match x:\n        case core:\n            return core\n",
        "def f(x):\n    match x:\n        case {**core} | [*core]:\n            return core\n",
        "class Odd(AttributeError): ...\nwith pytest.raises(Odd):\n    core.stop()\n",
    ],
)
def test_what_means_something_else_beside_a_read_does_not_excuse_it(beside: str) -> None:
    code = f"import pytest\nfrom pkg import core\n{beside}core.stop()\n"
    assert lines(code)[-1] == len(code.splitlines())


@pytest.mark.parametrize("deepest", [2, 9])
def test_a_module_deep_inside_of_packages_is_read(deepest: int) -> None:
    folders = ["pkg", *(f"part{number}" for number in range(deepest))]
    packages = {"/".join([*folders[: depth + 1], "__init__.py"]): "" for depth in range(len(folders))}
    module = ".".join([*folders, "core"])
    base = packages | {"/".join([*folders, "core.py"]): "def load(path):\n    return path\n"}

    (finding,) = findings_of("api/missing-module-attribute", {"run.py": f"import {module}\n\n{module}.save(1)\n"}, base)
    assert finding.severity == "error"


@pytest.mark.parametrize(("manifest", "reported"), [({"tensorflow/setup.py": "import setuptools\n"}, []), ({}, [4])])
def test_a_project_in_a_folder_called_as_a_library_is_not_the_library(
    manifest: dict[str, str], reported: list[int]
) -> None:
    tree = {"tensorflow/__init__.py": "", "tensorflow/ops/__init__.py": "", **manifest}
    head = {"tensorflow/ops/encode.py": "import tensorflow as tf\n\n\nKIND = tf.int32\n"}

    assert [each.line for each in findings_of(RULE, head, tree)] == reported
