"""A club night folded from its events: entries, matches, and what stands after each."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scorekeeper.club import events
from scorekeeper.club.events import SINGLES, Event, Plan
from scorekeeper.club.match import Clock, Match, Seating, drawn, lot
from scorekeeper.club.standings import (
    Penalty,
    Row,
    Tally,
    Ties,
    Why,
    losers_in,
    ranks_at,
    standings,
    tally_of,
)

MOST_NAMES = 3  # of a team, whose players take turns


class NightRefused(ValueError):
    """An event that cannot happen now: a stable code, and what its sentence needs to know."""

    def __init__(self, code: str, **about: Any) -> None:
        super().__init__(code, about)
        self.code, self.about = code, about


@dataclass(frozen=True, slots=True)
class Entry:
    """Who plays as an entry; its place among the movements stays when it has left."""

    names: tuple[str, ...]
    place: int
    has_left: bool = False

    def players(self, match: int) -> tuple[str, ...]:
        """Return who plays a match: of three, another one waits each time."""
        if len(self.names) < MOST_NAMES:
            return self.names
        waits = (match - 1) % MOST_NAMES
        return self.names[:waits] + self.names[waits + 1 :]


@dataclass(frozen=True, slots=True)
class KnockOut:
    """A knock-out of the best, from a match on; its seeds are fixed, best first, when it starts."""

    first: int
    best: int | None = None  # None: all
    seeds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A correction after a later match had begun: that stays as it was paired.

    In a "bracket" somebody has gone on who would not have; else only the standings differ.
    """

    code: Literal["standings", "bracket"]
    match: int
    table: int | None
    begun: int


@dataclass(frozen=True, slots=True)
class Night:
    """The state of an evening after some events."""

    plan: Plan
    entries: Mapping[int, Entry]
    matches: tuple[Match, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    play_offs: tuple[tuple[int, ...], ...] = ()
    knock_out: KnockOut | None = None
    told: tuple[Told, ...] = ()
    links: Mapping[tuple[str, int], int] = field(default_factory=dict)  # how many of each ended
    is_over: bool = False

    @property
    def present(self) -> list[int]:
        """The entries that have not left, in the order of their places."""
        here = [number for number, entry in self.entries.items() if not entry.has_left]
        return sorted(here, key=lambda number: self.entries[number].place)

    @property
    def begun(self) -> tuple[Match, ...]:
        """The matches that have started."""
        return tuple(match for match in self.matches if match.state != "paired")

    @property
    def next_number(self) -> int:
        """The number of the match that starts next."""
        return len(self.begun) + 1

    def ranks(self, match: Match, number: int) -> tuple[int, ...]:
        """Return the rank of each side at a table of a match; empty while it has no result."""
        return ranks_at(match, number, losers_in(match.number, self.penalties))


def fold(happened: Iterable[Event]) -> Night:
    """Return the evening after its events, the first of which sets it up.

    Raises `NightRefused` for one that could not happen.
    """
    night: Night | None = None
    for event in happened:
        night = after(night, event)
    if night is None:
        raise NightRefused("not_set_up")
    return night


def after(night: Night | None, event: Event) -> Night:
    """Return the evening after one more event. Raises `NightRefused` for one that cannot happen."""
    if isinstance(event, events.SetUp):
        return _set_up(night, event.plan)
    if night is None:
        raise NightRefused("not_set_up")
    if night.is_over and not (isinstance(event, events.Reported) and not event.by_hand):
        raise NightRefused("over")
    match event:
        case events.Entered() | events.Replaced():
            return _named(night, event)
        case events.Left() | events.Returned():
            return _moved(night, event.entry, isinstance(event, events.Left))
        case events.Paired():
            return _paired(night, event)
        case events.Started():
            return _started(night, event)
        case events.Closed():
            return _closed(night, event)
        case events.Reopened():
            return _reopened(night, event)
        case events.GameBegun():
            return _game_begun(night, event)
        case events.ClockSet():
            return _clock_set(night, event)
        case events.LastRoundCalled():
            match = _match(night, event.match)
            _require(match.state == "running", "not_running")
            return _with_match(night, replace(match, is_last_round=True))
        case events.LinkEnded():
            return _link_ended(night, event)
        case events.Reported():
            return _reported(night, event)
        case events.Penalised():
            return _penalised(night, event.penalty)
        case events.PlayedOff():
            return _played_off(night, event)
        case events.KnockOutFollows():
            return _knock_out_follows(night, event)
        case events.Ended():
            return _ended(night)


def _require(is_so: bool, code: str, **about: Any) -> None:
    if not is_so:
        raise NightRefused(code, **about)


def _set_up(night: Night | None, plan: Plan) -> Night:
    """Return the evening with a plan, whose format stays once a match has started."""
    now = Night(plan, {}, knock_out=KnockOut(1) if plan.format == "knock_out" else None)
    if night is None:
        return now
    _require(not night.is_over, "over")
    before = night.plan
    if night.begun:
        kept = (plan.format, plan.alone) == (before.format, before.alone)
        _require(kept, "format_begun")
        return replace(night, plan=plan)
    _require((plan.format in SINGLES) == (before.format in SINGLES) or not night.entries, "entries")
    return replace(now, entries=night.entries, links=night.links)


def _named(night: Night, event: events.Entered | events.Replaced) -> Night:
    """Return the evening with the names of an entry, new or not: each is there only once.

    Who comes late takes the place of one that has left, where there is one.
    """
    is_single = night.plan.format in SINGLES
    count = len([name for name in event.names if name.strip()])
    most = 1 if is_single else MOST_NAMES
    _require(len(event.names) == count <= most and count >= most - 1 + is_single, "names")
    others = [night.entries[one].names for one in night.present if one != event.entry]
    known_as = Counter(name.casefold() for names in (*others, event.names) for name in names)
    twice = [name for name in event.names if known_as[name.casefold()] > 1]
    _require(not twice, "name_twice", names=twice)
    if isinstance(event, events.Replaced):
        known = _entry(night, event.entry)
        return _with_entry(night, event.entry, replace(known, names=event.names))
    _require(event.entry not in night.entries, "entry_twice")
    _require(not (night.knock_out and night.knock_out.seeds), "knock_out_begun")
    return _with_entry(night, event.entry, Entry(event.names, _free_place(night)))


def _free_place(night: Night) -> int:
    taken = {night.entries[one].place for one in night.present}
    return next(place for place in range(len(taken) + 1) if place not in taken)


def _entry(night: Night, number: int) -> Entry:
    _require(number in night.entries, "no_entry")
    return night.entries[number]


def _with_entry(night: Night, number: int, entry: Entry) -> Night:
    return replace(night, entries={**night.entries, number: entry})


def _moved(night: Night, number: int, leaves: bool) -> Night:
    """Return the evening once an entry has left or returned, to a place that is free."""
    entry = _entry(night, number)
    _require(entry.has_left != leaves, "has_left" if leaves else "is_here")
    place = entry.place if leaves else _free_place(night)
    return _with_entry(night, number, replace(entry, has_left=leaves, place=place))


def _paired(night: Night, event: events.Paired) -> Night:
    """Return the evening with the next match paired, in the place of what was paired before."""
    begun = night.begun
    _require(all(match.state == "closed" for match in begun), "running", match=len(begun))
    _require(event.match == night.next_number, "not_next", match=night.next_number)
    _require(_is_seated(night, event.seating), "seating")
    clock = night.matches[-1].clock if len(night.matches) > len(begun) else None
    return replace(night, matches=(*begun, Match(event.match, event.seating, clock=clock)))


def _is_seated(night: Night, seating: Seating) -> bool:
    """Return whether all who are here have one seat or sit out; in a knock-out some may be out."""
    if not all(len(table) > 1 and all(table) for table in seating.tables):
        return False
    seated, here = sorted(seating.entries), {*night.present}
    if night.knock_out:
        return len(seated) == len(set(seated)) and {*seated} <= here
    return seated == sorted(here)


def _started(night: Night, event: events.Started) -> Night:
    """Return the evening with a match running, whose pairing is final."""
    match = _match(night, event.match, "not_paired")
    _require(match.state == "paired", "begun")
    _require(_is_seated(night, match.seating), "stale")
    if night.knock_out and not night.knock_out.seeds:
        night = replace(night, knock_out=replace(night.knock_out, seeds=seeds_of(night)))
    if event.match == 1:
        places = {number: place for place, number in enumerate(night.present)}
        entries = {
            number: replace(entry, place=places.get(number, entry.place))
            for number, entry in night.entries.items()
        }
        night = replace(night, entries=entries)
    return _with_match(night, replace(match, state="running", clock=None))


def _match(night: Night, number: int, code: str = "no_match") -> Match:
    _require(1 <= number <= len(night.matches), code)
    return night.matches[number - 1]


def _with_match(night: Night, match: Match) -> Night:
    """Return the evening with a match as it is now."""
    at = match.number - 1
    return replace(night, matches=(*night.matches[:at], match, *night.matches[at + 1 :]))


def _closed(night: Night, event: events.Closed) -> Night:
    """Return the evening with its match closed, which every table has finished."""
    match = _match(night, event.match)
    _require(match.state == "running", "not_running")
    tables = match.numbers
    open_ = [number for number in tables if not night.ranks(match, number)]
    _require(not open_, "open", tables=open_)
    asked = [number for number in tables if match.at(number).status == "question"]
    _require(not asked, "question", tables=asked)
    in_knock_out = night.knock_out and match.number >= night.knock_out.first
    if in_knock_out or (night.plan.format == "progressive" and not night.plan.alone):
        tied = [number for number in tables if night.ranks(match, number).count(1) > 1]
        _require(not tied, "tied", tables=tied)
    return _with_match(night, replace(match, state="closed"))


def _reopened(night: Night, event: events.Reopened) -> Night:
    """Return the evening with its last match going on, and none paired after it."""
    match = _match(night, event.match)
    _require(match.state == "closed", "not_closed")
    _require(match.number == len(night.begun), "begun", match=len(night.begun))
    night = replace(night, matches=night.begun)
    return _with_match(night, replace(match, state="running"))


def _clock_set(night: Night, event: events.ClockSet) -> Night:
    match = _match(night, event.match)
    _require(match.state != "closed", "not_running")
    return _with_match(night, replace(match, clock=Clock(event.ends, event.left)))


def _link_ended(night: Night, event: events.LinkEnded) -> Night:
    key = (event.kind, event.number)
    return replace(night, links={**night.links, key: night.links.get(key, 0) + 1})


def _match_at(night: Night, event: events.GameBegun | events.Reported) -> Match:
    match = _match(night, event.match)
    _require(match.state != "paired", "not_started")
    _require(event.table in match.numbers, "no_table")
    return match


def _game_begun(night: Night, event: events.GameBegun) -> Night:
    match = _match_at(night, event)
    return _with_match(night, replace(match, games={**match.games, event.table: event.game}))


def _reported(night: Night, event: events.Reported) -> Night:
    """Return the evening with a table's result. After its end, no game changes what counts."""
    match = _match_at(night, event)
    if event.result:
        sides = len(match.seating.tables[event.table - 1])
        _require(len(event.result.scores) == sides, "sides", sides=sides)
        _require(len(event.result.bags) in (0, sides), "sides", sides=sides)
    before = match.at(event.table)
    reports = before.after(event.result, event.by_hand)
    changes = before.counted != reports.counted
    _require(not (night.is_over and changes), "over")
    if match.state == "closed":
        _require(reports.counted is not None, "closed")
    corrected = _with_match(night, replace(match, reports={**match.reports, event.table: reports}))
    return _told(night, corrected, match.number, event.table) if changes else corrected


def _told(before: Night, now: Night, number: int, table: int | None) -> Night:
    """Return the evening now, and told where a correction comes after a later match has begun."""
    begun = len(now.begun)
    if begun == number:
        return now
    old, new = before.matches[number - 1], now.matches[number - 1]
    other = any(before.ranks(old, at) != now.ranks(new, at) for at in old.numbers)
    in_bracket = now.knock_out is not None and number >= now.knock_out.first
    told = Told("bracket" if in_bracket and other else "standings", number, table, begun)
    return replace(now, told=(*now.told, told))


def _penalised(night: Night, penalty: Penalty) -> Night:
    """Return the evening with a penalty of one who plays or sits out in a match that has begun."""
    match = _match(night, penalty.match)
    _require(match.state != "paired", "not_started")
    _require(penalty.entry in match.seating.entries, "no_entry")
    now = replace(night, penalties=(*night.penalties, penalty))
    return _told(night, now, penalty.match, None)


def _played_off(night: Night, event: events.PlayedOff) -> Night:
    _require(len({*event.order}) == len(event.order), "entry_twice")
    for entry in event.order:
        _entry(night, entry)
    return replace(night, play_offs=(*night.play_offs, event.order))


def _knock_out_follows(night: Night, event: events.KnockOutFollows) -> Night:
    """Return the evening with a knock-out of its best to come, whom the standings name."""
    _require(night.knock_out is None or not night.knock_out.seeds, "knock_out_begun")
    _require(night.plan.format not in SINGLES, "singles")
    _require(all(match.state == "closed" for match in night.begun), "running")
    most = len(night.present)
    _require(event.best in (2, 4, 8, 16, 32) and event.best <= most, "best", most=most)
    first = KnockOut(night.next_number, event.best)
    return replace(night, knock_out=first, matches=night.begun)


def _ended(night: Night) -> Night:
    _require(all(match.state == "closed" for match in night.begun), "running")
    return replace(night, matches=night.begun, is_over=True)


def games_of(night: Night) -> set[str]:
    """Return the ids of the games of an evening."""
    return {game for match in night.matches for game in match.games.values()}


def without_games(night: Night) -> Night:
    """Return an evening of which no table has a game; results stay."""
    return replace(night, matches=tuple(replace(match, games={}) for match in night.matches))


def missing_games(night: Night) -> int:
    """Return how many tables have a result of a game and no game, as at another Scorekeeper."""
    return sum(
        match.at(number).game is not None and number not in match.games
        for match in night.begun
        for number in match.numbers
    )


def seeds_of(night: Night) -> tuple[int, ...]:
    """Return who plays in the knock-out, best first: by the standings before it, or drawn."""
    knock_out, seed = night.knock_out, night.plan.seed
    if knock_out is None or knock_out.seeds:
        return knock_out.seeds if knock_out else ()
    if knock_out.first == 1:
        return tuple(drawn(seed, night.present))
    ahead = [entry for entry in order_of(night) if entry in night.present]
    return tuple(ahead[: knock_out.best])


def order_of(night: Night) -> list[int]:
    """Return all entries, the first ahead; a lot decides between those who share a place."""
    rows = _first_phase(night, night.entries)
    rows.sort(key=lambda row: (row.place, lot(night.plan.seed, row.record.entry)))
    return [row.record.entry for row in rows]


def tally_now(night: Night) -> Tally:
    """Return what entries have from closed matches, without those of a knock-out that follows."""
    first = night.knock_out.first if night.knock_out else 1
    counted = [
        match
        for match in night.matches
        if match.state == "closed" and (first == 1 or match.number < first)
    ]
    return tally_of(counted, [*night.entries], night.plan.scoring, night.penalties)


def _first_phase(night: Night, entries: Container[int]) -> list[Row]:
    tally = tally_now(night)
    ties = Ties(night.plan.scoring.criteria, tally.duels, night.plan.seed, night.play_offs)
    return standings([one for one in tally.records.values() if one.entry in entries], ties)


def standings_of(night: Night) -> list[Row]:
    """Return the standings after all closed matches.

    Those of a knock-out are ahead of all others, by the matches of it that they have won; who has
    won as many shares a place, in the order of seeds.
    """
    if night.knock_out is None or not night.knock_out.seeds:
        return _first_phase(night, night.entries)
    won, records = _won(night), tally_now(night).records
    seeds = sorted(night.knock_out.seeds, key=lambda entry: -won[entry])
    ahead: list[Row] = []
    for at, entry in enumerate(seeds):
        before = won[seeds[at - 1]] if at else won[entry]
        why = Why("knock_out", before, won[entry]) if won[entry] < before else None
        ahead.append(Row(ahead[-1].place if at and not why else at + 1, records[entry], why))
    others = _first_phase(night, night.entries.keys() - won.keys())
    later = [replace(row, place=row.place + len(ahead)) for row in others]
    first = [replace(row, why=Why("first_phase", 0, 0)) for row in later[:1]]
    return ahead + first + later[1:]


def _won(night: Night) -> dict[int, int]:
    """Return how many matches of the knock-out each of its entries has won."""
    knock_out = night.knock_out
    won = dict.fromkeys(knock_out.seeds, 0) if knock_out else {}
    for match in night.matches[knock_out.first - 1 :] if knock_out else ():
        if match.state == "closed":
            for entry in gone_on(night, match):
                won[entry] += 1
    return won


def gone_on(night: Night, match: Match) -> set[int]:
    """Return who goes on after a match of a knock-out: who has won, or had nobody to meet."""
    winners = {
        entry
        for number in match.numbers
        for side, rank in zip(
            match.seating.tables[number - 1], night.ranks(match, number), strict=False
        )
        if rank == 1
        for entry in side
    }
    return winners | {*match.seating.byes}
