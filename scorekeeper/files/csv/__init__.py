"""A game as CSV rows, and CSV rows as a game.

One row is one seat's round. `cells` knows how a text stands in a file, `writing` makes rows of
games, `rows`, `reading` and `books` make games of rows, and `command` scores a whole file.
"""
