"""Networks that ship: planes made from observations, the forward pass in numpy, weight files.

It never trains, and needs torch only where it is asked to compute with it.
"""
