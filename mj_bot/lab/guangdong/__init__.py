"""A second game: Guangdong mahjong with wild tiles, its records, its players and its duplicate matches.

It never changes a rule of the first game. Tiles, actions, numbers from seeds, training, statistics, commands and the
table in the browser are those of the other rooms.

    settings.py      every point of the rules that house rules differ in; rules.py what wins and pays
    engine.py        thousands of games at once
    tables.py        by suit, how many wild tiles complete it; hand.py reads wins, steps and useful tiles from them
    records.py       FoxThinker's lines of 70 numbers; selfplay.py makes them
    players.py       random, shanten, ours; fox.py learns from records and plays
    match.py         duplicate matches
    seat.py          a person at the table in the browser
"""
