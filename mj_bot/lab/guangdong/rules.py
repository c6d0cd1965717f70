"""What wins, and what it pays. engine.py compiles these very functions, so they take arrays and give plain numbers."""

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT

SEATS = 4
HAND_TILES = 13
FULL_SETS = 4
# What the seat whose decision it is may do. TURN: win, lay kongs, discard. FOLLOW: discard after a pung. CLAIM: claim
# a discard, or win on it. ROB: win on an added kong.
TURN, FOLLOW, CLAIM, ROB, OVER = range(5)
PUNG, OPEN_KONG, CONCEALED_KONG, ADDED_KONG = range(4)


def is_seven_pairs(counts, wild):
    """Whether 14 tiles are seven pairs, four of a kind being two.

    counts: of all 34 kinds, wild ones too. wild: bit t set where tile t is wild.
    """
    size, wilds, odd = 0, 0, 0
    for tile in range(TILE_COUNT):
        count = int(counts[tile])
        size += count
        if wild >> tile & 1:
            wilds += count
        else:
            odd += count & 1
    return size == HAND_TILES + 1 and odd <= wilds


def find_times(settings, counts, wild, meld_tiles, is_kong_draw, is_last_tile):
    """How many times the pay a win brings.

    counts: of the concealed tiles and the winning one, 34 kinds. meld_tiles: bit t set where a meld is of tile t.
    """
    kinds = meld_tiles
    for tile in range(TILE_COUNT):
        if counts[tile]:
            kinds |= 1 << tile
    times = 1 if kinds & wild else settings.no_wild_times
    if is_kong_draw:
        times *= settings.kong_draw_times
    if is_last_tile:
        times *= settings.last_tile_times
    # One suit, or honours alone.
    for first, count in ((0, 9), (9, 9), (18, 9), (FIRST_HONOUR, 7)):
        if not kinds & ~wild & ~(((1 << count) - 1) << first):
            times *= settings.flush_times
            break
    if settings.seven_pairs and is_seven_pairs(counts, wild):
        times *= settings.seven_pairs_times
    return times


def find_owner(tile):
    """The seat that a horse belongs to: ranks 1 5 9, east and red the dealer's, and so on around the table."""
    if tile < FIRST_HONOUR:
        return tile % 9 % SEATS
    return tile - FIRST_HONOUR if tile < 31 else tile - 31


def find_payment(settings, times, hits, payer, winner):
    """What one seat pays for a win. hits: horses of the winner's."""
    dealer = settings.dealer_times if payer == 0 or winner == 0 else 1
    return settings.pay * times * (1 + hits) * dealer
