"""Numbers measured in games of the search against itself: data/results/calibration.json, correction.json.

    mj-bot calibrate --games 3000 --seed 1000000
    mj-bot correction --output correction --games 204800 --rounds 2
"""

import numpy as np

# The logistic model of one opponent and one tile, by danger.FEATURES.
DANGER_WEIGHTS = (
    -7.8384, 0.5596, 2.3506, 2.7970, 2.7788, 14.9599, -7.9666, -2.5762,
    -2.1167, -2.2774, -1.9097, -1.5346, -0.2818, 0.3825, -0.1681, -0.1405,
    -2.4638, -2.3983, 0.3283, -0.8833, -0.0822, -0.5821, -0.6977, -3.2530,
)
# Rates at which an unseen copy of each class (chance.CLASS_OF) is drawn, discarded by the seat before, discarded by
# another, relative to the mean rate of draws of an unseen copy.
ARRIVALS = np.array([(1.01, 1.28, 2.73), (0.96, 1.14, 2.39), (0.95, 0.96, 2.02), (1.18, 1.46, 3.18)])
# Points a game by worth x and part w of the walls that is left: a + b L + c w + d L w, where L = ln(x + offset);
# offset, a, b, c, d.
POINTS_BY_WORTH = (10.000, -32.237, 7.498, -44.953, 20.902)
# Weights of correction.FEATURES, in points.
CORRECTION_WEIGHTS = (
    0.112, 0.092, 0.012, -0.035, -0.050, -0.336, 0.202, 0.052, 0.016, -0.121, -0.021, 0.130, 0.027, -0.177, -0.278,
    0.055, -0.026, 0.131, 0.004, 0.026, -0.012, -0.289, 0.411, 0.131, 0.072, -0.167, -0.052, 0.184, 0.130, -0.199,
    -0.326, 0.127, -0.187, 0.131, -0.059, -0.040, 0.168, -0.346, 0.238, 0.070, 0.017, -0.249, -0.157, 0.611, 0.254,
    -0.280, -0.498, 0.342, -0.005, 0.000, -0.381, -0.103, -0.029, 0.005, -0.031, 0.100, 0.019, -0.206, -0.186, 0.028,
    -0.049, -0.250, -0.046, 0.028, 0.054, -0.806, -0.219, -0.275, -0.860, -0.335, -0.053, -0.950, -0.052, 0.228, -0.315,
    -0.263, 0.575, -0.256, -0.116, 0.137, -0.107, -0.221, 0.243, -0.260, 0.202, -0.207, -0.167, 0.015, 0.708, -0.162,
    -0.137, -0.444, -0.191, 0.208, 0.177, -0.065, 0.068, 0.318, 0.127, 0.161, 0.254, 0.000, 0.192, 0.207, 0.179, 0.615,
    0.530, 0.738, 1.002, 0.173, -0.212,
)
