"""Names of attributes that code puts together."""

from __future__ import annotations

import ast

import pytest

from review_bot.analysis.python.composed_names import composed_names, reads_by_composed_name


@pytest.mark.parametrize(
    ("code", "names", "others"),
    [
        ('getattr(args, f"size_{split}")', ["size_valid", "size_"], ["sizes", "max_size_valid"]),
        ('getattr(args, "size_%s" % split)', ["size_valid"], ["sizes"]),
        ('getattr(args, "size_%(of)s_%d" % found)', ["size_valid_2"], ["size_valid"]),
        ('getattr(args, "{}_{name}_size".format(a, name=b))', ["max_valid_size"], ["max_size", "max_valid_sizes"]),
        ('hasattr(args, split + "_" + "size")', ["valid_size"], ["valid_sizes"]),
        ('name = f"{split}_size"\ngetattr(args, name)', ["valid_size"], ["size_valid"]),
        ('for name in ("a", "max_" + kind):\n    getattr(args, name)', ["max_rows"], ["a", "rows"]),
        ('[getattr(args, each) for each in (f"max_{one}" for one in kinds)]', ["max_rows"], ["rows"]),
        ('attrgetter(f"max_{kind}")(args)', ["max_rows"], ["rows"]),
        ('args.__getattribute__(f"max_{kind}")', ["max_rows"], ["rows"]),
        ('import torch\n\ngetattr(torch, f"float{bits}")', [], ["float16"]),
        ("getattr(args, name)", [], ["rows"]),
        ('getattr(args, f"{name}")', [], ["rows"]),
        ('getattr(args, "rows")', [], ["rows"]),
        ('print(f"max_{kind}")', [], ["max_rows"]),
    ],
)
def test_a_name_that_is_put_together_may_be_each_that_its_constant_parts_allow(code, names, others) -> None:
    tree = ast.parse(code)
    assert [each for each in (*names, *others) if reads_by_composed_name(tree, each)] == names


def test_a_name_of_very_many_parts_is_compared_in_linear_time() -> None:
    tree = ast.parse(f'getattr(args, f"{"{x}a" * 2_000}b")')
    assert len(composed_names(tree)) == 1
    assert not reads_by_composed_name(tree, "a" * 5_000)
