"""The text of the local-AI interface."""

import pytest

from mj_bot.lab.live.wire import Result, parse_poll_reply
from mj_bot.mahjong.errors import ProtocolError


def test_requests_then_results():
    requests, results = parse_poll_reply("2 2\r\nA\r\n0 1 2\r\nB\r\n2 W1\r\nC 3 4 8 -8 0 0\r\nD 0 0\r\n\r\n")
    assert requests == [("A", "0 1 2"), ("B", "2 W1")]
    assert results == [Result("C", 3, ["8", "-8", "0", "0"]), Result("D", 0, [])]


@pytest.mark.parametrize("body", [
    "", "<html>", "1", "1 0", "1 0\nA", "0 1", "0 1\nA 0", "0 1\nA 0 4 1 2 3", "0 1\nA x 4 1 2 3 4", "1 0\n../A\n2 W1",
    "1 0\n\n2 W1", "-1 0", "0 1\nA 0 4 1 2 3 \x1b[2J", "1 0\nA B\n2 W1",
])
def test_bodies_that_are_none(body):
    with pytest.raises(ProtocolError, match="expected"):
        parse_poll_reply(body)
