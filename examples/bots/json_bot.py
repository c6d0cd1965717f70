"""A bot in Python for Botzone's JSON interaction: it discards what it draws. Write your own choose()."""

import json
import sys

# True for a bot version with the long-running setting on Botzone, and for no other.
KEEP_RUNNING = False


def choose(requests):
    """Returns the answer to the last of the requests so far; each is a text such as "2 W1", a draw of W1."""
    words = requests[-1].split()
    return "PLAY " + words[1] if words[0] == "2" else "PASS"


def main():
    # The first input is one line {"requests": [...], "responses": [...]}.
    requests = json.loads(sys.stdin.readline())["requests"]
    while True:
        print(json.dumps({"response": choose(requests)}))
        if not KEEP_RUNNING:
            return
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
        # Each later input is one line with the new request.
        line = sys.stdin.readline()
        if not line:
            return
        requests.append(json.loads(line))


main()
