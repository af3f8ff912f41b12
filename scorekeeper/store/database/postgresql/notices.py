"""Detection of changes by the notices of those who made them."""

from scorekeeper.store.database.postgresql.connections import own_errors
from scorekeeper.store.database.postgresql.database import CHANNEL, OTHER, PostgresDatabase
from scorekeeper.store.database.postgresql.store import PostgresStore

LISTENS = 0.5  # seconds until a thread that listens sees whether it is still needed


class Notices:
    """Detection of changes by notices, on a connection that does nothing else."""

    def __init__(self, store: PostgresStore) -> None:
        with own_errors():
            self._listening = store.connect_directly()
            self._listening.execute(f"LISTEN {CHANNEL}")
        self.db = PostgresDatabase(store.pool)

    def changed_games(self) -> list[tuple[tuple[str, str], int]] | None:
        """Wait at most for `LISTENS`, and return the games changed, with their versions before.

        None means that only something else has changed.
        """
        before: dict[tuple[str, str], int] = {}
        with own_errors():
            notices = list(self._listening.notifies(timeout=LISTENS, stop_after=1))
            for notice in notices:
                if notice.payload == OTHER:
                    continue
                table_id, game_id, version = notice.payload.split()
                key = (table_id, game_id)
                before[key] = min(before.get(key, int(version)), int(version) - 1)
        return list(before.items()) if before or not notices else None

    def close(self) -> None:
        self._listening.close()
        self.db.close()
