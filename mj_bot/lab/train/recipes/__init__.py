"""The recipes, one system a file."""
