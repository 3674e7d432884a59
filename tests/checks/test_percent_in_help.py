"""Help texts that argparse cannot format."""

from __future__ import annotations

import argparse

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    "text",
    ["10% of", "10%", "10%%", "%(default)s", "%(default)5.2f", "%(prog)s", "100% (all)", "a %s b", "5 % d", "%(x", "%"],
)
def test_the_rule_agrees_with_argparse(text: str) -> None:
    parser = argparse.ArgumentParser(prog="p")
    try:
        parser.add_argument("--a", default=0, help=text)
        parser.format_help()
        fails = False
    except (TypeError, ValueError):
        fails = True
    code = f"parser.add_argument('--a', default=0, help={text!r})\n"
    assert bool(findings_of("errors/percent-in-help", code)) == fails


def test_a_very_wide_format_makes_no_long_text() -> None:
    assert not findings_of("errors/percent-in-help", "parser.add_argument('--a', help='%(default)999999999999s')\n")
