"""Modules whose public names are those of `promptls` and its other modules."""
