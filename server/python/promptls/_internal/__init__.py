"""Modules whose public names are exported by `promptls` and its other modules."""
