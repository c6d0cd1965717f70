"""Fits numbers that tactics use to games: `fit tune`, `fit calibrate`, `fit correction` and `fit slips`."""
