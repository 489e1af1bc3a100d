"""The program promptls; `python -m promptls` starts it."""
