"""The file for Botzone: what is in it, and how it is tried before anybody uploads it. Runs on Python 3.6 too."""
