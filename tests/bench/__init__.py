"""What people feel at the table, beside what was wanted.

    python -m tests.bench [ROW ...] [--quick]

Nothing here is a test: no figure fails anything, since machines differ and have other things to do.
`table.py` names the rows, their aims and what they are measured against.
"""
