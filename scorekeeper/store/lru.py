"""Thread-safe LRU cache."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """Mapping of at most `maxsize` values; the least recently used is dropped first."""

    def __init__(self, maxsize: int):
        self._maxsize = maxsize
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
        return value

    def set(self, key: Key, value: Value) -> None:
        """Store a value, in place of an earlier one of that key."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._maxsize:
                self._values.popitem(last=False)
