"""What came of runs, as one table."""

from .evaluate import KINDS

# Written into the folder of a run by its evaluation.
RESULT = "result.json"


def format_report(results):
    """Markdown table, a row a result of evaluation."""
    header = ["recipe", "parameters", "samples"] + ["%s" % kind for kind in KINDS if kind != "win"] + [
        "all", "calibration", "score error / spread", "samples a second"]
    lines = [header, ["---"] * len(header)]
    for result in results:
        accuracy = result["accuracy"]
        lines.append(
            [result["recipe"], format(result["parameters"], ","), "%s of %s" % (
                format(result["samples"], ","), format(result["samples_in_all"], ","))]
            + [_percent(accuracy[kind]) for kind in KINDS if kind != "win"]
            + [_percent(accuracy["all"]), _percent(result["calibration_error"]),
               "-" if result["score_error"] is None else "%.1f / %.1f" % (
                   result["score_error"], result["score_spread"]),
               "-" if result["samples_a_second"] is None else "%s on %s" % (
                   format(round(result["samples_a_second"]), ","), result["device"])])
    return "".join("| %s |\n" % " | ".join(line) for line in lines)


def _percent(share):
    return "-" if share is None else "%.1f%%" % (100 * share)
