"""Runs the networks that ship: input planes from observations, the forward pass in numpy or torch, and weight files.

Training is in lab/train.
"""
