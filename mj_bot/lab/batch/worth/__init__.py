"""mj_bot/reach in compiled code: the worth of many hands at once, the same to rounding.

The rows, patterns, chances and parameters are those of mj_bot/reach. What is new is how they are summed: a hand's worth
is linear in the chance of each suit's rows, so all that goes with a row is worked out once (rests.py), and a discard
then costs one sum over the rows of its own suit. openings.py takes decisions apart, waits.py counts ready hands.
"""
