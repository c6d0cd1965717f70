"""Runs `mj-bot train`, which trains networks, and `train evaluate`, `train export` and `train report`."""

import importlib
import shlex
import sys

from ..run.options import STDOUT, Parser, add_json, add_minutes, add_output, add_seed, add_set, parse_count
from ..train.recipes import RECIPES


def main(argv: list[str]) -> int:
    """Runs `train`, `train evaluate`, `train export` or `train report`. Returns the exit code."""
    return _WAYS[argv[0]](argv[1:]) if argv and argv[0] in _WAYS else _train(argv)


def _train(argv):
    """Trains a network, or continues a run. Returns exit code 0."""
    options = _parse_training(argv)
    import torch

    from ..dataset import open_datasets
    from ..run.ranks import leave_ranks, lock_by_first
    from ..train.evaluation import evaluate_run
    from ..train.recipe import change_schedule, load_recipe
    from ..train.training_loop import Training, TrainingSettings, choose_device
    from ..train.training_report import format_report

    recipe = load_recipe(options.recipe)
    recipe.schedule = change_schedule(recipe.schedule, options.set)
    if options.threads:
        torch.set_num_threads(options.threads)
    dataset = open_datasets(options.data)
    device = choose_device(options.device)
    precision = options.precision or ("float32" if device == "cpu" else "bfloat16")
    settings = TrainingSettings(options.samples, options.seed, device, precision=precision, minutes=options.minutes,
                                start=options.weights)
    with lock_by_first(options.output):
        training = Training(recipe, dataset, options.output, settings=settings)
        if training.is_first:
            print("train: to watch it: tensorboard --logdir %s" % shlex.quote(options.output), file=sys.stderr)
        pace = training.run()
        leave_ranks()
        if training.is_first:
            rate = pace.samples / max(pace.seconds, 1e-9)
            print("%d of %d samples, %.0f a second, %.1f%% of the time without a batch to train on" % (
                training.samples, settings.samples, rate, 100 * pace.waited / max(pace.seconds, 1e-9)))
            if pace.is_done:
                print(format_report([evaluate_run(
                    options.output, dataset, device, decisions=options.decisions, rate=rate or None)]), end="")
    return 0


def _parse_training(argv):
    """Returns the options of a command line of `train`."""
    parser = Parser(
        prog="mj-bot train", epilog="The same command continues an interrupted run, also after a kill.",
        description="Trains a recipe on a set of games. Other ways, each with a --help: train %s."
                    % ", train ".join(_WAYS))
    parser.add_argument("recipe", metavar="NAME", help="one of " + ", ".join(RECIPES))
    _add_measures(parser)
    add_output(parser, "of the run")
    parser.add_argument("--samples", type=parse_count, default=20_000_000, metavar="N",
                        help="decisions to train on in all, such as 5e6 (%(default)s)")
    add_seed(parser, "of the shuffled decisions and the first weights (%(default)s)")
    add_set(parser, "change the recipe's schedule, as --set schedule.rate=1e-4 --set schedule.batch_size=512")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), help="(bfloat16 on a GPU, else float32)")
    parser.add_argument("--weights", metavar="FILE", help="weights to begin with, of the recipe's size")
    parser.add_argument("--threads", type=parse_count, metavar="N", help="threads of the processor")
    add_minutes(parser, "stop after M minutes")
    return parser.parse_args(argv)


def _add_measures(parser):
    """Adds the options that say on which decisions and on which device a run is measured."""
    parser.add_argument("--data", required=True, nargs="+", metavar="FOLDER", help="sets of games, see `dataset`")
    parser.add_argument("--device", metavar="NAME",
                        help="cpu, cuda or cuda:NUMBER (cuda where torch finds a GPU, else cpu)")
    parser.add_argument("--decisions", type=parse_count, default=100_000, metavar="N",
                        help="about how many decisions measure the run at the end (%(default)s)")


def _evaluate(argv):
    """Measures a run on decisions that it was not trained on. Returns exit code 0."""
    parser = Parser(prog="mj-bot train evaluate", description=(
        "Measures a run on decisions that it was not trained on and writes result.json into its folder."))
    parser.add_argument("run", metavar="FOLDER", help="of the run")
    _add_measures(parser)
    parser.add_argument("--split", default="valid", choices=("train", "valid", "test"), help="(%(default)s)")
    options = parser.parse_args(argv)
    from ..dataset import open_datasets
    from ..train.evaluation import evaluate_run
    from ..train.training_loop import choose_device
    from ..train.training_report import format_report

    print(format_report([evaluate_run(options.run, open_datasets(options.data), choose_device(options.device),
                                      decisions=options.decisions, split=options.split)]), end="")
    return 0


def _export(argv):
    """Writes the network of a run as a file for the tactic cnn or for other programs. Returns exit code 0."""
    options = _parse_export(argv)
    from pathlib import Path

    from ...network.weights import pack_weights
    from ..dataset import open_dataset
    from ..run.files import check_output
    from ..train.exported import FIT_SAMPLES, export_network, fit_values, measure_agreement, round_network
    from ..train.means import load_mean

    writer = _find_writer(options)
    check_output(options.output, ("",) if writer else ("PK",))
    network, card = load_mean(options.runs)
    if options.values:
        dataset = open_dataset(options.values)
        fit_values(network, dataset)
        card["values"] = {"data": dataset.card["hash"], "samples": FIT_SAMPLES}
    if options.data:
        data, _ = pack_weights(*round_network(network, card, options.precision))
        agreement = card["agreement"] = measure_agreement(network, data, open_dataset(options.data))
        print("the same best action as the run's in %.2f%% of %d decisions" % (
            100 * agreement["same_best"], agreement["decisions"]))
    if writer:
        writer(network, options.output, card)
    else:
        export_network(network, options.output, card, precision=options.precision)
    print("%s: %d bytes" % (options.output, Path(options.output).stat().st_size))
    return 0


def _find_writer(options):
    """Returns the function that writes the file for other programs, None for .npz, and sets the precision."""
    from ...mahjong.errors import MahjongError
    from ..train.exchange import EXCHANGE_WRITERS
    from ..train.exported import PRECISIONS

    ending = options.output.rpartition(".")[2]
    if ending not in ("npz", *EXCHANGE_WRITERS):
        raise MahjongError("expected a file name that ends in .npz, .safetensors or .onnx, got %r", options.output)
    writer = EXCHANGE_WRITERS.get(ending)
    options.precision = options.precision or ("float32" if writer else "int16")
    precisions = ("float32",) if writer else PRECISIONS
    if options.precision not in precisions:
        raise MahjongError("expected a precision, one of %s, got %r", ", ".join(precisions), options.precision)
    if ending == "onnx":
        importlib.import_module("onnx")  # notices a missing package before the minutes of --values
    return writer


def _parse_export(argv):
    """Returns the options of a command line of `train export`."""
    parser = Parser(prog="mj-bot train export", description=(
        "Writes the network of a run as a weight file for the tactic cnn, and its card; for other programs as "
        "safetensors or ONNX, which hold the card themselves and take the planes of mj_bot/network/planes.py."))
    parser.add_argument("runs", nargs="+", metavar="PATH", help=(
        "folder of the run, or a weight file as `rl` writes them; of several, the mean of their networks"))
    add_output(parser, "the file to write, .npz, .safetensors or .onnx; onnx needs the package of that name", "FILE")
    parser.add_argument("--precision", metavar="NAME",
                        help="of the stored matrices of .npz: int8, int16, float16 or float32 (int16); int8 makes the "
                        "file a third smaller; other forms have float32")
    parser.add_argument("--data", metavar="FOLDER",
                        help="a set of games; the card then says how often the stored weights choose as the run does")
    parser.add_argument("--values", metavar="FOLDER",
                        help="a set of games to fit the value head to, after `rl`; choices stay the same")
    return parser.parse_args(argv)


def _report(argv):
    """Prints a table of several runs. Returns exit code 0."""
    parser = Parser(prog="mj-bot train report", description=(
        "A table of the measures of several runs, each named by its folder."), epilog=(
        "Points come from results of the arena in the folders of the runs: arena network:RUN rule_based --json "
        "RUN/rule_based.json"))
    parser.add_argument("runs", nargs="+", metavar="PATH",
                        help="folder of a run, or the JSON file that an earlier report wrote")
    add_json(parser, "write the rows of the table to this file; without FILE print them as JSON")
    options = parser.parse_args(argv)
    from ..run.files import check_output, write_json
    from ..train.training_report import format_report, read_rows

    check_output(options.json)
    rows = [row for run in options.runs for row in read_rows(run)]
    write_json(options.json, rows, sort_keys=True)
    if options.json != STDOUT:
        print(format_report(rows), end="")
    return 0


_WAYS = {"evaluate": _evaluate, "export": _export, "report": _report}
