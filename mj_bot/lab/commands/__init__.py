"""Contains the commands, one file each, named as the command. A file reads arguments, calls its room and prints."""
