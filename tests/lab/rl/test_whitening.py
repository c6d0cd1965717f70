"""Whitening: gradients that scatter most in few directions scatter evenly afterwards."""

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: nothing learns")

from mj_bot.lab.rl.policy import Device
from mj_bot.lab.rl.whitening import Whitening


def test_noise_of_known_covariance_becomes_even():
    """By rows and by columns, while each gradient keeps its norm; the first steps only measure."""
    torch.manual_seed(0)
    matrix = torch.nn.Parameter(torch.zeros(4, 6))
    mix = [torch.randn(size, size) * torch.logspace(0, -0.75, size) for size in matrix.shape]
    whitening, found = Whitening([matrix]), []
    for _ in range(600):
        gradient = mix[0] @ torch.randn(4, 6) @ mix[1].T
        matrix.grad = gradient.clone()
        whitening.whiten(Device("cpu", "float32"))
        found.append((gradient, matrix.grad))
    assert all(not whitened.any() for _, whitened in found[:10])
    assert all(whitened.norm() == pytest.approx(float(gradient.norm()), rel=1e-3) for gradient, whitened in found[10:])

    def measure_spread(which, side):
        gradients = torch.stack([pair[which] / pair[which].norm() for pair in found[300:]])
        other = gradients.transpose(1, 2) if side else gradients
        values = torch.linalg.eigvalsh((other @ other.transpose(1, 2)).mean(0))
        return float(values[-1] / values[0])

    for side in (0, 1):
        assert measure_spread(0, side) > 10 > 4 > measure_spread(1, side)
