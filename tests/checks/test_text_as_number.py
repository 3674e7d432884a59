"""Which text counts as used like a number, and what keeps the rule silent."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

RULE = "errors/text-as-number"
HEAD = "import argparse\nimport os\nimport sys\nimport time\n\ndef f(parser, request):\n"


def found(body: str) -> list[str]:
    findings = findings_of(RULE, HEAD + textwrap.indent(textwrap.dedent(body), "    "))
    return [each.message for each in findings]


@pytest.mark.parametrize(
    ("body", "consequence"),
    [
        ("return os.environ['RANK'] == 0", "it never equals `0`"),
        ("return 0 != os.environ['RANK']", "it always differs from `0`"),
        ("return os.getenv('RANK', '0') < 1", "comparing it with `1` raises TypeError"),
        ("return os.getenv('FAST') == True", "it never equals `True`"),
        ("return os.getenv('RANK', 0) == 0", "where the variable is set"),
        ("size = os.getenv('SIZE')\nreturn size // 2", "calculating with it raises TypeError"),
        ("return sys.argv[1] + 1", "the command line"),
        ("time.sleep(input())", "`time.sleep` raises TypeError"),
        ("return request.query_params.get('n', '1') > 1", "the query string"),
        ("parser.add_argument('--n', default=2)\nargs = parser.parse_args()\nreturn args.n + 1", "where the option is"),
        ("parser.add_argument('n')\nargs = parser.parse_args()\nreturn range(args.n)", "`range` raises TypeError"),
    ],
)
def test_a_use_as_a_number_is_found(body: str, consequence: str) -> None:
    (message,) = found(body)
    assert consequence in message


@pytest.mark.parametrize(
    "body",
    [
        "return int(os.environ['RANK']) == 0",
        "return os.environ['RANK'] == '0'",
        "return os.getenv('RANK') is None",
        "return os.getenv('RANK', default()) == 0",
        "return os.environ['NAME'] % 2, os.environ['NAME'] * 2, 'rank ' + os.environ['NAME']",
        "rank = os.getenv('RANK')\nrank = rank or 0\nreturn rank == 0",
        "global rank\nrank = os.getenv('RANK')\nreturn rank == 0",
        "return sys.argv[1:] == 0",
        "parser.add_argument('--n', default=2, type=int)\nargs = parser.parse_args()\nreturn args.n + 1",
        "parser.add_argument('--n', default=2)\nparser.set_defaults(n=3)\nargs = parser.parse_args()\nreturn args.n + 1",
        "parser.add_argument('--n', default=SIZE)\nargs = parser.parse_args()\nreturn args.n + 1",
        "parser.add_argument('--n', dest='m', default=2)\nargs = parser.parse_args()\nreturn args.n + 1",
    ],
)
def test_a_conversion_or_another_value_keeps_it_silent(body: str) -> None:
    assert found(body) == []
