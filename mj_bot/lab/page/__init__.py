"""The table in a browser: tiles as SVG, a position as JSON, and the script that draws one from the other.

A page that shows a table has the sprite of tiles.draw_sprite() in its body, table.css and table.js, see assets.py, and
calls, with a position as position.py describes it,

    MjTable.draw(element, position, {seat: 0, open: true, names: [...], words: MjTable.WORDS.en})
"""
