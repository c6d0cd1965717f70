"""Reads and writes what Botzone, its judge and its organisers write. Each form has a file."""
