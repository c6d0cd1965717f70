"""Contains the workshop, with which games are played, reviewed, measured and learned from; it is not sent to Botzone.

It needs Python 3.11, and parts of it need numba or torch. A room, which is a folder here, imports only rooms below it.
docs/architecture.md lists the rooms from top to bottom, and tests/test_house.py checks the imports.
"""
