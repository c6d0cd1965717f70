"""The parameters of a tactic, fitted by matches; what each of its parts is worth."""
