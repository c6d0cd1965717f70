"""mj_bot/tactic/pattern in compiled code: the same values of many hands at once.

It never values a hand otherwise than the tactic: tests compare the two. Parts, pools, patterns and costs are those of
the tactic. What is new is that no target is written down: a search is walked twice, first for its cheapest target,
then for those within the window of it. Each of these is offered to every discard at once, and each discard keeps its
cheapest (targets.py). Where the tactic takes the first of equal targets, so does this: in a search the first by cost
and tiles, elsewhere the first that is offered.

Costs and values are thousandths of a tile, whole numbers. A target is held as `need`, int64[34], or packed into two
int64 of 17 tiles with three bits each, tile 0 highest, so that packed needs sort as the tactic's tuples do. A decision
is worked out in one scratch (scratch.py).
"""
