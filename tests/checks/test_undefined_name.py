"""Names that nothing defines, and coroutines that nobody awaits."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/undefined-name"


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    return batch_size\n",
        "def f():\n    size = 1\n    return size\n\n\ndef g():\n    return size\n",
        "class A:\n    size = 1\n\n    def f(self):\n        return size\n",
        "print([each for each in values])\n",
        "def f(values):\n    found = [each for each in values]\n    return each, found\n",
        "def f(values):\n    if any(each for each in values):\n        return each\n    return 0\n",
        "class A:\n    size = 1\n    rows = [size for _ in range(3)]\n",
        "class A:\n    size = 1\n    rows = {\n        key: [size for _ in key]\n        for key in ('a', 'b')\n    }\n",
        "class A:\n    size = 1\n    grow = staticmethod(lambda by: by + size)\n",
        "class A:\n    rows = tuple(row for row in range(3))\n    last = row\n",
        "def f():\n    raise Wrong from error\n",
        "def f(x: Optional[int] = None):\n    return x\n",
        "def f(x) -> List[int]:\n    return x\n",
        "def f():\n    try:\n        a = 1\n        b = a + 1\n        return b + size\n    except Exception:\n        return 0\n",
    ],
)
def test_a_name_of_no_scope_around_is_reported(code: str) -> None:
    assert findings_of(RULE, code)


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    def g():\n        return size\n    size = 1\n    return g\n",
        "def f():\n    return LATER\n\n\nLATER = 1\n",
        "def f(values):\n    if any((last := each) for each in values):\n        return last\n    return 0\n",
        "def f(values):\n    found = [each for each in values]\n    for each in values:\n        found.append(each)\n    return each\n",
        "class A:\n    sizes = (1, 2)\n    rows = [size for size in sizes]\n",
        "class A:\n    size = 1\n    grow = lambda self, by=size: by\n    rows = [\n        row\n        for row in range(size)\n    ]\n",
        "class A:\n    rows = [row * 2 for row in [size for size in range(3)]]\n",
        "size = 2\n\n\nclass A:\n    size = 1\n    rows = [size for _ in range(3)]\n",
        "def f():\n    global SIZE\n    SIZE = 1\n\n\ndef g():\n    return SIZE\n",
        "try:\n    import fast\nexcept ImportError as error:\n    print(error)\nelse:\n    fast.go()\n",
        "match command:\n    case [first, *rest]:\n        print(first, rest)\n".replace("command", "input()"),
        "def f(x: 'Unknown', y: 'Missing' = 1) -> 'Other':\n    return x, y\n",
        "from __future__ import annotations\n\n\ndef f(x: Unknown, y: Missing = 1) -> Other:\n    return x, y\n",
        "def f(x):\n    y: Missing = x\n    return y\n",
        "try:\n    unicode\nexcept Exception:\n    unicode = str\n",
        "with open('a') as file, open('b') as (one, two):\n    print(file, one, two, __name__)\n",
        "if (n := len('a')) > 1:\n    print(n)\n",
        "from a import *\n\nprint(something)\n",
        "def f():\n    size = 1\n\n    class A(dict):\n        limit = size\n\n        def g(self):\n            return size, A\n",
    ],
)
def test_what_is_bound_somewhere_around_is_left_alone(code: str) -> None:
    assert not findings_of(RULE, code)


def test_only_the_first_use_in_a_function_is_reported() -> None:
    code = "def f():\n    print(size)\n    return size\n\n\ndef g():\n    return size\n"
    assert [each.line for each in findings_of(RULE, code)] == [2, 7]


@pytest.mark.parametrize(
    "other",
    [
        "def g(size):\n    return size\n",
        "def g(*, size=1):\n    return size\n",
        "def g(*size):\n    return size\n",
        "def g():\n    return [size for size in range(3)]\n",
        "def g():\n    return (lambda size: size)(1)\n",
        "def g():\n    import size\n    return size\n",
        "def g():\n    for size in range(3):\n        print(size)\n",
        "def g():\n    try:\n        return 1\n    except OSError as size:\n        return size\n",
        "def g(x):\n    match x:\n        case [size, *rest]:\n            return size\n",
        "def g(x):\n    if (size := x):\n        return size\n",
        "class A:\n    size = 1\n    more = size\n",
    ],
)
def test_a_name_that_another_scope_lacks_is_reported_there_alone(other: str) -> None:
    assert [each.line for each in findings_of(RULE, f"def f():\n    return size\n\n\n{other}")] == [2]


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.close()", True),
        ("await self.close()", False),
        ("task = self.close()", False),
        ("return self.close()", False),
        ("self.link.close()", False),
        ("self.events()", False),
    ],
)
def test_a_coroutine_that_is_only_made(statement: str, fires: bool) -> None:
    code = (
        "class Link:\n    async def close(self):\n        await end()\n\n    async def events(self):\n        yield 1\n\n"
        f"    async def drop(self):\n        {statement}\n"
    )
    assert bool(findings_of("errors/unawaited-coroutine", code)) is fires


def test_a_built_in_of_python_2_alone_is_called_so() -> None:
    [finding] = findings_of(RULE, "def text(value):\n    return unicode(value)\n")

    assert finding.message == (
        "`unicode` is a built-in of Python 2 alone: Python 3 lacks it, and this module does not define it. "
        "It is a warning and not an error because Python 2 may run this code."
    )


@pytest.mark.parametrize(
    ("code", "message", "advice"),
    [
        (
            "def f():\n    return self.size\n",
            "`f()`, which does not have it as",
            "Pass what this needs as a parameter.",
        ),
        (
            "class A:\n    def f(x):\n        return self.size\n",
            "does not have it",
            "Add `self` as the first parameter",
        ),
        (
            "class A:\n    @staticmethod\n    def f():\n        return self.size\n",
            "does not",
            "Pass what this needs as a p",
        ),
        (
            "class A:\n    @classmethod\n    def f(cls):\n        return self.size\n",
            "which has `cls` instead",
            "Use `cls` f",
        ),
        ("class A:\n    def f(self):\n        return cls.size\n", "which has `self` instead", "Use `type(self)`, or"),
        (
            "class A:\n    size = self.width\n",
            "is not defined here, outside every method.",
            "Move it into a m",
        ),
        ("print(self.size)\n", "is not defined here, outside every method.", "Move it into a method"),
        (
            "def f():\n    return size\n",
            "`size` is not defined in this scope",
            "Import it, define it, or fix the spelling.",
        ),
        (
            "class A:\n    def f(self):\n        return size\n",
            "`size` is not defined",
            "needs its object, as in `self.size`",
        ),
        ("def f(x):\n    return unicode(x)\n", "a built-in of Python 2 alone", "Use what replaces it in Python 3"),
    ],
)
def test_the_advice_fits_the_name_and_its_place(code: str, message: str, advice: str) -> None:
    found = findings_of(RULE, code)
    assert [(message in each.message, advice in each.instead) for each in found] == [(True, True)]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("RATE = rate_of(3)\n\n\ndef rate_of(size):\n    return size\n", "rate_of"),
        ("class Fast(Plain):\n    pass\n\n\nclass Plain:\n    pass\n", "Plain"),
        ("@kept\ndef load():\n    return 1\n\n\ndef kept(run):\n    return run\n", "kept"),
        ("def load(size=SIZE):\n    return size\n\n\nSIZE = 3\n", "SIZE"),
        ("class Row:\n    kinds = [KIND for _ in range(2)]\n\n\nKIND = 1\n", "KIND"),
        ("SIZES = [SIZES]\n", "SIZES"),
        ("class Node:\n    root = Node()\n", "Node"),
        ("if __name__ == '__main__':\n    main()\n\n\ndef main():\n    return 1\n", "main"),
        ("class Node:\n    def add(self, other: Node) -> int:\n        return 1\n", "Node"),
        ("class Node:\n    below: list[Node]\n", "Node"),
        ("def load(row: Row):\n    return row\n\n\nclass Row:\n    pass\n", "Row"),
    ],
)
def test_a_name_that_is_bound_further_down_is_reported_where_the_module_reads_it(code: str, name: str) -> None:
    assert [each.message.partition(":")[0] for each in findings_of(RULE, code)] == [f"`{name}` is not defined yet here"]


@pytest.mark.parametrize(
    "code",
    [
        "class Node:\n    def add(self, other: 'Node') -> 'Node':\n        return Node()\n",
        "from __future__ import annotations\n\n\nclass Node:\n    def add(self, other: Node) -> Node:\n        return other\n",
        "def load():\n    return SIZE\n\n\nSIZE = 3\n",
        "load = lambda: SIZE\nSIZE = 3\n",
        "rows = (SIZE for _ in range(3))\nSIZE = 3\n",
        "rows = [each for each in (1, 2)]\n\n\nclass each:\n    pass\n",
        "class Row:\n    kind = 1\n    other = kind\n\n\nkind = 2\n",
        "try:\n    unicode\nexcept NameError:\n    unicode = str\n",
        "try:\n    kept = cache\nexcept NameError:\n    kept = None\ncache = 1\n",
        "for number in range(3):\n    if number:\n        print(last)\n    last = number\n",
        "import os\n\nos = os\n",
        "range = range\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    Kind = Later\n\nLater = 1\n",
        "from lib import *\n\nRATE = rate_of(3)\n\n\ndef rate_of(size):\n    return size\n",
        "def fill():\n    global SIZE\n    SIZE = 1\n\n\nfill()\nprint(SIZE)\nSIZE = 2\n",
        "globals().update(make())\nprint(SIZE)\nSIZE = 2\n",
    ],
)
def test_a_name_that_is_bound_when_it_is_read_is_left_alone(code: str) -> None:
    assert findings_of(RULE, code) == []


def test_a_stub_and_a_line_of_the_base_may_read_what_comes_later() -> None:
    code = "class Fast(Plain):\n    pass\n\n\nclass Plain:\n    pass\n"
    assert findings_of(RULE, {"a.pyi": code}) == []
    assert findings_of(RULE, {"a.py": code + "\n\nSIZE = 1\n"}, {"a.py": code}) == []


@pytest.mark.parametrize(
    "code",
    [
        "import os\n\nprnt(os.name)\n",
        "import os\n\n\ndef show():\n    if os.name:\n        prnt(os.name)\n",
        "class A:\n    size: Optional[int] = None\n",
        "class A(dict):\n    @property\n    def size(self):\n        return prnt(self)\n",
        "try:\n    prnt(1)\nexcept ValueError:\n    pass\n",
    ],
)
def test_a_name_that_surely_fails_in_a_file_that_lacks_none_yet_is_an_error(code: str) -> None:
    [finding] = findings_of(RULE, {"a.py": code}, {"a.py": "import os\n\nprint(os.name)\n"})
    assert finding.severity == "error"


@pytest.mark.parametrize(
    "code",
    [
        "Import('env')\nprint(envy)\n",  # the program that runs it gives it names
        "@config.replaces\ndef show():\n    return prnt(1)\n".replace("config.", "config_"),
        "import lib\n\n\n@lib.replaced\ndef show():\n    return prnt(1)\n",
        "import inspect\n\n\ndef show():\n    return prnt(1)\n\n\nTEXT = inspect.getsource(show)\n",
        "class Rules(dict):\n    first = prnt(1)\n",  # its metaclass may give names
        "try:\n    a = 1\n    b = 2\n    prnt(a + b)\nexcept Exception:\n    pass\n",
        "import pytest\n\n\ndef test_show():\n    with pytest.raises(NameError):\n        prnt(1)\n",
        "import pytest\n\npytest.skip('later', allow_module_level=True)\nprnt(1)\n",
        "import lib\n\nlib.install('prnt')\nprnt(1)\n",
        "@profile\ndef show():\n    return 1\n",
        "def show(x):\n    return unicode(x)\n",
    ],
)
def test_a_name_that_something_else_may_give_is_a_warning(code: str) -> None:
    assert {each.severity for each in findings_of(RULE, code)} == {"warning"}


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ("import pytest\n\n\n@pytest.mark.slow", "error"),
        ("import pytest\n\n\n@pytest.mark.xfail", "warning"),
        ("import pytest\n\n\n@pytest.mark.skipif(True, reason='later')", "warning"),
        ("import click\n\n\n@click.command()\n@click.option('--size')", "error"),
        ("import click\n\nfrom pkg.main import cli\n\n\n@cli.command('show')", "error"),
        ("from pkg.main import cli\n\n\n@cli.command('show')", "warning"),
        ("from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get('/sizes')", "error"),
        ("from lib import app\n\n\n@app.get('sizes')", "warning"),
        ("from functools import partial\n\n\n@partial(print, 1)", "error"),
        ("pytest = make()\n\n\n@pytest.mark.slow", "warning"),
    ],
)
def test_a_decorator_that_only_registers_a_function_runs_it_as_it_is_written(lines: str, severity: str) -> None:
    found = findings_of(RULE, f"{lines}\ndef show():\n    return prnt(1)\n")
    [finding] = [each for each in found if "prnt" in each.message]
    assert finding.severity == severity


@pytest.mark.parametrize(("name", "severity"), [("state", "error"), ("env", "error"), ("gettext", "warning")])
def test_a_module_with_relative_imports_is_no_script_of_another_program(name: str, severity: str) -> None:
    code = f"def show():\n    return {name}.size\n"
    [finding] = findings_of(RULE, code)
    assert finding.severity == "warning"
    files = {"pkg/a.py": f"from .b import size\n\n\n{code}", "pkg/__init__.py": "", "pkg/b.py": "size = 1\n"}
    [finding] = findings_of(RULE, files)
    assert finding.severity == severity


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("@dataclass\nclass A:\n    size: int\n", "error"),
        ("import os\n\n\n@lru_cache(maxsize=None)\ndef name():\n    return os.name\n", "error"),
        ("LOG = logging.getLogger(__name__)\n", "error"),
        ("LOG = logging.getLogger(size_of(1))\n", "warning"),
        ("LOG = size_of(1)\n", "warning"),
        ("x = prnt(1)\n", "error"),
        ("import os\n\nx = prnt(1)\n", "error"),
        ("def size_of(row):\n    return row\n\n\nLOG = siz_of(1)\n", "error"),
        ("import os\n\nLOG = size_of(os.name)\n", "error"),
        ("import os\n\n\nclass A:\n    rows = size_of(os.name)\n", "error"),
        ("def main():\n    return 1\n\n\nif __name__ == '__main__':\n    start(main)\n", "error"),
        ("import os\n\nfor a in first, second, third, fourth:\n    print(a)\n", "warning"),
        ("import os\n\nprint(size)\nglobals()['size'] = 1\n", ""),
        ("from os import *\n\nprint(size)\n", ""),
        ("import builtins\n\nbuiltins.size = 1\nprint(size)\n", "warning"),
        ("import os\n\nexec('size = 1')\nprint(size)\n", ""),
        ("import os\n\nif os.name == 'nt':\n    print(size)\n", "error"),
        ("import os\n\ntry:\n    size\nexcept NameError:\n    size = 1\n", ""),
        ("from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    print(size)\n", ""),
        ("import os\n\nif False:\n    print(size)\n", ""),
        ("import pytest\n\n\n@pytest.mark.only(lambda: size > 1)\ndef test_a(): ...\n", "warning"),
        ("from .sizes import rows\n\nLOG = size_of(rows)\n", "error"),
        ("from .sizes import rows\n\n\ndef f(a: Lst[int] = rows):\n    return a\n", "error"),
    ],
)
def test_a_new_file_that_lacks_what_no_program_gives_it_is_an_error(code: str, severity: str) -> None:
    files = {"pkg/__init__.py": "", "pkg/sizes.py": "rows = 1\n"}
    assert {each.severity for each in findings_of(RULE, {"pkg/a.py": code}, files)} == ({severity} - {""})


@pytest.mark.parametrize("path", ["test/lit.cfg.py", "app/settings/local.py", "plugins.py", "tools/jupyter_config.py"])
def test_a_new_file_that_a_program_may_run_with_names_of_its_own_is_a_warning(path: str) -> None:
    code = "import os\n\nroot = folder_of(os.name)\n"
    assert [each.severity for each in findings_of(RULE, {path: code})] == ["warning"]
    assert [each.severity for each in findings_of(RULE, {"tools/run.py": code})] == ["error"]


def test_a_script_that_lacked_names_at_the_base_is_given_them() -> None:
    base = "print(args.size)\n"
    [finding] = findings_of(RULE, {"a.py": f"{base}print(options.size)\n"}, {"a.py": base})
    assert finding.severity == "warning"
    [finding] = findings_of(RULE, f"{base}\n\ndef show():\n    return options.size\n")[1:]
    assert finding.severity == "warning"


def test_a_template_is_a_warning() -> None:
    [finding] = findings_of(RULE, {"tests/fixtures/a.py": "def show():\n    return prnt(1)\n"})
    assert finding.severity == "warning"


HELPER = "def read():\n    return 1\n"
MAIN = "def main():\n    print('start')\n    return read()\n"


@pytest.mark.parametrize(
    ("base", "head", "line"),
    [
        (f"{HELPER}{MAIN}main()\n", f"{MAIN}main()\n{HELPER}", 5),
        (f"{MAIN}{HELPER}main()\n", f"{MAIN}main()\n{HELPER}", 4),
        (f"{MAIN}{HELPER}", f"{MAIN}X = [main()]\n{HELPER}", 4),
        (f"def main():\n    return 1\nmain()\n{HELPER}", f"{MAIN}main()\n{HELPER}", 3),
        (
            f"{HELPER}{MAIN}if __name__ == '__main__':\n    main()\n",
            f"{MAIN}if __name__ == '__main__':\n    main()\n{HELPER}",
            6,
        ),
        (f"{HELPER}{MAIN}def go():\n    main()\ngo()\n", f"{MAIN}def go():\n    main()\ngo()\n{HELPER}", 7),
        ("X = 1\nprint(X)\nprint(2)\n", "print(X)\nprint(2)\nX = 1\n", 3),
    ],
)
def test_a_call_above_what_its_function_reads_is_an_error(base: str, head: str, line: int) -> None:
    found = findings_of(RULE, {"a.py": head}, {"a.py": base})
    assert [(each.line, each.severity) for each in found] == [(line, "error")]


@pytest.mark.parametrize(
    "head",
    [
        f"{MAIN}{HELPER}main()\n",
        f"{MAIN}print(main)\n{HELPER}",
        f"{MAIN}run = lambda: main()\n{HELPER}",
        f"def main(x=None):\n    return read() if x else 1\nmain()\n{HELPER}",
        f"def main(x=None):\n    if x:\n        return read()\n    return 1\nmain()\n{HELPER}",
        f"def main(x=None):\n    if not x:\n        return 1\n    return read()\nmain()\n{HELPER}",
        f"import sys\ndef main():\n    sys.exit(1)\n    return read()\nmain()\n{HELPER}",
        f"def stop():\n    raise SystemExit\ndef main():\n    stop()\n    return read()\nmain()\n{HELPER}",
        f"def main():\n    read = len\n    return read('a')\nmain()\n{HELPER}",
        f"def main():\n    from lib import read\n    return read('a')\nmain()\n{HELPER}",
        f"def main():\n    yield read()\nmain()\n{HELPER}",
        f"async def main():\n    return read()\nmain()\n{HELPER}",
        f"import lib\n@lib.later\n{MAIN}main()\n{HELPER}",
        f"{MAIN}try:\n    main()\nexcept NameError:\n    pass\n{HELPER}",
        f"{MAIN}if not HELPERS:\n    main()\n{HELPER}".replace("HELPERS", "print"),
        f"from lib import *\n{MAIN}main()\n{HELPER}",
        f"def set_up():\n    global read\n    read = len\nset_up()\ndef main():\n    return read('')\nmain()\n{HELPER}",
    ],
)
def test_a_call_that_may_not_read_what_is_bound_below_is_left_alone(head: str) -> None:
    assert findings_of(RULE, {"a.py": head}, {"a.py": f"{HELPER}{MAIN}"}) == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("def count():\n    global total\n    total += 1\n", [3]),
        ("def count():\n    global total\n    total += 1\n    return total\n", [3]),
        ("total += 1\n", [1]),
        ("class A:\n    def count(self):\n        global total\n        total += 1\n", [4]),
        ("total = 0\n\n\ndef count():\n    global total\n    total += 1\n", []),
        ("def start():\n    global total\n    total = 0\n\n\ndef count():\n    global total\n    total += 1\n", []),
        (
            "def count():\n    global total\n    try:\n        total += 1\n    except NameError:\n        total = 1\n",
            [],
        ),
        ("def count():\n    total = 0\n\n    def more():\n        nonlocal total\n        total += 1\n", []),
        ("from lib import total\n\n\ndef count():\n    global total\n    total += 1\n", []),
        ("from lib import *\n\n\ndef count():\n    global total\n    total += 1\n", []),
        ("class A:\n    total = 0\n    total += 1\n", []),
        ("import lib\n\nlib.fill(globals())\n\n\ndef count():\n    global total\n    total += 1\n", []),
    ],
)
def test_a_name_of_the_module_that_is_only_changed_is_reported(code: str, lines: list[int]) -> None:
    assert [each.line for each in findings_of(RULE, code)] == lines


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import os\n\nx = os.name\ndel x\nprint(x)\n", 5),
        ("import os\n\nx = y = os.name\ndel x, y\nx = 1\nprint(x, y)\n", 6),
        ("import os\n\ndel os\nif True:\n    print(os.name)\n", 5),
        ("try:\n    import fast\nexcept ImportError as e:\n    fast = None\nprint(e)\n", 5),
        ("class A:\n    size = self.width\n", 2),
    ],
)
def test_a_name_that_is_gone_at_the_top_level_is_an_error(code: str, line: int) -> None:
    assert [(each.line, each.severity) for each in findings_of(RULE, code)] == [(line, "error")]


@pytest.mark.parametrize(
    "code",
    [
        "import os\n\nx = os.name\ndel x\n\n\ndef f(x):\n    return x\n",
        "import os\n\nx = os.name\nif x:\n    del x\nelse:\n    print(x)\n",
        "x = 1\n\n\ndef f():\n    global x\n    x = 2\n\n\ndel x\nf()\nprint(x)\n",
        "print = len\ndel print\nprint('a')\n",
        "x = 1\ndel x\nfrom lib import *\nprint(x)\n",
        "x = 1\ndel x\ntry:\n    print(x)\nexcept NameError:\n    pass\n",
        "try:\n    import fast\nexcept ImportError as e:\n    print(e)\n",
        "e = None\ntry:\n    import fast\nexcept ImportError as e:\n    pass\nprint(e)\n",
        "try:\n    import fast\nexcept ImportError as e:\n    try:\n        import slow\n    except ImportError:\n        print(e)\n",
        "try:\n    import fast\nexcept ImportError as e:\n    pass\nprint([e for e in 'a'])\n",
    ],
)
def test_a_name_that_may_be_there_at_the_top_level_is_left_alone(code: str) -> None:
    assert findings_of(RULE, code) == []


_SETTER = "    @width.setter\n    def width(self, value):\n        self.value = value\n"
_GETTER = "    @property\n    def width(self):\n        return self.value\n\n"


@pytest.mark.parametrize(
    "body",
    [
        "    limit = size + 1\n    size = 1\n",
        "    table = {'run': start}\n\n    def start(self):\n        return 1\n",
        "    @wrap\n    def start(self):\n        return 1\n\n    def wrap(function):\n        return function\n",
        "    def start(self, by=step):\n        return by\n\n    step = 2\n",
        "    rows = [row for row in sizes]\n    sizes = (1, 2)\n",
        "    class Inner(Outer):\n        pass\n\n    class Outer:\n        pass\n",
        "    size = size + 1\n",
        "    kind = 'size'\n    limit = size + 1\n    size = 1\n",
        f"{_SETTER}\n{_GETTER}",
        _SETTER,
    ],
)
def test_a_body_of_a_class_that_reads_a_name_above_what_binds_it_is_reported(body: str) -> None:
    (found,) = findings_of(RULE, f"import os\n\n\nclass A:\n{body}")
    assert found.severity == "error"


@pytest.mark.parametrize(
    "code",
    [
        f"class A:\n{_GETTER}{_SETTER}",
        "class A:\n    size = 1\n    limit = size + 1\n",
        "size = 1\n\n\nclass A:\n    size = size + 1\n",
        "class A:\n    id = id\n    list = list\n",
        "class A:\n    def limit(self):\n        return [size for size in self.sizes]\n\n    size = 1\n",
        "class A:\n    grow = lambda self: start(self)\n\n    def start(self):\n        return 1\n\n\ndef start(it):\n    return it\n",
        "class A:\n    other: 'later'\n    later = 1\n",
        "class A:\n    size = (count := 1) + count\n",
        "size = (count := 1) + count\n",
        "class A:\n    for size in (1, 2):\n        limit = size\n",
        "class A:\n    try:\n        size\n    except NameError:\n        size = 1\n",
        "class A:\n    vars()['size'] = 1\n    limit = size\n    size = 2\n",
        # The metaclass gives the body its names.
        "from sly import Lexer\n\n\nclass A(Lexer):\n    tokens = {NUMBER}\n    NUMBER = r'[0-9]+'\n",
        "from names import Names\n\n\nclass A(metaclass=Names):\n    tokens = {NUMBER}\n    NUMBER = 1\n",
        "def make():\n    global size\n    size = 1\n\n\ndef build():\n    class A:\n        limit = size\n        size = 2\n\n    return A\n",
    ],
)
def test_a_body_of_a_class_that_may_know_the_name_is_left_alone(code: str) -> None:
    assert not [each for each in findings_of(RULE, code) if "yet here" in each.message]


def test_what_a_body_of_a_class_binds_too_late_is_reported_where_it_moved_to() -> None:
    base = {"a.py": "class A:\n    size = 1\n    limit = size + 1\n"}
    (found,) = findings_of(RULE, {"a.py": "class A:\n    limit = size + 1\n    size = 1\n"}, base)
    assert found.severity == "error"
