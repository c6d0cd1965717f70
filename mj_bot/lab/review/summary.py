"""What reviewed decisions come to: agreement and loss, by kind of the logged action."""

KINDS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")


def summarise(decisions):
    """The summary of reviewed decisions (decisions.py) that the game answered.

    Returns {"PLAY": {"decisions", "same", "kind", "loss", "missed"}, ..., "all": ...}: kind counts the same kind of
    action, the very same ones too; loss is the sum in the tactic's unit; missed: decisions without a loss that the
    tactic would have made otherwise. Kinds that did not come up are not in it.
    """
    return add_summaries(_count(decision) for decision in decisions if decision["agreement"] is not None)


def _count(decision):
    counts = {
        "decisions": 1, "same": int(decision["agreement"] == "same"), "kind": int(decision["agreement"] != "other"),
        "loss": decision["loss"] or 0.0, "missed": int(decision["loss"] is None),
    }
    return {decision["logged"].split(" ")[0]: counts, "all": counts}


def add_summaries(summaries):
    """The sum of some summaries."""
    total = {}
    for summary in summaries:
        for kind, counts in summary.items():
            sums = total.setdefault(kind, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] = round(sums[key] + count, 4)
    return {kind: total[kind] for kind in KINDS + ("all",) if kind in total}


def list_mistakes(decisions, most=10):
    """Indices of the decisions with the greatest loss, the greatest first.

    Those without a number lead, and of these the ones that a win hangs on.
    """
    wrong = [index for index, decision in enumerate(decisions)
             if decision["agreement"] in ("kind", "other") and decision["loss"] != 0.0]
    wrong.sort(key=lambda index: _rank(decisions[index]))
    return wrong[:most]


def _rank(decision):
    is_win = "HU" in (decision["logged"], decision["chosen"])
    return decision["loss"] is not None, not is_win, -(decision["loss"] or 0.0)
