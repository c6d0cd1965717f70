"""Numbers that tactics use, fitted to games: `fit tune`, `fit calibrate`, `fit correction` and `fit slips`."""
