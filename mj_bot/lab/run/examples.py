"""Lists examples of every command, which stand at the end of its --help. README.md shows some of them."""

_EXAMPLES = """
handin                                                         # mj_bot.pyz, the default tactic cnn
handin --tactic rule_based -o build/rules.pyz
referee search rule_based rule_based random --seed 1           # play one game
referee cnn cnn search search --rules tziakcha                 # one wall with flowers
referee "json:python mj_bot.pyz" search search search --log build/game.json --board none
play --practice
play --tactic rule_based --games 4 --seat east
live - --tactic search
replay build/game.json --tactic rule_based --show differences  # of `make play`
replay data/results/game.json --tactic cnn --against search     # where they differ, the greatest loss first
review build/game.json -o build/game.html                      # of `make play`
review build/played -o build/pages                             # games of `play`: a page for each, and an index
library import build/played                                     # games of `play`
library list --players
library page search -o build/player.html                       # a player of the games that were imported
library export -o build/decisions.csv
hand "123m456s789pEE 55p"
hand "123m456s789pEE55p" --river "19mE/5p[CCC,2]/1sE/P"        # with the discards and melds of all four
records check build/game.json data/results/game.json           # legal games? the first is of `make play`
records convert data/results/game.json -o build/games          # a folder; of many games 145 bytes each
records convert data/results/game.json -o build/game.txt --to official
dataset -o build/sets/search-20k --players search --games 20000 --random-share 0.03 --teacher search
dataset -o build/sets/people --records build/played            # of games of `play`
dataset export build/sets/search-20k -o build/decisions.parquet  # needs pyarrow
check search                                                   # before a match or an upload
arena search rule_based --walls 100 --json build/match.json    # who is stronger
arena search rule_based rule_based rule_based --walls 1000 --seed 0 --rotations 4
arena search:danger=4.4 search --sprt 0,0.5 --walls 20000 --rotations 4 --json build/danger.json
arena ratings build/match.json data/results/field.json         # one scale; the first file is of `arena`
bench                                                          # speed
fit calibrate --games 3000 --seed 1000000 --json mj_bot/worth/fitted.json  # the numbers that search reads
fit correction --output build/correction --games 204800 --json mj_bot/worth/fitted.json
fit verdict -o build/draws --games 75520 --seed 20              # are the points of two judges true?
train small --data build/sets/search-20k --output build/runs/small-20k --samples 2.5e6  # after `dataset`
train export build/runs/small-20k -o build/small.npz --data build/sets/search-20k
train export build/runs/small-20k -o build/small.safetensors    # for other programs; .onnx too
train evaluate build/runs/small-20k --data build/sets/search-20k --split test
train report build/runs/small-20k build/runs/ours              # after two runs
rl data/runs/self_play_short.toml --output build/runs/self-play
arena cnn:build/runs/self-play/weights/000004096.npz cnn --walls 100 --rotations 4  # after `rl`
guangdong selfplay -o build/guangdong/50k.npz --records 5e4
guangdong train build/guangdong/50k.npz --output build/guangdong/fox --samples 5e5
guangdong check build/guangdong/50k.npz
guangdong arena shanten random --walls 20
guangdong play --settings wild=turned,horses=2
"""


def list_examples(*words: str) -> list[str]:
    """Returns the examples that begin with some words, such as "train", "export"; all examples without words."""
    prefix = " ".join(words) + " " * bool(words)
    return [line for line in _EXAMPLES.strip().splitlines() if (line + " ").startswith(prefix)]
