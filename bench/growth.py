"""``make bench-growth``: CPU time and memory over 10 … 100,000 added lines, and over trees of 100 … 5,000 files.

Each size is a generated repository. Review Bot reviews it without workers, in turn with bare Python, and the ratio of
their CPU times counts. A straight line is fitted through all sizes but the largest, in relative terms, so that each
size weighs the same. A curve is linear if the largest size costs at most 1.5 times what the line says: otherwise this
exits with 1. The table shows by how much each size deviates from the line; an SVG shows both curves.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.corpus import Change, change_in_tree, change_of_lines
from bench.processes import in_turn, peak_memory, script

LINES = (10, 100, 1_000, 10_000, 100_000)
FILES = (100, 300, 1_000, 2_500, 5_000)
MOST = 1.5
"""Times the straight line that the largest size may cost."""


class Point(NamedTuple):
    """One size: what it is measured in, CPU time in units of bare Python's, and bytes (None without ``/proc``)."""

    size: int
    cpu: float
    memory: int | None


class Line(NamedTuple):
    """A straight line."""

    start: float
    slope: float

    def at(self, size: float) -> float:
        """Return its height."""
        return self.start + self.slope * size


def fitted(sizes: Sequence[float], values: Sequence[float]) -> Line:
    """Return the line with the least sum of squared relative deviations; it does not fall, nor start below zero."""
    weights = [1 / value**2 for value in values]
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, sizes, strict=True)) / total
    height = sum(w * y for w, y in zip(weights, values, strict=True)) / total
    spread = sum(w * (x - mean) ** 2 for w, x in zip(weights, sizes, strict=True))
    rise = sum(w * (x - mean) * (y - height) for w, x, y in zip(weights, sizes, values, strict=True))
    slope = max(0.0, rise / spread)
    return Line(max(0.0, height - slope * mean), slope)


def excess(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return how many times the line through the other sizes the largest one costs."""
    return values[-1] / fitted(sizes[:-1], values[:-1]).at(sizes[-1])


def measure(sizes: Sequence[int], write: Callable[[Path, int], Change], place: Path, rounds: int) -> list[Point]:
    """Write a repository of each size and measure its review."""
    points = []
    for size in sizes:
        change = write(place / str(size), size)
        review = [script("review-bot"), "review", change.range, "--format", "json", "--jobs", "1", "--no-cache"]
        commands = {"bare": ([sys.executable, "-c", "pass"], place), "review": (review, change.folder)}
        timings = in_turn(commands, rounds)
        memory = peak_memory(review, change.folder)
        points.append(
            Point(size, timings["review"].cpu / timings["bare"].cpu, memory.proportional_sum if memory else None)
        )
    return points


def report(name: str, points: Sequence[Point]) -> bool:
    """Print a table of one curve; return whether CPU time and memory are linear."""
    sizes = [float(point.size) for point in points]
    is_linear = True
    print(f"\n| {name} | CPU, × bare Python | off the line | memory | off the line |\n|---|---|---|---|---|")
    columns = {"CPU time": [point.cpu for point in points]}
    if all(point.memory for point in points):
        columns["Memory"] = [(point.memory or 0) / 1e6 for point in points]
    lines = {what: fitted(sizes[:-1], values[:-1]) for what, values in columns.items()}
    for number, point in enumerate(points):
        cells = []
        for what, unit in (("CPU time", ""), ("Memory", " MB")):
            value = columns[what][number] if what in columns else None
            off = value / lines[what].at(sizes[number]) - 1 if value is not None else None
            cells += ["–", "–"] if value is None or off is None else [f"{value:,.1f}{unit}", f"{off:+.0%}"]
        print(f"| {point.size:,} | {' | '.join(cells)} |")
    for what, values in columns.items():
        times = excess(sizes, values)
        line = lines[what]
        is_linear &= times <= MOST
        verdict = "linear" if times <= MOST else "NOT LINEAR"
        print(
            f"{what} over {name}: {verdict}. {line.start:,.1f} + {1000 * line.slope:,.2f} per 1,000; "
            f"the largest costs {times:.2f} times the line (at most {MOST:g})."
        )
    return is_linear


def plot(curves: dict[str, Sequence[Point]]) -> str:
    """Return an SVG with a panel for each curve: CPU time as dots, the line through all but the largest."""
    width, height, margin = 420, 280, 50
    size = f'width="{width * len(curves)}" height="{height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">']
    for number, (name, points) in enumerate(curves.items()):
        sizes, values = [float(point.size) for point in points], [point.cpu for point in points]
        line = fitted(sizes[:-1], values[:-1])
        top = max([*values, line.at(sizes[-1])])

        def at(size: float, value: float, left: int = number * width, most: float = sizes[-1], top: float = top) -> str:
            x = left + margin + size / most * (width - 2 * margin)
            return f"{x:.1f},{height - margin - value / top * (height - 2 * margin):.1f}"

        corner = at(0, 0).split(",")
        parts += [
            f'<polyline points="{at(0, top)} {at(0, 0)} {at(sizes[-1], 0)}" fill="none" stroke="#888"/>',
            f'<polyline points="{at(0, line.start)} {at(sizes[-1], line.at(sizes[-1]))}" fill="none" stroke="#36c"/>',
            *(
                f'<circle cx="{dot[0]}" cy="{dot[1]}" r="3"/>'
                for dot in (at(*pair).split(",") for pair in zip(sizes, values, strict=True))
            ),
            f'<text x="{corner[0]}" y="{height - margin + 30}">{name}, 0 to {points[-1].size:,}</text>',
            f'<text x="{corner[0]}" y="{margin - 15}">CPU time, 0 to {top:,.0f} times bare Python</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    """Measure both curves, print them, write the plot, and return 1 if one is not linear."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds of each size (default: 3)")
    parser.add_argument(
        "--plot", type=Path, default=Path("build/growth.svg"), metavar="FILE", help="where the SVG goes"
    )
    parser.add_argument("--most-lines", type=int, default=LINES[-1], metavar="N", help="leave out larger changes")
    parser.add_argument("--most-files", type=int, default=FILES[-1], metavar="N", help="leave out larger trees")
    options = parser.parse_args()
    if options.most_lines < LINES[2] or options.most_files < FILES[2]:
        parser.error(f"three sizes make a curve: at least {LINES[2]:,} lines and {FILES[2]:,} files")
    with tempfile.TemporaryDirectory(prefix="review-bot-growth-") as folder:
        curves: dict[str, Sequence[Point]] = {}
        curves["added lines"] = measure(
            [size for size in LINES if size <= options.most_lines],
            lambda place, size: change_of_lines(place, lines=size),
            Path(folder) / "lines",
            options.rounds,
        )
        curves["files of the tree"] = measure(
            [size for size in FILES if size <= options.most_files],
            lambda place, size: change_in_tree(place, files=size),
            Path(folder) / "files",
            options.rounds,
        )
    are_linear = [report(name, points) for name, points in curves.items()]
    options.plot.parent.mkdir(parents=True, exist_ok=True)
    options.plot.write_text(plot(curves), encoding="utf-8")
    print(f"\nPlot: {options.plot}")
    return 0 if all(are_linear) else 1


if __name__ == "__main__":
    sys.exit(main())
