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

/** Return the standing once substitutes have taken their seats; somebody new begins as the rules say. */
export function takeSeats(rules, standing, substitutes) {
  const seats = seatsAfter(standing.seats, substitutes);
  if (seats === standing.seats) return standing;
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
    overtricks: begin(standing.overtricks),
    sets: begin(standing.sets),
    sets_in_a_row: begin(standing.sets_in_a_row),
    seats,
  };
}
