"""Numbers that tactics use, fitted to games: the commands tune, calibrate and correction print them."""
