"""Checks the contracts: ``python -m bench.contracts --programs 300``; returns 1 if one does not hold."""

from __future__ import annotations

import argparse
import sys
import warnings

import torch

from bench.contracts.calls import FOLDER, call_all
from bench.contracts.library_facts import check_facts
from bench.contracts.programs import run


def main() -> int:
    """Print what does not hold, and the numbers of calls, programs and claims."""
    parser = argparse.ArgumentParser(prog="python -m bench.contracts", description=__doc__)
    parser.add_argument("--programs", type=int, default=300, help="generated functions to run")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    results = [*check_facts(FOLDER), *call_all()]
    wrong = [each for each in results if each.problems]
    for each in wrong:
        print(f"{each.path}: {each.call}: {'; '.join(each.problems)}")
    claims = false = 0
    for seed in range(chosen.first, chosen.first + chosen.programs):
        program = run(seed)
        claims += program.claims
        for line, name, problem in program.wrong[:1]:
            false += 1
            print(f"program {seed}, line {line}: `{name}` is called {problem}\n{program.text}", flush=True)
    print(f"{len(results)} calls, {len(wrong)} differ; {chosen.programs} programs, {claims} claims, {false} wrong")
    return int(bool(wrong or false))


if __name__ == "__main__":
    sys.exit(main())
