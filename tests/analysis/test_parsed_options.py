"""Whether the arguments that a script parses stay in its file."""

import ast

import pytest

from review_bot.analysis.python.parsed_options import stays_in_file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("args = parser.parse_args()\nprint(args.a)", True),
        ("args, rest = parser.parse_known_args()\nprint(args.a)", True),
        ("print(parser.parse_args().a)", True),
        ("def main(options): return options.a\nmain(parser.parse_args())", True),
        ("def main(options): return go(options)\nmain(parser.parse_args())", False),
        ("def read(): return parser.parse_args()\nargs = read()\nprint(args)", True),
        ("def read(): return parser.parse_args()", False),
        ("def read():\n    args = parser.parse_args()\n    return args, 1\nargs, n = read()\nargs.a", True),
        ("args = parser.parse_args()\nstart(**vars(args))", False),
        ("args = parser.parse_args()\nself.args = args", False),
        ("args = parser.parse_args()\nspawn(main, (args,))", False),
        ("args = parser.parse_args()\nprint(f'{args}', getattr(args, 'a'))", True),
        ("def read():\n    return ()\nargs = parser.parse_args()", True),
        ("def add(parser): parser.add_argument('--a')", False),
    ],
)
def test_arguments_stay_where_only_the_file_uses_them(text, expected):
    assert stays_in_file(ast.parse(text)) is expected
