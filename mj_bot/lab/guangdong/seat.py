"""Seats a person against three players in the browser: the SeatedGame and the TableGame of Guangdong mahjong.

A pung and the discard after it are one choice of the person, and two actions of the engine. In this file an `index` is
an action index of the engine, and an `action` is a tuple such as ("PLAY", "W1"), as the browser shows it.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import prod

import numpy as np

from ...mahjong.action import (
    CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX, decode_action, format_action)
from ...mahjong.errors import IllegalActionError
from ...mahjong.rules import SEATS
from ...mahjong.tile import COPIES, TILE_NAMES, list_tiles
from ...observation.layout import CLAIM, FOLLOW, ROB, TURN
from ..play.seated_match import PERSON, Deal, SeatedMatch, find_person
from ..play.table_game import SeatedGame, TableGame
from ..review.decisions import JudgedDecision, describe_decision, describe_review
from ..review.judges import join_judges
from ..review.frames import Story
from ..review.games import describe_game
from ..run.files import format_json, parse_json
from .engine import Table
from .guangdong_hand import compute_steps
from .guangdong_players import load_player
from .guangdong_rules import (
    DEFAULTS, FULL_SETS, HAND_OVER, LAID_ADDED_KONG, LAID_CONCEALED_KONG, LAID_PUNG, TIMES, WILD_NAMES, HouseRules,
    format_settings, parse_settings)

# The unit of the values in hints and reviews.
_UNIT = "steps"


@dataclass
class GuangdongRecord:
    """Keeps a saved game. A file contains exactly one, as a JSON object.

    seed: of the wall. settings: text of the rules. steps: action indices of the engine. name: of the file.
    closing: {"action": "HU" or "HUANG", "fanCnt": factor of the win, "player": winner, "giver": seat or None}.
    """

    players: list[str]
    seed: int
    settings: str
    steps: list[int] = field(default_factory=list)
    scores: list[int] | None = None
    closing: dict | None = None
    name: str = ""


class GuangdongPersonGame(SeatedGame):
    """Plays one game of a person against three players.

    seed: of the wall. steps: action indices of the engine with which the game begins.
    story: review.frames.Story of the game with all hands open.
    """

    def __init__(
            self, seed: int, seat: int, opponents: Sequence[str], *, settings: HouseRules = DEFAULTS,
            steps: Sequence[int] = ()):
        self.seed, self.settings = seed, settings
        super().__init__(seat, opponents, steps)

    def dump(self) -> dict:
        return {"seed": self.seed, "settings": self.record.settings, "steps": self.record.steps}

    @property
    def is_over(self) -> bool:
        return bool(self.state["phase"] == HAND_OVER)

    def restore(self, steps: Sequence[int]) -> None:
        self._players = [None if name == PERSON else load_player(name) for name in self.names]
        self.record = GuangdongRecord(self.names, self.seed, format_settings(self.settings))
        self.table = Table([self.seed], self.settings)
        self.state = self.table.games[0]
        self.marked = [name for tile, name in enumerate(TILE_NAMES) if int(self.state["wild"]) >> tile & 1]
        self.rules = [[name, WILD_NAMES[value] if name == "wild" else value]
                      for name, value in self.settings._asdict().items()]
        self.story = Story(seats=list(range(SEATS)), distances=[])
        self.events, self.frames, self.chosen = [], [], []
        self._rivers, self._pung = [[] for _ in range(SEATS)], {}
        self._show_event({"kind": "DEAL"}, False)
        self._show_draw()
        for count, step in enumerate(steps):
            if step not in self._list_legal():
                raise IllegalActionError("expected a legal action at place %d of the steps, got %r", count, step)
            self._take(step)
        self.frames = self.frames[-1:]
        self.go_on()

    def go_on(self) -> None:
        while not self.is_over and self.state["seat"] != self.seat:
            self._take(int(self._players[self.state["seat"]](self.table, self.table.rows)[0]))
        self._list_choices()

    def list_waits(self) -> dict:
        outcomes = {format_action(action): self._describe_facts(action) for action in self.choices
                 if action[0] in ("PASS", "PLAY", "PENG")}
        return {text: [[*wait[:2], None, False] for wait in outcome["wins"]] for text, outcome in outcomes.items()
                if outcome["shanten"] == 0}

    def _list_legal(self):
        """Returns the legal action indices of the engine."""
        mask = [] if self.is_over else self.state["mask"].tolist()
        return [64 * word + bit for word, bits in enumerate(mask) for bit in range(64) if bits >> bit & 1]

    def choose(self, action: tuple) -> None:
        for index in self._indices[action]:
            self._take(index)

    def _list_choices(self):
        """Sets `choices` to the person's choices, and `_indices` to {choice: action indices of the engine}."""
        self._indices = {}
        for index in self._list_legal():
            if index < PUNG_BASE:
                times = self._try(lambda _: WIN_INDEX)[1]["times"].tolist() if index == WIN_INDEX else [0]
                self._indices[decode_action(index, fan=prod(times))] = [index]
                continue
            hand = self.state["hand"][self.seat].copy()
            hand[index - PUNG_BASE] -= 2
            for discard in (DISCARD_BASE + np.flatnonzero(hand)).tolist():
                self._indices[decode_action(index, discard)] = [index, discard]
        self.choices = list(self._indices)

    def _take(self, index):
        """Plays one action of the engine, and shows what happened."""
        game = self.state
        seat, turn, tile = (int(game[name]) for name in ("seat", "turn", "tile"))
        if seat == self.seat and game["phase"] != FOLLOW:  # the discard after a pung is part of the pung's choice
            self.chosen.append(len(self.record.steps))
            self.story.decisions[seat].append(len(self.story.frames) - 1)
        claim = {"claimed": TILE_NAMES[tile], "from": turn}
        self.record.steps.append(index)
        self.table.step(np.array([index], np.int16))
        if index >= PUNG_BASE or OPEN_KONG_BASE <= index < CONCEALED_KONG_BASE:
            self._rivers[turn][-1]["claimed_by"] = seat
        if index >= PUNG_BASE:
            self._pung = {"kind": "PENG", **claim}
        elif index >= DISCARD_BASE:
            event_type, *named = decode_action(index)
            event = {"kind": event_type, "seat": seat, **({"tile": named[0]} if named else claim), **self._pung}
            if event_type == "PLAY":
                self._rivers[seat].append({"tile": named[0], "claimed_by": None, "drawn": None})
                self._pung = {}
            self._show_event(event, False)
        if game["phase"] == HAND_OVER:
            end = {"kind": "END", "verdict": "HUANG", "seat": None, "scores": game["score"].tolist()}
            if index == WIN_INDEX:
                times = game["times"].tolist()
                end.update({
                    "verdict": "HU", "seat": seat, "from": None if seat == turn else turn, "tile": claim["claimed"],
                    "fans": [[factor, 1, name] for name, factor in zip(TIMES, times) if factor > 1],
                    "fan": prod(times), "counted": "here"})
            self.record.scores = end["scores"]
            self.record.closing = {"action": end["verdict"], "fanCnt": end.get("fan"), "player": end["seat"],
                                   "giver": end.get("from")}
            self._show_event(end, True)
        elif game["phase"] == TURN:
            self._show_draw()

    def _try(self, choose):
        """Returns (action indices of one choice, the game after them). choose(Table) returns the next index."""
        copied, indices = Table([self.seed], self.settings), []
        copied.games[:] = self.table.games
        while not indices or indices[-1] >= PUNG_BASE:
            indices.append(int(choose(copied)))
            copied.step(np.array(indices[-1:], np.int16))
        return indices, copied.games[0]

    def _show_draw(self):
        """Shows that a seat has drawn a tile. The person sees the tile only where the person drew it."""
        drawn = {"tile": TILE_NAMES[self.state["tile"]]} if self.state["turn"] == self.seat else {}
        self._show_event({"kind": "DRAW", "seat": int(self.state["turn"]), **drawn}, True)

    def _show_event(self, event, has_drawn):
        """Adds a frame. has_drawn: whether to show the tile that the engine has drawn."""
        self.show(event, self._describe(has_drawn, self.is_over))
        self.story.add(event, self._describe(has_drawn, True))

    def _describe(self, has_drawn, is_open):
        """Returns the position in the form of page/position.py. is_open: whether all hands are seen."""
        game = self.state
        turn, name, phase = int(game["turn"]), TILE_NAMES[game["tile"]], game["phase"]
        hands, left = game["hand"].astype(int), int(game["last"]) - int(game["first"])
        if phase == TURN and not has_drawn:
            hands[turn, game["tile"]] -= 1
            left += 1
        seats = []
        for seat in range(SEATS):
            is_seen = is_open or seat == self.seat
            drew_it = phase == TURN and has_drawn and seat == turn
            seats.append({
                "hand": list_tiles(hands[seat]) if is_seen else None, "hand_size": int(hands[seat].sum()),
                "drawn": (name if is_seen else True) if drew_it else None,
                "melds": [self._describe_meld(seat, slot) for slot in range(game["meld_count"][seat])],
                "river": [dict(tile) for tile in self._rivers[seat]], "flowers": 0})
        focus = {"seat": turn, "tile": name, "added": bool(phase == ROB)} if phase in (CLAIM, ROB) else None
        return {"wind": 0, "walls": [], "left": left, "turn": turn, "focus": focus, "seats": seats}

    def _describe_meld(self, seat, slot):
        """Returns a meld in the form of page/position.py."""
        game = self.state
        meld_type, tile, giver = (int(game[key][seat, slot]) for key in ("meld_kind", "meld_tile", "meld_giver"))
        is_added = meld_type == LAID_ADDED_KONG or (game["phase"], game["turn"], game["tile"]) == (ROB, seat, tile)
        is_pung = meld_type == LAID_PUNG and not is_added
        return {"type": "PENG" if is_pung else "GANG", "added": is_added,
                "tiles": [TILE_NAMES[tile]] * (3 if is_pung else 4),
                "claimed": None if meld_type == LAID_CONCEALED_KONG else TILE_NAMES[tile], "from": giver}

    def describe_choice(self, adviser: Callable, taken: Sequence[int] = ()) -> dict:
        """Returns the review of the person's choice by a player, in the form of review/decisions.py.

        adviser: a player of guangdong_players.py. taken: the engine's action indices of the game from here on; () where
        they are unknown.
        """
        chosen, _ = self._try(lambda table: adviser(table, table.rows)[0])
        names = {tuple(indices): action for action, indices in self._indices.items()}
        logged = next((action for indices, action in names.items() if indices == tuple(taken[:len(indices)])), None)
        facts = {action: self._describe_facts(action) for action in self.choices}
        left = {action: sum(copies for _, copies in outcome["useful"]) for action, outcome in facts.items()}
        ranked = sorted(((action, left[action] / 1000 - outcome["shanten"]) for action, outcome in facts.items()
                         if action[0] != "HU"), key=lambda entry: -entry[1])
        tiles = [[action[1], None, outcome["distance_to_8_fan"], left[action], outcome["shanten"], None]
                 for action, outcome in facts.items() if action[0] == "PLAY"]
        decision = JudgedDecision(
            len(self.story.frames) - 1 if taken else None, "", self.choices, logged=logged,
            chosen=names[tuple(chosen)], reasons="", ranked=ranked, state=None, unit=_UNIT)
        return describe_decision(
            [decision], join_judges([decision], is_ready=False),
            TILE_NAMES[self.state["tile"]] if self.state["phase"] in (CLAIM, ROB) else None, tiles=tiles, facts=facts,
            list_remarks=_list_remarks)

    def _describe_facts(self, action):
        """Returns what a choice leads to in the form of review/facts.py; there is neither fan nor danger."""
        indices = iter(self._indices[action])
        _, after = self._try(lambda _: next(indices))
        hand, sets = after["hand"][self.seat], FULL_SETS - int(after["meld_count"][self.seat])
        if (after["phase"], after["turn"]) == (TURN, self.seat):
            hand[after["tile"]] -= 1  # the person does not know the next draw
        steps, tiles = compute_steps(self.table.tools, hand, int(after["wild"]), sets)
        if action[0] == "HU":
            steps, tiles = -1, 0
        seen = self.state["hand"][self.seat] + self.state["seen"]
        useful = [[name, int(COPIES - seen[tile])] for tile, name in enumerate(TILE_NAMES) if tiles >> tile & 1]
        return {"shanten": steps, "distance_to_8_fan": steps, "useful": useful, "improving": useful, "targets": [],
                "danger": None, "wins": [[name, copies] for name, copies in useful if steps == 0]}


def _list_remarks(decision):
    """Returns the remarks of the page about a decision."""
    if decision["chosen"] == "HU":
        return [["win", decision["win_fan"]]]
    return [["alone", decision["distance_to_8_fan"], decision["chosen_facts"]["distance_to_8_fan"]]]


class GuangdongGame(TableGame):
    """The TableGame of Guangdong mahjong. settings: the rules of new games; a record has its own."""

    offered = ("shanten", "ours", "random")
    opponent = judges = "shanten"
    rules = ("guangdong",)
    fan_names = TIMES
    is_standard = False
    load_player = load_adviser = staticmethod(load_player)

    def __init__(self, settings: HouseRules = DEFAULTS):
        self._settings = settings

    def deal(self, match: SeatedMatch, deal: Deal) -> GuangdongPersonGame:
        return GuangdongPersonGame(deal.seed, deal.seat, match.list_opponents(deal), settings=self._settings)

    def load(self, content: dict, seat: int, opponents: Sequence[str]) -> GuangdongPersonGame:
        return GuangdongPersonGame(content["seed"], seat, opponents, settings=parse_settings(content["settings"]),
                                   steps=content["steps"])

    def judge(self, game: GuangdongPersonGame, judges: str, text: str | None = None) -> dict:
        return dict(game.describe_choice(load_player(judges)), unit=_UNIT, adviser=judges)

    def format(self, record: GuangdongRecord) -> str:
        return format_json(asdict(record)) + "\n"

    def parse(self, text: str, name: str) -> GuangdongRecord:
        try:
            game = _play_again(GuangdongRecord(**parse_json(text)))
        except (AttributeError, TypeError, IndexError, OverflowError) as error:
            raise ValueError(error) from None
        game.record.name = name  # this record has the scores and the end that its steps lead to
        return game.record

    def replay(self, record: GuangdongRecord, frame: int | None, seat: int, *,
               opponents: Sequence[str]) -> GuangdongPersonGame:
        """Returns the game up to a frame at which the person had a choice, with the seat and opponents of the record.
        """
        whole = _play_again(record)
        if frame is None:
            return whole
        counts = dict(zip(whole.story.decisions[whole.seat], whole.chosen))
        if frame not in counts:
            raise IllegalActionError("expected one of the person's choices in %s, got event %r", record.name, frame)
        return _play_again(replace(record, steps=record.steps[:counts[frame]]))

    def review(self, record: GuangdongRecord, judges: str) -> dict:
        whole, adviser = _play_again(record), load_player(judges)
        decisions = [_play_again(replace(record, steps=record.steps[:count])).describe_choice(
            adviser, record.steps[count:]) for count in whole.chosen]
        game = describe_game(record.name, record.players, record.scores, story=whole.story, tactic=judges,
                             reviews={whole.seat: describe_review(decisions, _UNIT)}, first=whole.seat)
        return dict(game, fan_names=TIMES, marked=whole.marked)


def _play_again(record):
    """Returns the game of a record after its steps."""
    return GuangdongPersonGame(record.seed, *find_person(record), settings=parse_settings(record.settings),
                               steps=record.steps)
