"""Which classes inherit from one, by the headers of all files."""

from __future__ import annotations

from collections.abc import Mapping

from review_bot.analysis.facts.classes import subclasses
from review_bot.changes.codebase import Snapshot
from tests.growth import SUPERLINEAR, growth


def names_below(texts: Mapping[str, str], name: str = "A") -> list[str]:
    side = Snapshot(frozenset(texts), texts.__getitem__)
    return [each.definition.name for each in subclasses(side, name)]


def test_classes_below_are_found_whatever_their_headers_look_like():
    headers = ["class B(A): pass", "class C(\n    m.A,\n    metaclass=Meta,\n): pass", "class\tD(x, B[int]): pass"]
    texts = {f"pkg/{number}.py": f"import m\n\n\n{header}\n" for number, header in enumerate(headers)}
    assert names_below(texts) == ["B", "C", "D"]


def test_a_name_in_a_body_or_in_prose_makes_no_class_below():
    text = '"""The class A: a class for A."""\n\n\nclass B:\n    a = A\n\n\nsubclass = A\n'
    assert names_below({"pkg/a.py": text}) == []


def test_a_header_behind_the_word_in_prose_is_found():
    assert names_below({"pkg/a.py": f"# a class {'of its own ' * 200}\nclass B(A): pass\n"}) == ["B"]


def test_classes_that_inherit_from_one_another_are_found_once():
    assert names_below({"pkg/a.py": "class A(B): pass\n", "pkg/b.py": "class B(A): pass\n"}) == ["B", "A"]


def test_the_time_for_a_chain_of_classes_is_linear():
    def below(length: int) -> None:
        texts = {f"pkg/{n}.py": f"class A{n}(A{n - 1}): pass\n" for n in range(1, length + 1)}
        assert len(names_below(texts, "A0")) == length

    assert growth(below, 400) < SUPERLINEAR
