"""Numbers that tactics use, fitted to games: the commands tune, calibrate, correction and slips."""
