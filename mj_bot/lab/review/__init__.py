"""Reviews recorded games: a page to step through, with judges' opinions of every decision; several games as a table."""

# The judges of `review` and of finished games in `play`; judges.py says what they decide together.
JUDGES = "cnn,search"
