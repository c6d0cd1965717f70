"""What was measured in games of the search against itself, for danger.py and outlook.py: data/results/calibration.json.

    python3 -m mj_bot.lab calibrate --games 3000 --seed 1000000
"""

# The logistic model of one opponent and one tile, by danger.FEATURES.
DANGER_WEIGHTS = (
    -7.5109, 0.5275, 2.2102, 2.7274, 2.7347, 13.2260, -6.8868, -2.2356,
    -2.1867, -2.1206, -1.7570, -1.4466, -1.5986, 0.4613, -0.7001, -0.3749,
    -2.6725, -2.5362, 0.2251, -1.0178, 0.0841, 0.2105, -0.5835, -2.4613,
)
# Points a game by worth x and part w of the walls that is left: a + b L + c w + d L w, where L = ln(x + offset);
# offset, a, b, c, d.
OUTLOOK = (4.000, -27.816, 7.957, -9.422, 11.359)
