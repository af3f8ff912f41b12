"""The store on PostgreSQL, for several machines or for more than one machine carries.

It needs `pip install -e '.[postgresql]'`, and is imported only where such a database is
named in SCOREKEEPER_DATABASE.
"""
