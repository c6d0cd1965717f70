"""A browser for the tests of the pages, interrupts for those of the commands, a Ray cluster."""

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
def cluster():
    """A Ray cluster of one node, to which more can be added."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield cluster
    cluster.shutdown()


@pytest.fixture
def interruptible_process():
    """Shells ignore interrupts in background jobs."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)
