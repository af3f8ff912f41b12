"""The SQLite module in use: Python's own, or the newer one that sqlite-utils found beside it.

Two SQLite libraries on one file in one process are unsafe, so every module imports it from here.
"""

from sqlite_utils.utils import sqlite3 as sqlite3  # type: ignore[attr-defined]  # it says no names
