"""Players at the referee's table; whole games with them are in test_match.py."""

import sys
import time

import pytest

from mj_bot.botzone import JSON, KEEP_RUNNING
from mj_bot.lab.table.players import ProcessPlayer, make_player
from mj_bot.mahjong.errors import UnknownTacticError


def test_a_kept_bot_that_ends_by_itself_can_be_left(tmp_path):
    """Ending a process that had just ended reaped it twice: ChildProcessError after the last turn of a game."""
    script = tmp_path / "bot.py"
    script.write_text("print('{\"response\": \"PASS\"}\\n%s')" % KEEP_RUNNING)
    player = ProcessPlayer("%s %s" % (sys.executable, script), JSON, keep_running=True)
    player.begin()
    assert player.respond("0 0 0").verdict == "OK"
    time.sleep(0.5)  # until it has ended; nothing else tells without reaping it
    player.end()


def test_an_open_quote_in_a_command_is_bad_use():
    """It came out as a bare ValueError of shlex."""
    with pytest.raises(UnknownTacticError, match="No closing quotation"):
        make_player("json:python3 'x")
