"""Makes mj_bot.pyz, the one file to upload to Botzone: `mj-bot handin` as a script, for any Python from 3.6 on.

    python3 handin.py --tactic rule_based
"""

import sys

if __name__ == "__main__":
    try:
        from mj_bot.lab.commands.handin import main
    except (SyntaxError, NameError) as error:  # in a line of the registry of tactics
        from mj_bot.trouble import describe_error

        print("handin: %s" % describe_error(error), file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
