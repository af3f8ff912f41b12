"""Evenings that are played through the public doors, with every answer written to a file.

`python -m tests.recording OUT` plays them all; `--compare OLD NEW` groups what differs.
"""
