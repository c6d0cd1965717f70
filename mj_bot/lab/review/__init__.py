"""A recorded game as a page to step through, with a tactic's opinion of every decision; several games as a table."""

# The judges of `review` and of finished games in `play`; judges.py says what they decide together.
JUDGES = "cnn,search"
