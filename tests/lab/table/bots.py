"""Outside bots for the tests: of any code, or honest until a turn of their choice."""

import contextlib
import os
import sys
import textwrap
from pathlib import Path

from mj_bot.lab.table.players import make_player

_BOT = '''
import json, sys, time
def answer(request):
    words = request.split()
    return "PLAY " + words[1] if words[0] == "2" else "PASS"
def misbehave():
    {misbehaviour}
requests = json.loads(sys.stdin.readline())["requests"]
turn = len(requests)
while True:
    if turn == {bad}:
        misbehave()
    print(json.dumps(dict(response=answer(requests[-1]))))
    if {keep}:
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
    sys.stdout.flush()
    line = sys.stdin.readline() if {keep} else ""
    if not line:
        break
    requests = [json.loads(line)]
    turn += 1
'''


def seat_bot(folder, code, protocol="json", **limits):
    """A player of the code of an outside bot, which has begun a game."""
    path = folder / "bot.py"
    path.write_text(textwrap.dedent(code))
    player = make_player("%s:%s -S -E %s" % (protocol, sys.executable, path), **limits)
    player.begin()
    return player


def list_running(path):
    """Returns the numbers of the running processes whose command line has a path, of a bot's file."""
    numbers = []
    for words in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            numbers += [int(words.parent.name)] * (os.fsencode(path) in words.read_bytes())
    return sorted(numbers)


def write_bot(folder, misbehaviour="pass", bad=0, keep=False):
    """The command of a bot that discards what it drew, and runs the code `misbehaviour` at turn `bad` of a game."""
    path = folder / "bot.py"
    path.write_text(textwrap.dedent(_BOT).format(misbehaviour=misbehaviour, bad=bad, keep=keep))
    return "%s -S -E %s" % (sys.executable, path)
