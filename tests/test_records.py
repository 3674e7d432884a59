"""``review_bot.records.NamedTuple`` makes what ``typing.NamedTuple`` makes."""

import copy
import inspect
import keyword
import pickle
import typing
from typing import Any, Generic, TypeVar, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.records import NamedTuple

T = TypeVar("T")


class Ours(NamedTuple):
    """A place."""

    path: str
    line: "int | None" = None
    words: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The place in one word."""
        return f"{self.path}:{self.line}"

    def __str__(self) -> str:
        return f"{__class__.__name__} {self.shown}"  # type: ignore[name-defined]


class Theirs(typing.NamedTuple):
    """A place."""

    path: str
    line: "int | None" = None
    words: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The place in one word."""
        return f"{self.path}:{self.line}"


class OurBox(NamedTuple, Generic[T]):
    content: T
    label: str = "box"


class TheirBox(typing.NamedTuple, Generic[T]):
    content: T
    label: str = "box"


class OurEmpty(NamedTuple):
    pass


class TheirEmpty(typing.NamedTuple):
    pass


class OurSub(Ours):
    """A place with a colour."""

    colour = "red"


class TheirSub(Theirs):
    """A place with a colour."""

    colour = "red"


PAIRS: list[tuple[Any, Any]] = [(Ours, Theirs), (OurBox, TheirBox), (OurEmpty, TheirEmpty), (OurSub, TheirSub)]
pairs = pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=[pair[0].__name__ for pair in PAIRS])


def _facts(made: Any, name: str) -> dict[str, Any]:
    """Return what can be seen of a class of records, without its name."""
    bases = [base.__name__.replace(name, "") for base in made.__mro__[1:]]
    return {
        "fields": made._fields,
        "defaults": made._field_defaults,
        "match": made.__match_args__,
        "types": get_type_hints(made),
        "parameters": [(each.name, each.kind, each.default) for each in inspect.signature(made).parameters.values()],
        "type": type(made),
        "bases": [base for base in bases if base not in {"Ours", "Theirs"}],
        "constructor": (made.__new__.__name__, made.__new__.__defaults__),
        "described": [getattr(made, field).__doc__ for field in made._fields],
        "dictionary": hasattr(made(*range(len(made._fields))), "__dict__"),
    }


@pairs
def test_a_class_is_as_typing_makes_it(ours: Any, theirs: Any) -> None:
    assert _facts(ours, ours.__name__) == _facts(theirs, theirs.__name__)


@pairs
def test_a_record_acts_as_one_of_typing(ours: Any, theirs: Any) -> None:
    values = [f"value {number}" for number in range(len(ours._fields))]
    one, other = ours(*values), theirs(*values)
    assert tuple(one) == one == other == tuple(other) == ours._make(values)
    assert hash(one) == hash(other)
    assert repr(one) == repr(other).replace(theirs.__name__, ours.__name__)
    assert one._asdict() == other._asdict()
    assert one._replace() == one
    assert type(one._replace()) is ours
    assert one.__getnewargs__() == other.__getnewargs__()
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert type(again) is ours
        assert again == one
    for number, field in enumerate(ours._fields):
        assert getattr(one, field) == values[number]
        assert one._replace(**{field: "new"}) == other._replace(**{field: "new"})
        with pytest.raises(AttributeError):
            setattr(one, field, "new")


@pairs
def test_wrong_arguments_are_refused_with_the_words_of_typing(ours: Any, theirs: Any) -> None:
    too_many = range(len(ours._fields) + 1)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [(tuple(too_many), {}), ((), {"no_field": 1})]
    calls += [((), {})] if len(ours._fields) > len(ours._field_defaults) else []
    for arguments, named in calls:
        errors = []
        for each in (ours, theirs):
            with pytest.raises(TypeError) as error:
                each(*arguments, **named)
            errors.append(str(error.value).partition("__new__")[2])
        assert errors[0] == errors[1]
    for each in (ours, theirs):
        with pytest.raises(TypeError, match=f"Expected {len(ours._fields)} arguments, got {len(too_many)}"):
            each._make(too_many)
        with pytest.raises((TypeError, ValueError), match=r"Got unexpected field names: \['no_field'\]"):
            each._make(too_many[1:])._replace(no_field=1)


def test_a_docstring_is_kept() -> None:
    assert (Ours.__doc__, OurSub.__doc__) == (Theirs.__doc__, TheirSub.__doc__)


def test_annotations_that_wait_until_they_are_asked_for_name_the_fields() -> None:
    maker: Any = type(NamedTuple)
    made = maker("Made", (NamedTuple,), {"__annotate_func__": lambda _format: {"a": int, "b": str}, "b": "x"})
    assert (made._fields, made(3)) == (("a", "b"), (3, "x"))


def test_a_body_may_name_its_own_class() -> None:
    assert str(Ours("a.py", 3)) == "Ours a.py:3"
    assert str(OurSub("a.py", 3)) == "Ours a.py:3"


def test_a_generic_record_takes_parameters() -> None:
    box = OurBox[int](3)
    assert box == (3, "box")
    assert typing.get_args(OurBox[int]) == (int,)


def test_a_record_can_be_matched() -> None:
    match Ours("a.py", 3):
        case Ours(path, line, words=words):
            assert (path, line, words) == ("a.py", 3, ())


names = st.from_regex(r"\A[a-z][a-z_0-9]{0,8}\Z").filter(lambda name: not keyword.iskeyword(name))


@given(st.lists(names, unique=True, max_size=40), st.data())
def test_any_fields_and_defaults_give_the_class_of_typing(fields: list[str], data: st.DataObject) -> None:
    required = data.draw(st.integers(0, len(fields)))
    body = [f"{name}: int" + (f" = {number}" if number >= required else "") for number, name in enumerate(fields)]
    text = "\n    ".join(["class Made(base):", *(body or ["pass"])])
    both = []
    for base in (NamedTuple, typing.NamedTuple):
        found: dict[str, Any] = {"base": base, "__name__": __name__}
        exec(text, found)
        both.append(found["Made"])
    ours, theirs = both
    assert _facts(ours, "Made") == _facts(theirs, "Made")
    values = data.draw(st.lists(st.integers(), min_size=required, max_size=len(fields)))
    assert ours(*values) == theirs(*values)
    assert repr(ours(*values)) == repr(theirs(*values))
    named = dict(zip(fields, values, strict=False))
    assert ours(**named) == theirs(**named) == ours(*values)
