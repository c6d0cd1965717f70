"""Reinforcement learning by self-play on the batch engine.

    config.py    every setting of a run, read from one TOML file
    league.py    who sits where: the learner, its earlier selves, tactics
    actor.py     plays games with the policy batched, and notes the learner's decisions
    returns.py   rewards and advantages; standing.py, rewards that are parts of a match's prize
    critic.py    networks that tell what a position is worth, from all hands and walls; facts.py, what a small one sees
    oracle.py    a policy that sees the hidden tiles at first
    learner.py   proximal policy optimisation on what was noted
    watch.py     how the games went: draws, wins, deal-ins, claims, fan
    loop.py      iterations, checkpoints, TensorBoard
    ranks.py     several processes that learn together; remote.py, actors on more machines
    adapt.py     a policy for one hand, at the deal
    strength.py  the saved networks in duplicate matches on walls that training never sees; report.py shows them
    ablate.py    what each part of learning is worth, in such matches
"""
