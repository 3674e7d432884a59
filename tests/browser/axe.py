"""What axe-core says of a page: https://github.com/dequelabs/axe-core."""

from __future__ import annotations

from pathlib import Path

from tests.browser.chromium import Chromium

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
"""Put there by ``make browser``."""


def violations(browser: Chromium, *, whole: bool = True) -> list[str]:
    """Run axe-core over a page and return what it calls an error, with where.

    ``whole``: with every fold open and all of it drawn, for what is not drawn is not judged in full.
    """
    if whole:
        _draw_all(browser)
    browser.run(f"typeof axe === 'undefined' && (() => {{ {AXE.read_text(encoding='utf-8')} }})()")
    found: list[str] = browser.run(
        "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map("
        "each => `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' ')}`))"
    )
    return found


def _draw_all(browser: Chromium) -> None:
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    browser.run("document.styleSheets[0].insertRule('* { content-visibility: visible !important; }')")
