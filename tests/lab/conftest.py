"""A browser for the tests of the pages, and interrupts for those of the commands."""

import signal

import pytest

from tests.browser import CHROMIUM, FLAGS, sync_playwright


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def interruptible_process():
    """Shells ignore interrupts in background jobs."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)
