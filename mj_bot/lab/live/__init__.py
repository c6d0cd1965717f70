"""A tactic at live tables, through the local-AI interface of Botzone; the address is a secret."""
