"""Games as JSON files that hold everything about them.

`format` writes and reads a file, `values` checks the games in it, and `strict_json` is the strict
reader of JSON for files and requests.
"""
