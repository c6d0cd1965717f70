"""Proximal policy optimisation on the actors' decisions. Source: Schulman et al. 2017.

The policy sees its own observation alone. The critic is a small network that predicts a seat's score, in SCORE_UNIT
points, from facts of all hands and walls, see advantages.py; it is needed only while the policy learns.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...network.forward import SCORE_UNIT
from .advantages import FACT_COUNT, compute_advantages, compute_facts, pick
from ..run.ranks import ALONE
from ..train.recipe import value_losses
from .policy import ask, compute_entropy, unpack_masks

_EPSILON = 1e-5  # of Adam: with its usual 1e-8, weights of hardly any gradient are moved as far as the others


class LearnBatch(NamedTuple):
    """Decisions to learn from, as tensors on the device."""

    observation: torch.Tensor  # these to log_prob as in actor.LearnerDecisions
    ahead: torch.Tensor
    mask: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    advantage: torch.Tensor
    reward: torch.Tensor  # of the seat at the end of the game, in SCORE_UNIT points
    score: torch.Tensor  # points of the game
    winner: torch.Tensor  # offset, -1 for none
    fan: torch.Tensor


class Learner(object):
    """Trains the policy's network and the critic's.

    network: the TileNetwork that learns. config: config.Config of one process, see config.share_games. device:
    policy.Device. ranks: ranks.Ranks that learn together, all of which call `learn`.
    critic: a torch.nn.Module. optimiser, critic_optimiser: of the two. entropy_weight: the present one. steps: made so
    far.
    """

    def __init__(self, network, config, device, *, ranks=ALONE):
        self.network = network
        self.entropy_weight = config.entropy.weight
        self.steps = 0
        self._config = config
        self._device = device
        self._ranks = ranks
        head = [*network.hidden.parameters(), *network.value.parameters()]
        # Two groups, clipped separately: the value head learns with the policy and never moves it.
        groups = [list(network.parameters())[:-len(head)], head]
        self.optimiser = torch.optim.Adam([{"params": group} for group in groups], lr=config.ppo.rate, eps=_EPSILON)
        size = config.critic.channels
        self.critic = nn.Sequential(nn.Linear(FACT_COUNT, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU(),
                                    nn.Linear(size, 1)).to(device.name)
        self.critic_optimiser = torch.optim.Adam(self.critic.parameters(), lr=config.critic.rate)

    def list_parts(self):
        """(network, optimiser, prefix in checkpoints) of what learns."""
        return [(self.network, self.optimiser, ""), (self.critic, self.critic_optimiser, "critic.")]

    def learn(self, decisions, ends, games, *, numbers):
        """Learns from an iteration's actor.LearnerDecisions and Ends; returns figures for the log, {name: number}.

        decisions, ends: of the games that this process played. games: all processes learnt from before. numbers: the
        seeds of this iteration's random generator.
        Raises DivergedError: a loss that is not finite, here or in another process.
        """
        config, ppo, ranks = self._config, self._config.ppo, self._ranks
        decisions = pick(decisions, decisions.top_prob <= ppo.skip_above)
        is_validation = select_validation(decisions.game, ppo.validation_share)
        if not min(ranks.collect(int((~is_validation).sum()))):
            return {}
        inputs = self._device.move(compute_facts(decisions.observation, decisions.forecasts))
        values = self._value(inputs)
        rewards = ends.score.astype(np.float32) / SCORE_UNIT
        advantages = compute_advantages(decisions.game, decisions.seat, values, rewards=rewards, decay=ppo.decay)
        paid = rewards[decisions.game, decisions.seat]
        of_all = ranks.join(advantages)
        figures = {
            "learn/decisions": len(of_all), "learn/advantage_sd": of_all.std(),
            "learn/critic_explains": 1 - np.var(ranks.join(paid - values)) / max(np.var(ranks.join(paid)), 1e-9),
        }
        spread = of_all.std() + 1e-6
        batch = self._make_batch(decisions, ends, (advantages - of_all.mean()) / spread, paid=paid)
        learnt = self._device.move(np.flatnonzero(~is_validation))
        generator = self._device.generator(config.run.seed, 1, *numbers)
        if games >= config.critic.warmup_games:
            figures.update(self._teach_policy(pick(batch, learnt), generator))
            self._steer_entropy(figures["learn/entropy"])
            if all(ranks.collect(bool(is_validation.any()))):
                figures.update(self._measure_gain(batch, decisions, is_validation, spread=spread))
        figures.update(self._teach_critic(inputs[learnt], pick(batch, learnt), generator))
        return figures

    def _measure_gain(self, batch, decisions, is_validation, *, spread):
        """The policy's gain on decisions that it did not learn from, in points a game and seat, and its standard error
        over the games. The mean of (importance weight - 1) x advantage is, to first order, the change of the score.
        """
        gains = []
        with torch.inference_mode():
            for rows in self._device.move(np.flatnonzero(is_validation)).split(self._config.ppo.minibatch):
                part = pick(batch, rows)
                log_probs, _ = ask(self.network, part.observation, part.ahead, masks=unpack_masks(part.mask),
                                   device=self._device, temperature=self._config.run.temperature)
                ratio = (log_probs.gather(1, part.action[:, None])[:, 0] - part.log_prob).exp()
                gains.append((ratio - 1) * part.advantage)
        games, seats = decisions.game[is_validation], decisions.seat[is_validation]
        kept = np.unique(games)
        # Others may play in some seats of a game.
        seat_counts = np.unique(np.column_stack([games, seats]), axis=0)[:, 0]
        by_game = np.bincount(games, torch.cat(gains).cpu().numpy())[kept] / np.bincount(seat_counts)[kept]
        points = self._ranks.join(by_game) * spread * SCORE_UNIT
        return {"learn/gain": points.mean(), "learn/gain_error": points.std() / np.sqrt(len(points))}

    def _value(self, inputs):
        """The critic's values, float32[M]."""
        self.critic.eval()
        with torch.inference_mode():
            parts = [self.critic(part)[:, 0] for part in inputs.split(self._config.ppo.minibatch)]
        return torch.cat(parts).cpu().numpy()

    def _make_batch(self, decisions, ends, advantages, *, paid):
        games, seats = decisions.game, decisions.seat.astype(np.int64)
        winners = ends.winner[games].astype(np.int64)
        return LearnBatch(*map(self._device.move, (
            decisions.observation, decisions.ahead, decisions.mask, decisions.action.astype(np.int64),
            decisions.log_prob, advantages, paid, ends.score[games, seats].astype(np.float32),
            np.where(winners < 0, -1, (winners - seats) % SEATS), ends.fan[games].astype(np.float32))))

    def _teach_policy(self, batch, generator):
        ppo = self._config.ppo
        sums, made = {}, 0
        self.network.train()
        for _ in range(ppo.epochs):
            moved, began = sums.get("kl", 0), made
            for rows in self._shuffle(len(batch.action), ppo.minibatch, generator):
                part = pick(batch, rows)
                losses = self._compute_losses(part)
                self.steps += 1
                self._set_rate()
                self._step(self.optimiser, losses, part)
                for name, loss in losses.items():
                    sums[name] = sums.get(name, 0) + loss.detach().float()
                made += 1
            if self._ranks.mean(float(sums["kl"] - moved) / (made - began)) > ppo.kl_stop:
                break
        self.network.eval()
        figures = {"learn/" + name: self._ranks.mean(float(total) / made) for name, total in sums.items()}
        return dict(figures, **{"learn/entropy_weight": self.entropy_weight, "learn/steps": self.steps})

    def _teach_critic(self, inputs, batch, generator):
        settings = self._config.critic
        total, made = 0, 0
        self.critic.train()
        for _ in range(settings.epochs):
            for rows in self._shuffle(len(inputs), settings.minibatch, generator):
                part = pick(batch, rows)
                loss = 0.5 * functional.mse_loss(self.critic(inputs[rows])[:, 0], part.reward)
                self._step(self.critic_optimiser, {"score": loss}, part)
                total += loss.detach()
                made += 1
        self.critic.eval()
        return {"learn/critic": self._ranks.mean(float(total) / made)}

    def _shuffle(self, count, size, generator):
        """This process's rows of each minibatch: parts of about equal size, the same number in every process.

        count: of its rows, above 0. size: of a minibatch over all processes.
        """
        counts = self._ranks.collect(count)
        steps = min(-(-sum(counts) // size), min(counts))
        return torch.randperm(count, generator=generator, device=self._device.name).tensor_split(steps)

    def _compute_losses(self, part):
        """{name: loss}; losses without a gradient are for the log."""
        config, ppo = self._config, self._config.ppo
        temperature = config.run.temperature
        masks = unpack_masks(part.mask)
        log_probs, answer = ask(self.network, part.observation, part.ahead, masks=masks, device=self._device,
                                temperature=temperature)
        taken = log_probs.gather(1, part.action[:, None])[:, 0]
        ratio = (taken - part.log_prob).exp()
        clipped = ratio.clamp(1 - ppo.clip, 1 + ppo.clip)
        entropy = compute_entropy(log_probs).mean()
        losses = {
            "policy": -torch.minimum(ratio * part.advantage, clipped * part.advantage).mean(),
            "entropy": entropy.detach(),
            # Source: J. Schulman, approximating KL divergence, http://joschu.net/blog/kl-approx.html
            "kl": (ratio - 1 - (taken - part.log_prob)).mean().detach(),
            "clipped": (ratio != clipped).float().mean(),
            "value": sum(value_losses(answer, part).values()),
        }
        if self.entropy_weight:
            losses["entropy_loss"] = -self.entropy_weight * entropy
        return losses

    def _step(self, optimiser, losses, part):
        losses = {name: loss for name, loss in losses.items() if loss.requires_grad}
        total = sum(losses.values())
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        # Averaged with the gradients, so that all processes stop at the same step.
        is_broken = (~total.detach().isfinite()).float()
        self._ranks.average([parameter.grad for parameter in parameters if parameter.grad is not None] + [is_broken])
        if is_broken:
            raise DivergedError(part._asdict(), {name: float(loss.detach()) for name, loss in losses.items()})
        for group in optimiser.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], self._config.ppo.gradient)
        optimiser.step()

    def _set_rate(self):
        rate = self._config.ppo.rate * min(1.0, self.steps / max(1, self._config.ppo.warmup))
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def _steer_entropy(self, entropy):
        """Source: Li et al. 2020, Suphx: the weight rises where the entropy is below its target, and falls above."""
        settings = self._config.entropy
        if settings.step:
            weight = self.entropy_weight + settings.step * (settings.target - entropy)
            self.entropy_weight = min(max(0.0, weight), settings.most)


class DivergedError(MahjongError):
    """A loss that is not finite. batch: {name: tensor} of the step; losses: {name: number}.

    is_here: it is one of these, not one of another process.
    """

    def __init__(self, batch, losses):
        self.batch = batch
        self.losses = losses
        self.is_here = not np.isfinite(sum(losses.values()))
        super().__init__("expected finite losses, got %s" % (losses if self.is_here else "others in another process"))


def select_validation(games, share):
    """bool[M]: rows for validation, a share of the games, evenly spread. games: int[M]."""
    return np.floor((games + 1) * share) > np.floor(games * share)
