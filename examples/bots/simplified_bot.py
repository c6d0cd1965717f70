"""A bot in Python for Botzone's simplified interaction: it discards what it draws. Write your own choose()."""

import sys

# True for a bot version with the long-running setting on Botzone, and for no other.
KEEP_RUNNING = False


def choose(requests):
    """Returns the answer to the last of the requests so far; each is a text such as "2 W1", a draw of W1."""
    words = requests[-1].split()
    return "PLAY " + words[1] if words[0] == "2" else "PASS"


def main():
    # The first input: a line n, then 2n - 1 lines request, response, request ...
    count = int(sys.stdin.readline())
    lines = [sys.stdin.readline().strip() for _ in range(2 * count - 1)]
    requests = lines[::2]
    while True:
        print(choose(requests))
        if not KEEP_RUNNING:
            return
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
        # Each later input is one line with the new request; the first input ends with empty lines.
        line = "\n"
        while line and not line.strip():
            line = sys.stdin.readline()
        if not line:
            return
        requests.append(line.strip())


main()
