"""Locks what is installed: writes 3rdparty/locks/NAME.txt, every release with its hashes, and looks for known holes.

    make locks

torch.txt has PyPI's file of torch and the GPU libraries that it wants: which file fits depends on the machine, so that
it has a lock of its own. torch-cpu.txt, PyTorch's file for CPUs, is written by hand. Standard library only; uv and
pip-audit are installed into build/locks.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCKS = HERE / "locks"
TOOLS = ("uv==0.13.9", "pip-audit==2.10.1")
# Name of the lock: the files that its releases come from.
SOURCES = {
    "setup": ("3rdparty/requirements-setup.txt",),
    "python36": ("requirements.txt",),
    "play": ("requirements.txt",),
    "workshop": ("requirements.txt", "3rdparty/requirements-workshop.txt"),
    "train": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-train.txt"),
    "lint": ("3rdparty/requirements-lint.txt",),
    "test": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-lint.txt",
             "3rdparty/requirements-docs.txt", "3rdparty/requirements-test.txt"),
    "docs": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-docs.txt"),
    "ray": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-ray.txt"),
}
_OF_TORCH = re.compile(r"torch=|triton=|nvidia-|cuda-")
_HEAD = "# Made by `make locks` from %s.\n"


def main():
    """Exit code: 0, or 1 where a release has a known hole or could not be asked about."""
    tools = HERE.parent / "build" / "locks"
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    subprocess.run([str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS], check=True)
    LOCKS.mkdir(exist_ok=True)
    code = 0
    for name, sources in SOURCES.items():
        lock = subprocess.run(
            [str(tools / "bin" / "uv"), "pip", "compile", "--quiet", "--generate-hashes",
             *(("--python-version", "3.6") if name == "python36" else ("--python-version", "3.11", "--universal")),
             "--no-annotate", "--no-header", *sources],
            cwd=str(HERE.parent), check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
        entries = re.split(r"^(?=\S)", lock, flags=re.M)
        for part, is_torch in ((name, False), ("torch", True)):
            text = "".join(entry for entry in entries if bool(_OF_TORCH.match(entry)) == is_torch)
            if text:
                path = LOCKS / (part + ".txt")
                path.write_text(_HEAD % ", ".join(sources) + text, encoding="utf-8")
                # Of numpy there is no newer release for Python 3.6; it runs in the tests alone.
                code |= name != "python36" and audit(tools, path)
    return code


def audit(tools, path):
    """Prints what pip-audit knows of the releases of a lock; 1 where one has a hole or is not known, else 0."""
    found = subprocess.run([str(tools / "bin" / "pip-audit"), "--disable-pip", "--require-hashes", "--progress-spinner",
                            "off", "--format", "json", "-r", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not found.stdout:
        sys.exit(found.stderr.decode())
    # pip-audit itself ends well, and says so, where it could ask about nothing.
    releases = json.loads(found.stdout)["dependencies"]
    unknown = [release["name"] for release in releases if "skip_reason" in release]
    print("%s: %d releases, %d of them audited" % (path.name, len(releases), len(releases) - len(unknown)))
    if unknown:
        print("    could not be asked about: %s" % ", ".join(unknown))
    holes = [(release, hole) for release in releases for hole in release.get("vulns", [])]
    for release, hole in holes:
        print("    %s %s has %s, mended in %s" % (
            release["name"], release["version"], hole["id"], ", ".join(hole["fix_versions"]) or "no release yet"))
    return int(bool(unknown or holes))


if __name__ == "__main__":
    sys.exit(main())
