"""The tiles as SVG: a sprite of symbols, `mj-W1` .. `mj-J3` and `mj-back`, 60 x 80, the lowest 6 a tile's side."""

from ...mahjong.tile import TILE_NAMES
from . import strokes

GREEN, RED, BLUE, INK = "#12763f", "#c0272d", "#1d4f91", "#1c2733"
_WINDS = (strokes.EAST, strokes.SOUTH, strokes.WEST, strokes.NORTH)

_BLANK = (
    '<rect y="8" width="60" height="72" rx="7" fill="#2c8a5b"/>'
    '<rect y="4" width="60" height="72" rx="7" fill="#d9cfb4"/>'
    '<rect width="60" height="74" rx="7" fill="#fbf7ea"/>'
    '<rect x="1.5" y="1.5" width="57" height="71" rx="6" fill="none" stroke="#fff" stroke-opacity=".8"/>'
)
_BACK = (
    '<rect y="8" width="60" height="72" rx="7" fill="#d9cfb4"/><rect width="60" height="74" rx="7" fill="#2f8f60"/>'
    '<rect x="6" y="6" width="48" height="62" rx="4" fill="none" stroke="#6fbf94" stroke-width="1.5"/>'
    '<path d="M30 16l14 21-14 21-14-21z" fill="none" stroke="#6fbf94" stroke-width="1.5"/>'
)

# Centres of the circles, with radius and colours, by rank.
_DOTS = (
    (9.5, ""),
    (12, "30,19,G 30,55,B"),
    (10.5, "14,15,B 30,37,R 46,59,G"),
    (11, "17,19,B 43,19,G 17,55,G 43,55,B"),
    (10, "14,16,B 46,16,G 30,37,R 14,58,G 46,58,B"),
    (9.5, "19,13,G 41,13,G 19,38,R 41,38,R 19,60,R 41,60,R"),
    (8, "13,11,G 30,18,G 47,25,G 20,44,R 40,44,R 20,63,R 40,63,R"),
    (8, "20,10.5,B 40,10.5,B 20,28,B 40,28,B 20,46,B 40,46,B 20,63.5,B 40,63.5,B"),
    (8.3, "12,13,G 30,13,G 48,13,G 12,37,R 30,37,R 48,37,R 12,61,B 30,61,B 48,61,B"),
)
# Centres of the sticks, with colour and degrees, and their length, by rank from 2 on.
_STICKS = (
    (28, "30,20,G,0 30,54,B,0"),
    (28, "30,20,B,0 18,54,G,0 42,54,G,0"),
    (28, "18,20,B,0 42,20,G,0 18,54,G,0 42,54,B,0"),
    (28, "14,20,G,0 46,20,B,0 30,37,R,0 14,54,B,0 46,54,G,0"),
    (28, "13,20,G,0 30,20,G,0 47,20,G,0 13,54,B,0 30,54,B,0 47,54,B,0"),
    (20, "30,13,R,0 13,37,G,0 30,37,B,0 47,37,G,0 13,60,G,0 30,60,B,0 47,60,G,0"),
    (26, "11,20,G,0 23.5,21,G,-32 36.5,21,G,32 49,20,G,0 11,54,B,0 23.5,53,B,32 36.5,53,B,-32 49,54,B,0"),
    (20, "13,14,R,0 30,14,B,0 47,14,G,0 13,37,R,0 30,37,B,0 47,37,G,0 13,60,R,0 30,60,B,0 47,60,G,0"),
)
_COLOURS = {"G": GREEN, "R": RED, "B": BLUE}


def draw_sprite():
    """One hidden <svg> with a <symbol> for each kind of tile and for a tile's back."""
    symbols = ['<symbol id="mj-blank" viewBox="0 0 60 80">%s</symbol>' % _BLANK,
               '<symbol id="mj-back" viewBox="0 0 60 80">%s</symbol>' % _BACK]
    for name in TILE_NAMES:
        symbols.append(
            '<symbol id="mj-%s" viewBox="0 0 60 80"><use href="#mj-blank" width="60" height="80"/>%s</symbol>'
            % (name, _draw_face(name[0], int(name[1]))))
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true">'
            '%s</svg>' % "".join(symbols))


def _draw_face(kind, rank):
    if kind == "W":
        return (strokes.draw_character(strokes.NUMERALS[rank - 1], 15.5, 4, size=29, colour=INK)
                + strokes.draw_character(strokes.MYRIAD, 14, 36, size=32, colour=RED))
    if kind == "T":
        return _draw_bird() if rank == 1 else _draw_placed(_draw_stick, *_STICKS[rank - 2])
    if kind == "B":
        return _draw_flower() if rank == 1 else _draw_placed(_draw_dot, *_DOTS[rank - 1])
    if kind == "F":
        return strokes.draw_character(_WINDS[rank - 1], 9, 15, size=42, colour=INK)
    if rank == 1:
        return strokes.draw_character(strokes.CENTRE, 9, 14, size=42, colour=RED)
    if rank == 2:
        return strokes.draw_character(strokes.FORTUNE, 8, 14, size=44, colour=GREEN)
    return ('<rect x="10" y="12" width="40" height="50" rx="2" fill="none" stroke="%s" stroke-width="3.5"/>'
            '<rect x="15.5" y="17.5" width="29" height="39" rx="1" fill="none" stroke="%s" stroke-width="1.3"/>'
            % (BLUE, BLUE))


def _draw_placed(draw, size, places):
    drawn = []
    for place in places.split():
        x, y, colour, *turn = place.split(",")
        drawn.append(draw(float(x), float(y), size, _COLOURS[colour], *turn))
    return "".join(drawn)


def _draw_dot(x, y, radius, colour):
    return (
        '<g transform="translate(%g %g)"><circle r="%g" fill="%s"/><circle r="%.1f" fill="none" stroke="#fbf7ea" '
        'stroke-width="%.1f"/><circle r="%.1f" fill="#fbf7ea"/><circle r="%.1f" fill="%s"/></g>'
        % (x, y, radius, colour, .68 * radius, .16 * radius, .34 * radius, .17 * radius, colour))


def _draw_stick(x, y, length, colour, turn):
    half = length / 2
    return (
        '<g transform="translate(%g %g) rotate(%s)" fill="%s"><rect x="-3.4" y="%g" width="6.8" height="%g" rx="2.6"/>'
        '<rect x="-4.6" y="%g" width="9.2" height="3.4" rx="1.7"/>'
        '<rect x="-4.6" y="-1.7" width="9.2" height="3.4" rx="1.7"/>'
        '<rect x="-4.6" y="%g" width="9.2" height="3.4" rx="1.7"/>'
        '<path d="M0 %gV-3M0 3V%g" stroke="#fbf7ea" stroke-width="1.5" stroke-linecap="round" opacity=".75"/></g>'
        % (x, y, turn, colour, -half, length, -half, half - 3.4, 5 - half, half - 5))


def _draw_flower():
    """The circle of rank one: a ring of petals."""
    petals = "".join('<ellipse cy="-12.6" rx="3.4" ry="4.6" fill="%s" transform="rotate(%d)"/>'
                     % (GREEN if place % 2 else RED, 30 * place) for place in range(12))
    return (
        '<g transform="translate(30 37)"><circle r="23" fill="%s"/><circle r="20.5" fill="#fbf7ea"/>%s'
        '<circle r="6.5" fill="%s"/><circle r="3.6" fill="#fbf7ea"/><circle r="1.8" fill="%s"/></g>'
        % (BLUE, petals, RED, RED))


def _draw_bird():
    """The bamboo of rank one: a bird on a stick."""
    tail = "".join(
        '<path d="M29 45C%d 48 %d 56 %d 66" fill="none" stroke="%s" stroke-width="3" stroke-linecap="round"/>'
        % (24 - place, 20 - 2 * place, 31 - 5 * place, colour)
        for place, colour in enumerate((GREEN, BLUE, RED, GREEN)))
    return (
        '%s'
        '<path d="M44 20C50 32 46 48 32 50C20 51 14 42 17 31C22 38 28 38 32 33C35 28 34 21 37 17Z" fill="%s"/>'
        '<path d="M20 34C24 44 32 46 40 38C38 47 28 51 21 45Z" fill="%s"/>'
        '<circle cx="40" cy="17" r="7.5" fill="%s"/><path d="M46 13l9 4-9 4z" fill="%s"/>'
        '<circle cx="42" cy="15.5" r="2.3" fill="#fff"/><circle cx="42.6" cy="15.5" r="1.2" fill="%s"/>'
        '<path d="M36 11C32 8 31 6 32 3M39 9.500C37 6 37 4 39 2M42 9.500C42 6 43 4 45 3" fill="none" stroke="%s" '
        'stroke-width="1.8" stroke-linecap="round"/>'
        '<path d="M34 50v12M40 47v15M28 63h20" fill="none" stroke="%s" stroke-width="2.6" stroke-linecap="round"/>'
        % (tail, GREEN, BLUE, GREEN, RED, INK, RED, RED))
