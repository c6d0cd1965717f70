"""Registers the tactics and loads them. A tactic's module is imported only when somebody asks for the tactic.

A tactic is a class with a method __call__(game_state) -> action, one of game_state.action_space(). docs/tactics.md
describes the other attributes that it may have. One more is for pages: `explanation` is a dict with the figures that
`reasons` tells in words, or None. `explain` in lab/page/words.en.js makes a sentence of it.

The base class in base.py makes `__call__` from one method that values the decisions of many games in one call,
evaluate(observations, masks) -> Evaluation:

    observations    uint8[M, OBSERVATION_SIZE], what the seats see, as mj_bot/observation/layout.py lays it out
    masks           bool[M, 235], the legal actions by their indices, as mj_bot/mahjong/action.py numbers them

The discard after a chow or pung is a decision of its own.
"""

import copy
import importlib
import os
from typing import Any, Mapping, Optional, Tuple

from ..mahjong.errors import MahjongError, Message, ModelMismatchError, UnknownTacticError
from ..trouble import FAILURES, make_tactic_error, shorten_path

TACTICS = {
    "cnn": "mj_bot.tactic.cnn:CNNTactic",
    "random": "mj_bot.tactic.rand:RandomTactic",
    "rule_based": "mj_bot.tactic.rule_based:RuleBasedTactic",
    "search": "mj_bot.tactic.search:SearchTactic",
}
# DEFAULT_TACTIC is the strongest tactic, which handin.py and the commands take by default. REVIEWER is the tactic that
# explains its choices best; reviews take it.
DEFAULT_TACTIC = "cnn"
REVIEWER = "search"
# These are the default weight files of tactics, as paths from the project's folder. handin.py puts the file
# into the .pyz under the name of the file, without its folder.
_WEIGHTS = {"cnn": "data/weights/cnn.npz"}
# A weight file with more bytes is refused. This is about 70 times what Botzone accepts.
_MOST_BYTES = 1 << 28


def parse_spec(spec: str, tactics: Mapping[str, str] = TACTICS) -> Tuple[str, dict]:
    """Returns (name, options) of a tactic written as `name`, `name:key=value,key=value` or `name:weights file`.

    In place of a registered name there may be FILE.py, FILE.py:CLASS, MODULE:CLASS, or WEIGHTS.npz for
    `cnn`. Numbers become int or float. A value without a key is the option `weights`.
    tactics: the registry, {name: "module:class"}.
    Raises UnknownTacticError: the name is not registered, or an option has no name.

    >>> parse_spec("random:seed=7")
    ('random', {'seed': 7})
    """
    name, _, text = spec.partition(":")
    if name not in tactics:
        # Imports at the top of this file slow every start of the bot, so modules that are rarely needed are imported in
        # the functions that need them.
        from .outside import split_outside_spec

        name, text = split_outside_spec(spec) or (name, None)
    if text is None:
        import difflib

        near = difflib.get_close_matches(name, tactics, n=1)
        # `tactics` may contain runs of `train` too; the message names the registered tactics only.
        own = sorted(TACTICS if TACTICS.keys() <= tactics.keys() else tactics)
        raise UnknownTacticError("expected a tactic, one of %s, got %r%s", ", ".join(own), name,
                                 Message("; did you mean %r?", near[0]) if near else "")
    options = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            key, value = "weights", item
        if not key.isidentifier():
            raise UnknownTacticError("expected options as key=value, got %r in %r", item, spec)
        options[key] = _parse_value(value)
    return name, options


def load_tactic(spec: str, tactics: Mapping[str, str] = TACTICS, **defaults: Any) -> Any:
    """Returns a new tactic.

    spec: text, as parse_spec reads it.
    tactics: the registry, {name: "module:class"}. A tactic object may stand in place of the text; it is copied.
    defaults: options that the spec may override.
    Raises UnknownTacticError: the name is unknown, the class is missing, or the tactic does not take an option.
        TacticError: the module or the constructor of the tactic fails.
    """
    name, options = parse_spec(spec, tactics)
    if not isinstance(tactics.get(name, ""), str):
        return copy.deepcopy(tactics[name])
    options = dict(defaults, **options)
    if name in _WEIGHTS:
        options.setdefault("weights", default_weights(name))
    tactic_class = load_class(name, tactics)
    try:
        return tactic_class(**options)
    except MahjongError:
        raise
    except FAILURES as error:
        if isinstance(error, TypeError) and (options or not error.__traceback__.tb_next):
            import inspect

            # A user needs the names and the defaults, not the types.
            signature = inspect.signature(tactic_class)
            signature = signature.replace(return_annotation=signature.empty, parameters=[
                parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()])
            raise UnknownTacticError("expected options that %r takes, %s, got %r: %s; write them as %s:NAME=VALUE, a "
                                     "file as %s:FILE", name, signature, options, error, name, name) from error
        raise make_tactic_error(error, name, tactic_class.__module__) from error


def load_class(name: str, tactics: Mapping[str, str] = TACTICS) -> type:
    """Returns the class of a tactic.

    name: its name in the registry, or the name that parse_spec returns for a tactic outside.
    tactics: the registry, {name: "module:class"}.
    Raises UnknownTacticError: the module or the class is missing. TacticError: the module fails; its error is the
        cause.
    """
    target = tactics.get(name, name)
    if not isinstance(target, str):
        return type(target)
    module_name, colon, class_name = target.partition(":")
    if not colon and name in tactics:
        raise UnknownTacticError("expected %r in TACTICS as 'module:class', got %r", name, tactics[name])
    if name not in tactics and module_name.endswith(".py"):
        module_name = os.path.basename(module_name)[:-3]
    try:
        if name in tactics:
            module = importlib.import_module(module_name)
        else:
            from .outside import import_outside

            module, class_name = import_outside(name)
    except UnknownTacticError:
        raise
    except FAILURES as error:
        if isinstance(error, ModuleNotFoundError) and (module_name + ".").startswith("%s." % error.name):
            raise UnknownTacticError("expected the module %s of the tactic %r%s, there is none", module_name, name,
                                     " as TACTICS names it" * (name in tactics)) from None
        raise make_tactic_error(error, name, module_name) from error
    tactic_class = getattr(module, class_name, None)
    if not isinstance(tactic_class, type):
        if module_name == "__main__":
            raise UnknownTacticError("expected %s in a file: other processes do not see the classes of a notebook or "
                                     "of stdin; write it to FILE.py and name FILE.py as the player", class_name)
        raise UnknownTacticError("expected the class %s of the tactic %r%s, there is none in %s", class_name, name,
                                 " as TACTICS names it" * (name in tactics), shorten_path(module.__file__))
    return tactic_class


def read_weight_file(name: str) -> bytes:
    """Returns the bytes of a tactic's weight file.

    name: name of a file that was handed in with the bot, or path of a file.
    Raises ModelMismatchError: there is no such file.
    """
    try:
        data = _read_handed_in(name)
    except OSError as error:
        raise ModelMismatchError("expected a weight file, got %r: %s", name, error.strerror) from None
    if len(data) > _MOST_BYTES:
        raise ModelMismatchError("expected a weight file of at most %d bytes, got more in %r", _MOST_BYTES, name)
    return data


def read_weight_card(name: str) -> dict:
    """Returns the card of a weight file, a dict; {} if there is none.

    The card is the JSON file with the same name and the ending .json.
    name: name of a weight file that was handed in with the bot, or path of one.
    Raises ModelMismatchError: the card is not a JSON object.
    """
    import json

    path = os.path.splitext(name)[0] + ".json"
    try:
        card = json.loads(_read_handed_in(path).decode())
    except OSError:
        return {}
    except ValueError as error:
        raise ModelMismatchError("expected the card of a weight file as JSON, got %r: %s", path, error) from None
    if not isinstance(card, dict):
        raise ModelMismatchError("expected the card of a weight file as a JSON object, got %r", path)
    return card


def _read_handed_in(name):
    """Returns the bytes of a file that was handed in with the bot, or of the file at that path. Raises OSError."""
    # The settings of the project name files as data/weights/cnn.npz, which an installed package keeps elsewhere.
    import pkgutil

    from ..project_files import project_path

    try:
        data = pkgutil.get_data("mj_bot", "weights/" + os.path.basename(name))
    except (OSError, ValueError):
        data = None
    if data is None:
        is_elsewhere = name.startswith("data/") and not os.path.exists(name)
        with open(project_path(name) if is_elsewhere else name, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    return data


def default_weights(name: str) -> Optional[str]:
    """Returns the path of the weight file that belongs to a tactic's name, None if the tactic needs none."""
    if name not in _WEIGHTS:
        return None
    # A .pyz names its own weight file, so it never comes here.
    from ..project_files import project_path

    return project_path(_WEIGHTS[name])


def _parse_value(text):
    """Returns the text of an option as int or float if it is a number, else as it is."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return text
