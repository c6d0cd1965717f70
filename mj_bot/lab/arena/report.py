"""The result of a match as tables for the terminal."""

from .columns import COLUMNS, show, shorten

_SHOWN = [column for column in COLUMNS if column.head]


def format_tables(result):
    """The result as text: strength, ways of playing, differences, and what ended the match."""
    players = result["players"]
    names = {player["name"]: shorten(player["name"]) for player in players}
    width = max(len("player"), max(map(len, names.values())))
    lines = ["%-*s  %6s  %-16s  %-13s  %s" % (width, "player", "games", "score a game", "points a wall", "Elo")]
    for player in players:
        lines.append("%-*s  %6d  %-16s  %-13s  %+.1f (%+.1f .. %+.1f)" % (
            width, names[player["name"]], player["games"], _spread(player, "score", "%+.2f"),
            _spread(player, "points", "%.2f"), *(player["elo_" + part] for part in ("mean", "low", "high"))))
    lines += ["", "%-*s  %s" % (width, "player", " ".join(column.head for column in _SHOWN))]
    for player in players:
        lines.append("%-*s  %s" % (width, names[player["name"]], " ".join(
            show(player[column.key], column.spec).rjust(len(column.head)) for column in _SHOWN)))
    lines.append("")
    for difference in result["differences"]:
        lines.append("%s less %s: %s a game" % (
            names[difference["first"]], names[difference["second"]], _spread(difference, "score", "%+.2f")))
    rule = result["rule"] or {}
    if "sprt" in rule:
        lines.append("%s against %s: %s by the sequential test of %g against %g (error rates %g and %g)" % (
            names[players[0]["name"]], names[players[1]["name"]], rule["verdict"], *rule["sprt"], rule["alpha"],
            rule["beta"]))
    if "until" in rule:
        lines.append("The widest interval is %s +-%g" % (
            "within" if rule["is_reached"] else "still beyond", rule["until"]))
    measured = result["measured"]
    lines.append("%d walls in %d seatings, %d games; %d of them now in %.0f s, %.1f a second" % (
        result["walls"], len(result["config"]["seatings"]), result["games"], measured["games_played"],
        measured["seconds"], measured["games_a_second"]))
    return "\n".join(lines)


def _spread(figures, name, text_format):
    mean, low = figures[name + "_mean"], figures[name + "_low"]
    text = text_format % mean
    return text if low is None else text + " +- %.2f" % (mean - low)
