"""One Chromium for all tests; where there is none they are skipped, unless ``REVIEW_BOT_BROWSER=required`` is set."""

import os
from typing import NoReturn

import pytest

from tests.browser.axe import AXE
from tests.browser.chromium import NAMES, Chromium, find


def missing(reason) -> NoReturn:
    """Skip a test, or fail it where the browser is what the run is about."""
    if os.environ.get("REVIEW_BOT_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium():
    path = find()
    if path is None:
        missing(f"no Chromium on PATH ({', '.join(NAMES)})")
    with Chromium(path) as browser:
        yield browser


@pytest.fixture
def browser(chromium):
    """Return the browser, back to a wide and light screen."""
    chromium.screen(1200)
    return chromium


@pytest.fixture(scope="session")
def axe():
    if not AXE.exists():
        missing("axe-core is not installed; `make browser` does it")
