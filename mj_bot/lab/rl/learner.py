"""Proximal policy optimisation on what the actors noted. Source: Schulman et al. 2017."""

from collections import namedtuple

import numpy as np
import torch
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ..train.recipe import Rows, value_losses
from .critic import encode_full, make_critic, value_positions
from .policy import ask, find_entropy, unpack_masks
from .returns import find_advantages, find_rewards

# What one step learns from, tensors on the device with a row a decision.
_Batch = namedtuple("_Batch", "view mask action log_prob advantage target score winner fan")


class Learner(object):
    """The policy's network and what changes it.

    network: the TileNetwork that learns; start: one that stays as learning began. config: config.Config.
    device: policy.Device.
    critic: the network that sees all, None for config.critic.kind "own".
    optimiser, critic_optimiser: of the two (None). entropy_weight: as it is steered. steps: made so far.
    """

    def __init__(self, network, start, config, device):
        self.network = network
        self.entropy_weight = config.entropy.weight
        self.steps = 0
        self._start = start
        self._config = config
        self._device = device
        self.optimiser = torch.optim.Adam(network.parameters(), lr=config.ppo.rate, eps=1e-5)
        self.critic = self.critic_optimiser = None
        if config.critic.kind == "full":
            self.critic = make_critic(config.critic, device)
            self.critic_optimiser = torch.optim.Adam(self.critic.parameters(), lr=config.critic.rate)

    def learn(self, notes, ends, games, numbers):
        """Learns from an iteration's actor.Notes and Ends; returns figures for the log, {name: number}.

        games: learnt from before. numbers: that name this iteration to the random generator.
        Raises DivergedError: a loss that is not finite.
        """
        config, ppo = self._config, self._config.ppo
        notes = type(notes)(*(column[notes.surest <= ppo.sure] for column in notes))
        if not len(notes.action):
            return {}
        values = notes.value
        if self.critic is not None:
            values = value_positions(self.critic, notes.view, self._device, ppo.minibatch)
        rewards = find_rewards(ends.score, config.signal)
        advantages, targets = find_advantages(notes.game, notes.seat, values, rewards, config.signal.decay)
        paid = rewards[notes.game, notes.seat]
        figures = {
            "learn/decisions": len(values), "learn/advantage_sd": advantages.std(),
            "learn/critic_explains": 1 - np.var(paid - values) / max(np.var(paid), 1e-9),
        }
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        batch = self._make_batch(notes, ends, advantages, targets)
        figures.update(self._run_epochs(batch, games, self._device.generator(config.run.seed, 1, *numbers)))
        self._steer_entropy(figures.get("learn/entropy"))
        return figures

    def _make_batch(self, notes, ends, advantages, targets):
        move, seats = self._device.move, notes.seat.astype(np.int64)
        winners = ends.winner[notes.game].astype(np.int64)
        return _Batch(
            move(notes.view), move(notes.mask), move(notes.action.astype(np.int64)), move(notes.log_prob),
            move(advantages), move(targets), move(ends.score[notes.game, seats].astype(np.float32)),
            move(np.where(winners < 0, -1, (winners - seats) % 4)), move(ends.fan[notes.game].astype(np.float32)))

    def _run_epochs(self, batch, games, generator):
        config, ppo = self._config, self._config.ppo
        count = len(batch.action)
        learns_policy = games >= config.critic.warmup_games
        leash = _find_leash(config.leash, games)
        sums, made = {}, 0
        self.network.train()
        for _ in range(ppo.epochs):
            order = torch.randperm(count, generator=generator, device=self._device.name)
            for rows in order.tensor_split(-(-count // ppo.minibatch)):
                part = _Batch(*(column[rows] for column in batch))
                losses = self._find_critic_losses(part)
                if learns_policy:
                    losses.update(self._find_losses(part, leash))
                self._step({name: loss for name, loss in losses.items() if loss.requires_grad}, part)
                for name, loss in losses.items():
                    sums[name] = sums.get(name, 0) + loss.detach().float()
                made += 1
            if learns_policy and sums["kl"] / made > ppo.kl_stop:
                break
        self.network.eval()
        figures = {"learn/" + name: float(total) / made for name, total in sums.items()}
        return dict(figures, **{"learn/entropy_weight": self.entropy_weight, "learn/leash": leash,
                                "learn/steps": self.steps})

    def _find_losses(self, part, leash):
        """{name: loss}; what has no gradient is for the log."""
        config, ppo = self._config, self._config.ppo
        temperature = config.run.temperature
        masks = unpack_masks(part.mask)
        log_probs, answer = ask(self.network, part.view, masks, self._device, temperature)
        taken = log_probs.gather(1, part.action[:, None])[:, 0]
        ratio = (taken - part.log_prob).exp()
        clipped = ratio.clamp(1 - ppo.clip, 1 + ppo.clip)
        entropy = find_entropy(log_probs).mean()
        losses = {
            "policy": -torch.minimum(ratio * part.advantage, clipped * part.advantage).mean(),
            "entropy": entropy.detach(),
            # Source: J. Schulman, approximating KL divergence, http://joschu.net/blog/kl-approx.html
            "kl": (ratio - 1 - (taken - part.log_prob)).mean().detach(),
            "clipped": (ratio != clipped).float().mean(),
        }
        if self.entropy_weight:
            losses["entropy_loss"] = -self.entropy_weight * entropy
        if leash:
            with torch.no_grad():
                others, _ = ask(self._start, part.view, masks, self._device, temperature)
            apart = (log_probs.exp() * (log_probs.clamp(min=-1e4) - others.clamp(min=-1e4))).sum(1).mean()
            losses.update(leash_loss=leash * apart, apart=apart.detach())
        if self.critic is None:
            losses["value"] = ppo.value * sum(_find_value_losses(answer, part).values())
        return losses

    def _find_critic_losses(self, part):
        if self.critic is None:
            return {}
        self.critic.train()
        with torch.no_grad():
            planes = encode_full(part.view, self._device.ops)
        with self._device.cast():
            answer = self.critic(planes)
        return {"critic": sum(_find_value_losses(answer, part).values())}

    def _step(self, losses, part):
        if not losses:
            return
        ppo = self._config.ppo
        total = sum(losses.values())
        if not torch.isfinite(total):
            raise DivergedError(part._asdict(), {name: float(loss.detach()) for name, loss in losses.items()})
        for optimiser in (self.optimiser, self.critic_optimiser):
            if optimiser:
                optimiser.zero_grad(set_to_none=True)
        total.backward()
        for optimiser in (self.optimiser, self.critic_optimiser):
            if optimiser:
                for group in optimiser.param_groups:
                    torch.nn.utils.clip_grad_norm_(group["params"], ppo.gradient)
                optimiser.step()
        self.steps += 1
        self.set_rate()

    def set_rate(self):
        """Sets the rate of the next step; after the state was read from a checkpoint too."""
        ppo = self._config.ppo
        for group in self.optimiser.param_groups:
            group["lr"] = ppo.rate * min(1.0, (self.steps + 1) / max(1, ppo.warmup))

    def _steer_entropy(self, entropy):
        """Source: Li et al. 2020, Suphx: the weight rises where the entropy is below its target, and falls above."""
        settings = self._config.entropy
        if entropy is not None and settings.step:
            weight = self.entropy_weight + settings.step * (settings.target - entropy)
            self.entropy_weight = min(max(0.0, weight), settings.most)


class DivergedError(MahjongError):
    """A loss that is not finite. batch: {name: tensor} of the step; losses: {name: number}."""

    def __init__(self, batch, losses):
        super().__init__("expected finite losses, got %r" % (losses,))
        self.batch = batch
        self.losses = losses


def _find_leash(settings, games):
    return settings.weight * max(0.0, 1 - games / settings.games) if settings.games else 0.0


def _find_value_losses(answer, part):
    """As `train` has them for the same heads, but that the score's target is the one of the advantages."""
    rows = Rows(None, None, None, part.score, part.winner, part.fan, None, None)
    score = 0.5 * functional.mse_loss(answer.score.float(), part.target)
    return dict(value_losses(answer, rows), score=score)
