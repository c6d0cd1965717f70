"""One thread for the matrices of numpy and torch, as the bot has it: tests share the machine."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
