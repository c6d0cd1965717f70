"""What a hand is worth: the winning hands of eight fan and more that it may become, summed up.

A target is one winning hand. Its chance is the product of the chances to get each tile that it lacks; it pays what its
pattern pays. All targets of a pattern are summed at once, suit by suit: within a suit the ways to make sets and a pair
are rows of a table, and suits are joined as polynomials in the number of sets and pairs. numpy and Python 3.6.

It never chooses an action: tactic/search.py does.
"""
