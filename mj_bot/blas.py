"""Keeps numpy's OpenBLAS from ending the process where memory is short."""

import mmap
from functools import lru_cache

# OpenBLAS takes a buffer of 128 MB of address space at the first product of two matrices in float32 or float64. Where
# it cannot have the buffer, old versions, such as that of numpy 1.19, crash.
_ROOM = 129 << 20


@lru_cache(maxsize=None)
def check_room() -> None:
    """Raises MemoryError if OpenBLAS would not get its buffer, once per process. The buffer is not kept."""
    try:
        mmap.mmap(-1, _ROOM).close()
    except OSError:
        raise MemoryError("expected %d MB of memory for numpy, there is less" % (_ROOM >> 20)) from None
