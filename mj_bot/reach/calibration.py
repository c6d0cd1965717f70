"""What was measured in games of the search against itself: data/results/calibration.json, habits.json.

    python3 -m mj_bot.lab calibrate --games 3000 --seed 1000000
    python3 -m mj_bot.lab calibrate habits --output build/habits --games 204800 --rounds 2
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
# What actions bring beyond their points, by habits.FEATURES.
HABIT_WEIGHTS = (
    -0.068, 0.199, -0.039, -0.024, -0.021, -0.143, 0.341, 0.092, 0.059, 0.196, -0.022, 0.184, -0.076, -0.277, -0.264,
    0.053, 0.039, 0.198, -0.039, -0.051, -0.043, -0.435, 0.326, 0.077, 0.018, 0.144, -0.063, 0.152, -0.076, -0.227,
    -0.132, 0.092, -0.316, 0.227, 0.027, 0.045, 0.288, -0.556, 0.599, 0.063, -0.030, -0.159, -0.277, 0.631, 0.358,
    -0.257, -0.468, 0.311, -0.106, 0.000, -0.341, -0.295, -0.066, -0.098, -0.077, 0.018, 0.049, -0.291, -0.120, 0.052,
    -0.093, -0.179, -0.059, 0.075, 0.027, -0.965, -0.411, -0.333, -0.702, -0.449, 0.043, -0.280, -0.107, -0.003, -0.635,
    -0.521, 0.419, -0.358, -0.081, 0.174, -0.316, -0.160, 0.274, -0.084, 0.142, -0.170, -0.288, -0.063, 0.568, -0.247,
    0.059, -0.737, 0.096, 0.546, 0.223, 0.286, -0.262, 0.062, 0.316, 0.085, 0.100, 0.000, 0.577, 0.629, 0.451, 0.606,
    0.515, 0.734, 1.067, 0.502, -0.072,
)
