"""Fits numbers that tactics and reviews use to games, and compares them with what games bring."""
