"""One thread for numpy's matrices, as the bot has it: tests share the machine."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
