"""The tables of examples: rows that say what the rules mean, and how to read their cells."""

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest

from scorekeeper.rules.bidding import Bid, Bids, parse_bid
from scorekeeper.rules.penalties import parse_penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Notes, Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.seating import Substitute
from scorekeeper.rules.sentence import Refusal

TABLES = ("scoring", "bidding", "tricks", "games", "rulesets", "presets", "pack", "plans")
Row = dict[str, str]


def rows(table: str) -> list[Row]:
    """Return a table's rows, each cell under the name of its column."""
    path = Path(__file__).with_name(f"{table}.csv")
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def examples(table: str) -> pytest.MarkDecorator:
    """Run a test once for each row, named by the row's sentence."""
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=row["sentence"]) for row in rows(table)]
    )


def pairs(text: str) -> dict[str, str]:
    """Read `name=value;name=value`."""
    return {name: value for name, _, value in (pair.partition("=") for pair in text.split(";"))}


def rules_of(row: Row) -> RuleSet:
    """Return the row's rule book with its house rules."""
    preset = PRESETS[row["rules"]]
    return with_house_rules(preset, pairs(row["house_rules"])) if row["house_rules"] else preset


def numbers(text: str) -> tuple[int, ...]:
    """Read `3/4/0/3`."""
    return tuple(int(number) for number in text.split("/"))


def bids(text: str) -> Bids:
    """Read `3/nil//`, where an empty place has not bid."""
    return tuple(parse_bid(bid) if bid else None for bid in text.split("/"))


def rounds(text: str) -> list[Round]:
    """Read `3/2/nil/4 : 3/4/0/3 ; 1/1/1/1`, where a round without tricks is still on.

    Notes follow an exclamation mark: ` ! 2:books:3:others:renege last` for a penalty of seat 2 in
    the last round. `3:left` empties a seat from this round on, `3:joined:Eve` gives it to Eve.
    `cards:5` are other cards than the list of the rules has.
    """
    return [_round(part) for part in text.split(" ; ")] if text else []


def _round(text: str) -> Round:
    played, _, noted = text.partition(" ! ")
    called, _, taken = played.partition(" : ")
    notes = [note for note in noted.split() if note != "last"]
    substitutes = tuple(
        _substitute(note) for note in notes if note[2:] == "left" or ":joined:" in note
    )
    penalties = tuple(
        parse_penalty(int(note[0]) - 1, note[2:]) for note in notes if note.count(":") > 2
    )
    tricks = numbers(taken) if taken else None
    cards = next((int(note[6:]) for note in notes if note.startswith("cards:")), None)
    is_last = "last" in noted.split()
    notes = Notes(penalties=penalties, last_round=is_last, substitutes=substitutes, cards=cards)
    return Round(bids(called), tricks, None, notes)


def _substitute(note: str) -> Substitute:
    seat, _, player = note.partition(":")
    return Substitute(int(seat) - 1, None if player == "left" else player.removeprefix("joined:"))


def said(refused: Iterable[Refusal]) -> str:
    """Return refusals as the column `said` has them: `2: Nil is off.`, `all:` for no one seat."""
    return " | ".join(
        f"{'all' if one.seat is None else one.seat + 1}: {one.sentence}" for one in refused
    )


def with_bid(round_: Round, seat: int, bid: Bid) -> Round:
    """Return the round with the bid of a seat; nothing is checked."""
    return round_._replace(bids=(*round_.bids[:seat], bid, *round_.bids[seat + 1 :]))
