"""Prints the fans of a hand, or what it may become: python3 fans.py 123m456s789pEE55p"""

import sys

from mj_bot import api

state = api.state_from_hand(sys.argv[1])
count = api.count_fans(sys.argv[1]) if state.is_my_turn else None
if count and count.fans:
    for fan in count.fans:
        print("%3d %s %s" % (fan.points * fan.copies, fan.name, fan.english))
    print("%d fan: %s" % (count.fan, "a win" if count.is_win else "too few for a win"))
else:
    outlook = api.look_ahead(state)
    print("After %s: ready in %d, eight fan in %s" % (
        api.format_action(outlook.action), outlook.shanten, outlook.eight_fan))
    for tile, copies, *fans in outlook.waits:
        print("waits for %s (%d unseen), fan on a discard and by self-draw: %s" % (tile, copies, fans))
