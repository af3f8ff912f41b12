"""Metrics of the database, which are read from it whenever Prometheus asks."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.maintenance.health import DatabaseState, database_state
from scorekeeper.web.http.current import store


class DatabaseCollector(Collector):
    """Which database has the games, whether it takes changes, and how far its standbys are."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            state = database_state(store())
        except StoreError:
            state = DatabaseState("postgresql", is_primary=False)
        primary = GaugeMetricFamily(
            "scorekeeper_database_primary",
            "Whether the database answers and takes changes, by its kind.",
            labels=["database"],
        )
        primary.add_metric([state.kind], int(state.is_primary))
        yield primary
        behind = GaugeMetricFamily(
            "scorekeeper_standby_behind_bytes",
            "Bytes of the log that a standby has still to replay.",
            labels=["standby"],
        )
        for name, size in state.standbys:
            behind.add_metric([name], size)
        yield behind
