"""What the tests of the pages share."""

import pytest

from tests.browser import open_browser


@pytest.fixture(scope="session")
def browser():
    with open_browser() as browser:
        yield browser
