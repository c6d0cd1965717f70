"""Readers of the games that people play against each other, one platform a file.

On all of them the four seats draw from one wall of 144 tiles and put flowers aside. The Game has the hands after the
flowers of the deal, and the dealer's fourteenth tile as its first draw; see table/one_wall.py.
Of a person they never keep more than the name: ids and addresses are dropped.
"""
