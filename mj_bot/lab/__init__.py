"""The workshop: Python 3.11, numba, torch. Never shipped.

Rooms import only rooms below them. README.md lists them in that order, tests/test_house.py holds it.
"""
