"""How commands run: workers, a cluster, locks, files written whole, journals, where a result comes from.

It never knows what is computed.
"""
