"""The array functions that numpy and torch name differently: planes and networks are written once for both."""

import numpy as np

# Positions that a network answers at once on a CPU: more do not fit into its cache.
_AT_ONCE = 256


def list_parts(count, ops):
    """Slices of `count` positions, one after another, that a network answers at once."""
    return [slice(start, start + ops.at_once) for start in range(0, count, ops.at_once)]


class NumpyOps(object):
    """On numpy, in float32, as on Botzone."""

    at_once = _AT_ONCE
    arange = staticmethod(np.arange)
    concatenate = staticmethod(np.concatenate)
    stack = staticmethod(np.stack)

    @staticmethod
    def array(array):
        """A numpy array as an array of this library."""
        return np.asarray(array)

    @staticmethod
    def to_numpy(array):
        """The array of numpy."""
        return array

    @staticmethod
    def integer(array):
        return array.astype(np.int16)

    @staticmethod
    def real(array):
        return array.astype(np.float32)

    @staticmethod
    def highest(array):
        """The highest number of each row of [B, ...], as [B]."""
        return array.reshape(len(array), -1).max(1)

    @staticmethod
    def relu(array):
        """The positive part; `array` itself may be overwritten."""
        return np.maximum(array, 0, out=array)


class TorchOps(object):
    """On torch; torch is loaded when the first of these is made.

    device: as torch names it. dtype: name of the real numbers' type, "float32" or "bfloat16".
    """

    def __init__(self, device="cpu", dtype="float32"):
        import torch

        self._torch = torch
        self._dtype = getattr(torch, dtype)
        self.device = device
        self.at_once = _AT_ONCE if device == "cpu" else 32 * _AT_ONCE
        self.concatenate = torch.cat
        self.stack = torch.stack
        self.relu = torch.relu

    @classmethod
    def fastest(cls):
        """On the GPU in bfloat16 where there is one, else on the processor."""
        import torch

        return cls("cuda", "bfloat16") if torch.cuda.is_available() else cls()

    def to_numpy(self, array):
        return array.float().cpu().numpy()

    def arange(self, *limits):
        return self._torch.arange(*limits, device=self.device, dtype=self._torch.int16)

    def highest(self, array):
        return array.flatten(1).amax(1)

    def array(self, array):
        array = self._torch.from_numpy(np.ascontiguousarray(array)).to(self.device)
        return array.to(self._dtype) if array.is_floating_point() else array

    def integer(self, array):
        return array.to(self._torch.int16)

    def real(self, array):
        return array.to(self._dtype)
