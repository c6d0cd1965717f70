"""Knows what differs between a clone with its Makefile and an installed package: hints, examples, default folders."""

import os
from typing import Optional

from ...mahjong.errors import Message
from ...project_files import IS_CLONE, project_path


# {extra of pyproject.toml: the names that Python imports of its packages}; every installation has those of "".
EXTRAS = {
    "": "MahjongGB filelock numpy platformdirs tqdm", "play": "flask segno werkzeug",
    "arena": "choix gymnasium matplotlib numba pettingzoo scipy sklearn", "train": "safetensors tensorboard torch",
    "ray": "ray", "parquet": "pyarrow", "onnx": "onnx"}
# {name that Python imports: name on PyPI}, where the two differ.
DISTRIBUTIONS = {"MahjongGB": "PyMahjongGB", "sklearn": "scikit-learn"}
# {extra: the target of the Makefile that installs it}. pyarrow and onnx, which only exports need, have no target.
_TARGETS = {"": "play", "play": "workshop", "arena": "workshop", "train": "train", "ray": "ray"}


def describe_missing(name: Optional[str], is_clone: bool = IS_CLONE) -> Optional[Message]:
    """Returns the hint for a package that cannot be imported; None if it belongs to no extra of this project.

    name: as Python imports it, perhaps with the name of a module in it. is_clone: whether there is a Makefile.

    >>> str(describe_missing("sklearn.linear_model", is_clone=False))
    'expected the package scikit-learn, which is not installed; run `pip install "mj-bot[arena]"`'
    >>> str(describe_missing("sklearn", is_clone=True))
    'expected the package scikit-learn, which is not installed; run `make workshop` and use .venv/bin/mj-bot'
    """
    name = (name or "").partition(".")[0]
    extra = next((extra for extra, names in EXTRAS.items() if name in names.split()), None)
    if extra is None:
        return None
    distribution = DISTRIBUTIONS.get(name, name)
    if is_clone:
        command = (Message("%s and use .venv/bin/mj-bot", "`make %s`" % _TARGETS[extra])
                   if extra in _TARGETS else "`.venv/bin/python -m pip install %s`" % distribution)
    else:
        command = "`%s`" % format_install(extra)
    return Message("expected the package %s, which is not installed; run %s", distribution, command)


def format_install(extra: str) -> str:
    """Returns the command that installs an extra, as 'pip install "mj-bot[arena]"'. extra: "" for none."""
    return 'pip install "mj-bot[%s]"' % extra if extra else "pip install mj-bot"


def adapt_example(command: str, is_clone: bool = IS_CLONE) -> str:
    """Returns an example of a command as it works here: an installed package has its data/ elsewhere, and no Makefile.

    command: the example as it works in a clone. is_clone: whether there is a Makefile.

    >>> adapt_example("review build/game.json -o build/game.html  # of `make play`", is_clone=False)
    'review game.json -o game.html  # of `referee --log`'
    """
    if is_clone:
        return command
    for path in ("data/results/field.json", "data/results/game.json", "data/runs/"):
        command = command.replace(path, project_path(path))
    for old, new in (("build/", ""), ("`make play`", "`referee --log`"), ("mj_bot/worth/", "")):
        command = command.replace(old, new)
    return command


def default_folder(name: str) -> str:
    """Returns the folder for a command's results: below build/ in a clone, else in the folder where the user stands."""
    return os.path.join("build", name) if IS_CLONE else name
