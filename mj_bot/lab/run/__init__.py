"""Tools of all commands: options, workers, a cluster, locks, runs as folders, provenance of results."""
