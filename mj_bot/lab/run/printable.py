"""Makes texts of players, files and bots safe to print."""

from ...trouble import replace_unprintable

_MOST_NAME = 200


def clean_text(text: str, most: int = _MOST_NAME) -> str:
    """Returns a text that is safe in terminals and files: `most` characters, U+FFFD for each unprintable one."""
    if len(text) > most:
        text = text[:most - 3] + "..."
    return replace_unprintable(text)


def clean_lines(text: str) -> str:
    """Returns a text of several lines that is safe in terminals; tabs become spaces."""
    return "\n".join(replace_unprintable(line.expandtabs()) for line in text.splitlines())
