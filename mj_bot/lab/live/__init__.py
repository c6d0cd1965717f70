"""Seats a tactic at live tables through the local-AI interface of Botzone. The address is a secret."""
