"""Interrupts of a command."""

import signal

import pytest

from mj_bot.lab.run.command import delay_interrupts


def test_ignored_interrupts_stay_ignored(interruptible_process):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with delay_interrupts() as stop_if_asked:
        signal.raise_signal(signal.SIGINT)
        stop_if_asked()


def test_an_interrupt_waits_for_the_end_of_a_step(interruptible_process):
    done = []
    with pytest.raises(KeyboardInterrupt), delay_interrupts() as stop_if_asked:
        for step in range(3):
            if step == 1:
                signal.raise_signal(signal.SIGINT)
            done.append(step)
            stop_if_asked()
    assert done == [0, 1]
    with pytest.raises(KeyboardInterrupt), delay_interrupts():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        done.append(2)
    assert done == [0, 1]
    with pytest.raises(KeyboardInterrupt), delay_interrupts():
        signal.raise_signal(signal.SIGINT)
        done.append(2)
    assert done == [0, 1, 2]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
