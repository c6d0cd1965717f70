"""One thread for torch: tests share the machine, and threads that wait for each other take all of it."""

try:
    import torch
except ImportError:
    pass
else:
    torch.set_num_threads(1)
