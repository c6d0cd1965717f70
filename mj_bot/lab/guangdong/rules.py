"""What a win is worth. engine.py compiles these very functions, so they take arrays and return plain numbers."""

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT

SEATS = 4
HAND_TILES = 13
FULL_SETS = 4


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


def is_pungs(counts, wild, sets):
    """Whether a complete hand can be read as so many triplets and the pair."""
    triplets, has_pair = 0, 0
    for tile in range(TILE_COUNT):
        count = int(counts[tile])
        if not wild >> tile & 1:
            triplets += (count + 2) // 3
            has_pair |= count % 3 > 0
    return triplets - has_pair <= sets


def find_times(settings, counts, wild, meld_tiles, is_kong_draw, is_last_tile):
    """How many times the pay a win brings.

    counts: of the concealed tiles and the winning one, 34 kinds. meld_tiles: bit t set where a meld is of tile t.
    """
    times, wilds, size = 1, 0, 0
    kinds = meld_tiles
    for tile in range(TILE_COUNT):
        if counts[tile]:
            size += int(counts[tile])
            if wild >> tile & 1:
                wilds += int(counts[tile])
            else:
                kinds |= 1 << tile
    suits = 0
    for suit in range(3):
        suits += (kinds >> 9 * suit & 0x1FF) > 0
    has_honours = kinds >> FIRST_HONOUR > 0
    if wilds == 0 and meld_tiles & wild == 0:
        times *= settings.no_wild_times
    if is_kong_draw:
        times *= settings.kong_draw_times
    if is_last_tile:
        times *= settings.last_tile_times
    if suits + has_honours <= 1:
        times *= settings.flush_times
    elif suits == 1:
        times *= settings.half_flush_times
    shape_times = settings.pungs_times if is_pungs(counts, wild, size // 3) else 1
    if settings.seven_pairs and is_seven_pairs(counts, wild):
        shape_times = max(shape_times, settings.seven_pairs_times)
    return times * shape_times


def find_owner(tile):
    """The seat that a horse belongs to: ranks 1 5 9, east and red the dealer's, and so on around the table."""
    if tile < FIRST_HONOUR:
        return tile % 9 % SEATS
    if tile < 31:
        return tile - FIRST_HONOUR
    return tile - 31


def find_payment(settings, times, hits, payer, winner):
    """What one seat pays for a win. hits: horses of the winner's."""
    dealer = settings.dealer_times if payer == 0 or winner == 0 else 1
    return settings.pay * times * (1 + hits) * dealer
