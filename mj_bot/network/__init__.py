"""Contains the networks that ship: planes made from observations, the forward pass in numpy or torch, weight files.

Training is in lab/train.
"""
