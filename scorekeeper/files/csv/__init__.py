"""A game as CSV rows, and CSV rows as a game.

One row is one seat's round. `columns` is the table of all columns, which `writer` writes and
`reader` reads; `score` reads a whole file and writes it with its scores.
"""
