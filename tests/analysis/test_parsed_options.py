"""Whether the arguments that a script parses stay in its file."""

import ast

import pytest

from review_bot.analysis.python.parsed_options import stays_in_file

MAIN = 'if __name__ == "__main__":\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{MAIN}    args = parser.parse_args()\n    print(args.a)", True),
        (f"{MAIN}    args, rest = parser.parse_known_args()\n    print(args.a)", True),
        ("def main():\n    args = parser.parse_args()\n    print(args.a)\nmain()", True),
        ("print(parser.parse_args().a)", True),
        ("def main(options): return options.a\nmain(parser.parse_args())", True),
        ("def main(options): return go(options)\nmain(parser.parse_args())", False),
        (f"def read(): return parser.parse_args()\n{MAIN}    args = read()\n    print(args)", True),
        ("def read(): return parser.parse_args()", False),
        (
            f"def read():\n    args = parser.parse_args()\n    return args, 1\n{MAIN}    args, n = read()\n    args.a",
            True,
        ),
        (f"{MAIN}    args = parser.parse_args()\n    start(**vars(args))", False),
        (f"{MAIN}    args = parser.parse_args()\n    self.args = args", False),
        (f"{MAIN}    args = parser.parse_args()\n    spawn(main, (args,))", False),
        (f"{MAIN}    args = parser.parse_args()\n    print(f'{{args}}', getattr(args, 'a'))", True),
        (f"def read():\n    return ()\n{MAIN}    args = parser.parse_args()", True),
        ("def add(parser): parser.add_argument('--a')", False),
        # What a module binds as it is imported, other files may import.
        ("args = parser.parse_args()\nprint(args.a)", False),
        ("if quiet:\n    args = parser.parse_args([])\nelse:\n    args = parser.parse_args()", False),
        ("try:\n    args, rest = parser.parse_known_args()\nfinally:\n    close()", False),
    ],
)
def test_arguments_stay_where_only_the_file_uses_them(text, expected):
    assert stays_in_file(ast.parse(text)) is expected
