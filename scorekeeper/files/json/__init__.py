"""Games as files: our JSON that holds everything about them, and whatever else comes in.

`format` is the JSON file and `values` what may stand in it, read by `strictjson`; `incoming` reads
any file that somebody has, `outgoing` writes a selection as CSV or JSON.
"""
