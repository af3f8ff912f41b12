"""Bodies as somebody would send them, which the document shows."""

from typing import Any

NEW_GAME: dict[str, Any] = {
    "rules": "cutthroat-lite",
    "house_rules": {"target": 200},
    "players": ["Ana", "Ben", "Cy", "Dana"],
    "first_dealer": 4,
}
ENTRY: dict[str, Any] = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3]}
