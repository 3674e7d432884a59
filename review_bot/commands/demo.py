"""``review-bot demo``: reviews a sample change in a repository made for the occasion."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from review_bot import console
from review_bot.commands import review
from review_bot.demo.sample_change import BRANCH, lay_out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--keep", metavar="DIR", help="lay the sample repository out in this new folder and keep it")


def run(options: argparse.Namespace) -> int:
    """Lay the sample out, review it, and return 0 if the review could be completed."""
    with tempfile.TemporaryDirectory(prefix="review-bot-demo-") as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        lay_out(folder)
        console.say(f"$ review-bot review main..{BRANCH}\n")
        arguments = argparse.ArgumentParser()
        review.add_arguments(arguments)
        code = review.run(arguments.parse_args(["-C", str(folder), f"main..{BRANCH}"]))
    console.say(f"\nThat was `review-bot review` on a sample change; its exit code is {code}: {_MEANING[code]}.")
    console.say("In a repository of your own, `review-bot review` reviews what you are about to push.")
    return 0 if code in {0, 1} else code


_MEANING = {0: "the gate passes", 1: "the gate fails on findings", 3: "the review could not be completed"}
