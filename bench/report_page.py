"""``python -m bench.report_page``: how fast ``report.html`` of 5,000 findings is, and what axe-core says of it.

The page is written here and opened in Chromium, five times each. *Open* is from the navigation to the load event
and the first paint with content; *filter* is from an event of a control to the frame with the new count. Then axe-core
judges the page in both themes, which takes it a minute.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from review_bot.reports import html
from tests.browser import pages
from tests.browser.axe import AXE, violations
from tests.browser.chromium import NAMES, Chromium, find

TARGET = 1000.0
"""Milliseconds to open, and to filter."""

_ROUNDS = 5
_FINDINGS = 5000

_FILTERS = {
    "words": "set('words', 'value_4321')",
    "words of many": "set('words', 'value_1')",
    "file": "set('file', document.querySelector('[name=file]').options[40].value)",
    "rule": "set('rule', document.querySelector('[name=rule]').options[7].value)",
    "severity": "document.querySelector('#filters [value=warning]').click()",
    "show all": "document.querySelector('#filters [type=reset]').click()",
}
_TIMED = """(async () => {
  const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const set = (name, value) => {
    const each = document.querySelector(`#filters [name=${name}]`);
    each.value = value;
    each.dispatchEvent(new Event('input', {bubbles: true}));
  };
  const before = document.getElementById('count').textContent;
  const start = performance.now();
  %s;
  const old = () => document.getElementById('count').textContent === before && performance.now() < start + 5000;
  do { await frames(); } while (old());
  return performance.now() - start;
})()"""


def main() -> int:
    """Measure, print, and return 1 if a target is missed."""
    path = find()
    if path is None or not AXE.exists():
        lacking = f"a Chromium on PATH ({', '.join(NAMES)})" if path is None else "axe-core; run `make report-page`"
        print(f"This needs {lacking}.", file=sys.stderr)
        return 2
    review = pages.many(_FINDINGS)
    wrote: list[float] = []
    page = ""
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        page = html.render(review)
        wrote.append(1000 * (time.perf_counter() - start))
    with tempfile.TemporaryDirectory(prefix="review-bot-bench-") as folder, Chromium(path) as browser:
        file = Path(folder) / "report.html"
        file.write_text(page, encoding="utf-8")
        browser.screen(1600)
        opened = [_open(browser, file) for _ in range(_ROUNDS)]
        filtered = {name: _filter(browser, file, script) for name, script in _FILTERS.items()}
        found = _judge(browser, file)
    print(f"report.html of {len(review.findings):,} findings in {len(review.pull_request.files)} files:")
    print(f"  {len(page.encode()) / 1e6:.1f} MB, written in {statistics.median(wrote):.0f} ms (medians of {_ROUNDS})")
    slowest = [_told("open", opened), *(_told(f"filter by {name}", times) for name, times in filtered.items())]
    print(f"  axe-core, light and dark: {len(found)} errors")
    for each in found:
        print(f"    {each}")
    return 0 if max(slowest) <= TARGET and not found else 1


def _told(name: str, times: list[float]) -> float:
    median = statistics.median(times)
    met = "met" if median <= TARGET else "MISSED"
    print(f"  {name}: {median:.0f} ms, slowest {max(times):.0f} ms (target {TARGET:.0f} ms: {met})")
    return median


def _open(browser: Chromium, file: Path) -> float:
    browser.open(file)
    loaded = "performance.getEntriesByType('navigation')[0].loadEventEnd"
    drawn = "performance.getEntriesByType('paint').map(each => each.startTime)"
    return float(browser.run(f"Math.max({loaded}, ...{drawn})"))


def _filter(browser: Chromium, file: Path, script: str) -> list[float]:
    times = []
    for _ in range(_ROUNDS):
        # "Show all" needs something that is not shown; the others begin with all.
        browser.open(file, "#severity=warning" if "reset" in script else "")
        times.append(float(browser.run(_TIMED % script)))
    return times


def _judge(browser: Chromium, file: Path) -> list[str]:
    found: list[str] = []
    for theme in ("light", "dark"):
        browser.screen(1600, theme=theme)
        browser.open(file)
        found += violations(browser, whole=False)
    return sorted(set(found))


if __name__ == "__main__":
    sys.exit(main())
