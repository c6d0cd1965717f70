"""Tools of all commands: options, workers, a cluster, locks, files written whole, runs as folders, provenance of results."""
