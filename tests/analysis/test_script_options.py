import ast

import pytest

from review_bot.analysis.python.script_options import script_options

_MADE = "import argparse\nparser = argparse.ArgumentParser()\n"
_PARSED = "args = parser.parse_args()\n"


@pytest.mark.parametrize(
    ("declared", "taken", "refused"),
    [
        ("parser.add_argument('--num-prompts')\n", ["--num-prompts", "--num", "--help"], ["--num_prompts", "--nums"]),
        ("parser.add_argument('--aa')\nparser.add_argument('--ab')\n", ["--aa"], ["--a"]),
        ("parser.add_argument('--x', action=argparse.BooleanOptionalAction)\n", ["--x", "--no-x"], ["--not-x"]),
    ],
)
def test_a_script_takes_its_options_and_the_beginnings_of_one(declared, taken, refused):
    options = script_options(ast.parse(_MADE + declared + _PARSED))
    assert options is not None
    assert all(map(options.takes, taken))
    assert not any(map(options.takes, refused))


@pytest.mark.parametrize(
    "source",
    [
        _MADE + "parser.add_argument('--x')\nargs, rest = parser.parse_known_args()\n",
        _MADE + "add_engine_options(parser)\nparser.add_argument('--x')\n" + _PARSED,
        _MADE + "for name in names:\n    parser.add_argument(name)\n" + _PARSED,
        _MADE + "commands = parser.add_subparsers()\nparser.add_argument('--x')\n" + _PARSED,
        _MADE + "parser.add_argument('--x')\nargs = parser.parse_args(sys.argv[2:])\n",
        "parser = argparse.ArgumentParser(parents=[base])\nparser.add_argument('--x')\n" + _PARSED,
        "parser = HfArgumentParser(Options)\nparser.add_argument('--x')\n" + _PARSED,
        _MADE + "parser.add_argument('--x')\n",
        _MADE + "def extend(given):\n    engine.extend(given)\nparser.add_argument('--x')\nextend(parser)\n" + _PARSED,
        "def add_argument():\n    p = ArgumentParser()\n    p.add_argument('--x')\n    go(p)\n    p.parse_args()\nadd_argument()",
    ],
)
def test_a_script_that_may_take_other_options_is_not_read(source):
    assert script_options(ast.parse(source)) is None


@pytest.mark.parametrize(
    ("rest", "is_read"),
    [
        ("def main():\n    parser, args = read()\n    check(parser, args)\n", True),
        ("def main():\n    parser, args = read()\n    if args.x:\n        check(parser, args)\n", True),
        ("def main():\n    extend(parser)\n    args = read()\n", False),
        ("def main():\n    if here:\n        read()\n    extend(parser)\n", False),
    ],
)
def test_a_parser_that_leaves_the_file_after_it_parsed_is_read(rest, is_read):
    made = _MADE + "parser.add_argument('--x')\n"
    read = "def read():\n    return parser, parser.parse_args()\n"
    assert (script_options(ast.parse(made + read + rest)) is not None) == is_read


def test_choices_are_read_as_a_command_writes_them():
    options = script_options(ast.parse(_MADE + "parser.add_argument('--n', type=int, choices=[1, 2])\n" + _PARSED))
    assert options is not None
    assert dict(options.choices) == {"--n": ("1", "2")}
