"""What reviewed decisions come to: agreement and loss, by kind of the logged action."""

KINDS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")


def summarise(decisions):
    """The summary of reviewed decisions (decisions.py) that the game answered.

    Returns {"PLAY": {"decisions", "same", "kind", "loss", "missed"}, ..., "all": ...}: kind counts the same kind of
    action, the very same ones too; loss is the sum in the tactic's unit; missed: decisions without a loss that the
    tactic would have made otherwise. Kinds that did not come up are not in it.
    """
    summary = {}
    for decision in decisions:
        if decision["agreement"] is None:
            continue
        for kind in (decision["logged"].split(" ")[0], "all"):
            counts = summary.setdefault(kind, {"decisions": 0, "same": 0, "kind": 0, "loss": 0.0, "missed": 0})
            counts["decisions"] += 1
            counts["same"] += decision["agreement"] == "same"
            counts["kind"] += decision["agreement"] != "other"
            counts["loss"] += decision["loss"] or 0.0
            counts["missed"] += decision["loss"] is None
    return {kind: dict(summary[kind], loss=round(summary[kind]["loss"], 4)) for kind in KINDS + ("all",) if kind in summary}


def list_mistakes(decisions, most=10):
    """Indices of the decisions with the greatest loss, the greatest first; those without a number lead."""
    wrong = [index for index, decision in enumerate(decisions)
             if decision["agreement"] in ("kind", "other") and decision["loss"] != 0.0]
    wrong.sort(key=lambda index: (decisions[index]["loss"] is not None, -(decisions[index]["loss"] or 0.0)))
    return wrong[:most]
