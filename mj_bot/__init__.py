"""A Chinese Standard Mahjong (MCR) player for Botzone, and the workshop around it."""

__version__ = "0.1.0"
# In the environment of a process that says nothing of its preparations, since another one of the command does.
QUIET = "MJ_BOT_QUIET"
