"""The only SQL: connections, migrations, tables and phones, games, journal, result rows.

Functions take a database and give values of the rules; rows do not leave this folder.
"""
