"""A game as CSV rows, and CSV rows as a game.

One row is one seat's round. `cells` knows how a text stands in a file, `writing` makes rows of
games, `rows`, `reading` and `books` make games of rows, and `command` scores a whole file.
"""

from scorekeeper.scoresheet.cells import COLUMNS, SheetError
from scorekeeper.scoresheet.command import score_file
from scorekeeper.scoresheet.reading import read_games
from scorekeeper.scoresheet.writing import Sheet, csv_of, rows_of

__all__ = ["COLUMNS", "Sheet", "SheetError", "csv_of", "read_games", "rows_of", "score_file"]
