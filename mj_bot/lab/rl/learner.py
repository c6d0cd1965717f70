"""Improves the policy by proximal policy optimisation on the actors' decisions. Source: Schulman et al. 2017.

The policy sees its own observation only. The critic is a small network that predicts the score of a seat, in SCORE_UNIT
points, from features of all hands and walls (advantages.py). It is needed only while the policy learns.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...network.forward import SCORE_UNIT
from ..run.ranks import ALONE, Ranks
from ..train.network import TileNetwork
from ..train.recipe import value_losses
from .actor import LearnerDecisions
from .advantages import CRITIC_FEATURE_COUNT, compute_advantages, compute_critic_features, pick
from .config import Config
from .league import GameEnds
from .policy import Device, query_policy, compute_entropy, unpack_mask_tensor

# Epsilon of Adam. With the usual 1e-8, weights with hardly any gradient would move as far as all others.
_EPSILON = 1e-5


class LearnBatch(NamedTuple):
    """Keeps B decisions to learn from, as tensors on the device."""

    observation: torch.Tensor  # uint8[B, FULL_SIZE]
    ahead: torch.Tensor  # uint8[B, AHEAD_ROWS, 34], what network.ahead.look_ahead returns for the observations
    mask: torch.Tensor  # uint8[B, 32], bit a of a row is set where action a is legal
    action: torch.Tensor  # int64[B], action that was played
    log_prob: torch.Tensor  # float32[B], logarithm of its probability under the policy that played
    advantage: torch.Tensor  # float32[B], how much better than expected it was, with mean 0 and deviation 1 over all
    reward: torch.Tensor  # float32[B], final score of the deciding seat in SCORE_UNIT points
    score: torch.Tensor  # float32[B], final score of the deciding seat in points
    winner: torch.Tensor  # int64[B], offset of the winning seat from the deciding one, -1 if nobody won
    fan: torch.Tensor  # float32[B], fan of the win, 0 if nobody won


class Learner(object):
    """Trains the network of the policy and the critic.

    network: the TileNetwork that learns. config: settings, whose number of games is that of this process.
    ranks: processes that learn together; all of them call `learn` the same number of times.
    critic: the network that predicts scores. optimiser, critic_optimiser: Adam of each network.
    entropy_weight: present weight of the entropy in the loss. steps: steps of the policy made so far.
    """

    def __init__(self, network: TileNetwork, config: Config, device: Device, *, ranks: Ranks = ALONE):
        self.network = network
        self.entropy_weight = config.entropy.weight
        self.steps = 0
        self._config = config
        self._device = device
        self._ranks = ranks
        head = [*network.hidden.parameters(), *network.value.parameters()]
        # The value head is a group of its own, so that its gradient and that of the policy are clipped separately.
        groups = [list(network.parameters())[:-len(head)], head]
        self.optimiser = torch.optim.Adam([{"params": group} for group in groups], lr=config.ppo.rate, eps=_EPSILON)
        size = config.critic.channels
        self.critic = nn.Sequential(nn.Linear(CRITIC_FEATURE_COUNT, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU(),
                                    nn.Linear(size, 1)).to(device.name)
        self.critic_optimiser = torch.optim.Adam(self.critic.parameters(), lr=config.critic.rate)

    def list_networks(self) -> list[tuple[nn.Module, torch.optim.Optimizer, str]]:
        """Returns [(network, optimiser, prefix of its tensors in a checkpoint)] of the policy and of the critic."""
        return [(self.network, self.optimiser, ""), (self.critic, self.critic_optimiser, "critic.")]

    def learn(self, decisions: LearnerDecisions, ends: GameEnds, games: int, *, iteration: int) -> dict[str, float]:
        """Learns from the games of an iteration, and returns figures for the log, {name: number}.

        decisions, ends: the learner's decisions and the ends of the games that this process played.
        games: number of games that all processes had learnt from before. iteration: its number, which determines the
            order in which decisions are learned from.
        Returns {} if a process has no decisions to learn from.
        Raises DivergedError: a loss is not finite, here or in another process.
        """
        config, ppo, ranks = self._config, self._config.ppo, self._ranks
        decisions = pick(decisions, decisions.top_prob <= ppo.skip_above)
        if not min(ranks.collect(len(decisions.action))):
            return {}
        inputs = self._device.move(compute_critic_features(decisions.observation, decisions.forecasts))
        values = self._value(inputs)
        rewards = ends.score.astype(np.float32) / SCORE_UNIT
        advantages = compute_advantages(decisions.game, decisions.seat, values, rewards=rewards, decay=ppo.decay)
        paid = rewards[decisions.game, decisions.seat]
        of_all = ranks.join(advantages)
        figures = {
            "learn/decisions": len(of_all), "learn/advantage_sd": of_all.std(),
            "learn/critic_explains": 1 - np.var(ranks.join(paid - values)) / max(np.var(ranks.join(paid)), 1e-9),
        }
        batch = self._make_batch(decisions, ends, (advantages - of_all.mean()) / (of_all.std() + 1e-6), paid=paid)
        generator = self._device.generator(config.run.seed, 1, iteration)
        if games >= config.critic.warmup_games:
            figures.update(self._teach_policy(batch, generator))
            self._steer_entropy(figures["learn/entropy"])
        figures.update(self._teach_critic(inputs, batch, generator))
        return figures

    def _value(self, inputs):
        """Returns the scores that the critic expects, float32[M] in SCORE_UNIT points, from real[M, FEATURES]."""
        self.critic.eval()
        with torch.inference_mode():
            values = [self.critic(rows)[:, 0] for rows in inputs.split(self._config.ppo.minibatch)]
        return torch.cat(values).cpu().numpy()

    def _make_batch(self, decisions, ends, advantages, *, paid):
        """Returns the LearnBatch of all decisions. paid: float32[M], final scores in SCORE_UNIT points."""
        games, seats = decisions.game, decisions.seat.astype(np.int64)
        winners = ends.winner[games].astype(np.int64)
        return LearnBatch(*map(self._device.move, (
            decisions.observation, decisions.ahead, decisions.mask, decisions.action.astype(np.int64),
            decisions.log_prob, advantages, paid, ends.score[games, seats].astype(np.float32),
            np.where(winners < 0, -1, (winners - seats) % SEATS), ends.fan[games].astype(np.float32))))

    def _teach_policy(self, batch, generator):
        """Trains the policy on a batch in minibatches, and returns figures for the log, {name: number}."""
        ppo = self._config.ppo
        sums, made = {}, 0
        self.network.train()
        for _ in range(ppo.epochs):
            kl_before, steps_before = sums.get("kl", 0), made
            for rows in self._shuffle(len(batch.action), ppo.minibatch, generator):
                minibatch = pick(batch, rows)
                losses = self._compute_losses(minibatch)
                self.steps += 1
                self._set_rate()
                self._step(self.optimiser, losses, minibatch)
                for name, loss in losses.items():
                    sums[name] = sums.get(name, 0) + loss.detach().float()
                made += 1
            if self._ranks.mean(float(sums["kl"] - kl_before) / (made - steps_before)) > ppo.kl_stop:
                break
        self.network.eval()
        figures = {"learn/" + name: self._ranks.mean(float(total) / made) for name, total in sums.items()}
        return dict(figures, **{"learn/entropy_weight": self.entropy_weight, "learn/steps": self.steps})

    def _teach_critic(self, inputs, batch, generator):
        """Trains the critic on real[B, FEATURES] in minibatches. Returns {"learn/critic": its mean loss}."""
        settings = self._config.critic
        total, made = 0, 0
        self.critic.train()
        for _ in range(settings.epochs):
            for rows in self._shuffle(len(inputs), settings.minibatch, generator):
                minibatch = pick(batch, rows)
                loss = 0.5 * functional.mse_loss(self.critic(inputs[rows])[:, 0], minibatch.reward)
                self._step(self.critic_optimiser, {"score": loss}, minibatch)
                total += loss.detach()
                made += 1
        self.critic.eval()
        return {"learn/critic": self._ranks.mean(float(total) / made)}

    def _shuffle(self, count, size, generator):
        """Returns the rows of each minibatch in random order. The list has the same length in every process."""
        counts = self._ranks.collect(count)
        steps = min(-(-sum(counts) // size), min(counts))
        return torch.randperm(count, generator=generator, device=self._device.name).tensor_split(steps)

    def _compute_losses(self, batch):
        """Returns {name: loss} of a minibatch. Losses without a gradient are for the log only."""
        config, ppo = self._config, self._config.ppo
        temperature = config.run.temperature
        masks = unpack_mask_tensor(batch.mask)
        log_probs, answer = query_policy(self.network, batch.observation, batch.ahead, masks=masks,
                                         device=self._device, temperature=temperature)
        taken = log_probs.gather(1, batch.action[:, None])[:, 0]
        ratio = (taken - batch.log_prob).exp()
        clipped = ratio.clamp(1 - ppo.clip, 1 + ppo.clip)
        entropy = compute_entropy(log_probs).mean()
        losses = {
            "policy": -torch.minimum(ratio * batch.advantage, clipped * batch.advantage).mean(),
            "entropy": entropy.detach(),
            # Source: J. Schulman, approximating KL divergence, http://joschu.net/blog/kl-approx.html
            "kl": (ratio - 1 - (taken - batch.log_prob)).mean().detach(),
            "clipped": (ratio != clipped).float().mean(),
            "value": sum(value_losses(answer, batch).values()),
        }
        if self.entropy_weight:
            losses["entropy_loss"] = -self.entropy_weight * entropy
        return losses

    def _step(self, optimiser, losses, batch):
        """Makes one step of an optimiser with the mean gradient of all processes."""
        losses = {name: loss for name, loss in losses.items() if loss.requires_grad}
        total = sum(losses.values())
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        # This flag is averaged together with the gradients, so that all processes stop at the same step.
        is_broken = (~total.detach().isfinite()).float()
        self._ranks.average([parameter.grad for parameter in parameters if parameter.grad is not None] + [is_broken])
        if is_broken:
            raise DivergedError(batch._asdict(), {name: float(loss.detach()) for name, loss in losses.items()})
        for group in optimiser.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], self._config.ppo.gradient)
        optimiser.step()

    def _set_rate(self):
        """Sets the learning rate of the policy, which rises during the first steps."""
        rate = self._config.ppo.rate * min(1.0, self.steps / max(1, self._config.ppo.warmup))
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def _steer_entropy(self, entropy):
        """Raises the weight of the entropy below its target, and lowers it above. Source: Li et al. 2020, Suphx."""
        settings = self._config.entropy
        if settings.step:
            weight = self.entropy_weight + settings.step * (settings.target - entropy)
            self.entropy_weight = min(max(0.0, weight), settings.most)


class DivergedError(MahjongError):
    """Says that a loss is not finite.

    batch: {name: tensor} of the minibatch. losses: {name: number} of this process.
    is_here: whether a loss of this process is not finite, rather than one of another process.
    """

    def __init__(self, batch: dict[str, torch.Tensor], losses: dict[str, float]):
        self.batch = batch
        self.losses = losses
        self.is_here = not np.isfinite(sum(losses.values()))
        super().__init__("expected finite losses, got %s", losses if self.is_here else "others in another process")
