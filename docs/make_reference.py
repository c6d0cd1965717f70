"""Writes the reference page of mj_bot.api from its docstrings: build/docs/mj_bot/api.html.

    make docs
"""

import inspect
import re
import sys
from pathlib import Path

import pdoc

# A line of a docstring that describes a parameter or an error, such as "walls: number of walls." or "Raises X: ...".
_ITEM = re.compile(r"^((?:[a-z_]+(?:, [a-z_]+)*|Raises [A-Za-z, ]+)): ", re.M)


def main():
    """Writes the page into the folder that the command line names."""
    folder = Path(sys.argv[1] if sys.argv[1:] else "build/docs")
    pdoc.render.configure(docformat="markdown", show_source=False, search=False)
    page = pdoc.doc.Module(pdoc.extract.load_module("mj_bot.api"))
    describe(page)
    path = folder / "mj_bot" / "api.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(pdoc.render.html_module(page, {"mj_bot.api": page}), encoding="utf-8")
    print(path)


def describe(described):
    """Improves the text of a module, class or function, and of all that it contains.

    Lines that describe parameters become list items, and the comment of a field becomes its text.
    """
    text = _ITEM.sub(r"\n- **\1**: ", described.docstring)
    described.docstring = re.sub(r"\n\n- (?=\*\*)", "\n- ", text).replace("\n- **", "\n\n- **", 1)
    fields = getattr(described.obj, "_fields", ())
    source = inspect.getsource(described.obj) if fields else ""
    for name, member in getattr(described, "members", {}).items():
        describe(member)
        if name in fields:
            comment = re.search(r"^    %s: .*?  # (.*(?:\n    # .*)*)" % name, source, re.M)
            member.docstring = re.sub(r"\n    # ", " ", comment.group(1)) if comment else ""
        elif fields and name == "__init__":
            member.docstring = ""


if __name__ == "__main__":
    main()
