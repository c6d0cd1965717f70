"""Reinforcement learning by self-play on the batch engine.

    config.py    every setting of a run, read from one TOML file
    league.py    who sits where: the learner, its earlier selves, tactics; how their games went
    actor.py     plays games with the policy for many games at once, and keeps the learner's decisions
    learner.py   proximal policy optimisation on the decisions, with a critic that knows facts of all hands and walls
    loop.py      iterations, checkpoints, TensorBoard
    remote.py    actors on more machines
    strength.py  the saved networks in duplicate matches on walls that training never sees; report.py shows them
"""
