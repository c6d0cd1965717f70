"""mj_bot/worth in compiled code: the worth of many hands at once, the same to rounding.

It never chooses an action: batch/search.py does. The rows, patterns, chances and parameters are those of mj_bot/worth.
What is new is how they are summed: a hand's worth is linear in the chance of each suit's rows, so all that goes with a
row is worked out once (rests.py), and a discard then costs one sum over the rows of its own suit. kernels.py has what
Python calls.
"""
