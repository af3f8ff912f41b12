"""Moments, as they are stored: UTC, ISO 8601 with its offset."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return this moment in UTC."""
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """Return a moment as text that sorts by time."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
