"""Numbers that tactics use, fitted by playing: tune, calibrate, correction."""
