"""Finds the files around the code.

They are next to the package in a clone, and inside the package if it is installed.
"""

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
# A wheel has the folders data and examples inside the package, a clone has them next to the package.
IS_CLONE = not os.path.isdir(os.path.join(_PACKAGE, "data"))


def project_path(name: str) -> str:
    """Returns the path of a file or folder of the project. name: its path in a clone, such as "data/weights/cnn.npz".
    """
    return os.path.join(os.path.dirname(_PACKAGE) if IS_CLONE else _PACKAGE, *name.split("/"))


def cache_folder(name: str) -> str:
    """Returns the path of a folder in the user's caches, which may be removed at any time. name: of the folder."""
    # The bot has no caches, and Botzone no platformdirs.
    import platformdirs

    return os.path.join(platformdirs.user_cache_dir("mj_bot", appauthor=False), name)
