"""Tells on stderr, once a text, what a reader passed over."""

import sys
from functools import lru_cache

from ..words import say


@lru_cache(256)
def note(template: str, *values: object) -> None:
    """Prints a text on stderr, unless the same text was printed before. values: one for each field of the template."""
    print(say(template, *values), file=sys.stderr)
