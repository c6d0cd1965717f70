"""The commands: a file each, named as the command. It reads arguments, calls its room and prints."""
