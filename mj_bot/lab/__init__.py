"""The workshop: Python 3.11, numba, torch. Never shipped.

Rooms import only rooms below them, and the shipped rooms:

    play, live, review    what people open
    page                  what their pages share
    rl                    learning by self-play
    train, dataset        networks, and sets of games to learn from
    fit                   numbers estimated by playing
    arena                 duplicate matches
    records               games in files
    batch                 tactics for many decisions at once
    engine                many games at once
    table                 one game
    run                   how commands run
"""
