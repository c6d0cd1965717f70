"""A person against three players in the browser: the game, the session and the past games that play/ and review/ show.

A pung is one choice with the discard that follows it, as these rooms have it, and two actions of the engine.
"""

import json
from dataclasses import asdict, dataclass
from math import prod

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
    format_action)
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES, list_tiles
from ..play import past, session
from ..play.game import PERSON
from ..review.decisions import compare, list_mistakes, summarise
from ..review.frames import Story
from . import rules
from .engine import Table
from .hand import count_steps
from .players import load_player
from .rules import CLAIM, CONCEALED_KONG, FOLLOW, OVER, PUNG, ROB, SEATS, TURN
from .settings import DEFAULTS, TURNED, WILD_NAMES, find_wild, format_settings, parse_settings

# What multiplies the pay, by the field of Settings.
TIMES = {"no_wild_times": "无鬼", "kong_draw_times": "杠上开花", "last_tile_times": "海底捞月", "flush_times": "清一色",
         "seven_pairs_times": "七对"}
ENGLISH_TIMES = dict(zip(TIMES.values(), ("No Wild Tiles", "Kong's Draw", "Last Tile", "Flush", "Seven Pairs")))
_WORDS = {DISCARD_BASE: "PLAY", CONCEALED_KONG_BASE: "GANG", ADDED_KONG_BASE: "BUGANG"}


@dataclass
class Record:
    """A game as it is kept, a JSON object a file."""

    players: list
    seed: int
    settings: str
    actions: list  # of the engine
    scores: list
    closing: dict  # {"fanCnt": times of the win or None}
    name: str = ""


class PersonGame(object):
    """As play.game.PersonGame, of this game. seed: of the wall; actions: of the engine, how the game began."""

    def __init__(self, seed, seat, opponents, settings=DEFAULTS, actions=()):
        self.seed, self.seat, self.settings = seed, seat, settings
        names = [PERSON] + list(opponents)
        self.names = [names[(place - seat) % SEATS] for place in range(SEATS)]
        self._players = [None if name == PERSON else load_player(name) for name in self.names]
        self._begin(actions)
        self._go_on()

    @property
    def is_over(self):
        """Whether the game has ended."""
        return self.table.games[0]["phase"] == OVER

    @property
    def can_undo(self):
        """Whether there is a choice to take back."""
        return bool(self._chosen)

    @property
    def record(self):
        """The Record of the actions so far."""
        scores = self.table.games[0]["score"].tolist()
        return Record(self.names, self.seed, format_settings(self.settings), self.actions, scores,
                      {"fanCnt": self.events[-1].get("fan")})

    def act(self, action):
        """Takes the person's choice, and goes on to the next one or the end. Raises IllegalActionError: no choice."""
        if action not in self.choices:
            raise IllegalActionError("expected one of the %d legal actions, got %.40r" % (len(self.choices), action))
        self._chosen.append(len(self.actions))
        self.frames = []
        for index in self.encode(action):
            self._take(index)
        self._go_on()

    def undo(self):
        """Takes the person's latest choice back, and what followed. Raises IllegalActionError: there is none."""
        if not self._chosen:
            raise IllegalActionError("expected a choice to take back, there has been none")
        self._begin(self.actions[:self._chosen[-1]])
        self._go_on()

    def close(self):
        """Nobody has to leave the table."""

    def _begin(self, actions):
        self.table = Table([self.seed], self.settings)
        self.actions, self.events, self.frames, self.choices, self._chosen = [], [], [], [], []
        self._rivers = [[] for _ in range(SEATS)]
        self.story, self.decided = Story(seats=list(range(SEATS))), []
        self._show({"kind": "DEAL"}, False)
        self._show_draw()
        for action in actions:
            game = self.table.games[0]
            if game["seat"] == self.seat and game["phase"] != FOLLOW:
                self._chosen.append(len(self.actions))
            self._take(action)
        self.frames = self.frames[-1:]

    def _go_on(self):
        self.choices = []
        while not self.is_over:
            seat = self.table.games[0]["seat"]
            if seat == self.seat:
                self.choices = self._list_choices()
                return
            self._take(int(self._players[seat](self.table, self.table.rows)[0]))

    def _list_choices(self):
        game, choices = self.table.games[0], []
        mask = game["mask"].tolist()
        for index in (index for index in range(PUNG_BASE + TILE_COUNT) if mask[index >> 6] >> (index & 63) & 1):
            if index in (PASS_INDEX, WIN_INDEX):
                choices.append(("HU", sum_times(self._list_times())) if index else ("PASS",))
            elif index >= PUNG_BASE:
                left = game["hand"][self.seat].copy()
                left[index - PUNG_BASE] -= 2
                choices += [("PENG", TILE_NAMES[tile]) for tile in np.flatnonzero(left)]
            else:
                base = DISCARD_BASE + (index - DISCARD_BASE) // TILE_COUNT * TILE_COUNT
                choices.append((_WORDS[base], TILE_NAMES[index - base]) if base in _WORDS else ("GANG",))
        return choices

    def encode(self, action):
        """The engine's actions of a choice."""
        kind, tile = action[0], self.table.games[0]["tile"]
        if kind in ("PASS", "HU"):
            return [WIN_INDEX if kind == "HU" else PASS_INDEX]
        if len(action) == 1:
            return [OPEN_KONG_BASE + tile]
        named = TILE_NAMES.index(action[1])
        if kind == "PENG":
            return [PUNG_BASE + tile, DISCARD_BASE + named]
        return [next(base for base, word in _WORDS.items() if word == kind) + named]

    def _take(self, index):
        game = self.table.games[0]
        seat, turn, phase, tile = (int(game[name]) for name in ("seat", "turn", "phase", "tile"))
        if seat == self.seat and phase != FOLLOW:
            self.decided.append((len(self.story.frames) - 1, len(self.actions)))
        claim = {"claimed": TILE_NAMES[tile], "from": turn}
        if phase == FOLLOW:
            meld = game["meld_count"][seat] - 1
            claim["from"] = int(game["meld_giver"][seat, meld])
            claim["claimed"] = TILE_NAMES[game["meld_tile"][seat, meld]]
        times = self._list_times() if index == WIN_INDEX else []
        self.actions.append(int(index))
        self.table.step(np.array([index], np.int16))
        if DISCARD_BASE <= index < OPEN_KONG_BASE:
            name = TILE_NAMES[index - DISCARD_BASE]
            self._rivers[seat].append({"tile": name, "claimed_by": None, "drawn": None})
            claim = claim if phase == FOLLOW else {}
            self._show({"kind": "PENG" if claim else "PLAY", "seat": seat, "tile": name, **claim}, False)
        elif index >= PUNG_BASE or OPEN_KONG_BASE <= index < CONCEALED_KONG_BASE:
            self._rivers[turn][-1]["claimed_by"] = seat
            if index < PUNG_BASE:
                self._show({"kind": "GANG", "seat": seat, **claim}, False)
        elif index >= CONCEALED_KONG_BASE:
            kind = "BUGANG" if index >= ADDED_KONG_BASE else "GANG"
            name = TILE_NAMES[(index - DISCARD_BASE) % TILE_COUNT]
            self._show({"kind": kind, "seat": seat, "tile": name}, False)
        if game["phase"] == OVER:
            end = {"kind": "END", "verdict": "HUANG", "seat": None, "scores": game["score"].tolist()}
            if index == WIN_INDEX:
                end.update(verdict="HU", seat=seat, tile=claim["claimed"], fans=times, fan=sum_times(times),
                           counted="here", **{"from": None if seat == turn else turn})
            self._show(end, True)
        elif game["phase"] == TURN:
            self._show_draw()

    def _show_draw(self):
        game = self.table.games[0]
        drawn = {"tile": TILE_NAMES[game["tile"]]} if game["turn"] == self.seat else {}
        self._show({"kind": "DRAW", "seat": int(game["turn"]), **drawn}, True)

    def _show(self, event, has_drawn):
        """Adds a frame. has_drawn: whether the tile that the engine has drawn already is shown."""
        self.events.append(event)
        self.frames.append({"event": event, "position": self._describe(has_drawn, self.is_over)})
        self.story.add(event, self._describe(has_drawn, True))

    def _describe(self, has_drawn, is_open):
        """The position as page/position.py describes it. is_open: all hands are seen."""
        game = self.table.games[0]
        turn, tile, phase = int(game["turn"]), int(game["tile"]), game["phase"]
        hands, left = game["hand"].astype(int), int(game["last"]) - int(game["first"])
        if phase == TURN and not has_drawn:
            hands[turn, tile] -= 1
            left += 1
        seats = []
        for seat in range(SEATS):
            is_seen = is_open or seat == self.seat
            drawn = (TILE_NAMES[tile] if is_seen else True) if phase == TURN and has_drawn and seat == turn else None
            melds = []
            for place in range(game["meld_count"][seat]):
                kind, name = game["meld_kind"][seat, place], TILE_NAMES[game["meld_tile"][seat, place]]
                is_added = kind == rules.ADDED_KONG or phase == ROB and seat == turn and TILE_NAMES[tile] == name
                melds.append({
                    "type": "PENG" if kind == PUNG and not is_added else "GANG", "added": bool(is_added),
                    "tiles": [name] * (3 if kind == PUNG and not is_added else 4),
                    "claimed": None if kind == CONCEALED_KONG else name, "from": int(game["meld_giver"][seat, place])})
            seats.append({"hand": list_tiles(hands[seat]) if is_seen else None, "hand_size": int(hands[seat].sum()),
                          "drawn": drawn, "melds": melds, "river": [dict(tile) for tile in self._rivers[seat]],
                          "flowers": 0})
        focus = {"seat": turn, "tile": TILE_NAMES[tile], "added": bool(phase == ROB)} if phase in (CLAIM, ROB) else None
        return {"wind": None, "walls": [], "left": left, "turn": turn, "focus": focus, "seats": seats}

    def _list_times(self):
        """[[times, 1, name]] of what multiplies the pay of a win now."""
        game, found = self.table.games[0], []
        counts, is_own = game["hand"][game["seat"]].copy(), game["phase"] == TURN
        counts[game["tile"]] += not is_own
        melds = sum(1 << int(tile) for tile in game["meld_tile"][game["seat"]][:game["meld_count"][game["seat"]]])
        is_last = is_own and int(game["last"]) - int(game["first"]) <= self.settings.reserve
        for field, name in TIMES.items():
            alone = self.settings._replace(**{other: 1 for other in TIMES if other != field})
            times = rules.find_times(alone, counts, int(game["wild"]), melds, is_own and game["is_kong_draw"], is_last)
            found += [[times, 1, name]] if times > 1 else []
        return found

    def describe_choice(self, adviser, logged=None, frame=None):
        """What a player thinks of the choice, as review/decisions.py describes it. logged: action tuple or None."""
        game, work = self.table.games[0], Table([self.seed], self.settings)
        work.games[:] = self.table.games
        indices = []
        while not indices or indices[-1] >= PUNG_BASE:
            indices.append(int(adviser(work, work.rows)[0]))
            work.step(np.array(indices[-1:], np.int16))
        choices = self._list_choices()
        chosen = next(action for action in choices if self.encode(action) == indices)
        tiles = [[action[1], 0, *self._count(action)[:2]] for action in choices if action[0] == "PLAY"]
        values = sorted(((format_action(action), -steps + copies / 1000) for action in choices if action[0] != "HU"
                         for steps, copies, _ in [self._count(action)]), key=lambda entry: -entry[1])
        leads, others = self._find_leads(chosen), self._find_leads(logged) if logged else None
        before = min(tile[2] for tile in tiles) if tiles else self._count(("PASS",))[0]
        remarks = [["win", chosen[1]]] if chosen[0] == "HU" else [["alone", before, leads["shanten"]]]
        loss = None
        if logged:
            loss = max(0.0, dict(values).get(format_action(chosen), 1) - dict(values).get(format_action(logged), 0))
        return {
            "frame": frame, "claimed": TILE_NAMES[game["tile"]] if game["phase"] in (CLAIM, ROB) else None,
            "logged": logged and format_action(logged), "chosen": format_action(chosen),
            "agreement": compare(logged, chosen), "loss": loss, "ranked": values, "reasons": "", "win_fan": None,
            "shanten": before, "chosen_leads": leads, "logged_leads": others, "tiles": tiles, "remarks": remarks}

    def _count(self, action):
        """(steps, copies unseen of the useful tiles, these tiles) of the hand that an action leaves."""
        game = self.table.games[0]
        hand, melds = game["hand"][self.seat].astype(int), int(game["meld_count"][self.seat])
        unseen = COPIES - hand - game["seen"]
        if action[0] in ("PENG", "GANG"):
            named = game["tile"] if action[0] == "PENG" or len(action) == 1 else TILE_NAMES.index(action[1])
            hand[named] -= 2 if action[0] == "PENG" else 3 if len(action) == 1 else 4
            melds += 1
        if action[0] in ("PLAY", "PENG", "BUGANG"):
            hand[TILE_NAMES.index(action[1])] -= 1
        steps, useful = count_steps(hand, melds, self.settings, int(game["wild"]))
        return steps, int(sum(unseen[tile] for tile in useful)), useful

    def _find_leads(self, action):
        steps, _, tiles = (-1, 0, []) if action[0] == "HU" else self._count(action)
        game = self.table.games[0]
        left = [[TILE_NAMES[tile], int(COPIES - game["hand"][self.seat, tile] - game["seen"][tile])] for tile in tiles]
        wins = [[name, copies, 1, False] for name, copies in left] if steps == 0 else []
        return {"shanten": steps, "useful": left, "wins": wins, "aims": [], "nearer": 0, "danger": None}


def sum_times(times):
    """How many times the pay a win brings, from what multiplies it."""
    return prod(entry[0] for entry in times)


class PastGames(past.PastGames):
    """As play.past.PastGames, of this game."""

    def format(self, record):
        return json.dumps(asdict(record)) + "\n"

    def parse(self, text, name):
        try:
            record = Record(**json.loads(text))
            self.replay(record).close()
        except (TypeError, IndexError) as error:
            raise ValueError(error) from None
        return record

    def replay(self, record, count=None):
        """The PersonGame after so many of a record's actions, all for None."""
        seat = record.players.index(PERSON)
        opponents = [record.players[(seat + offset) % SEATS] for offset in range(1, SEATS)]
        return PersonGame(record.seed, seat, opponents, parse_settings(record.settings), record.actions[:count])

    def describe(self, record):
        """The game as review/games.py describes it."""
        whole, decisions, adviser = self.replay(record), [], load_player(self._adviser)
        story, seat = whole.story, whole.seat
        for frame, count in whole.decided:
            game = self.replay(record, count)
            logged = next(action for action in game.choices if game.encode(action) == record.actions[
                count:count + len(game.encode(action))])
            decisions.append(game.describe_choice(adviser, logged, frame))
        mistakes = list_mistakes(decisions)
        own = [frame for frame, _ in whole.decided]
        review = {"unit": "steps", "decisions": decisions, "error": None, "summary": summarise(decisions),
                  "mistakes": mistakes}
        return {
            "name": record.name, "where": "", "players": record.players, "wind": None, "tactic": self._adviser,
            "seat": seat, "frame": decisions[mistakes[0]]["frame"] if mistakes else (own or [0])[-1],
            "scores": record.scores, "verdict": whole.events[-1].get("verdict"), "frames": story.frames,
            "notes": [], "distances": [],
            "decisions": [own if place == seat else [] for place in range(SEATS)], "seats": story.seats, "error": None,
            "reviews": {seat: review}, "fan_names": ENGLISH_TIMES, "marked": list_wild(whole.settings)}


def list_wild(settings):
    """Names of the wild tiles, known before the deal. Raises MahjongError: they are turned at the deal."""
    if settings.wild >= TURNED:
        raise MahjongError("expected wild tiles that are known before the deal, to be marked on the page, got wild=%s"
                           % WILD_NAMES[settings.wild])
    return [TILE_NAMES[tile] for tile in range(TILE_COUNT) if find_wild(settings, 0) >> tile & 1]


class Session(session.Session):
    """As play.session.Session, of this game."""

    offered = ("ours:seen=1", "shanten", "random")
    default = "shanten"
    fan_names = ENGLISH_TIMES
    marked = tuple(list_wild(DEFAULTS))
    past_games = PastGames
    load_adviser = staticmethod(load_player)

    def make_game(self, seed, seat, opponents):
        return PersonGame(seed, seat, opponents)

    def replay(self, record, frame):
        if frame is None:
            return self._past.replay(record)
        counts = dict(self._past.replay(record).decided)
        if frame not in counts:
            raise IllegalActionError("expected one of the person's choices in %s, got event %r" % (record.name, frame))
        return self._past.replay(record, counts[frame])

    def advise(self):
        return dict(self._game.describe_choice(load_player(self._adviser)), unit="steps", adviser=self._adviser)
