"""Server-sent events that tell phones what has changed in a game.

In each process one thread watches the database for commits of any process. It renders each change
of a game that is followed once, and hands it to the streams of that game. Watchers are told only
the version. A stream itself reads the database only when it begins.
"""
