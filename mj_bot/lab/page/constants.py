"""Keeps the numbers that Python and the scripts of the pages both use; each page has them in its element #constants."""

from ...mahjong.fan import MIN_FAN

# Losses below it count as none: actions whose values differ by less are equally good.
LEAST_LOSS = 0.005
# Fans that are so many tiles away at most are named.
NAMED = 3
PAGE_CONSTANTS = {"leastLoss": LEAST_LOSS, "named": NAMED, "leastFan": MIN_FAN}
