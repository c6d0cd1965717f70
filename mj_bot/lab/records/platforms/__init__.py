"""Reads and writes games that people play against each other. Each platform has a file.

The four seats draw from one wall of 144 tiles and put flowers aside. A Game has no flowers in its hands: each flower is
replaced by the tile that was drawn for it. The dealer's fourteenth tile is its first draw. Of a person only the name is
kept.
"""
