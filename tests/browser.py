"""A browser for the tests: the system's chromium, driven by playwright."""

import contextlib
import shutil

import pytest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

# The first one opens a page with a third of the work.
CHROMIUM = next(filter(None, map(shutil.which, (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None)
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


# Pages that no test uses, by browser, locale and script: to open a window takes a browser half a second.
_idle = {}


@contextlib.contextmanager
def open_page(browser, url, width=1280, height=900, *, script="", locale="en-US", **options):
    """A page at an address; at the end it has raised no error, written none to its console and asked no other place.

    Without options it may be one of an earlier test, which has left nothing in it. A test that changes more than that
    closes it.

    script: JavaScript that runs before those of the page. options: of playwright's new_page.
    """
    key = (browser, locale, script)
    page = None if options else _idle.pop(key, None)
    if page is None:
        page = browser.new_page(locale=locale, **options)
        page.set_default_timeout(_PATIENCE)
        page.add_init_script(script)
    page.set_viewport_size({"width": width, "height": height})
    wrong = []
    listeners = {
        "pageerror": lambda error: wrong.append("error %s" % error),
        "console": lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None,
        # A page that is left stops what it still loads, such as its icon.
        "requestfailed": lambda request: wrong.append("failed %s" % request.url)
        if request.failure != "net::ERR_ABORTED" else None}
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        page.goto(url)
        page.wait_for_function(IS_UNPACKED)
        yield page
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if not options and key not in _idle and not page.is_closed():
            _leave(page)
            _idle[key] = page
    finally:
        if page is not _idle.get(key):
            page.close()
        # Here, as an error of the page is why a test has waited in vain.
        assert not wrong, wrong


def _leave(page):
    """Removes what a test has left in a page."""
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()
    page.unroute_all()
    page.mouse.move(0, 0)
    page.goto("about:blank")
