"""Readers of the games that people play against each other, one platform a file.

The four seats draw from one wall of 144 tiles and put flowers aside. The Game has the hands after the flowers of the
deal, and the dealer's fourteenth tile as its first draw; see table/one_wall.py. Of a person only the name is kept.
"""
