"""Plays Chinese Standard Mahjong (MCR) on Botzone, and contains a workshop around the player."""

__version__ = "1.1.0"
# This environment variable is set where a process shall not announce its preparations, because another process of the
# same command does.
QUIET = "MJ_BOT_QUIET"
# This environment variable contains the sentence below in the language of the reader.
COMPILING = "MJ_BOT_COMPILING"
COMPILING_TEXT = "mj_bot: compiling what this command needs, once for this version; about 40 s on a free processor ..."
