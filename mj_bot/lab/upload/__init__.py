"""Makes the file for Botzone, and tries it before anybody uploads it. Runs on Python 3.6 too."""
