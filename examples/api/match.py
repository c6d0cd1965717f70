"""Plays a match of two players and says who is better: python3 match.py PLAYER PLAYER [WALLS]"""

import sys

from mj_bot import api

if __name__ == "__main__":  # the workers of a match import this file
    walls = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    result = api.play_match(sys.argv[1:3], walls=walls, rotations=4, workers=2)
    for player in result.players:
        print("%-12s %+.2f points a game, Elo %+.0f" % (player.name, player.score.mean, player.elo.mean))
    print("better: %s" % (result.winner or "none is shown; play more walls"))
