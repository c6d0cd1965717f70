"""A recorded game as a page to step through, with a tactic's opinion of every decision; several games as a table."""
