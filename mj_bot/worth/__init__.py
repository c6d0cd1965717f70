"""Values a hand: sums up the winning hands of eight fan and more that the hand may become.

docs/search.md has the formula and an example. valuer.py values decisions. The source is interpreted in the bot and
compiled in the workshop. Nothing here chooses an action: tactic/search.py does. The files use these words:

    target      a winning hand of eight fan or more that the hand may become. Its pattern tells its fans (patterns.py)
    row         one way to make up to four sets and perhaps a pair of the tiles of one suit (rows.py)
    group       the rows of a suit that have something in common, such as the chow from rank 3
    slot        the index of a number of sets and pairs in a polynomial: 2 * sets + pairs
    want        what a target uses a tile for: nothing, chows, a pair, a pung (chance.py)
    need        how many copies of a tile a target has, 0..4. by_need has the chances of a tile by its wants or needs
    code        what three neighbouring ranks of a row are wanted for, as nine bits
    row kind    which groups contain a row, apart from its chows, as bits (suits.py)
    partials    partial derivatives of the worth with respect to the sums of one suit (partials.py)
    opening     a hand before its discard: as it is, or after a claim or a kong (observation/openings.py)

hand_record.HAND describes a hand, and suits.SUIT_SUMS has its sums by suit. Each other record is the work space of the
file that defines it. value.WorthBuffers has one record of each type.
"""
