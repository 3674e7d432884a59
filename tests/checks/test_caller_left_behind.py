"""Calls that a change of parameters leaves behind: only those that the text proves to fail now."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/caller-left-behind"
BEFORE = "def load(path, mode='r'):\n    return path\n"
AFTER = "def load(path, device):\n    return path\n"
CLASS_BEFORE = "class Cache:\n    def __init__(self, size):\n        self.size = size\n\n    def get(self, key):\n        return key\n"
CLASS_AFTER = CLASS_BEFORE.replace("(self, size)", "(self, size, kind)").replace("(self, key)", "(self, key, block)")


def said(before: str, after: str, caller: str, path: str = "pkg/run.py", **more: str) -> list[str]:
    """Return what the rule says of ``pkg/core.py`` when one other file calls it."""
    base = {"pkg/__init__.py": "", "pkg/core.py": before, path: caller} | more
    return [finding.message for finding in findings_of(RULE, {"pkg/core.py": after}, base)]


def test_the_comment_stands_on_the_changed_header_and_lists_the_calls() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/core.py": "import os\n\n\n" + BEFORE,
        "pkg/run.py": "from pkg.core import load\n\nload('a')\nload('a', mode='w')\nload('a', 'w')\n",
        "tests/test_core.py": "from pkg import core\n\n\ndef test_load():\n    assert core.load('a')\n",
    }

    (finding,) = findings_of(RULE, {"pkg/core.py": "import os\n\n\n" + AFTER}, base)

    assert (finding.path, finding.line, finding.side, finding.placement) == ("pkg/core.py", 4, "RIGHT", "inline")
    assert finding.message == (
        "The parameters of `load` changed, but the call at `pkg/run.py:3` does not pass `device`; "
        "at least 2 other calls do not match either."
    )
    assert [(place.path, place.line, place.note) for place in finding.related] == [
        ("pkg/run.py", 3, "does not pass `device`"),
        ("pkg/run.py", 4, "passes the unknown keyword argument `mode` and does not pass `device`"),
        ("tests/test_core.py", 5, "does not pass `device`"),
    ]


@pytest.mark.parametrize(
    "caller",
    [
        "import pkg.core\n\npkg.core.load('a')\n",
        "import pkg.core as c\n\nc.load('a')\n",
        "from .core import load as read\n\n\ndef run():\n    return read('a')\n",
        "def run():\n    from pkg.core import load\n\n    return load('a')\n",
        "try:\n    from pkg.core import load\nexcept ImportError:\n    load = None\n\nload('a')\n",
    ],
)
def test_a_function_is_found_through_every_kind_of_import(caller: str) -> None:
    assert len(said(BEFORE, AFTER, caller)) == 1


@pytest.mark.parametrize(
    ("caller", "severity"),
    [
        ("from pkg.core import load\n\nprint('load')\nload('a')\n", "error"),
        ("from pkg.core import load\n\n\nclass A:\n    def run(self):\n        self.load = load('a')\n", "error"),
        ("from pkg import core\n\nmonkeypatch.setattr(core, 'load', fast)\ncore.load('a')\n", "warning"),
        (
            "from pkg import core\n\nfor name in ['load']:\n    monkeypatch.setattr(core, name, fast)\n\ncore.load('a')\n",
            "warning",
        ),
    ],
)
def test_only_what_replaces_a_function_makes_its_calls_uncertain(caller: str, severity: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": BEFORE, "pkg/run.py": caller}
    assert [each.severity for each in findings_of(RULE, {"pkg/core.py": AFTER}, base)] == [severity]


def test_a_function_is_found_through_a_package_that_hands_it_on() -> None:
    found = said(
        BEFORE, AFTER, "from pkg import load\n\nload('a')\n", **{"pkg/__init__.py": "from .core import load\n"}
    )
    assert len(found) == 1


@pytest.mark.parametrize(
    "caller",
    [
        "from elsewhere import load\n\nload('a')\n",
        "from pkg.core import load\n\n\ndef run(load):\n    return load('a')\n",
        "from pkg.core import load\n\n\ndef run():\n    load = make()\n    return load('a')\n",
        "try:\n    from pkg.core import load\nexcept ImportError:\n    load = print\n\nload('a')\n",
        "from pkg.core import load\n\nload(*names)\n",
        "from pkg.core import load\n\nload('a', **rest)\n",
        "import pytest\nfrom pkg.core import load\n\nwith pytest.raises(TypeError):\n    load('a')\n",
        "from pkg.core import load\n\ntry:\n    load('a')\nexcept TypeError:\n    load('a', 'cpu')\n",
        "import pytest\nfrom pkg.core import load\n\n\n@pytest.mark.skip('later')\ndef test_it():\n    load('a')\n",
        "from pkg.core import load\n\nload()\n",  # it was wrong before
    ],
)
def test_a_call_that_may_mean_something_else_or_may_fail_is_left_alone(caller: str) -> None:
    assert said(BEFORE, AFTER, caller) == []


@pytest.mark.parametrize(
    ("caller", "name"),
    [
        ("from pkg.core import Cache\n\nCache(1)\n", "Cache.__init__"),
        ("from pkg.core import Cache\n\n\nclass Big(Cache):\n    pass\n\n\nBig(1)\n", "Cache.__init__"),
        (
            "from pkg.core import Cache\n\n\nclass Big(Cache):\n    def __init__(self):\n        super().__init__(1)\n",
            "Cache.__init__",
        ),
        ("from pkg.core import Cache\n\n\ndef run(cache: Cache):\n    return cache.get(1)\n", "Cache.get"),
        ("from pkg.core import Cache\n\n\ndef run():\n    c = Cache(1, 2)\n    return c.get(1)\n", "Cache.get"),
        (
            (
                "from pkg.core import Cache\n\n\nclass Run:\n    def __init__(self):\n        self.c = Cache(1, 2)\n\n"
                "    def step(self):\n        return self.c.get(1)\n"
            ),
            "Cache.get",
        ),
        (
            "from pkg.core import Cache\n\n\nclass Big(Cache):\n    def all(self):\n        return self.get(1)\n",
            "Cache.get",
        ),
    ],
)
def test_a_method_is_found_where_the_class_of_the_object_is_written_down(caller: str, name: str) -> None:
    (message,) = said(CLASS_BEFORE, CLASS_AFTER, caller)
    assert message.startswith(f"The parameters of `{name}` changed, but the call at `pkg/run.py:")


@pytest.mark.parametrize(
    "caller",
    [
        "from pkg.core import Cache\n\n\ndef run(cache):\n    return cache.get(1)\n",
        (
            "from pkg.core import Cache\n\n\nclass Big(Cache):\n    def get(self, key):\n        return key\n\n"
            "    def all(self):\n        return self.get(1)\n"
        ),
        (
            "from pkg.core import Cache\nfrom other import Mixin\n\n\nclass Big(Mixin, Cache):\n"
            "    def all(self):\n        return self.get(1)\n"
        ),
        "from pkg.core import Cache\n\n\ndef run():\n    c = Cache(1, 2)\n    c = other()\n    return c.get(1)\n",
        (
            "from pkg.core import Cache\n\n\nclass Run:\n    def __init__(self, c=None):\n        self.c = Cache(1, 2)\n"
            "        self.c = c or self.c\n\n    def step(self):\n        return self.c.get(1)\n"
        ),
    ],
)
def test_an_object_of_unknown_class_is_left_alone(caller: str) -> None:
    assert said(CLASS_BEFORE, CLASS_AFTER, caller) == []


def test_a_module_that_is_called_runs_its_forward() -> None:
    before = "from torch import nn\n\n\nclass Block(nn.Module):\n    def forward(self, x):\n        return x\n"
    caller = (
        "from torch import nn\nfrom .core import Block\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        self.block = Block()\n\n    def forward(self, x):\n        return self.block(x)\n"
    )
    assert len(said(before, before.replace("(self, x)", "(self, x, mask)"), caller)) == 1
    assert said(before, before.replace("(self, x)", "(self, x, mask=None)"), caller) == []


@pytest.mark.parametrize(
    ("before", "after", "call", "new", "old"),
    [
        ("a, b=1, c=2", "a, x=0, b=1, c=2", "f(1, 2)", "x", "b"),
        ("a, b", "b, a", "f(1, 2)", "b", "a"),
        ("a, b=1", "a, x=0, *, b=1", "f(1, 2)", "x", "b"),
    ],
)
def test_an_argument_that_moves_to_another_parameter_is_named(
    before: str, after: str, call: str, new: str, old: str
) -> None:
    (message,) = said(
        f"def f({before}):\n    return a\n", f"def f({after}):\n    return a\n", f"from pkg.core import f\n\n{call}\n"
    )

    assert message == (
        f"The parameters of `f` changed, but the call at `pkg/run.py:3` now gives to `{new}` by position what "
        f"went to `{old}` before."
    )


@pytest.mark.parametrize(
    ("before", "after", "call"),
    [
        ("a, b=1", "a, x=0, b=1", "f(1)"),
        ("a, b=1", "a, x=0, b=1", "f(1, b=2)"),
        ("a, b=1", "a, b2=1", "f(1, 2)"),  # another name for the same
        ("a, b=1", "a, b=1, x=0", "f(1, 2)"),
    ],
)
def test_a_call_whose_arguments_stay_is_left_alone(before: str, after: str, call: str) -> None:
    assert (
        said(
            f"def f({before}):\n    return a\n",
            f"def f({after}):\n    return a\n",
            f"from pkg.core import f\n\n{call}\n",
        )
        == []
    )


METHOD = "class C:\n    def f(self):\n        return self.x\n"
AS_PROPERTY = METHOD.replace("    def f", "    @property\n    def f")
AS_STATIC = "class C:\n    @staticmethod\n    def f():\n        return 1\n"
OBJECT = "from pkg.core import C\n\n\ndef run():\n    c = C()\n    return "


@pytest.mark.parametrize(
    ("before", "after", "use", "message"),
    [
        (METHOD, AS_PROPERTY, "c.f()", "`C.f` is a property now, but the call at `pkg/run.py:6` still calls it."),
        (AS_PROPERTY, METHOD, "c.f", "`C.f` is a method now, but the read at `pkg/run.py:6` does not call it."),
        (
            METHOD,
            AS_STATIC,
            "C.f(c)",
            "The parameters of `C.f` changed, but the call at `pkg/run.py:6` passes 1 positional argument, but none is accepted.",
        ),
    ],
)
def test_what_a_method_became_is_said(before: str, after: str, use: str, message: str) -> None:
    assert said(before, after, f"{OBJECT}{use}\n") == [message]


def test_a_class_that_loses_its_own_constructor() -> None:
    before = (
        "class Block:\n    def __init__(self):\n        self.parts = []\n\n\n"
        "class Pad(Block):\n    def __init__(self, width, mode='zero'):\n        super().__init__()\n"
        "        self.width = width\n\n    def run(self, x):\n        return x\n"
    )
    after = before.replace(
        "    def __init__(self, width, mode='zero'):\n        super().__init__()\n        self.width = width\n\n", ""
    )
    (message,) = said(before, after, "from pkg.core import Pad\n\nPad(1, mode='edge')\n")
    assert message == (
        "The constructor of `Pad` is `Block.__init__` now, but the call at `pkg/run.py:3` "
        "passes the unknown keyword argument `mode`."
    )


OWN = "class Pool:\n    def go(self):\n        return self.run()\n\n    def run(self):\n        return 1\n\n\nX = Pool().go()\n"


@pytest.mark.parametrize(
    ("old", "new", "fires"),
    [
        ("run(self)", "run()", True),
        ("run(self)", "run(*, size=1)", True),
        ("run(self)", "run(*rest)", False),
        ("run(self)", "run(this)", False),
        ("    def run(self)", "    @staticmethod\n    def run()", False),
    ],
)
def test_a_method_that_no_longer_takes_its_object_is_reported(old: str, new: str, fires: bool) -> None:
    base = {"pkg/__init__.py": "", "pkg/pool.py": OWN}
    found = findings_of("api/caller-left-behind", {"pkg/pool.py": OWN.replace(old, new)}, base)
    assert ["passes the object, which no parameter takes" in each.message for each in found] == [True] * fires


@pytest.mark.parametrize(
    ("old", "new", "fires"),
    [
        ("make(cls)", "make()", True),
        ("make()", "make(*, size=1)", False),
        ("make(cls)", "make(kind)", False),
        ("make(cls)", "make(cls, size=1)", False),
        ("make(self)", "make(cls)", False),
    ],
)
def test_a_class_method_that_no_longer_takes_its_class_is_reported(old: str, new: str, fires: bool) -> None:
    code = "class Pool:\n    @classmethod\n    def {}:\n        return 1\n\n\nPool.make()\n"
    found = findings_of("api/caller-left-behind", {"pool.py": code.format(new)}, {"pool.py": code.format(old)})
    assert ["passes the class, which no parameter takes" in each.message for each in found] == [True] * fires


def test_a_method_that_never_took_its_object_is_left_alone() -> None:
    base = {"pkg/__init__.py": "", "pkg/pool.py": OWN.replace("run(self)", "run()")}
    head = {"pkg/pool.py": OWN.replace("run(self)", "run(*, size=1)")}
    assert findings_of("api/caller-left-behind", head, base) == []


FACTORY = "    @classmethod\n    def of(cls, text):\n        return cls({})\n"


@pytest.mark.parametrize(
    ("arguments", "below", "expected"),
    [
        ("len(text)", "", ["error"]),
        ("size=len(text)", "", ["error"]),
        ("*text", "", []),
        ("len(text)", "\n\nclass Fast(Cache):\n    def __init__(self, size):\n        self.size = size\n", []),
    ],
)
def test_a_class_method_calls_the_constructor_of_its_class(arguments: str, below: str, expected: list[str]) -> None:
    before, after = (f"{header}\n{FACTORY.format(arguments)}{below}" for header in (CLASS_BEFORE, CLASS_AFTER))
    found = findings_of(RULE, {"pkg/core.py": after}, {"pkg/__init__.py": "", "pkg/core.py": before})
    assert [str(each.severity) for each in found] == expected


@pytest.mark.parametrize("made", ["cls", "type(self)", "self.__class__"])
def test_a_call_of_the_class_around_it_is_left_behind(made: str) -> None:
    header = "    @classmethod\n    def copy(cls):\n" if made == "cls" else "    def copy(self):\n"
    base = f"class Box:\n    def __init__(self, size):\n        self.size = size\n\n{header}        return {made}(1)\n"
    head = base.replace("self, size):", "self, size, name):")
    [finding] = findings_of("api/caller-left-behind", {"pkg/a.py": head}, {"pkg/__init__.py": "", "pkg/a.py": base})
    assert finding.severity == "error"
    below = "\n\nclass Small(Box):\n    def __init__(self, size):\n        super().__init__(size, 'small')\n"
    change = {"pkg/a.py": f"{head}{below}"}
    assert findings_of("api/caller-left-behind", change, {"pkg/__init__.py": "", "pkg/a.py": f"{base}{below}"}) == []
