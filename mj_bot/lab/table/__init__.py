"""One game at a table: walls, the referee, the players, the record of what happened.

It never plays games side by side and never reads files of games.
"""
