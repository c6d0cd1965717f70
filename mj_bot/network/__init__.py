"""Runs the networks that ship: input planes from observations, the forward pass in numpy, and weight files.

Training is in lab/train.
"""
