"""Which choices of an option count as offered in vain."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

RULE = "errors/choice-always-fails"
OFFER = 'parser.add_argument("--cache", choices=["dit", "tea"])'


def script(body: str, offer: str = OFFER) -> str:
    parsed = f"parser = argparse.ArgumentParser()\n{offer}\nargs = parser.parse_args()\n"
    return "import argparse\n\n\ndef main():\n" + textwrap.indent(parsed + textwrap.dedent(body), "    ") + "\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (script("if args.cache == 'tea':\n    raise ValueError('later')"), 1),
        (script("if args.cache == 'tea':\n    parser.error('later')"), 1),
        (
            script(
                "if args.cache == 'dit':\n    run()\nelif args.cache == 'tea':\n    print('later')\n    sys.exit(1)"
            ),
            1,
        ),
        (script("if args.cache == 'tea':\n    run('tea')"), 0),
        (script("if slow:\n    if args.cache == 'tea':\n        raise ValueError('later')"), 0),
        (script("if args.cache == 'tea' and slow:\n    raise ValueError('later')"), 0),
        (script("if args.cache != 'tea':\n    raise ValueError('later')"), 0),
        (script("if args.cache == 'tea':\n    raise ValueError('later')\nreturn {'tea': 1}[args.cache]"), 0),
        (script("if args.cache == 'tea':\n    if slow:\n        raise ValueError('later')"), 0),
        (script("if args.cache == 'tea':\n    raise ValueError", f"{OFFER}\nother.{OFFER.partition('.')[2]}"), 0),
        (script("if args.cache == 'tea':\n    raise ValueError", OFFER[:-1] + ', default="tea")'), 0),
        (script("if args.cache == 'tea':\n    raise ValueError", OFFER.replace('["dit", "tea"]', "CACHES")), 0),
    ],
)
def test_a_choice(text: str, count: int) -> None:
    assert len(findings_of(RULE, text)) == count
