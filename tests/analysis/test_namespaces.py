"""What a script reads from its parsed arguments, and what its parser gives them."""

import ast

import pytest

from review_bot.analysis.python.namespaces import destinations, reads_of_arguments

PARSER = "parser = ArgumentParser()\nparser.add_argument('-n', '--max-size')\nparser.add_argument('path')\n"
ARGS = f"{PARSER}args = parser.parse_args()\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ARGS, {"max_size", "path"}),
        (f"{ARGS}parser.add_argument('-q', dest='quiet')", {"max_size", "path", "quiet"}),
        (f"{ARGS}print(vars(args), **vars(args))\nfor k, v in vars(args).items(): print(k, v)", {"max_size", "path"}),
        (f"{ARGS}vars(args)['more'] = 1", None),
        (f"{ARGS}options = vars(args)", None),
        (f"{ARGS}args.__dict__.update(more)", None),
        (f"{ARGS}setattr(args, name, 1)", None),
        (f"{ARGS}parser.set_defaults(more=1)", None),
        (f"{ARGS}parser.add_argument(flag)", None),
        (f"{ARGS}parser.add_argument('-q', dest=name)", None),
        (f"{PARSER}args, rest = parser.parse_known_args()", None),
    ],
)
def test_destinations(text, expected):
    found = destinations(ast.parse(text))
    assert (found is None) == (expected is None)
    if found is not None:
        assert {each for each in found if not each.startswith("_")} - {
            "deepspeed",
            "deepspeed_config",
            "local_rank",
        } == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("args = parser.parse_args()\nargs.a", ["a"]),
        ("args = parser.parse_args()\nargs.a = 1\nargs.a", []),
        ("args = parser.parse_args()\nif hasattr(args, 'a'): args.a", []),
        ("args = parser.parse_args()\nargs = more(args)\nargs.a", []),
        ("def read(): return parser.parse_args()\nargs = read()\nargs.a", ["a"]),
        ("def run(x): x.a\nrun(parser.parse_args())", ["a"]),
        ("def read(): return parser, parser.parse_args()\nparser, args = read()\nargs.a\nparser.b", ["a"]),
        ("def read(): return parser, parser.parse_args()\nargs = read()\nargs.a", []),
        ("def read(): return parser, parser.parse_args()\nargs, rest = read()\nargs.a", []),
        ("def run(x): x.a\nargs = parser.parse_args()\nrun(x=args)", ["a"]),
        ("def run(x):\n    x = x or y\n    x.a\nrun(parser.parse_args())", []),
        ("def run(x): go(x)\ndef go(y): y.a\nrun(parser.parse_args())", ["a"]),
        ("args = parser.parse_args()\ndef run(): args.a", ["a"]),
        ("args = parser.parse_args()\ndef run(args): args.a", []),
        ("def run(args): args.a", []),
        ("def run(x): x.a\nrun(parser.parse_args())\nrun(other)", []),
        ("def run(x): x.a\nrun(parser.parse_args())\nrun(*other)", []),
        ("def run(x): x.a\nrun(parser.parse_args())\nrun(1, parser.parse_args())", []),
        ("class Run:\n    def go(self, x): x.a\nrun.go(parser.parse_args())", []),
    ],
)
def test_reads_of_arguments(text, expected):
    assert [each.attr for each in reads_of_arguments(ast.parse(text))] == expected
