import numpy as np

from mj_bot.lab.rl.league import draw_lineups


def test_shares_and_seats():
    lineups = draw_lineups({"self": 0.5, "past": 0.5}, 2, 3, game_count=4000, random=np.random.default_rng(0))
    others = lineups.max(1)
    assert abs((others == 0).mean() - 0.5) < 0.05 and len(np.unique(others)) == 2  # of the earlier selves one
    assert ((lineups[others > 0] > 0).sum(1) == 2).all()
    np.testing.assert_allclose((lineups[others > 0] > 0).mean(0), 0.5, atol=0.05)


def test_without_a_past_its_share_is_the_learners_own():
    assert not draw_lineups({"self": 0.0, "past": 1.0}, 2, 0, game_count=8, random=np.random.default_rng(0)).any()
