"""What was measured in games of the search against itself: data/results/calibration.json.

    python3 -m mj_bot.lab calibrate --games 3000 --seed 1000000
"""

# The logistic model of one opponent and one tile, by danger.FEATURES.
DANGER_WEIGHTS = (
    -7.8384, 0.5596, 2.3506, 2.7970, 2.7788, 14.9599, -7.9666, -2.5762,
    -2.1167, -2.2774, -1.9097, -1.5346, -0.2818, 0.3825, -0.1681, -0.1405,
    -2.4638, -2.3983, 0.3283, -0.8833, -0.0822, -0.5821, -0.6977, -3.2530,
)
# Of each class of tiles (chance.CLASS_OF): how much more often than an unseen tile is drawn on average one of its
# copies is drawn, discarded by the seat before, discarded by another.
ARRIVALS = ((1.01, 1.28, 2.73), (0.96, 1.14, 2.39), (0.95, 0.96, 2.02), (1.18, 1.46, 3.18))
# Points a game by worth x and part w of the walls that is left: a + b L + c w + d L w, where L = ln(x + offset);
# offset, a, b, c, d.
OUTLOOK = (10.000, -32.237, 7.498, -44.953, 20.902)
