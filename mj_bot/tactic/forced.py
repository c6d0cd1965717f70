"""What every tactic does where nothing is to be weighed: it wins, or takes the only action."""


def forced_action(actions):
    """(action, reason) of a win, else of the only action; None where there is a choice.

    >>> forced_action([("PASS",)]), forced_action([("PASS",), ("PENG", "W1")])
    ((('PASS',), 'nothing to choose'), None)
    """
    for action in actions:
        if action[0] == "HU":
            return action, "wins with %d fan" % action[1]
    return (actions[0], "nothing to choose") if len(actions) == 1 else None
