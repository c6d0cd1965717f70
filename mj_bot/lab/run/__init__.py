"""Tools of all commands: options, workers, a cluster, locks, files written whole, journals, provenance of results."""
