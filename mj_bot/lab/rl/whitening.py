"""Whitened gradients: every direction of a matrix of weights gets the same share of a gradient's noise.

The gradient of one batch of games is nearly all noise, and most of the noise lies in few directions: the inputs of a
layer go up and down together. Adam sees each number by itself and so lets these directions decide where the weights go.
Divided by the square root of the noise's covariance, the sum of many steps shows twice as much of what the games say
(docs/studies/signals.md).

Source: Gupta et al. 2018, Shampoo, with the exponent 1/2 on each side of Anil et al. 2020.
"""

import torch
from torch import nn

# In units of optimiser steps: those that measure before the first one that moves the matrices, those from one
# measurement to the next, and those from one inverse root to the next, which costs most.
_MEASURED_FIRST, _MEASURE_EVERY, _ROOT_EVERY = 10, 4, 40
_LEAST_SHARE = 0.02  # of a covariance that the newest gradient has
_DAMPING = 0.01  # added to the eigenvalues of a covariance, in units of their mean


class Whitening(nn.Module):
    """Covariances of the gradients of some matrices, by row and by column, and their inverse roots.

    Both are buffers, so that a run that goes on from a checkpoint does the same.
    """

    def __init__(self, matrices):
        """matrices: list of parameters, each real[A, B]."""
        super().__init__()
        self._matrices = matrices
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        for number, matrix in enumerate(matrices):
            for side, size in zip(("rows", "columns"), matrix.shape):
                for kind in ("covariance", "root"):
                    self.register_buffer("%s_%s_%d" % (side, kind, number), matrix.new_zeros(size, size))

    @torch.no_grad()
    def whiten(self, device):
        """Whitens the matrices' gradients in place. Their norms stay; those of the first steps become 0.

        device: policy.Device.
        """
        step = int(self.steps)
        self.steps += 1
        is_first = step < _MEASURED_FIRST
        for number, matrix in enumerate(self._matrices):
            rows, columns = ((getattr(self, "%s_covariance_%d" % (side, number)),
                              getattr(self, "%s_root_%d" % (side, number))) for side in ("rows", "columns"))
            if is_first or step % _MEASURE_EVERY == 0:
                share = max(_LEAST_SHARE, 1 / (step + 1))
                rows[0].lerp_(matrix.grad @ matrix.grad.T, share)
                columns[0].lerp_(matrix.grad.T @ matrix.grad, share)
            if step == _MEASURED_FIRST or step % _ROOT_EVERY == 0:
                for covariance, root in (rows, columns):
                    root.copy_(_invert_root(covariance))
            if is_first:
                matrix.grad.zero_()
                continue
            with device.cast():
                whitened = (rows[1] @ matrix.grad @ columns[1]).float()
            matrix.grad.copy_(whitened * (matrix.grad.norm() / whitened.norm().clamp(min=1e-30)))


def _invert_root(covariance):
    """The damped inverse square root of a covariance, real[A, A]."""
    values, vectors = torch.linalg.eigh(covariance.double())
    values = values.clamp(min=0)
    scales = (values + _DAMPING * values.mean() + 1e-30).rsqrt()
    return (vectors * scales) @ vectors.T
