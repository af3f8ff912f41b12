// Who sits where, as in the server's rules/seating.py. Seats are {names, empty}: the name of an empty
// seat is that of the player who left it. A substitute is {seat, player}, the player null who leaves.

/** Return the seats once substitutes have taken or left theirs. */
export function seatsAfter(seats, substitutes = []) {
  if (!substitutes.length) return seats;
  const [names, empty] = [[...seats.names], new Set(seats.empty)];
  for (const { seat, player } of substitutes) {
    if (player !== null) names[seat] = player;
    empty[player === null ? "add" : "delete"](seat);
  }
  return { names, empty: [...empty].sort((one, other) => one - other) };
}

/** Return who sits where in round `n` of a game, or sat there last. */
export const seatsIn = ({ starters, names, rounds }, n) =>
  rounds
    .slice(0, n)
    .reduce((seats, round) => seatsAfter(seats, round.substitutes), { names: starters ?? names, empty: [] });

/** Return the numbers of the seats on which somebody sits. */
export const takenSeats = ({ names, empty }) => [...names.keys()].filter((seat) => !empty.includes(seat));

/**
 * Return the face of a seat, one of 10 shapes and 7 colors, as {shape, color}; `own` are those of the players, each
 * `[shape, color]` or nothing.
 */
export const faceAt = (own, seat) => ({
  shape: toldApart(own.map((face) => face?.[0]), 10)[seat],
  color: toldApart(own.map((face) => face?.[1]), 7)[seat],
});

// Returns numbers up to `most` by seat, with others for those that an earlier seat has.
function toldApart(own, most) {
  const found = [];
  own.forEach((number, seat) => {
    const isFree = (n) => n && !own.includes(n) && !found.includes(n);
    const others = [(seat % most) + 1, ...Array(most + 1).keys()];
    found.push(number && !found.includes(number) ? number : (others.find(isFree) ?? number ?? others[0]));
  });
  return found;
}

/** Return the former seats of players who change theirs, as a map by the new ones. */
export function movesOf({ names, empty }, substitutes = []) {
  const former = (player) => (player === null ? -1 : names.findIndex((name, seat) => name === player && !empty.includes(seat)));
  const found = substitutes.map(({ seat, player }) => [seat, former(player)]);
  const moves = found.filter(([seat, before]) => before >= 0 && before !== seat);
  const seatsOf = (at) => moves.map((move) => move[at]).sort((one, other) => one - other);
  const [taken, left] = [seatsOf(0), seatsOf(1)];
  const gone = taken.filter((seat) => !left.includes(seat)); // for whom somebody new came
  const others = left.filter((seat) => !taken.includes(seat)).map((seat, at) => [seat, gone[at]]);
  return new Map([...moves, ...others]);
}

/** Return the standing by other seats: players keep what is theirs, and a side what partners scored together. */
export function moveAlong(standing, moves) {
  const { totals, seat_totals: own, lost, seats } = standing;
  const former = seats.names.map((_, seat) => moves.get(seat) ?? seat);
  const along = (counts) => counts.map((_, seat) => counts[former[seat]]);
  if (totals.length === former.length) {
    const names = ["totals", "bags", "seat_totals", "tie_break", "sets", "sets_in_a_row", "first_tricks"];
    const moved = Object.fromEntries(names.map((name) => [name, along(standing[name])]));
    return { ...standing, ...moved, lost: lost.map((side) => former.indexOf(side)).sort((one, other) => one - other) };
  }
  if (!own.length) return standing;
  const moved = along(own);
  const sumOf = (side) => moved.reduce((n, total, seat) => n + (seat % totals.length === side ? total : 0), 0);
  return { ...standing, seat_totals: moved, totals: totals.map((_, side) => sumOf(side)) };
}

/** Return the standing once substitutes have taken their seats; somebody new begins as the rules say. */
export function takeSeats(rules, before, substitutes) {
  const seats = seatsAfter(before.seats, substitutes);
  if (seats === before.seats) return before;
  const moves = movesOf(before.seats, substitutes);
  const standing = moves.size ? moveAlong(before, moves) : before;
  const { names, empty } = standing.seats;
  const joins = ({ seat, player }) => player !== null && empty.includes(seat) && names[seat] !== player;
  const joined = substitutes.filter(joins).map(({ seat }) => seat);
  const lowest = Math.min(...takenSeats(standing.seats).map((side) => standing.totals[side]));
  const total = rules.joins_at === "lowest" ? lowest : 0;
  const begin = (counts, value = 0) => counts.map((n, side) => (joined.includes(side) ? value : n));
  return {
    ...standing,
    totals: begin(standing.totals, total),
    bags: begin(standing.bags),
    tie_break: begin(standing.tie_break),
    sets: begin(standing.sets),
    sets_in_a_row: begin(standing.sets_in_a_row),
    seats,
  };
}
