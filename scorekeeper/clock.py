"""The current time, and its stored form: ISO 8601 in UTC with the offset."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """Return a time as text that sorts by time."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
