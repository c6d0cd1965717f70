"""The decisions of a game as a row of bytes, the form that all formats are turned into.

    action                  0..234 of mahjong/action.py: what the seat does that drew, or that laid a chow or pung
    MARK + seats            right after an action: bit s of 1..15 set where seat s was made to move at random, in that
                            action (its own seat) or in its answer to it (another)
    ANSWER + offset, action offset 1..3: the seat so far behind the last one answered with an action other than pass;
                            nearest seat first, claims that another seat's overrules included
    FAULT, seat             the seat erred (or its program failed), which ends the game

Deals and draws follow from the wall, and which answer stands from the rules; who is silent passes. Moves that stop
before the game is over are of a game that its source tells no further.
"""

from ...mahjong.action import ACTION_COUNT

ANSWER = ACTION_COUNT - 1
LAST_ANSWER = ANSWER + 3
FAULT = LAST_ANSWER + 1
MARK = 240

# At most 84 actions after draws and 16 after claims, each of them marked, claims by up to two seats at 16 of them, wins
# of three at the end, and a fault.
MOST_MOVES = 2 * (84 + 16) + 4 * 16 + 6 + 2
