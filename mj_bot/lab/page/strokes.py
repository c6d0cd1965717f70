"""Chinese characters for the tiles' faces, drawn as brush strokes, since a reader may have no font with them.

A character is a text with a line for each stroke: points "x,y,w" in a square of 100 x 100, w the width of the brush.
"""

from math import hypot

NUMERALS = (
    "8,53,9 50,50,7 92,51,13",
    "22,30,8 78,28,11\n8,76,9 50,73,7 92,75,13",
    "18,18,8 82,16,10\n26,48,8 74,46,9\n8,83,9 92,82,13",
    "14,22,8 20,86,7\n14,22,7 86,20,9 80,86,8\n42,24,7 40,46,7 29,62,3\n60,24,7 60,52,6 66,59,7 76,57,4\n"
    "20,80,7 80,80,7",
    "16,18,8 84,16,10\n50,18,8 36,82,8\n24,48,7 72,46,9 68,82,7\n8,85,9 92,84,13",
    "46,6,5 58,22,12\n8,39,8 92,37,12\n38,54,9 28,72,7 10,90,3\n60,54,5 74,70,9 88,88,11",
    "8,46,8 92,35,10\n46,8,8 45,70,8 54,82,8 84,82,7 89,64,3",
    "40,18,9 34,50,8 8,88,3\n54,14,4 64,46,8 78,70,11 94,86,10",
    "42,6,8 38,48,8 8,90,3\n12,34,7 66,30,9 64,74,8 74,84,8 90,80,7 93,60,3",
)
MYRIAD = "8,16,8 92,14,12\n44,16,8 38,52,8 8,92,3\n42,42,6 80,40,9 75,86,9 58,80,3"
EAST = (
    "14,16,7 86,15,10\n26,32,7 28,64,7\n26,32,6 74,31,8 72,64,7\n28,46,6 72,46,6\n28,60,6 72,60,6\n50,3,8 50,97,8\n"
    "46,62,7 30,79,6 6,91,2\n54,62,5 72,79,9 95,90,9"
)
SOUTH = (
    "18,16,7 82,15,10\n50,3,8 50,31,7\n14,32,8 16,96,7\n14,32,7 86,31,9 84,93,8 72,88,3\n35,38,4 42,50,8\n"
    "65,38,8 58,50,4\n30,57,6 70,56,7\n27,73,6 73,72,7\n50,54,7 50,94,6"
)
WEST = (
    "10,14,8 90,13,11\n15,36,8 20,90,7\n15,36,7 85,35,9 80,90,8\n20,84,7 80,84,7\n40,14,7 38,46,7 27,64,3\n"
    "60,14,7 60,54,7 65,61,7 75,59,4"
)
NORTH = "36,9,8 36,94,7\n8,40,7 36,38,7\n5,82,4 36,67,9\n60,9,8 60,78,8 68,86,8 90,84,7 95,62,3\n91,28,3 62,48,8"
CENTRE = "14,30,8 18,68,8\n14,30,7 86,29,10 82,68,8\n18,62,7 82,62,7\n50,3,9 50,55,9 50,98,6"
FORTUNE = (
    "18,14,6 43,12,7 33,30,6 6,47,2\n16,24,4 26,34,7\n56,5,5 66,26,7 95,46,9\n80,9,7 66,20,3\n92,20,7 75,31,3\n"
    "15,51,6 40,50,7 38,62,6\n18,62,6 40,62,6\n18,62,6 14,75,6 43,74,7 37,96,6 25,92,3\n"
    "56,51,6 54,61,5 47,69,2\n56,51,6 80,50,7 80,63,6 93,65,4\n51,73,6 84,72,7 73,86,5 47,98,2\n57,77,4 74,91,7 95,98,8"
)


def draw_character(strokes, x, y, *, size, colour):
    """An SVG path of a character whose square begins at (x, y) and is `size` wide."""
    outlines = [_outline([[float(number) for number in point.split(",")] for point in line.split()])
                for line in strokes.split("\n")]
    scale = size / 100
    path = "".join("M%sz" % "L".join("%.1f %.1f" % (x + scale * a, y + scale * b) for a, b in outline)
                   for outline in outlines)
    return '<path fill="%s" stroke="%s" stroke-width=".5" stroke-linejoin="round" d="%s"/>' % (colour, colour, path)


def _outline(points):
    """The polygon [(x, y)] around a stroke: out along its left side, back along its right."""
    left, right = [], []
    for place, (x, y, width) in enumerate(points):
        before, after = points[max(0, place - 1)], points[min(len(points) - 1, place + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        scale = width / 2 / hypot(dx, dy)
        left.append((x + dy * scale, y - dx * scale))
        right.append((x - dy * scale, y + dx * scale))
    return left + right[::-1]
