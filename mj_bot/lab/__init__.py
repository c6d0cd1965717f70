"""The workshop: Python 3.11, numba, torch. Never shipped.

Rooms import only rooms below them. docs/architecture.md lists them in that order, tests/test_house.py checks it.
"""
