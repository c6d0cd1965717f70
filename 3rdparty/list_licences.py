"""Prints the licence of each package that is installed here: make licences

Of the packages' metadata: the field License-Expression, else the classifiers, else License.
"""

import sys
from importlib.metadata import distributions

_CLASSIFIER = "License :: "


def find_licence(metadata):
    """The licence that a package's metadata names, as one line; "unknown" where it names none."""
    expression = metadata.get("License-Expression")
    if expression:
        return expression
    classifiers = [text for text in metadata.get_all("Classifier") or () if text.startswith(_CLASSIFIER)]
    names = [text.rpartition(" :: ")[2] for text in classifiers]
    # Some packages put the whole text of their licence there.
    text = (metadata.get("License") or "").strip()
    return ", ".join(names) or (text if text and "\n" not in text and text != "UNKNOWN" else "unknown")


def main():
    """Exit code 0."""
    rows = sorted({(found.metadata["Name"], found.version, find_licence(found.metadata)) for found in distributions()},
                  key=lambda row: row[0].lower())
    width = max(len(name) + len(version) for name, version, _ in rows) + 1
    for name, version, licence in rows:
        print("%-*s  %s" % (width, name + " " + version, licence))
    return 0


if __name__ == "__main__":
    sys.exit(main())
