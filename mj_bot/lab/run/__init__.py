"""Contains what all commands need: options, workers, a cluster, locks, runs as folders, and the commit of a result."""
