"""How long a command takes is said from a trial."""

from types import SimpleNamespace

from mj_bot.lab.run import progress


def test_short_work_has_one_trial_and_long_work_is_announced(monkeypatch, capsys):
    """A match of seconds played its trial twice."""
    clock, trials = iter(range(9)), []
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=clock.__next__))

    def trial():
        trials.append(10)
        return 10

    assert progress.announce("short", 60, trial) is None and len(trials) == 1
    assert progress.announce("long", 1000, trial, workers=2) == 20 and len(trials) == 3
    assert capsys.readouterr().err.startswith("long: 1,000 games, about 50 seconds on this machine; after Ctrl-C")
