"""Prints what a tactic thinks of each legal action: python3 legal_actions.py INPUT.json [TACTIC]"""

import json
import sys

from mj_bot import api

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
state = api.state_from_requests(data["requests"], data["responses"])
print(state)
opinion = api.think(sys.argv[2] if len(sys.argv) > 2 else "cnn", state)
values = dict(opinion.ranked)
for action in state.action_space():
    print("%-12s %s" % (api.format_action(action), "%+.2f" % values[action] if action in values else ""))
print(opinion.reasons)
