"""A Chinese Standard Mahjong (MCR) player for Botzone, and the workshop around it."""

__version__ = "1.1.0"
# Environment variable of a process that does not announce its preparations: another process of the command does.
QUIET = "MJ_BOT_QUIET"
# Environment variable with this sentence in the language of the reader.
COMPILING = "MJ_BOT_COMPILING"
COMPILING_TEXT = "mj_bot: compiling what this command needs, once, at most 30 s ..."
