"""The result of a match as tables for the terminal."""


def format_tables(result):
    """The result as text: strength, ways of playing, differences, and what ended the match."""
    players = result["players"]
    names = {player["name"]: shorten(player["name"]) for player in players}
    width = max(len("player"), max(map(len, names.values())))
    lines = ["%-*s  %6s  %-16s  %-13s  %s" % (width, "player", "games", "score a game", "points a wall", "Elo")]
    for player in players:
        lines.append("%-*s  %6d  %-16s  %-13s  %s" % (
            width, names[player["name"]], player["games"], _spread(player, "score", "%+.2f"),
            _spread(player, "points", "%.2f"), _span(player, "elo")))
    lines += ["", "%-*s  %6s %6s %6s %6s %6s %7s %8s %8s %8s %5s" % (
        width, "player", "win", "self", "dealin", "draw", "fan", "claims", "illegal", "ms p50", "ms p99", "MB")]
    for player in players:
        lines.append("%-*s  %5.1f%% %5.1f%% %5.1f%% %5.1f%% %6s %7.2f %8d %8s %8s %5d" % (
            width, names[player["name"]], 100 * player["win_rate"], 100 * player["self_draw_rate"],
            100 * player["deal_in_rate"], 100 * player["draw_rate"], _show(player["mean_fan"], "%.1f"),
            player["claims_a_game"], player["illegal"], _show(player["decision_ms_p50"], "%.3g"),
            _show(player["decision_ms_p99"], "%.3g"), player["memory_mb"]))
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


def shorten(name, width=32):
    """A player's name in at most so many characters: its beginning and its end.

    >>> shorten("json:python3 somewhere/far/away/mj_bot.pyz", 24)
    'json:python../mj_bot.pyz'
    """
    half = width // 2 - 1
    return name if len(name) <= width else name[:half] + ".." + name[-half:]


def _spread(figures, name, text_format):
    mean, low = figures[name + "_mean"], figures[name + "_low"]
    text = text_format % mean
    return text if low is None else text + " +- %.2f" % (mean - low)


def _span(figures, name):
    return "%+.1f (%+.1f .. %+.1f)" % tuple(figures[name + "_" + part] for part in ("mean", "low", "high"))


def _show(value, text_format):
    return "-" if value is None else text_format % value
