"""The shapes of what programs send."""

from scorekeeper import player_names
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.api.schema_helpers import (
    SEAT,
    TRICKS,
    Schema,
    for_each_seat,
    of,
    or_null,
    strict,
)

NOT_BLANK = r"[^\s\u001c-\u001f]"
STAKE = r"^[0-9]{1,5}([.,][0-9]{1,2})?$"


def new_game() -> Schema:
    """Return the shape of a game to be started."""
    members = {
        "rules": {"type": "string", "enum": list(PRESETS)},
        "house_rules": or_null(of("HouseRules")),
        "players": {
            **for_each_seat(
                {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": player_names.LONGEST,
                    "pattern": NOT_BLANK,
                }
            ),
            "description": _("The names clockwise, all different; the first sits on seat 1."),
        },
        "first_dealer": {
            **or_null(SEAT),
            "description": _("A seat. Without it the rules say who deals first, or draw."),
        },
        "stake": {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 99_999},
                {"type": "string", "pattern": STAKE},
                {"type": "null"},
            ],
            "description": _("What each player puts in: 5, or as text “2.50”."),
        },
    }
    return strict(members, needed=["rules", "players"])


def entry() -> Schema:
    """Return the shape of a round to be put in place."""
    members = {
        "bids": {
            **for_each_seat(or_null(of("Bid"))),
            "description": _("One for each seat; null is not yet bid, only while tricks is null."),
        },
        "tricks": {
            **or_null(for_each_seat(TRICKS)),
            "description": _("One for each seat, or null while the round is on."),
        },
    }
    return strict(members, needed=["bids", "tricks"])
