"""The next match of an evening: who meets whom, by its format and what has happened."""

from itertools import zip_longest

from scorekeeper.club.events import SINGLES, Event, Paired
from scorekeeper.club.match import History, Match, Seating, drawn, history_of, lot
from scorekeeper.club.movements import FOUR, STARTERS, change_partners, climb, parted, search
from scorekeeper.club.night import (
    Night,
    NightRefused,
    after,
    gone_on,
    order_of,
    seeds_of,
    tally_now,
)
from scorekeeper.club.pairing import all_play_all, halves, knock_out, knock_out_slots, swiss

FEW_MATCHES = 5  # where the format does not say how many


def planned(night: Night) -> int:
    """Return how many matches the evening has, as it is now."""
    plan, here = night.plan, len(night.present)
    if night.knock_out:
        entries = len(seeds_of(night))
        return night.knock_out.first - 1 + max(entries - 1, 0).bit_length()
    if plan.matches is not None:
        return plan.matches
    if plan.format == "all_play_all":
        return max(here - 1 + here % 2, 0)
    if plan.format == "halves":
        return (here + 1) // 2
    starter = STARTERS.get(here) if plan.format == "change_partners" else None
    return starter[0] if starter else FEW_MATCHES


def pair_next(night: Night) -> Paired:
    """Return the pairing of the next match, the same for the same events.

    Raises `NightRefused` where too few are here, or a knock-out has its winner.
    """
    least = FOUR if night.plan.format in SINGLES else 2
    if len(night.present) < least:
        raise NightRefused("few", least=least)
    return Paired(night.next_number, _next(night))


def with_what_follows(night: Night | None, event: Event) -> list[Event]:
    """Return an event, and the new pairing where it changes that of a match not yet started.

    Raises `NightRefused` for an event that cannot happen now.
    """
    now = after(night, event)
    if isinstance(event, Paired) or len(now.begun) == len(now.matches):
        return [event]
    try:
        anew = pair_next(now)
    except NightRefused:
        return [event]  # to start it is refused while it is stale
    return [event] if anew.seating == now.matches[-1].seating else [event, anew]


def _next(night: Night) -> Seating:
    plan, history = night.plan, history_of([match.seating for match in night.begun])
    if night.knock_out:
        return _knock_out(night)
    if plan.format in SINGLES:
        single = _progressive if plan.format == "progressive" else _change_partners
        seating = single(night, history)
        return seating.alone() if plan.alone else seating
    if plan.format == "swiss":
        records, here = tally_now(night).records, {*night.present}
        points = {entry: record.match_points for entry, record in records.items()}
        return swiss([entry for entry in order_of(night) if entry in here], points, history)
    movement = all_play_all if plan.format == "all_play_all" else halves
    return movement(_places(night), history)


def _places(night: Night) -> list[int | None]:
    """Return who has each place of a movement; before the first match no place is empty."""
    if not night.begun:
        return [*night.present]
    at = {night.entries[entry].place: entry for entry in night.present}
    return [at.get(place) for place in range(max(at) + 1)]


def bracket_of(night: Night) -> list[list[int | None]]:
    """Return the slots of each match of a knock-out, neighbours of which meet; the next one last.

    Who played a later match goes on from an earlier one, whatever its result has become.
    """
    assert night.knock_out is not None
    bracket = [knock_out_slots(seeds_of(night))]
    matches = night.begun[night.knock_out.first - 1 :]
    for match, later in zip_longest(matches, matches[1:]):
        through = {*later.seating.entries} if later else gone_on(night, match)
        pairs = zip(bracket[-1][::2], bracket[-1][1::2], strict=True)
        bracket.append([next((one for one in pair if one in through), None) for pair in pairs])
    return bracket


def _knock_out(night: Night) -> Seating:
    """Return the next match of a knock-out. Who has left is met by nobody."""
    slots = bracket_of(night)[-1]
    if len(slots) < 2:
        raise NightRefused("knock_out_over")
    here = {*night.present}
    return knock_out([slot if slot in here else None for slot in slots])


def _change_partners(night: Night, history: History) -> Seating:
    """Return the next match of the plan; of a search where somebody came late or left."""
    here, begun = sorted(night.present), [match.seating for match in night.begun]
    if all(sorted(seating.entries) == here for seating in begun):
        matches = max(planned(night), night.next_number)
        plan = change_partners(len(here), matches, night.plan.seed)
        meant = [seating.of(here) for seating in plan[: night.next_number]]
        if begun == [one.alone() if night.plan.alone else one for one in meant[:-1]]:
            return meant[-1]
    return search(here, history, night.plan.seed)


def _progressive(night: Night, history: History) -> Seating:
    """Return the next match of Progressive: whoever waited or came late sits where others left.

    Those wait next who have waited least often, from the last table up.
    """
    seed, here = night.plan.seed, {*night.present}
    last = night.begun[-1] if night.begun else None
    order = drawn(seed, here) if last is None else _climbed(night, last)
    moved = [entry for entry in order if entry in here]
    others = drawn(seed, here - {*moved}, history.matches)
    least_first = sorted([*reversed(moved), *others], key=lambda one: history.byes[one])
    waiting = {*least_first[: len(here) % FOUR]}
    coming = [entry for entry in others if entry not in waiting]
    seats = [
        entry if entry in here - waiting else coming.pop(0) if coming else None for entry in order
    ]
    people = [entry for entry in [*seats, *coming] if entry is not None]
    partners = history_of([last.seating]).partners if last else {}
    return Seating(parted(people, partners, history, seed), tuple(sorted(waiting)))


def _climbed(night: Night, match: Match) -> list[int]:
    """Return players in the order of tables once the winners of a match have gone up."""
    pairs = []
    for number in match.numbers:
        table, ranks = match.seating.tables[number - 1], night.ranks(match, number)
        sides = sorted(
            zip(ranks, table, strict=True), key=lambda one: (one[0], lot(night.plan.seed, *one[1]))
        )
        people = [entry for _rank, side in sides for entry in side]
        pairs.append(((people[0], people[1]), (people[2], people[3])))
    return [entry for pair in climb(pairs) for entry in pair] if pairs else []
