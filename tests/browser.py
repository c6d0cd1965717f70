"""A browser for the tests: the system's chromium, driven by playwright."""

import contextlib
import shutil

import pytest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    # A name of another site that leads to this machine.
    "--host-resolver-rules=MAP rebinding.example 127.0.0.1",
)
# Milliseconds: a page may wait for the server's work on a machine that runs much else.
_PATIENCE = 180_000
# JavaScript that tells whether the data of a page are there.
IS_UNPACKED = "() => !document.querySelector('#data[data-packed]')"

needs_browser = pytest.mark.skipif(
    sync_playwright is None or CHROMIUM is None,
    reason="no browser: expected playwright (3rdparty/requirements-test.txt) and the system's chromium")


@contextlib.contextmanager
def open_page(browser, url, width=1280, height=900, *, script="", locale="en-US", **options):
    """A page at an address; at the end it has raised no error, written none to its console and asked no other place.

    script: JavaScript that runs before those of the page. options: of playwright's new_page.
    """
    page = browser.new_page(viewport={"width": width, "height": height}, locale=locale, **options)
    page.set_default_timeout(_PATIENCE)
    page.add_init_script(script)
    wrong = []
    page.on("pageerror", lambda error: wrong.append("error %s" % error))
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    # A page that is left stops what it still loads, such as its icon.
    page.on("requestfailed", lambda request: wrong.append("failed %s" % request.url)
            if request.failure != "net::ERR_ABORTED" else None)
    try:
        page.goto(url)
        page.wait_for_function(IS_UNPACKED)
        yield page
    finally:
        page.close()
        # Here, as an error of the page is why a test has waited in vain.
        assert not wrong, wrong
