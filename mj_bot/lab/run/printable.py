"""Makes texts of players, files and bots safe to print."""

from ...trouble import replace_unprintable

_MOST_NAME = 200


def clean_text(text: str, most: int = _MOST_NAME) -> str:
    """Returns a text that is safe in terminals and files: U+FFFD replaces unprintable characters.

    most: number of characters after which the text is cut.

    >>> clean_text("\\x1b[31mred\\n")
    '\ufffd[31mred\ufffd'
    """
    if len(text) > most:
        text = text[:most - 3] + "..."
    return replace_unprintable(text)


def clean_lines(text: str) -> str:
    """Returns a text of several lines that is safe in terminals; tabs become spaces.

    >>> clean_lines("\\x1b[31mred\\n\\tline")
    '\ufffd[31mred\\n        line'
    """
    return "\n".join(replace_unprintable(line.expandtabs()) for line in text.splitlines())
