"""The batch form of `search`.

It never decides otherwise than the tactic: tests compare the two at the same positions.
"""
