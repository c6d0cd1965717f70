import numpy as np

from mj_bot.lab.rl.league import draw_lineups


def test_shares_and_seats():
    shares = {"self": 0.5, "search": 0.25, "past": 0.25}
    names, lineups = draw_lineups(shares, 2, 2, game_count=4000, random=np.random.default_rng(0))
    assert names == [("past", 0), ("past", 1), ("search", None)]
    others = lineups.max(1)
    assert abs((others == 0).mean() - 0.5) < 0.05 and abs((others == 3).mean() - 0.25) < 0.05
    assert len(np.unique(others)) == 3  # of the earlier selves one
    assert ((lineups[others > 0] > 0).sum(1) == 2).all()
    np.testing.assert_allclose((lineups[others > 0] > 0).mean(0), 0.5, atol=0.05)


def test_without_a_past_its_share_is_the_learners_own():
    names, lineups = draw_lineups({"self": 0.0, "past": 1.0}, 2, 0, game_count=8, random=np.random.default_rng(0))
    assert names == [] and not lineups.any()
