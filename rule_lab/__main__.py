"""``python -m rule_lab``: sheets of findings to annotate, labels, and the catalogue of rules with their precision."""

from __future__ import annotations

import argparse

from review_bot import cli
from rule_lab import docs, judge, sheet

COMMANDS = {
    "sheet": (sheet, "write a sheet of findings from past pull requests for annotation"),
    "judge": (judge, "merge annotators' answers to a sheet into the labels"),
    "docs": (docs, f"write the catalogue of rules to {docs.DOCS}/, and their precision to {docs.PRECISION}"),
}


def main() -> int:
    """Run the command of the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m rule_lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        child = commands.add_parser(name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(child)
    options = parser.parse_args()
    code: int = COMMANDS[options.command][0].run(options)
    return code


if __name__ == "__main__":
    cli.run_process(main)
