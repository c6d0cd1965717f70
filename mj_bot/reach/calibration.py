"""What was measured in games of the search against itself, for danger.py and outlook.py.

    python3 -m mj_bot.lab calibrate --games 3000 --seed 1000000
"""

# The logistic model of one opponent and one tile, by danger.FEATURES.
DANGER_WEIGHTS = (
    -7.5148, 0.5267, 2.2025, 2.7182, 2.7281, 13.2380, -6.9023, -2.2264,
    -2.1919, -2.1224, -1.7583, -1.4423, -1.5909, 0.4555, -0.7024, -0.3676,
    -2.6712, -2.5455, 0.2310, -1.0172, 0.0821, 0.2080, -0.5725, -2.4673,
)
# Points a game by worth x and part w of the walls that is left: a + b L + c w + d L w, where L = ln(x + offset);
# offset, a, b, c, d.
OUTLOOK = (0.6, -18.434, 5.750, 5.423, 5.310)
