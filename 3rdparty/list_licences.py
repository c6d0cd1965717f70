"""Prints the licence of each package that is installed here: make licences

Of the packages' metadata: the field License-Expression, else the classifiers, else License, else the first line of the
licence's file.
"""

import sys
from importlib.metadata import distributions

_CLASSIFIER = "License :: "


def find_licence(package):
    """The licence that a Distribution names, as one line; "unknown" where it names none."""
    metadata = package.metadata
    expression = metadata.get("License-Expression")
    if expression:
        return expression
    classifiers = [text for text in metadata.get_all("Classifier") or () if text.startswith(_CLASSIFIER)]
    names = [text.rpartition(" :: ")[2] for text in classifiers]
    # Some packages put the whole text of their licence there.
    text = (metadata.get("License") or "").strip()
    if text == "UNKNOWN" or "\n" in text:
        text = ""
    files = metadata.get_all("License-File") or ("LICENSE",)
    texts = (package.read_text(folder + name) for name in files for folder in ("licenses/", ""))
    return ", ".join(names) or text or next((text.strip().splitlines()[0] for text in texts if text), "unknown")


def main():
    """Exit code 0."""
    rows = sorted({(found.metadata["Name"], found.version, find_licence(found)) for found in distributions()},
                  key=lambda row: row[0].lower())
    width = max(len(name) + len(version) for name, version, _ in rows) + 1
    for name, version, licence in rows:
        print("%-*s  %s" % (width, name + " " + version, licence))
    return 0


if __name__ == "__main__":
    sys.exit(main())
