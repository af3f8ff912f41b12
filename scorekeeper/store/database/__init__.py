"""The database file: connections, locks, migrations, and batches that let others write."""
