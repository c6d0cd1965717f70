"""A tactic at live tables: Botzone's local-AI interface, for a bot that stays on its owner's machine.

It never shows or stores the address, which is a secret.
"""
