"""Prints the worst mistakes of recorded games, and writes the games in another form: python3 mistakes.py PATH OUT"""

import sys

from mj_bot import api

with open(sys.argv[2], "w", encoding="utf-8") as output:
    for game in api.read_games(sys.argv[1]):
        if game.error:
            print("%s: %s" % (game.where, game.error), file=sys.stderr)
            continue
        output.write(game.format("official"))
        for seat, found in api.review(game, "cnn")["reviews"].items():
            for index in found["mistakes"][:3]:
                mistake = found["decisions"][index]
                print("%s seat %d: %s cost %s points; %s" % (
                    game.where, seat, mistake["logged"], mistake["loss"], mistake["reasons"]))
