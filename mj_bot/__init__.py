"""A Chinese Standard Mahjong (MCR) player for Botzone, and the workshop around it."""

__version__ = "1.1.0"
# Environment variable of a process that does not announce its preparations: another process of the command does.
QUIET = "MJ_BOT_QUIET"
