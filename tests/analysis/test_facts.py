"""What the facts of a file and of a side are: classes, uses of attributes and keys, and what the change lost."""

import ast

import pytest

from review_bot.analysis.facts.classes import Field, classes, subclasses
from review_bot.analysis.facts.uses import read_anywhere, uses_named, uses_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.repository import closed


def codebase(base, head):
    changed = sorted(path for path in {*base, *head} if base.get(path) != head.get(path))
    files = tuple(ChangedFile(path, path, "modified", "text") for path in changed)
    return Codebase(closed(head, base, head, base), PullRequest(files))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x.a", ("attribute", "a", "read", "")),
        ("x.y.a = 1", ("attribute", "a", "write", "")),
        ("x.a: int = 1", ("attribute", "a", "write", "")),
        ("f().a += 1", ("attribute", "a", "write", "")),
        ("x.a, b = 1, 2", ("attribute", "a", "write", "")),
        ("del x.a", ("attribute", "a", "delete", "")),
        ("getattr(x, 'a', 0)", ("attribute", "a", "read", "")),
        ("hasattr(x, 'a')", ("attribute", "a", "read", "")),
        ("setattr(x, 'a', 0)", ("attribute", "a", "write", "")),
        ("x['a']", ("key", "a", "read", "")),
        ("x['a'] = 1", ("key", "a", "write", "")),
        ("del x['a']", ("key", "a", "delete", "")),
        ("x.get('a')", ("key", "a", "read", "")),
        ("x.setdefault('a', 1)", ("key", "a", "write", "")),
        ("'a' in x", ("key", "a", "read", "")),
        ("x = {'a': 1}", ("key", "a", "write", "")),
        ("f(a=1)", ("key", "a", "write", "")),
        ("# x.a = 1", None),
        ("'x.a = 1'", None),
        ("x[a]", None),
        ("'b' < 'a'", None),
    ],
)
def test_a_use_is_a_read_or_a_write(line, expected):
    found = [tuple(use._replace(line=0)) for use in uses_named(ast.parse(line), ["a"])]
    assert found == ([] if expected is None else [(*expected[:3], 0, *expected[3:])])


def test_an_attribute_of_self_belongs_to_the_innermost_class():
    text = (
        "class A:\n  def f(self):\n    self.a\n  class B:\n    def g(self): self.a = 1\n  def h(self): self.a\nself.a\n"
    )
    assert [(use.line, use.owner) for use in uses_named(ast.parse(text), ["a"])] == [
        (3, "A"),
        (5, "B"),
        (6, "A"),
        (7, ""),
    ]


def test_a_class_is_known_by_its_bases_fields_methods_and_what_it_sets():
    (found,) = classes(
        ast.parse(
            "@dataclass\nclass Options(base.Settings, Generic[T]):\n"
            "  depth: int | None = None\n  size: int = field(default=4)\n  names: list = field(default_factory=list)\n"
            "  LIMIT = 3\n  async def run(self): self.depth = 1\n"
        )
    )
    assert (found.name, found.line, found.indented) == ("Options", 2, False)
    assert found.bases == ("base.Settings", "Generic")
    assert found.base_names == {"Settings", "Generic"}
    assert found.fields == (
        Field("depth", 3, "int | None", "None"),
        Field("size", 4, "int", "4"),
        Field("names", 5, "list", None),
        Field("LIMIT", 6, None, "3"),
    )
    assert found.methods == ("run",)
    assert found.sets == {"depth"}


def test_subclasses_are_found_through_others_and_never_in_comments_or_decoys():
    tree = {
        "a.py": "class Base: ...\n",
        "b.py": "import a\nclass Middle(\n    a.Base,\n): ...\n",
        "c.py": "if x:\n    class Lowest(Middle[int]): ...\n",
        "d.py": "# class Not(Base): ...\nclass Base2: ...\n",
        "e.py": "class Broken(Base: ...\n",
        "f.txt": "class Decoy(Base): ...\n",
    }
    head = codebase(tree, tree).head
    assert [(each.path, each.definition.name) for each in subclasses(head, "Base")] == [
        ("b.py", "Middle"),
        ("c.py", "Lowest"),
    ]
    assert subclasses(head, "Lowest") == ()


def test_the_uses_on_a_side_are_in_order_and_parse_only_files_that_hold_the_name():
    tree = {"a.py": "x.depth = 1\n", "b.py": "y.depths\n", "c.pyi": "z.depth\n", "d.md": "x.depth = 1\n"}
    found = uses_of(codebase(tree, tree).head, "depth")
    assert [(each.path, each.use.access) for each in found.places] == [("a.py", "write"), ("c.pyi", "read")]
    assert found.complete


def test_more_files_than_are_parsed_make_an_answer_incomplete():
    tree = {f"f{number}.py": f"x.depth = {number}\n" for number in range(401)}
    assert not uses_of(codebase(tree, tree).head, "depth").complete
    del tree["f0.py"]
    assert uses_of(codebase(tree, tree).head, "depth").complete


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("x = self.size", True),
        ("self.size += 1; print(self.size)", True),
        ("x = (self\n  .size)", True),
        ("x = (self.\n  size)", True),
        ("x = (self.  # the largest\n  # of all\n  size)", True),
        ("x = self.\\\nsize", True),
        ("getattr(x, 'size')", True),
        ("def f(x: unit.size = 1): ...", True),
        ("x: self.size = 1", True),
        ("self.size == 1", True),
        ('f"""\n{\nself.size = }"""', True),
        ("f'{self.size=!r}'", True),
        ("self.size = 1", False),
        ("class A:\n    def f(self, size):\n        self.size = size", False),
        ("f(\n    size=1)", False),
        ("f(size)  # self.size", False),
    ],
)
def test_an_attribute_is_read_wherever_the_tree_has_a_read(text, is_read):
    side = codebase({}, {"a.py": text + "\n"}).head
    assert (read_anywhere(side, ["size"]) == {"size"}) is is_read
