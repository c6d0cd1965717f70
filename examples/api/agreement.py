"""Prints how often a tactic would do what was done in recorded games: python3 agreement.py PATH [TACTIC]"""

import sys
from collections import Counter

from mj_bot import api

tactic = api.load_tactic(sys.argv[2] if len(sys.argv) > 2 else "cnn")
counts = Counter()
for game in api.read_games(sys.argv[1]):
    if game.error:
        print("%s: %s" % (game.where, game.error), file=sys.stderr)
        continue
    for decision in game.decisions():
        if decision.action:
            counts[decision.action[0], api.think(tactic, decision.state).action == decision.action] += 1
for kind in sorted({kind for kind, _ in counts}):
    print("%-7s %d of %d" % (kind, counts[kind, True], counts[kind, True] + counts[kind, False]))
