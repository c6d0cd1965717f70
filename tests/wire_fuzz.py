"""Broken inputs for the bot and a judge of its answers, in Python 3.6 alone so that Botzone's interpreter runs it too.

    python3 tests/wire_fuzz.py --count 1000 --seed 0
"""

import contextlib
import io
import json
import os
import pathlib
import random
import re
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLES = pathlib.Path(REPOSITORY, "data", "samples")

if __name__ == "__main__":
    sys.path.insert(0, REPOSITORY)

from mj_bot import botzone
from mj_bot.mahjong.action import format_action, parse_action
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_INDEX
from tests.fuzz import VALUES, break_bytes, break_value, run_command, try_broken

MAX_DEBUG_BYTES = 1024
_WORDS = ("2", "3", "0", "1", "PLAY", "HU", "GANG", "DRAW", "CHI", "PENG", "BUGANG", "BUHUA", "W1", "W10", "X5", "J4",
          "H1", "-1", "9" * 50, "", " ", "\t", "\u4e2d", "\ud800", "play", "W", "NaN", "2.0")
_TILE = re.compile("[WBT][1-9]|F[1-4]|J[1-3]")


def load_samples():
    """The messages of data/samples: dicts with requests and responses."""
    return [json.loads(path.read_text().splitlines()[0]) for path in sorted(SAMPLES.glob("*.json"))]


def make_input(rng, messages):
    """One broken first input, as bytes."""
    message = rng.choice(messages)
    length = rng.randint(1, len(message["requests"])) if rng.random() < 0.5 else len(message["requests"])
    requests, responses = message["requests"][:length], message["responses"][:length - 1]
    for _ in range(rng.choice((0, 1, 1, 2))):
        requests, responses = _break_history(rng, requests, responses)
    if rng.random() < 0.3:
        lines = ["%s" % len(requests)] + [str(text) for pair in zip(requests, responses + [""]) for text in pair][:-1]
        text = "\n".join(lines + ["", ""])
    else:
        text = json.dumps(_break_object(rng, {"requests": requests, "responses": responses}))
    return _break_bytes(rng, text.encode("utf-8", "surrogatepass"))


def make_line(rng, request):
    """One later input of a bot that is kept running, often broken: bytes without a line break."""
    if rng.random() < 0.3:
        request = _break_text(rng, request)
    forms = (request, json.dumps(request), json.dumps({"request": request}), json.dumps({"requests": [request]}))
    line = rng.choice(forms).encode("utf-8", "surrogatepass")
    return (_break_bytes(rng, line) if rng.random() < 0.3 else line).replace(b"\n", b" ")


def _break_history(rng, requests, responses):
    requests, responses = list(requests), list(responses)
    texts = requests if rng.random() < 0.7 or not responses else responses
    place = rng.randrange(len(texts)) if rng.random() < 0.7 else len(texts) - 1
    kind = rng.randrange(8)
    if kind == 0:
        texts[place] = rng.choice(VALUES)
    elif kind == 1:
        other = rng.randrange(len(texts))
        texts[place], texts[other] = texts[other], texts[place]
    elif kind == 2:
        texts.insert(place, texts[place])
    elif kind == 3 and len(texts) > 1:
        del texts[place]
    elif kind == 4:
        texts[place] = rng.choice(_WORDS)
    elif kind == 5 and rng.random() < 0.05:
        texts[place] = "2 " + "W1 " * 50000
    elif kind == 6 and rng.random() < 0.05:
        requests *= 200
    else:
        texts[place] = _break_text(rng, texts[place])
    return requests, responses


def _break_text(rng, text):
    words = str(text).split(" ")
    place = rng.randrange(len(words))
    kind = rng.randrange(4)
    if kind == 0:
        words[place] = rng.choice(_WORDS)
    elif kind == 1:
        words.insert(place, rng.choice(_WORDS))
    elif kind == 2:
        del words[place]
    else:
        words[place] = words[place][:1]
    return " ".join(words)


def _break_object(rng, message):
    kind = rng.randrange(12)
    if kind < 3:
        return break_value(rng, message)
    if kind == 3:
        return rng.choice((message["requests"], {"request": message["requests"][-1]}, message["requests"][-1]))
    return message


def _break_bytes(rng, data):
    kind = rng.random()
    if kind < 0.25:
        return break_bytes(rng, data)
    if kind < 0.258:
        return b"[" * 100000
    if kind < 0.266:
        return bytes(bytearray(rng.randrange(256) for _ in range(rng.randrange(200))))
    if kind < 0.268:
        place = rng.randrange(len(data) + 1)
        return data[:place] + b"\xff" * (2 * botzone._MAX_LINE) + b"\n" + data[place:]
    return data


def find_complaint(data, output):
    """What is wrong with a bot's output for one input, as text; None where it is right.

    It must be well formed. Where the input makes sense to GameState the response must be in its action_space(). Else
    the last request in the text decides, see _list_requests: after an own draw its tile or one in hand is discarded.
    """
    line = data[:botzone._MAX_LINE].decode("utf-8", "replace").lstrip("\ufeff").lstrip().split("\n")[0].strip()
    is_simplified = line[:1] in list("0123456789")
    response, complaint = _check_form(output, is_simplified)
    if complaint:
        return complaint
    requests, responses = _read_simplified(line, data) if is_simplified else _read_json(line)
    state = GameState()
    try:
        if len(responses) != len(requests) - 1:
            raise ValueError("not one response fewer")
        for response_before, request in zip([None] + responses, requests):
            if state.requests:
                state.answer(response_before)
            state.apply(request)
        expected = [format_action(action) for action in state.action_space()]
    except (MahjongError, ValueError, TypeError):
        texts = [line] + [text for pair in zip(requests, responses + [""] * len(requests)) for text in pair] \
            if is_simplified else list(map(str, requests)) or [line]
        found = _list_requests("\n".join(texts)) or ["PASS"]
        tiles = _TILE.findall(found[-1].upper()) or _list_hand(state) or _follow_hand(found[:-1])
        expected = ["PLAY " + name for name in tiles if found[-1][0] == "2"] or ["PASS"]
    return None if response in expected else "expected one of %s, got %r" % (expected, response)


def _list_requests(text):
    """The requests in a damaged text: what begins as one after a quote, a bracket, a comma or a line break."""
    found, before = [], "\n"
    for part, after in re.findall("([^\"'\\\\\n,\\]}]*)([\"'\\\\\n,\\]}]|$)", text):
        starts = [0] * (before in "\"'\n,") + [match.end() for match in re.finditer(r"[\[{]", part)]
        is_alone = part.strip() == "2" and before in "\"'\n" and after in "\"'\n"
        found += ["2"] if is_alone else [part[start:].strip() for start in starts
                                         if re.match(r"\s*([013] +[0-9]|2 +[^ ])", part[start:])][:1]
        before = after
    return found


def _follow_hand(requests):
    """Names of the own tiles after requests up to the first that does not fit."""
    state = GameState()
    with contextlib.suppress(MahjongError):
        for request in requests:
            state.apply(request)
    return _list_hand(state)


def _list_hand(state):
    return [name for name in TILE_INDEX if state.hand_counts[TILE_INDEX[name]]]


def _check_form(output, is_simplified):
    """(response, None), or (None, what is wrong with the form)."""
    lines = output.split("\n")
    if lines.pop() != "":
        return None, "expected a line break at the end, got %r" % output
    if is_simplified:
        fields = dict(zip(("response", "debug", "data", "globaldata"), lines))
        if not 1 <= len(lines) <= 4:
            return None, "expected 1..4 lines, got %r" % output
    else:
        if len(lines) != 1:
            return None, "expected one line, got %r" % output
        fields = json.loads(lines[0])
        if sorted(fields) != ["data", "debug", "globaldata", "response"]:
            return None, "expected the four fields, got %r" % output
    if not all(isinstance(value, str) for value in fields.values()):
        return None, "expected texts, got %r" % output
    if len(fields.get("debug", "").encode()) > MAX_DEBUG_BYTES:
        return None, "expected a debug field under 1 KB, got %d bytes" % len(fields["debug"].encode())
    parse_action(fields["response"])
    return fields["response"], None


def _read_simplified(line, data):
    lines = [text.strip() for text in data.decode("utf-8", "replace").split("\n")]
    lines = [text for text in lines if text][1:]
    if not line.isdecimal() or len(line) > 4:
        return [line], []
    texts = lines[:max(0, 2 * int(line) - 1)]
    return texts[::2], texts[1::2]


def _read_json(line):
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return [], []
    if isinstance(value, str):
        return [value], []
    if not isinstance(value, dict):
        return [], []
    requests = value.get("requests", [value.get("request")])
    responses = value.get("responses", [])
    if not isinstance(requests, list):
        return [], []
    return requests, responses if isinstance(responses, list) and len(requests) > 1 else []


def find_session_complaint(data, output):
    """What is wrong with the output of a bot kept running on `data`, whose first line is JSON; None where it is right.

    One answer and one marker for each line that is not blank; where a tile was drawn no pass or claim, else no discard.
    """
    lines = [line[:botzone._MAX_LINE].decode("utf-8", "replace").lstrip("\ufeff").strip() for line in data.split(b"\n")]
    answers = output.split(botzone.KEEP_RUNNING + "\n")
    if answers.pop() != "":
        return "expected the marker at the end, got %r" % output[-80:]
    lines = [line for line in lines if line]
    if len(lines) != len(answers):
        return "expected %d answers, got %d" % (len(lines), len(answers))
    for line, answer in zip(lines, answers):
        response, complaint = _check_form(answer, is_simplified=False)
        if complaint:
            return complaint
        requests = [line] if line[0] in "0123456789" else _read_json(line)[0]
        last = (_list_requests("\n".join(map(str, requests)) or line) or ["PASS"])[-1]
        refused = ("CHI", "PENG") if last[0] == "2" else ("PLAY", "BUGANG")
        if last[0] == "2" and _TILE.search(last.upper()):
            refused += ("PASS",)
        if response.split(" ")[0] in refused:
            return "expected none of %s to %r, got %r" % (", ".join(refused), line, response)
    return None


def answer(data, keep_running=False):
    """The bot's output for an input in bytes, in this process."""
    output = io.StringIO()
    botzone.run_bot(botzone.Bot("random"), io.BytesIO(data), output, keep_running=keep_running)
    return output.getvalue()


def run_fuzz(count, seed):
    """(input, complaint) of the first of `count` broken inputs that the bot does not answer rightly, else None."""
    rng = random.Random(seed)
    messages = load_samples()

    def make():
        if rng.randrange(10):
            return make_input(rng, messages), False
        requests = rng.choice(messages)["requests"]
        first = json.dumps({"requests": requests[:1], "responses": []}).encode()
        return b"\n".join([first] + [make_line(rng, request) for request in requests[1:]]), True

    def find(item):
        data, keeps_running = item
        return (find_session_complaint if keeps_running else find_complaint)(data, answer(data, keeps_running))

    return try_broken(count, make, find)


if __name__ == "__main__":
    sys.exit(run_command(__doc__, run_fuzz, "inputs answered"))
