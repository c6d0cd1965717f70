"""The layout of observations; the encoder of a GameState is tested next to the engine's and by the planes."""

from mj_bot.observation import layout
from mj_bot.observation.encoder import encode_observation
from tests.tactic.positions import state_of


def test_layout_rises_with_the_version():
    """Stored observations and trained weights depend on the layout: a change raises VERSION and this line."""
    assert (layout.OBSERVATION_VERSION, layout.OBSERVATION_SIZE, layout.FULL_SIZE) == (1, 467, 665)


def test_after_an_own_discard_there_is_nothing_to_answer():
    state = state_of(0, "W1244 T159 B159 F1 J12", "2 W9; 3 0 PLAY W9")
    assert layout.field(encode_observation(state), "task")[0] == layout.IDLE
